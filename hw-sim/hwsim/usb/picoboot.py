"""PICOBOOT, the boot ROM's vendor interface: commands, their phases, their checks, their errors.

Entry points: :class:`Picoboot` (packets in and out, the two control requests) and :class:`Reboot` (what it asks of the
board). Written from the published protocol; it shares no constant with the host's flasher.

A command is 32 bytes OUT, then data in chunks of 256 bytes, then a zero-length packet the other way. Whatever the ROM
forgives is forgiven here, and nothing else: a command sent before the acknowledgement of the last one was fetched is
not taken (NAK); one sent where an acknowledgement is due is swallowed as that acknowledgement; an error halts both bulk
endpoints until the interface has been reset.

Limits: machine code is never run. EXEC on an RP2040, and rebooting into a program counter or a RAM image, leave a board
that has left the bus or does not answer, as with code that hangs. VECTORIZE_FLASH has no effect.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from hwsim import costs
from hwsim.core import NS_PER_MS, Event, Scheduler
from hwsim.usb.chips import FLASH_BASE, PAGE, SECTOR, Chip
from hwsim.usb.drive import Drive
from hwsim.usb.faults import Faults
from hwsim.usb.information import Information
from hwsim.usb.memory import Memory, Status

MAGIC = 0x431F_D10B
COMMAND_BYTES = 32
PACKET = 64
IN_BIT = 0x80
SOURCE = "picoboot"

EXCLUSIVE, REBOOT, ERASE, READ, WRITE, EXIT_XIP, ENTER_XIP, EXEC, VECTORIZE = range(1, 10)
REBOOT2, GET_INFO, OTP_READ, OTP_WRITE = range(10, 14)
ARGUMENT_BYTES = {
    EXCLUSIVE: 1,
    REBOOT: 12,
    ERASE: 8,
    READ: 8,
    WRITE: 8,
    EXIT_XIP: 0,
    ENTER_XIP: 0,
    EXEC: 4,
    VECTORIZE: 4,
}
ARGUMENT_BYTES_2350 = {**ARGUMENT_BYTES, REBOOT2: 16, GET_INFO: 16, OTP_READ: 5, OTP_WRITE: 5}
INFO_MOST = 256

REBOOT_NORMAL, REBOOT_BOOTSEL, REBOOT_RAM, REBOOT_UPDATE, REBOOT_PC = 0, 2, 3, 4, 0xD
NO_DRIVE, NO_PICOBOOT = 1, 2


@dataclass(frozen=True)
class Reboot:
    """How the chip is to start again. ``into`` is ``flash``, ``bootsel`` or ``code`` (never run: it hangs)."""

    into: str
    delay: int
    """Nanoseconds."""
    drive: bool = True
    picoboot: bool = True


class Phase(Enum):
    """What the interface waits for."""

    COMMAND = auto()
    DATA_OUT = auto()
    WORKING = auto()
    DATA_IN = auto()
    ACK_OUT = auto()
    ACK_IN = auto()
    DEAF = auto()
    """A command was ignored, or an endpoint un-halted by itself: only an interface reset helps."""


@dataclass
class _Command:
    """The command under way."""

    token: int = 0
    sent: int = 0  # id with bit 7
    arguments: bytes = bytes(16)
    length: int = 0
    address: int = 0
    done: int = 0
    skipped: bool = False

    @property
    def id(self) -> int:
        return self.sent & ~IN_BIT

    @property
    def to_host(self) -> bool:
        return bool(self.sent & IN_BIT)


class Picoboot:
    """The interface of one board.

    ``halt`` halts both bulk endpoints, ``pull`` pulls the cable, ``reboot`` restarts the chip, ``disturb`` is called
    with an address when the flash there has been changed.
    """

    def __init__(
        self,
        chip: Chip,
        memory: Memory,
        drive: Drive,
        faults: Faults,
        scheduler: Scheduler,
        *,
        information: Information,
        halt: Callable[[], None],
        pull: Callable[[], None],
        reboot: Callable[[Reboot], None],
        disturb: Callable[[int], None],
    ) -> None:
        self.phase = Phase.COMMAND
        self._chip = chip
        self._memory = memory
        self._drive = drive
        self._faults = faults
        self._scheduler = scheduler
        self._information = information
        self._halt = halt
        self._pull = pull
        self._reboot = reboot
        self._disturb = disturb
        self._sizes = ARGUMENT_BYTES_2350 if chip.has_reboot2 else ARGUMENT_BYTES
        self._command = _Command()
        self._status = Status.OK
        self._in_progress = False
        self._rebooting = False
        self._xip = False  # RP2040: the flash is mapped and takes no commands
        self._buffer = bytearray(PAGE)  # never cleared: a short last page is programmed with what was there before
        self._filled = 0
        self._outgoing = b""
        self._work: Event | None = None

    # --- control requests ----------------------------------------------------------------------------------------

    def reset(self) -> None:
        """IF_RESET, or a new configuration: work is dropped where it stands, exclusive access too."""
        self._stop_work()
        self.phase = Phase.COMMAND
        self._command = _Command()
        self._status = Status.OK
        self._in_progress = False
        self._outgoing = b""
        self._filled = 0
        self._drive.locked = False

    def status(self) -> bytes:
        """What CMD_STATUS answers."""
        command = self._command
        return struct.pack("<IIBB6x", command.token, self._status, command.sent, self._in_progress)

    def unhalted(self) -> None:
        """An endpoint's halt was cleared: there is no way on but the interface reset."""
        self.phase = Phase.DEAF

    def leave(self) -> None:
        """The chip stops."""
        self._stop_work()
        self.phase = Phase.DEAF

    # --- packets -------------------------------------------------------------------------------------------------

    @property
    def out_ready(self) -> bool:
        """Whether a packet would be taken."""
        return self.phase in (Phase.COMMAND, Phase.DATA_OUT, Phase.ACK_OUT)

    def out_packet(self, data: bytes) -> None:
        """A packet from the host."""
        if self.phase is Phase.COMMAND:
            self._take_command(data)
        elif self.phase is Phase.ACK_OUT:
            self._acknowledged()  # whatever it holds
        else:
            room = min(PAGE - self._filled, self._command.length - self._command.done - self._filled)
            taken = data[:room]
            self._buffer[self._filled : self._filled + len(taken)] = taken
            self._filled += len(taken)
            if self._filled == PAGE or self._command.done + self._filled == self._command.length:
                self._chunk_arrived()

    def in_packet(self) -> bytes | None:
        """A packet for the host, None when there is none (yet)."""
        if self.phase is Phase.ACK_IN:
            self._acknowledged()
            return b""
        if self.phase is not Phase.DATA_IN:
            return None
        if not self._outgoing and not self._fetch_chunk():
            return None
        packet, self._outgoing = self._outgoing[:PACKET], self._outgoing[PACKET:]
        self._command.done += len(packet)
        if self._command.done == self._command.length:
            self._in_progress = False
            self.phase = Phase.ACK_OUT
        return packet

    def _acknowledged(self) -> None:
        self.phase = Phase.COMMAND
        if self._faults.at("ack"):
            self._pull()

    # --- commands ------------------------------------------------------------------------------------------------

    def _take_command(self, data: bytes) -> None:
        if len(data) != COMMAND_BYTES or int.from_bytes(data[:4], "little") != MAGIC:
            self._fail(None)
            return
        if self._faults.at("command"):
            self._pull()
            return
        token, sent, size, length = struct.unpack_from("<IBBxxI", data, 4)
        address, span = struct.unpack_from("<II", data, 16)
        self._command = command = _Command(token, sent, data[16:], length, address)
        self._in_progress = False
        if command.id not in self._sizes:
            self._fail(Status.UNKNOWN_CMD)
        elif size != self._sizes[command.id]:
            self._fail(Status.INVALID_CMD_LENGTH)
        elif not self._length_fits(command, span):
            self._fail(Status.INVALID_TRANSFER_LENGTH)
        elif self._faults.ignores(sent):
            self.phase = Phase.DEAF
            self._in_progress = True
        else:
            command.skipped = self._faults.skips(sent)
            wait = self._faults.lateness(sent)
            if wait:
                self.phase = Phase.WORKING
                self._in_progress = True
                self._work = self._scheduler.after(wait, lambda: self._begin(command, span))
            else:
                self._begin(command, span)

    def _length_fits(self, command: _Command, span: int) -> bool:
        if command.id in (READ, WRITE):
            return command.length == span
        if command.id == GET_INFO:
            return 0 < command.length <= INFO_MOST and command.length % 4 == 0
        if command.id in (OTP_READ, OTP_WRITE):
            return command.length == self._information.otp_bytes(command.arguments)
        return command.length == 0

    def _begin(self, command: _Command, span: int) -> None:
        self._status = Status.OK
        if command.id in (REBOOT, REBOOT2) and not command.skipped:
            self._begin_reboot(command)
            return
        self._in_progress = True
        self._filled = 0
        self._outgoing = b""
        if command.length and command.to_host:
            self.phase = Phase.DATA_IN
            self._fetch_chunk()
        elif command.length:
            self.phase = Phase.DATA_OUT
        elif self._rebooting:
            self._fail(Status.REBOOTING)
        elif command.id == ERASE and not command.skipped:
            self._begin_erase(command.address, span)
        else:
            self._finish(Status.OK if command.skipped else self._simple(command))

    def _simple(self, command: _Command) -> Status:
        """A command without data."""
        if command.id == EXCLUSIVE:
            self._drive.locked = command.arguments[0] != 0
            self._drive.ejected = self._drive.ejected or command.arguments[0] == 2
        elif command.id in (EXIT_XIP, ENTER_XIP):
            self._xip = command.id == ENTER_XIP and not self._chip.has_reboot2
        elif command.id in (EXEC, VECTORIZE) and self._chip.has_reboot2:
            return Status.UNKNOWN_CMD
        elif command.id == EXEC:
            self._reboot(Reboot("code", 0))
        elif command.id in (READ, WRITE):
            return self._memory.check_access(command.address, 0, write=command.id == WRITE)
        return Status.OK

    def _begin_reboot(self, command: _Command) -> None:
        kind = self._asked_reboot(command)
        if kind is None:
            # A chip of the other family has no such command; an unknown kind of reboot is refused.
            self._fail(Status.NOT_PERMITTED if command.id == REBOOT2 else Status.UNKNOWN_CMD)
            return
        self._rebooting = True
        self._acknowledge()
        self._reboot(kind)

    def _asked_reboot(self, command: _Command) -> Reboot | None:
        first, delay, third, fourth = struct.unpack_from("<IIII", command.arguments)
        if command.id == REBOOT:  # program counter, stack pointer, delay
            return None if self._chip.has_reboot2 else Reboot("code" if first else "flash", third * NS_PER_MS)
        kind, wait = first & 0xF, delay * NS_PER_MS
        if kind in (REBOOT_NORMAL, REBOOT_UPDATE):
            return Reboot("flash", wait)
        if kind == REBOOT_BOOTSEL:
            off = fourth & (NO_DRIVE | NO_PICOBOOT)
            return Reboot("bootsel", wait, drive=off != NO_DRIVE, picoboot=off != NO_PICOBOOT)
        return Reboot("code", wait) if kind in (REBOOT_RAM, REBOOT_PC) else None

    # --- erasing -------------------------------------------------------------------------------------------------

    def _begin_erase(self, address: int, size: int) -> None:
        wrong = self._memory.check_erase(address, size)
        if wrong:
            self._fail(wrong)
            return
        self._drive.mutated = SOURCE
        self.phase = Phase.WORKING
        self._erase_next(address, address + size)

    def _erase_next(self, address: int, end: int) -> None:
        if address >= end:
            self._finish(Status.OK)
            return

        def erased() -> None:
            if self._faults.at("erase"):
                self._memory.flash.erase(address - FLASH_BASE, whole=False)
                self._pull()
                return
            if not self._xip:
                self._memory.flash.erase(address - FLASH_BASE)
            self._disturb(address)
            self._erase_next(address + SECTOR, end)

        self._work = self._scheduler.after(costs.FLASH_ERASE_NS[0], erased)

    # --- data ----------------------------------------------------------------------------------------------------

    def _chunk_arrived(self) -> None:
        if self._faults.at("data_out"):
            self._pull()
            return
        command = self._command
        count, self._filled = self._filled, 0
        wrong = self._check_chunk(count)
        if wrong:
            self._fail(wrong)
            return
        self.phase = Phase.WORKING
        to_flash = command.id == WRITE and self._memory.in_flash(command.address, count)
        duration = costs.FLASH_PROGRAM_NS[0] if to_flash else 0

        def written() -> None:
            pulled = to_flash and self._faults.at("program")
            if command.id == OTP_WRITE and not command.skipped:
                refused = self._information.otp_write(command.arguments, command.done, bytes(self._buffer[:count]))
                if refused:
                    self._fail(refused)
                    return
            elif command.id == WRITE and not command.skipped and not (to_flash and self._xip):
                self._memory.write(command.address, bytes(self._buffer), count, whole=not pulled)
            if pulled:
                self._pull()
                return
            command.address += count
            command.done += count
            if to_flash:
                self._disturb(command.address - count)
            if command.done == command.length:
                self._finish(Status.OK)
            else:
                self.phase = Phase.DATA_OUT

        self._work = self._scheduler.after(duration, written)

    def _fetch_chunk(self) -> bool:
        """Put the next chunk where packets are taken from; False when that failed."""
        if self._faults.at("data_in"):
            self._pull()
            return False
        command = self._command
        count = min(PAGE, command.length - command.done)
        wrong = self._check_chunk(count)
        if not wrong:
            wrong = self._load(command, count)
        if wrong:
            self._fail(wrong)
            return False
        self._outgoing = bytes(self._buffer[:count])
        command.address += count
        return True

    def _load(self, command: _Command, count: int) -> Status:
        """Fill the buffer with what an IN command gives."""
        found: bytes | Status = b""
        if command.skipped:
            return Status.OK
        if command.id == READ:
            found = self._memory.read(command.address, count)
            found = self._faults.disturb(command.address, found)
        elif command.id == GET_INFO:
            found = self._information.answer(command.arguments, count)
        elif command.id == OTP_READ:
            found = self._information.otp_read(command.arguments, command.done, count)
        elif command.id == WRITE:  # sent with the direction bit: the ROM writes what is in its buffer
            self._memory.write(command.address, bytes(self._buffer), count)
        if isinstance(found, Status):
            return found
        self._buffer[: len(found)] = found
        return Status.OK

    def _check_chunk(self, count: int) -> Status:
        command = self._command
        if self._rebooting:
            return Status.REBOOTING
        if command.id not in (READ, WRITE):
            return Status.OK
        if command.id == WRITE:
            if command.done and self._drive.mutated != SOURCE:
                return Status.INTERLEAVED_WRITE
            self._drive.mutated = SOURCE
        return self._memory.check_access(command.address, count, write=command.id == WRITE)

    # --- endings -------------------------------------------------------------------------------------------------

    def _finish(self, status: Status) -> None:
        if status:
            self._fail(status)
        else:
            self._acknowledge()

    def _acknowledge(self) -> None:
        self._work = None
        self._in_progress = False
        self.phase = Phase.ACK_OUT if self._command.to_host else Phase.ACK_IN

    def _fail(self, status: Status | None) -> None:
        """Halt; None leaves the status of the command before."""
        if status is not None:
            self._status = status
        self._in_progress = False
        self.phase = Phase.DEAF
        self._halt()

    def _stop_work(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work = None
