"""Time on the controller: raw ticks, microseconds since boot in 48 bits, and the wall clock with its quality.

Entry point: :class:`Clock`. Hot paths carry raw ``ticks_us`` (30 bits on rp2, wrapping after 17.9 minutes); they become
48-bit time only where a record is made. The wall clock is that of the chip with the battery, asked at the start and
every ten seconds; in between, and when the chip fails in use, the crystal of the controller carries it on (4 s a day).
A time that the chip itself does not vouch for is not taken.
"""

import time

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_WRAP = 1 << 30
_SECOND = const(1000000)  # us
_SYNC_US = const(10000000)
_SLACK_S = const(2)  # by which both clocks may differ at once: whole seconds, and the reading
_DRIFT = const(5000)  # and by a second more in so many: 200 ppm, four times what the crystal may be wrong by

# Numbers of wire.codes.CLOCK_QUALITY
_NONE = const(0)
_STOPPED = const(1)  # the chip has lost the time
_SET = const(2)
_COASTING = const(3)  # the chip has failed since the time was known: carried on without it


def _quiet(code: str) -> None:
    """Faults before the journal is open: `Clock.fault` keeps the last one."""


class Clock:
    """Extends ``time.ticks_us``. Call :meth:`tick` at least once in five minutes, or an overflow is missed.

    ``on_fault(code)`` is told when the chip fails, with its code or ``jumped``, and with ``""`` when it is back.
    ``fault`` is the code in force.
    """

    def __init__(self) -> None:
        self.fault = ""
        self.on_fault: "Callable[[str], None]" = _quiet
        self._last = time.ticks_us()
        self._wraps = 0
        self._wall_seconds = 0
        self._wall_at = 0  # microseconds since boot at which these seconds began
        self._quality = _NONE
        self._chip: "Any" = None
        self._chip_fault: "Any" = None
        self._asked = self._last
        self._agreed_at = 0  # seconds since boot: both clocks agreed

    def ticks(self) -> int:
        """Raw microsecond counter; compare two of them with ``time.ticks_diff`` only."""
        return time.ticks_us()

    def tick(self) -> None:
        """Keep count of the counter's overflows, and every ten seconds ask the chip for the time."""
        now = time.ticks_us()
        if now < self._last:
            self._wraps += 1
        self._last = now
        if self._chip is not None and time.ticks_diff(now, self._asked) >= _SYNC_US:
            self._asked = now
            self._ask()

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

    # --- the wall clock -----------------------------------------------------------------------------------------------

    def attach(self, chip: "Any", fault: "Any") -> None:
        """Take the time from ``chip`` (`ds3231.DS3231`, or its like), which raises ``fault`` with a ``code``."""
        self._chip = chip
        self._chip_fault = fault
        try:
            chip.start()
        except fault as error:
            self._failed(error.code)
            return
        self._ask()

    def set_wall(self, seconds: int) -> None:
        """Set the wall clock, and the chip with it, in seconds since 1970 UTC (2000 to 2099).

        When the chip does not take it that is a fault, and the time goes on without the chip.
        """
        self._quality = _COASTING
        self._begins(seconds, self.monotonic(time.ticks_us()))
        try:
            if self._chip is not None:
                self._chip.set_seconds(seconds)
            self._agree()
        except self._chip_fault as error:
            self._failed(error.code)

    def wall(self) -> "tuple[int, int]":
        """Seconds since 1970 UTC and the quality (:data:`sabot.wire.codes.CLOCK_QUALITY`); 0 while not known."""
        if self._quality < _SET:
            return 0, self._quality
        return self._seconds_at(self.monotonic(time.ticks_us())), self._quality

    def _seconds_at(self, at: int) -> int:
        return self._wall_seconds + (at - self._wall_at) // _SECOND

    def _begins(self, seconds: int, at: int) -> None:
        self._wall_seconds = seconds
        self._wall_at = at

    def _ask(self) -> None:
        """Compare with the chip (0.5 ms of the bus): it knows whole seconds, so only a difference moves the clock."""
        try:
            seconds = self._chip.seconds()
        except self._chip_fault as error:
            self._failed(error.code)
            return
        now = self.monotonic(time.ticks_us())
        if self._quality < _SET:
            self._begins(seconds, now)
        else:
            ahead = self._seconds_at(now) - seconds
            if abs(ahead) > _SLACK_S + (now // _SECOND - self._agreed_at) // _DRIFT:
                self._failed("jumped")  # one of the two is wrong, and nobody here can say which
                return
            if ahead:
                # The true time is within this second of the chip's: its beginning, or its end.
                self._begins(seconds, now - _SECOND + 1 if ahead > 0 else now)
        self._agree()

    def _agree(self) -> None:
        self._quality = _SET
        self._agreed_at = self.monotonic(time.ticks_us()) // _SECOND
        if self.fault:
            self.fault = ""
            self.on_fault("")

    def _failed(self, code: str) -> None:
        if self._quality == _SET:
            self._quality = _COASTING
        elif self._quality != _COASTING:
            self._quality = _STOPPED if code == "stopped" else _NONE
        if code != self.fault:
            self.fault = code
            self.on_fault(code)
