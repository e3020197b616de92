"""What is plugged into this computer, and the clock that goes with it.

Entry points: :class:`Bus` (the real one), :class:`SharedBus` (for work on several boards at once), :class:`Port` (a
serial port of a board). Everything that looks for boards or waits for one takes a bus, so that tests bring their own
with their own time.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from sabot_host.flash import usb_bus
from sabot_host.flash.picoboot import Pipe
from sabot_host.flash.usb_bus import VENDOR, BootLoader
from sabot_host.link import usb_source
from sabot_host.link.client import Transport
from sabot_host.link.serial_port import USB_PRODUCT, SerialTransport

SEEN_MS = 100


class Port(NamedTuple):
    """A serial port of a board: its name, where it is plugged in (``1-2.3``), its USB serial number and product."""

    name: str
    location: str
    serial: str
    product: int

    @property
    def micropython(self) -> bool:
        """Whether it is MicroPython's own port, on which Sabot runs too."""
        return self.product == USB_PRODUCT


class ClosingPipe(Pipe, Protocol):
    """A pipe that can be let go."""

    def close(self) -> None:
        """Let the device go."""


class Bus:
    """This computer's USB."""

    @cached_property
    def _backend(self) -> Any:
        return usb_source.backend()

    def now_ms(self) -> int:
        """Milliseconds of a clock that only goes forward."""
        return time.monotonic_ns() // 1_000_000

    def sleep_ms(self, duration: int) -> None:
        """Let time pass."""
        time.sleep(duration / 1000)

    def boot_loaders(self) -> list[BootLoader]:
        """Boards that wait in their boot loader. MissingPartError without libusb."""
        return usb_bus.boot_loaders(self._backend)

    def ports(self) -> list[Port]:
        """Serial ports of boards with this family's USB vendor, by location."""
        found = [
            Port(port.device, place_of(port.location), port.serial_number or "", port.pid)
            for port in usb_source.comports()
            if port.vid == VENDOR
        ]
        return sorted(found, key=lambda port: (port.location, port.name))

    def claim(self, loader: BootLoader) -> ClosingPipe:
        """Take a boot loader for this process alone. DeviceError when that cannot be."""
        return usb_bus.UsbPipe(loader)

    def open_port(self, name: str) -> Transport:
        """Open a serial port for this process alone. DeviceError when that cannot be."""
        return SerialTransport(name)


class SharedBus(Bus):
    """The same for several threads, each with a board of its own: one looks, and all see what it saw for a moment.

    Looking opens every board; forty threads that wait for forty boards would do nothing else.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: dict[str, tuple[int, list[Any]]] = {}

    def boot_loaders(self) -> list[BootLoader]:
        """As :meth:`Bus.boot_loaders`, at most ``SEEN_MS`` old."""
        return self._look("boot loaders", super().boot_loaders)

    def ports(self) -> list[Port]:
        """As :meth:`Bus.ports`, at most ``SEEN_MS`` old."""
        return self._look("ports", super().ports)

    def _look(self, what: str, look: Callable[[], list[Any]]) -> list[Any]:
        with self._lock:
            at, seen = self._seen.get(what, (-SEEN_MS, []))
            if self.now_ms() - at >= SEEN_MS:
                seen = look()
                self._seen[what] = self.now_ms(), seen
            return seen


def place_of(location: str | None) -> str:
    """Bus and ports without the interface: ``1-2.3`` of ``1-2.3:1.0``."""
    return re.sub(r":\d+\.\d+$", "", location or "")
