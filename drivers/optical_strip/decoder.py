"""From the order of the two sensors' edges to a card. Entry points: :class:`Decoder`, the refusals.

Sensor B sees everything 1.5 modules of motion after A. So the order of the edges alone tells a gap of one module from
one of two, at any speed, with any stop: in ``A- B+`` A has met the gap's end before B met its beginning, in ``B+ A-``
it has not (docs/optical-strip.md). Only a whole codeword in exactly its order is a card; no time enters into it.
"""

from .ring import EDGES_LOST, LEVEL, SENSOR_B
from .words import BARS, code_of

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


NOTHING = const(-1)  # no card has ended
# Why a card was refused: the best guess, for the log. It is unread, whatever the guess.
DIRT = const(-2)  # bars are missing, out of shape, or make no codeword
PUSHED_BACK = const(-3)  # more edges than a card has, as by going back and forth
HALF_PULL = const(-4)  # A was the first and the last: the card went back in
TWO_CARDS = const(-5)  # a whole codeword, and further bars before the card ended
STRAY_LIGHT = const(-6)  # B first and last, or one sensor by itself: light, or a blind sensor
LOST_EDGE = const(-7)  # two edges of one sensor to the same level
OVERFLOW = const(-8)  # the ring was full
PUSHED_IN = const(-9)  # B first and A last: a card went in from outside

# What has come of a card, and so which edge may come next.
_REST = const(0)  # no card: A+
_EDGE = const(1)  # A is on the leading margin: B+
_WHITE = const(2)  # both are on one margin or wide gap: A-
_BAR = const(3)  # A has left it, for a bar (then A+) or beyond the card (then B-)
_BEHIND = const(4)  # A is behind the bar that B has not met: B-
_ON_BAR = const(5)  # B is on the bar: B+ first if the gap is wide, A- if it is narrow
_NARROW = const(6)  # A is on the next bar, B still on this one: B+
_IN_GAP = const(7)  # B is in the narrow gap, A on the next bar: A+
_REFUSED = const(8)  # anything, until clear()

# The state after an edge of A, and after one of B. Levels alternate, so the sensor says which edge it is.
_AFTER_A = b"\x01\x08\x03\x04\x08\x06\x08\x04"
_AFTER_B = b"\x08\x02\x08\x00\x05\x02\x07\x08"

_EDGES = const(50)  # of a whole card on one sensor
_ALONE = const(2)  # edges: one sensor has so few, and the other several times as many
_MOST = const(0x3FFF)  # counts stop here
_BITS = const(0xFFFFFF)  # 23 gaps, and the margin behind the last bar, which reads as a wide one


class Decoder:
    """Takes the edges of one shoe. Nothing here allocates after the start.

    ``card = decoder.edge(entry)`` for each entry of the ring; when the mouth is empty, ``cause = decoder.clear()``.
    """

    def __init__(self) -> None:
        self._levels = 0  # bit 0: A sees white, bit 1: B
        self._begin()

    def _begin(self) -> None:
        self._state = _REST
        self._cause = NOTHING
        self._bars = 0
        self._word = 0
        self._code = NOTHING  # what the first 24 bars say
        self._b_first = False
        self._last_b = False
        self._edges_a = 0
        self._edges_b = 0

    def edge(self, entry: int) -> int:
        """Take one entry of the ring: the card, 0 to 52, that has ended with it, or NOTHING."""
        if entry == EDGES_LOST:
            self._refuse(OVERFLOW)
            return NOTHING
        of_b = entry & SENSOR_B
        self._count(entry)
        seen = SENSOR_B if of_b else 1
        if bool(self._levels & seen) == bool(entry & LEVEL):
            self._refuse(LOST_EDGE)
            return NOTHING
        self._levels ^= seen
        state = self._state
        if state == _REFUSED:
            return NOTHING
        after = _AFTER_B[state] if of_b else _AFTER_A[state]
        if after == _REFUSED:
            self._refuse(NOTHING)
        elif state == _BAR and after == _REST:
            return self._ended()
        else:
            if state == _BEHIND:
                self._bars = min(self._bars + 1, _MOST)
            elif state == _ON_BAR:
                self._gap(1 if after == _WHITE else 0)
            self._state = after
        return NOTHING

    def clear(self) -> int:
        """The mouth is empty: why what was there since the last card is refused, or NOTHING when nothing was there."""
        if self._state == _REST:
            return NOTHING
        cause = self._guess() if self._cause == NOTHING else self._cause
        if self._levels and cause != OVERFLOW:
            cause = LOST_EDGE
        self._levels = 0
        self._begin()
        return cause

    def busy(self) -> bool:
        """Whether something is being read, or waits for :meth:`clear`."""
        return self._state != _REST

    def refused(self) -> bool:
        """Whether what is being read is no card any more, whatever comes before :meth:`clear`."""
        return self._state == _REFUSED

    def _gap(self, is_wide: int) -> None:
        if self._bars <= BARS:
            self._word = (self._word << 1 | is_wide) & _BITS
            if self._bars == BARS:
                self._code = code_of(self._word >> 1)

    def _ended(self) -> int:
        code = self._code
        if code < 0 or self._bars != BARS:
            self._refuse(NOTHING)
            return NOTHING
        self._begin()
        return code

    def _refuse(self, cause: int) -> None:
        self._state = _REFUSED
        if self._cause == NOTHING:
            self._cause = cause

    def _count(self, entry: int) -> None:
        of_b = entry & SENSOR_B
        if not self._edges_a and not self._edges_b:
            self._b_first = of_b != 0
        self._last_b = of_b != 0
        if of_b:
            self._edges_b = min(self._edges_b + 1, _MOST)
        else:
            self._edges_a = min(self._edges_a + 1, _MOST)

    def _guess(self) -> int:
        """What best explains the edges that came."""
        fewer = min(self._edges_a, self._edges_b)
        more = max(self._edges_a, self._edges_b)
        if (fewer <= _ALONE and more > 4 * _ALONE) or (fewer <= _EDGES and more > _EDGES + 4 * _ALONE):
            return STRAY_LIGHT
        if not self._last_b:
            return PUSHED_IN if self._b_first else HALF_PULL
        if self._b_first:
            return STRAY_LIGHT
        if self._code >= 0 and self._bars > BARS:
            return TWO_CARDS
        return PUSHED_BACK if more > _EDGES else DIRT
