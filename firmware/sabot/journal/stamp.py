"""The header of a record at the moment it is made: sequence, boot, times, dealer, without allocation.

Entry point: :class:`Stamp`. The wall clock's seconds do not fit a small integer, so they are kept as two halves of the
second at which the controller booted, and the seconds since then are added; see :meth:`Stamp.refresh`.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Clock(Protocol):
        """What the journal asks of the clock; :class:`sabot.services.clock.Clock` is one."""

        def ticks(self) -> int:
            """Raw microseconds, 30 bits."""

        def monotonic(self, ticks: int) -> int:
            """Microseconds since boot of a raw instant."""

        def stamp(self, buffer: bytearray, offset: int, ticks: int) -> None:
            """Write the same as 6 bytes, little endian."""

        def wall(self) -> "tuple[int, int]":
            """Seconds since 1970 and their quality."""


_SECOND = 1000000  # us
_KNOWN = 2  # from this quality of the clock on (wire.codes.CLOCK_QUALITY) its time is known
_SEQUENCE_AT = 3
_BOOT_AT = 7  # and the clock's quality in its two top bits
_MONOTONIC_AT = 9
_CLOCK_AT = 15
_DEALER_AT = 19


class Stamp:
    """Writes headers. Seconds of the wall clock are within one of what the clock says."""

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._quality = 0
        self._booted = 0
        self._booted_low = 0
        self._booted_high = 0

    def refresh(self) -> None:
        """Ask the wall clock again: before each append, and when a record is prepared. Allocates."""
        seconds, self._quality = self._clock.wall()
        if self._quality < _KNOWN:
            return
        booted = seconds - self._clock.monotonic(self._clock.ticks()) // _SECOND
        # One more or less is only the fractions of a second; the records' seconds shall not jump to and fro.
        if abs(booted - self._booted) > 1:
            self._booted = booted
            self._booted_low = booted & 0xFFFF
            self._booted_high = (booted >> 16) & 0xFFFF

    def write(self, record: bytearray, ticks: int, sequence: int, boot: int, dealer: int) -> None:
        """Fill the header of ``record``, whose length and code stand there, for the raw instant ``ticks``."""
        for index in range(4):
            record[_SEQUENCE_AT + index] = (sequence >> (8 * index)) & 0xFF
        record[_BOOT_AT] = boot & 0xFF
        record[_BOOT_AT + 1] = boot >> 8 | self._quality << 6
        record[_DEALER_AT] = dealer & 0xFF
        record[_DEALER_AT + 1] = dealer >> 8
        self._clock.stamp(record, _MONOTONIC_AT, ticks)
        low = high = 0
        if self._quality >= _KNOWN:
            # Long division of the 48 bits by a million: every step stays below 2**28, the sum below 2**29.
            seconds = rest = 0
            for index in range(5, -1, -1):
                rest = (rest << 8) | record[_MONOTONIC_AT + index]
                seconds = (seconds << 8) + rest // _SECOND
                rest %= _SECOND
            low = self._booted_low + (seconds & 0xFFFF)
            high = self._booted_high + (seconds >> 16) + (low >> 16)
        record[_CLOCK_AT] = low & 0xFF
        record[_CLOCK_AT + 1] = (low >> 8) & 0xFF
        record[_CLOCK_AT + 2] = high & 0xFF
        record[_CLOCK_AT + 3] = (high >> 8) & 0xFF
