"""Comparing raw microsecond ticks, which wrap at 2**30. Entry points: `since`, `LONG_AGO`.

Everything stays a small integer of the 32-bit ports (31 bits), so nothing is allocated. Two instants more than 2**29 us
(8.9 minutes) apart cannot be compared: who keeps an instant longer than that marks it as `LONG_AGO`.
"""

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


LONG_AGO = const(-1)  # in place of ticks: before everything that is compared with it
_HALF = const(0x20000000)
_MASK = const(0x3FFFFFFF)


def since(later: int, earlier: int) -> int:
    """Microseconds from `earlier` to `later`, negative the other way round; LONG_AGO is 2**29 - 1 us back."""
    if earlier < 0:
        return 0 if later < 0 else _HALF - 1
    if later < 0:
        return 1 - _HALF
    return (((later - earlier) & _MASK) ^ _HALF) - _HALF
