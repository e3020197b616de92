"""Frames to and from a PN5180 (data sheet, 11.4: host interface).

Entry point: `Transport`. Every command is one frame; an answer is a second frame, with NSS raised in between. BUSY
rises during a frame, falls only after NSS was raised, and is low when the chip takes the next frame: that is waited for
before a frame, not after it, so that the host has something else to do meanwhile. Every wait is bounded. Nothing is
allocated, and only whole buffers go over the bus.
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

# The rise of BUSY within a frame matters only when the chip's test bus is on (data sheet, 11.4); a chip slower than
# these readings is given the rest of the time by the wait before the next frame.
RISE_READS = const(4)
_QUICK_READS = const(8)  # readings of BUSY before the clock is looked at: most frames are done by then


class Transport:
    """One PN5180 behind ``nss`` and ``busy`` on a bus in mode 0 at up to 7 Mbit/s."""

    def __init__(self, spi: "SpiBus", nss: "OutputLine", busy: "InputLine") -> None:
        self.rise_reads: int = RISE_READS  # readings of BUSY before NSS goes up
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
        """Wait until the last frame has taken effect and the chip takes the next one.

        Raises:
            ReaderFault: ``busy`` after 10 ms.
        """
        busy = self._busy
        reads = _QUICK_READS
        while reads:
            if not busy.value():
                return
            reads -= 1
        since = time.ticks_us()
        while busy.value():
            if time.ticks_diff(time.ticks_us(), since) > BUSY_LIMIT_US:
                raise ReaderFault("busy")

    def post(self, frame: "bytearray | memoryview") -> None:
        """Send a frame as soon as the chip takes it, and do not wait until it has taken effect.

        Raises:
            ReaderFault: ``busy``: the frame before it is not done after 10 ms.
        """
        self.await_ready()
        self.clock(frame)

    def clock(self, frame: "bytearray | memoryview") -> None:
        """Send a frame to a chip that is known to take it: ``await_ready()`` was the last call."""
        self._nss.value(0)
        self._spi.write(frame)
        self._end_frame()

    def fetch(self, into: "bytearray | memoryview") -> None:
        """Take the answer to the command just posted, as many bytes as ``into`` holds.

        Raises:
            ReaderFault: ``busy``.
        """
        self.await_ready()
        self._nss.value(0)
        self._spi.readinto(into, 0xFF)
        self._end_frame()

    def _end_frame(self) -> None:
        reads = self.rise_reads
        while reads and not self._busy.value():
            reads -= 1
        self._nss.value(1)
