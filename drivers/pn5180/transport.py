"""Frames to and from a PN5180 (data sheet, 11.4: host interface).

Entry point: `Transport`. Every command is one frame; an answer is a second frame, with NSS raised in between. BUSY
rises during a frame, falls only after NSS was raised, and is low when the chip takes the next frame. Every wait is
bounded. Nothing is allocated, and only whole buffers go over the bus.
"""

import time

from iso15693.reader import ReaderFault

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import InputLine, OutputLine, SpiBus

BUSY_LIMIT_US = const(10_000)

# The rise of BUSY within a frame matters only when the chip's test bus is on; a chip slower than these readings is
# given the rest of the time by the wait after the frame.
_RISE_READS = const(4)


class Transport:
    """One PN5180 behind ``nss`` and ``busy`` on a bus in mode 0 at up to 7 Mbit/s."""

    def __init__(self, spi: "SpiBus", nss: "OutputLine", busy: "InputLine") -> None:
        self._spi = spi
        self._nss = nss
        self._busy = busy

    def release(self) -> None:
        """Raise NSS, as at power-up."""
        self._nss.value(1)

    def busy(self) -> bool:
        """Say whether the chip is still at work."""
        return self._busy.value() != 0

    def await_ready(self) -> None:
        """Wait until the chip takes the next frame.

        Raises:
            ReaderFault: ``busy`` after 10 ms.
        """
        busy = self._busy
        if not busy.value():
            return
        since = time.ticks_us()
        while busy.value():
            if time.ticks_diff(time.ticks_us(), since) > BUSY_LIMIT_US:
                raise ReaderFault("busy")

    def post(self, frame: "bytearray | memoryview") -> None:
        """Send a frame without waiting for the chip to finish with it."""
        self._nss.value(0)
        self._spi.write(frame)
        self._end_frame()

    def send(self, frame: "bytearray | memoryview") -> None:
        """Send a frame and wait until it has taken effect.

        Raises:
            ReaderFault: ``busy``.
        """
        self.post(frame)
        self.await_ready()

    def fetch(self, into: "bytearray | memoryview") -> None:
        """Take the answer to the command just sent, as many bytes as ``into`` holds.

        Raises:
            ReaderFault: ``busy``.
        """
        self._nss.value(0)
        self._spi.readinto(into, 0xFF)
        self._end_frame()
        self.await_ready()

    def _end_frame(self) -> None:
        reads = _RISE_READS
        while reads and not self._busy.value():
            reads -= 1
        self._nss.value(1)
