"""``time`` of the rp2 port on the simulator's clock.

Entry points: those of the port. The counters wrap at 2**30 as on the board; arithmetic on ticks is not charged.
"""

import _sim
import utime
from micropython import const

_MASK = const(0x3FFFFFFF)
_HALF = const(0x20000000)


def ticks_us() -> int:
    """Microseconds, modulo 2**30."""
    _sim.call()
    return (_sim.now - _sim.ticks_base) // 1_000 & _MASK


def ticks_ms() -> int:
    """Milliseconds, modulo 2**30."""
    _sim.call()
    return (_sim.now - _sim.ticks_base) // 1_000_000 & _MASK


ticks_cpu = ticks_us


def ticks_diff(end: int, start: int) -> int:
    """``end - start`` as a signed number of ticks."""
    return ((end - start + _HALF) & _MASK) - _HALF


def ticks_add(ticks: int, delta: int) -> int:
    """``ticks + delta``, wrapped. OverflowError when delta is half the range or more, as on the board."""
    if not -_HALF < delta < _HALF:
        raise OverflowError("ticks interval overflow")
    return (ticks + delta) & _MASK


def sleep(seconds: float) -> None:
    """Sleep; fractions allowed."""
    _sim.sleep_for(int(seconds * 1_000_000_000))


def sleep_ms(ms: int) -> None:
    """Sleep ``ms`` milliseconds; nothing when negative."""
    _sim.sleep_for(ms * 1_000_000 if ms > 0 else 0)


def sleep_us(us: int) -> None:
    """Sleep ``us`` microseconds; nothing when negative."""
    _sim.sleep_for(us * 1_000 if us > 0 else 0)


def time() -> int:
    """Seconds of the board's own clock, which starts at 2021-01-01 with the power and has no battery."""
    _sim.call()
    return _sim.rtc_base + (_sim.now - _sim.ticks_base) // 1_000_000_000


def time_ns() -> int:
    """Nanoseconds of the board's own clock."""
    _sim.call()
    return _sim.rtc_base * 1_000_000_000 + _sim.now - _sim.ticks_base


def gmtime(seconds: int | None = None) -> tuple:
    """Calendar of ``seconds``, of now without it: (year, month, day, hour, minute, second, weekday, yearday)."""
    return utime.gmtime(time() if seconds is None else seconds)[:8]


def mktime(calendar: tuple) -> int:
    """Seconds of ``calendar``, a tuple as ``gmtime`` gives."""
    return utime.mktime(tuple(calendar) + (0,))


localtime = gmtime  # the board knows no time zone
