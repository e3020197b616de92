"""A board in BOOTSEL on the bus: drive and PICOBOOT behind one set of descriptors.

Entry points: :class:`Bootsel`, :class:`Mainboard` (what it needs of its board).

Limits: those of :mod:`hwsim.usb.picoboot` and :mod:`hwsim.usb.drive`.
"""

from __future__ import annotations

from typing import Protocol

from hwsim.usb import uf2
from hwsim.usb.chips import FAMILY_DATA, PAGE, SECTOR, Chip
from hwsim.usb.clock import Clock
from hwsim.usb.descriptors import PICOBOOT_IN, PICOBOOT_OUT, bootsel
from hwsim.usb.device import IN, RECIPIENT_MASK, TO_INTERFACE, TYPE_MASK, VENDOR_TYPE, Device, Setup, Stall
from hwsim.usb.drive import Drive
from hwsim.usb.faults import Faults
from hwsim.usb.flash import FlashMemory
from hwsim.usb.information import Information
from hwsim.usb.memory import Memory
from hwsim.usb.picoboot import Picoboot, Reboot

IF_RESET, CMD_STATUS = 0x41, 0x42
STATUS_BYTES = 16


class Mainboard(Protocol):
    """The board that the chip sits on."""

    chip: Chip
    uid: bytes
    flash: FlashMemory
    faults: Faults
    competitor: bool
    otp: dict[int, int]

    @property
    def clock(self) -> Clock:
        """The bus's clock."""

    def random(self) -> bytes:
        """16 bytes that differ from boot to boot."""

    def restart(self, how: Reboot) -> None:
        """The chip resets after ``how.delay``."""

    def unplug(self) -> None:
        """The cable is out."""


class Bootsel(Device):
    """The chip of ``board`` in BOOTSEL."""

    def __init__(self, board: Mainboard, *, drive: bool = True, picoboot: bool = True) -> None:
        chip = board.chip
        serial = chip.fixed_serial or board.uid.hex().upper()
        super().__init__(bootsel(chip, serial, drive=drive, picoboot=picoboot))
        self._board = board
        self._memory = Memory(chip, board.flash)
        self.drive = Drive(chip, self._memory, lambda delay: board.restart(Reboot("flash", delay)))
        information = Information(board.uid, board.flash.size, self.drive, board.random)
        information.otp = board.otp
        self._has_drive = drive
        self._number = self.description.endpoints.get(PICOBOOT_OUT)
        self._picoboot = Picoboot(
            chip,
            self._memory,
            self.drive,
            board.faults,
            board.clock.scheduler,
            information=information,
            halt=lambda: self.halted.update((PICOBOOT_OUT, PICOBOOT_IN)),
            pull=board.unplug,
            reboot=board.restart,
            disturb=self._compete,
        )

    # --- packets -------------------------------------------------------------------------------------------------

    def out_ready(self, endpoint: int) -> bool:
        """Whether PICOBOOT takes a packet."""
        return endpoint == PICOBOOT_OUT and self._picoboot.out_ready

    def out_packet(self, endpoint: int, data: bytes) -> None:
        """A packet for PICOBOOT."""
        self._picoboot.out_packet(data)

    def in_packet(self, endpoint: int) -> bytes | None:
        """A packet of PICOBOOT."""
        return self._picoboot.in_packet() if endpoint == PICOBOOT_IN else None

    # --- endpoint 0 ----------------------------------------------------------------------------------------------

    def request(self, setup: Setup, data: bytes) -> bytes:
        """IF_RESET and CMD_STATUS."""
        to_picoboot = (setup.kind & TYPE_MASK, setup.kind & RECIPIENT_MASK) == (VENDOR_TYPE, TO_INTERFACE)
        if not to_picoboot or setup.target != self._number:
            raise Stall
        if setup.kind & IN:
            if setup.request != CMD_STATUS or setup.length != STATUS_BYTES:
                raise Stall
            return self._picoboot.status()
        if setup.request != IF_RESET:
            raise Stall
        self.configured()
        return b""

    def configured(self) -> None:
        """Both endpoints answer again; PICOBOOT starts anew."""
        self.halted -= {PICOBOOT_OUT, PICOBOOT_IN}
        self._picoboot.reset()

    def unhalted(self, endpoint: int) -> None:
        """The host cleared a halt."""
        if endpoint in (PICOBOOT_OUT, PICOBOOT_IN):
            self._picoboot.unhalted()

    def leave(self) -> None:
        """Reset, power cut, cable out."""
        super().leave()
        self._picoboot.leave()

    # --- the other program ---------------------------------------------------------------------------------------

    def _compete(self, address: int) -> None:
        """Another program copies a file onto the drive just now, over the sector that PICOBOOT has changed."""
        if not self._board.competitor or not self._has_drive or self.drive.locked or self.drive.ejected:
            return
        family = min(self._board.chip.families - {FAMILY_DATA})
        block = uf2.Block(uf2.FAMILY, address - address % SECTOR, 0, 2, family, bytes(PAGE))
        self.drive.restart()
        self.drive.write(block.write())
