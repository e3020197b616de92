"""What is printed on a card's face for the optical shoe, and what becomes of it in people's hands.

Entry points: :func:`printed` and :func:`blank` (a :class:`Face`), :class:`Strip` (``spoil``, ``wipe``, ``changes``),
:class:`Stretch`. Written from ``docs/optical-strip.md`` and from nothing else.

Lengths are micrometres behind the edge that leaves the shoe first. A face has the same strip along both short edges,
one turned by 180 degrees into the other, so whichever way round a card lies, the sensors meet the strip of the edge
that is there, and its dirt. Limits: ink and white are of one strength, edges are sharp; no skew, no stretched print.
"""

from __future__ import annotations

from typing import NamedTuple

MODULE = 900
CARD = 63_000  # the short axis, which is the way out
QUARTER = MODULE // 4  # dirt begins and ends at a whole number of these
_MARGIN = 5 * MODULE

# The widths, in modules, of the 23 gaps between 24 bars of one module each; by suit, in the order of RANKS.
RANKS = "23456789TJQKA"
_GAPS = {
    "c": (
        "11111222122222121221221",
        "11122222212222221111112",
        "11222222221211111122212",
        "12121211211221222221212",
        "12212122121221212112122",
        "12221212211112222221121",
        "12222122222112221121111",
        "21112222121221221112212",
        "21212222122121111222211",
        "21222211212111221221212",
        "22111112222121222112122",
        "22112221112212212122112",
        "22122211221121211122212",
    ),
    "d": (
        "11112221212112222222121",
        "11211222221121222112221",
        "12112112222212221211122",
        "12122121122211212211222",
        "12212222111212221211221",
        "12221221112222121111222",
        "12222222122122111112112",
        "21122121221222211221211",
        "21221121111122222212122",
        "21222212122221111211122",
        "22111221221121112222122",
        "22112222222111211111222",
        "22122222211221122111211",
    ),
    "h": (
        "11121121222122212122212",
        "11222112212122112222112",
        "12112212212121212122221",
        "12211121221122222222111",
        "12221122211121122122122",
        "12221222121212212122111",
        "21111112211222122222221",
        "21211122112222211122122",
        "21221222122211221111221",
        "21222221111211211222221",
        "22111222222212112121121",
        "22121121211212221212212",
        "22211211221212212212211",
    ),
    "s": (
        "11122211222211122222211",
        "11222121211122121221222",
        "12121112222222222111211",
        "12211222212211121212212",
        "12221122222121112221211",
        "12222112112121221211222",
        "21111212221112221222122",
        "21212211121222112222121",
        "21222211122211222112112",
        "21222222111111122121222",
        "22112121122211221222121",
        "22122122211112212112122",
        "22212121212222211111212",
    ),
}
_CUT_GAPS = "22212221221121222111112"
_CUT = "cut"


class Stretch(NamedTuple):
    """Dirt: from ``first`` to ``last`` these sensors (``A``, ``B`` or ``AB``) see one level, whatever is printed."""

    first: int
    last: int
    white: bool
    sensors: str = "AB"


class Strip:
    """One strip: dark ``bars`` (first, last) on white, with the dirt that has come onto it, the newest on top."""

    def __init__(self, bars: tuple[tuple[int, int], ...] = ()) -> None:
        self.bars = bars
        self.dirt: list[Stretch] = []

    def spoil(self, first: int, last: int, *, white: bool = False, sensors: str = "AB") -> None:
        """A smudge (or, ``white``, a rubbed place) from ``first`` to ``last``; ValueError: it is not on the card."""
        if not 0 <= first < last <= CARD or not sensors or not set(sensors) <= {"A", "B"}:
            raise ValueError(
                f"no dirt from {first} to {last} um for the sensors {sensors!r}: a card has 0 to {CARD} um"
            )
        self.dirt.append(Stretch(first, last, white, sensors))

    def wipe(self) -> None:
        """Take all dirt off."""
        self.dirt.clear()

    def white(self, at: int, sensor: str) -> bool:
        """Whether ``sensor`` sees light come back from ``at``."""
        for stretch in reversed(self.dirt):
            if sensor in stretch.sensors and stretch.first <= at < stretch.last:
                return stretch.white
        return not any(first <= at < last for first, last in self.bars)

    def changes(self, sensor: str, smallest: int = 0) -> tuple[int, ...]:
        """Where the level that ``sensor`` sees changes, dark before the card and behind it: first to white.

        What is narrower than ``smallest`` looks like what lies before it.
        """
        places = {0, CARD}
        for first, last in (*self.bars, *(stretch[:2] for stretch in self.dirt)):
            places.update((first, last))
        borders = sorted(places)
        seen = [(first, self.white(first, sensor)) for first in borders[:-1]] + [(CARD, False)]
        found: list[int] = []
        for index, (first, level) in enumerate(seen):
            if level == bool(len(found) % 2):
                continue
            found.append(first)
            end = next((at for at, other in seen[index + 1 :] if other != level), None)
            if end is not None and end - first < smallest:
                found.pop()
        return tuple(found)


class Face:
    """A card's two strips and how the card lies: ``turned`` by 180 degrees on the table, or ``up``, the face on top."""

    def __init__(self, bars: tuple[tuple[int, int], ...] = ()) -> None:
        self.strips = (Strip(bars), Strip(bars))
        self.turned = False
        self.up = False

    @property
    def below(self) -> Strip:
        """What the sensors meet: the strip at their end of the lip, or the back, which carries nothing."""
        return Strip() if self.up else self.strips[self.turned]


def blank() -> Face:
    """The face of a card without strips."""
    return Face()


def printed(code: str) -> Face:
    """The face of a card such as ``As``, or of ``cut``, the cut card; ValueError for any other."""
    if code == _CUT:
        gaps = _CUT_GAPS
    elif len(code) == 2 and code[0] in RANKS and code[1] in _GAPS:
        gaps = _GAPS[code[1]][RANKS.index(code[0])]
    else:
        raise ValueError(f"no strip is defined for {code!r}")
    bars = []
    at = _MARGIN
    for gap in (*gaps, "0"):
        bars.append((at, at + MODULE))
        at += MODULE + int(gap) * MODULE
    return Face(tuple(bars))
