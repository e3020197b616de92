"""A board at the end of a cable: what it starts into, when it is on the bus, and as what.

Entry points: :class:`Board`, :class:`Application` (what runs when the flash holds a program).

Limits: powered by the cable alone, so pulling it switches the board off at once. What the program does is not taken
from its machine code: ``application`` says what shows on the cable, a MicroPython prompt by default
(:class:`hwsim.usb.micropython.MicroPython`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from hwsim import costs
from hwsim.core import NS_PER_MS, Event
from hwsim.usb import descriptors, firmware
from hwsim.usb.bootsel import Bootsel
from hwsim.usb.chips import Chip
from hwsim.usb.device import Device
from hwsim.usb.faults import Faults
from hwsim.usb.flash import FlashMemory
from hwsim.usb.picoboot import Reboot

if TYPE_CHECKING:
    from hwsim.usb.bus import Bus
    from hwsim.usb.clock import Clock

BOOTSEL_ATTACH_NS = 300 * NS_PER_MS
"""From a reset into BOOTSEL to the device being there for the host (estimate)."""
MICROPYTHON_ATTACH_NS = costs.BOOT_NS + costs.USB_ATTACH_NS + 300 * NS_PER_MS
"""The same for a program (estimate; 0.2 to 3 s are seen)."""


class Application(Protocol):
    """A running program, as far as it shows on the cable."""

    port: str
    """Path of its serial port on this computer."""

    def start(self) -> None:
        """The program starts: the port is there and alive."""

    def stop(self) -> None:
        """Power cut or reset: the port vanishes."""


class Board:
    """One board with ``chip``, at ``port`` (``1-2.3``: bus 1, port 2 of it, port 3 of the hub there).

    Args:
        chip: which one.
        uid: the chip's (RP2350) or the flash's (RP2040) own id, 8 bytes.
        port: where it is plugged in; unique on its bus.
        flash: its flash with what is in it; new and erased by default.
        application: makes what runs when the flash holds a program.
        competitor: another program on the host copies files onto the board's drive whenever it can: the reason for
            exclusive access.
    """

    def __init__(
        self,
        chip: Chip,
        uid: bytes,
        port: str,
        *,
        flash: FlashMemory | None = None,
        application: Callable[[Board], Application] | None = None,
        competitor: bool = True,
    ) -> None:
        if len(uid) != 8:
            raise ValueError("an id has 8 bytes")
        self.chip = chip
        self.uid = uid
        self.port = port
        self.flash = FlashMemory() if flash is None else flash
        self.faults = Faults()
        self.competitor = competitor
        self.otp: dict[int, int] = {}
        self.attach_ns = MICROPYTHON_ATTACH_NS
        """From the reset to the program's port being there; the 0.2 to 3 s that real ones take."""
        self.state = "unplugged"
        """``unplugged``, ``starting``, ``bootsel``, ``running`` or ``hung``."""
        self.device: Device | None = None
        self.application: Application | None = None
        self.boots = 0
        self.button = False
        """BOOTSEL is held down: the next start is into the boot loader."""
        self._make_application = application
        self._bus: Bus | None = None
        self._pending: Event | None = None

    def join(self, bus: Bus) -> None:
        """Belong to ``bus`` (called by it)."""
        self._bus = bus

    @property
    def bus(self) -> Bus:
        """The bus that it belongs to; RuntimeError when there is none."""
        if self._bus is None:
            raise RuntimeError("the board is on no bus: Bus.add")
        return self._bus

    @property
    def clock(self) -> Clock:
        """The bus's clock."""
        return self.bus.clock

    @property
    def serial(self) -> str:
        """Serial number of the running program's port."""
        return self.uid.hex()

    def random(self) -> bytes:
        """This boot's random number."""
        return hashlib.sha256(self.uid + self.boots.to_bytes(4, "little")).digest()[:16]

    # --- power and reset -----------------------------------------------------------------------------------------

    def plug(self) -> None:
        """Put the cable in; with ``button`` held the boot loader comes up whatever the flash holds."""
        with self.bus.lock:
            if self.state != "unplugged":
                raise RuntimeError(f"the cable is in already: {self.state}")
            self._start(Reboot("flash", 0))

    def unplug(self) -> None:
        """Pull the cable: the board is off at once."""
        with self.bus.lock:
            self._stop()
            self.state = "unplugged"

    def restart(self, how: Reboot) -> None:
        """The chip resets ``how.delay`` nanoseconds from now."""
        with self.bus.lock:
            self._schedule(how.delay, lambda: self._reset(how))

    def enter_bootsel(self) -> None:
        """What ``machine.bootloader()`` does."""
        self.restart(Reboot("bootsel", 0))

    def reset(self) -> None:
        """What ``machine.reset()`` does."""
        self.restart(Reboot("flash", 0))

    def _schedule(self, delay: int, action: Callable[[], None]) -> None:
        if self._pending is not None:
            self._pending.cancel()
        self._pending = self.clock.scheduler.after(delay, action)

    def _stop(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        if self.device is not None:
            self.device.leave()
            self.device = None
            self.bus.detached(self)
        if self.application is not None:
            self.application.stop()
            self.application = None

    def _reset(self, how: Reboot) -> None:
        if self.faults.at("reboot"):
            self.unplug()
            return
        self._stop()
        self._start(how)

    def _start(self, how: Reboot) -> None:
        self.boots += 1
        self.state = "starting"
        if how.into == "code":
            self.state = "hung"
            return
        found = firmware.look(self.chip, self.flash)
        if how.into == "bootsel" or self.button or found is None:
            self._schedule(BOOTSEL_ATTACH_NS, lambda: self._attach_bootsel(how))
        elif found.whole and not self.faults.missing:
            self._schedule(self.attach_ns, self._attach_application)
        else:
            self.state = "hung"

    def _attach_bootsel(self, how: Reboot) -> None:
        self._attach("bootsel", Bootsel(self, drive=how.drive, picoboot=how.picoboot))

    def _attach_application(self) -> None:
        if self._attach("running", Device(descriptors.micropython(self.serial))):
            made = self._make_application or self.bus.application
            self.application = made(self)
            self.application.start()

    def _attach(self, state: str, device: Device) -> bool:
        self._pending = None
        if self.faults.at("attach"):
            self.unplug()
            return False
        self.state = state
        self.device = device
        self.bus.attached(self)
        return True
