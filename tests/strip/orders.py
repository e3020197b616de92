"""The order of the edges that two sensors give of a strip, as numbers, fast enough to try everything.

Entry points: `Strip` (a card as one sensor sees it), `strip`, `stretched`, `order`, `READINGS`, `reading`, `words`.
Positions are quarters of a module from the card's leading edge. The edges of a sensor are a number with one hexadecimal
digit a quarter, 1 where the level changes; both sensors' edges together have digits 1 (A), 2 (B) and 3 (both at once:
either order may come). Without its noughts, and last edge first, that is their order, all that a decoder is given.
"""

from functools import cache
from typing import NamedTuple

from optical_strip.encode import CARD_UM, MODULE_UM, bars
from optical_strip.words import BARS, CARDS

QUARTER_UM = MODULE_UM // 4
END = CARD_UM // QUARTER_UM  # the card's trailing edge
STAGGER = 6  # quarters of a module by which B comes after A
DIGIT = 4  # bits
EDGES = 2 * BARS + 2  # of a card, on one sensor
WHITE, DARK = 1, 0


class Strip(NamedTuple):
    """One card: whether each quarter is white, and where the level changes."""

    levels: tuple[int, ...]
    edges: int


@cache
def strip(code: int) -> Strip:
    """The strip of a card, clean."""
    levels = [WHITE] * END
    for begin, end in bars(code):
        for quarter in range(begin // QUARTER_UM, end // QUARTER_UM):
            levels[quarter] = DARK
    return Strip(tuple(levels), edges_of(levels))


def edges_of(levels: list[int]) -> int:
    """Where the level changes, of a stretch of card with nothing before and behind it."""
    edges = 0
    before = DARK
    for place, level in enumerate([*levels, DARK]):
        if level != before:
            edges |= 1 << DIGIT * place
        before = level
    return edges


def stretched(clean: Strip, begin: int, end: int, level: int) -> int:
    """The edges when the quarters from `begin` to before `end` read `level`, whatever is printed there."""
    edges = clean.edges & (1 << DIGIT * begin) - 1 | clean.edges >> DIGIT * (end + 1) << DIGIT * (end + 1)
    if (clean.levels[begin - 1] if begin else DARK) != level:
        edges |= 1 << DIGIT * begin
    if (clean.levels[end] if end < END else DARK) != level:
        edges |= 1 << DIGIT * end
    return edges


def order(edges_a: int, edges_b: int) -> bytes:
    """The order in which both sensors' edges come, last one first."""
    return together(edges_a, edges_b << DIGIT * STAGGER + 1)


def together(edges_a: int, delayed_b: int) -> bytes:
    """The same, of B's edges as they already stand behind A's."""
    return (b"%x" % (edges_a | delayed_b)).translate(None, b"0")


# Last edge first: what comes before the gaps, what comes behind them, and each kind of gap with its bar.
_HEAD, _TAIL = b"21121", b"212"
_GAPS = {b"2121": 0, b"2112": 1}

# The 53 orders that are a card.
READINGS = {order(strip(code).edges, strip(code).edges): code for code in range(CARDS)}


def reading(seen: bytes) -> int:
    """The card that a decoder could take this order for, with both edges of a 3 in either order; -1 for none."""
    both = seen.count(b"3")
    if len(seen) + both != 2 * EDGES:
        return -1
    if not both:
        return READINGS.get(seen, -1)
    found = {reading(seen.replace(b"3", either, 1)) for either in (b"12", b"21")} - {-1}
    if len(found) > 1:
        raise AssertionError("one strip may be taken for two cards")
    return found.pop() if found else -1


def words(seen: bytes) -> list[int]:
    """The words of 23 gaps, codewords or not, for which this order could be taken: none, one, or some with a 3."""
    if b"3" in seen:
        return words(seen.replace(b"3", b"12", 1)) + words(seen.replace(b"3", b"21", 1))
    inner = seen[len(_TAIL) : -len(_HEAD)]
    if seen != _TAIL + inner + _HEAD or len(seen) != 2 * EDGES:
        return []
    gaps = [_GAPS.get(inner[at : at + 4], 2) for at in range(0, len(inner), 4)]
    return [] if 2 in gaps else [sum(gap << place for place, gap in enumerate(gaps))]
