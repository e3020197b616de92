"""Time on the controller: raw ticks, microseconds since boot in 48 bits, and the wall clock with its quality.

Entry point: :class:`Clock`. Hot paths carry raw ``ticks_us`` (30 bits on rp2, wrapping after 17.9 minutes); they become
48-bit time only where a record is made.
"""

import time

_WRAP = 1 << 30

QUALITY_NONE = 0
QUALITY_SET = 2


class Clock:
    """Extends ``time.ticks_us``. Call :meth:`tick` at least once in five minutes, or an overflow is missed."""

    def __init__(self) -> None:
        self._last = time.ticks_us()
        self._wraps = 0
        self._wall_seconds = 0
        self._wall_at = 0
        self._quality = QUALITY_NONE

    def ticks(self) -> int:
        """Raw microsecond counter; compare two of them with ``time.ticks_diff`` only."""
        return time.ticks_us()

    def tick(self) -> None:
        """Keep count of the counter's overflows. Allocates nothing."""
        now = time.ticks_us()
        if now < self._last:
            self._wraps += 1
        self._last = now

    def _overflows(self, ticks: int) -> int:
        """Overflows before the instant ``ticks``, which lies within eight minutes of the last :meth:`tick`."""
        if time.ticks_diff(ticks, self._last) >= 0:
            return self._wraps + 1 if ticks < self._last else self._wraps
        return self._wraps - 1 if ticks > self._last else self._wraps

    def monotonic(self, ticks: int) -> int:
        """Microseconds since boot of the raw instant ``ticks``."""
        return self._overflows(ticks) * _WRAP + ticks

    def stamp(self, buffer: bytearray, offset: int, ticks: int) -> None:
        """Write :meth:`monotonic` of ``ticks`` as 6 bytes, little endian, with integers below 2**30 only."""
        high = self._overflows(ticks)
        buffer[offset] = ticks & 0xFF
        buffer[offset + 1] = (ticks >> 8) & 0xFF
        buffer[offset + 2] = (ticks >> 16) & 0xFF
        buffer[offset + 3] = ((ticks >> 24) & 0x3F) | ((high & 3) << 6)
        buffer[offset + 4] = (high >> 2) & 0xFF
        buffer[offset + 5] = (high >> 10) & 0xFF

    def set_wall(self, seconds: int) -> None:
        """Set the wall clock, in seconds since 1970 UTC."""
        self._wall_seconds = seconds
        self._wall_at = self.monotonic(time.ticks_us())
        self._quality = QUALITY_SET

    def wall(self) -> "tuple[int, int]":
        """Seconds since 1970 UTC and the quality (:data:`sabot.wire.codes.CLOCK_QUALITY`); 0 while not set."""
        if self._quality == QUALITY_NONE:
            return 0, QUALITY_NONE
        return self._wall_seconds + (self.monotonic(time.ticks_us()) - self._wall_at) // 1000000, self._quality
