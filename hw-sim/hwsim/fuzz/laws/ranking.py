"""Orders of hands, 67.23, 67.34, 67.54 and 67.65, written from the by-law's lists.

Entry points: :func:`three`, :func:`four`, :func:`five`: the best such hand among the cards given, as ``(name, key)``;
of two hands the one with the greater key is higher, and equal keys are equal hands (67.24, read as in TIEBREAK: the
combination's own ranks first, then the other cards from the highest down).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
ACE = 14
Key = tuple[int, ...]
Ranked = tuple[str, Key]

_THREE = ("high", "pair", "flush", "straight", "trips", "straight_flush")
_FOUR = ("high", "pair", "two_pair", "straight", "flush", "trips", "straight_flush", "quads")
_FIVE = ("high", "pair", "two_pair", "trips", "straight", "flush", "full", "quads", "straight_flush", "royal")
_BY_COUNTS = {
    (3,): "trips",
    (2, 1): "pair",
    (4,): "quads",
    (3, 1): "trips",
    (2, 2): "two_pair",
    (2, 1, 1): "pair",
    (5,): "quads",
    (4, 1): "quads",
    (3, 2): "full",
    (3, 1, 1): "trips",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}


def rank(card: str) -> int:
    """2 to 14, the ace."""
    return RANKS.index(card[0]) + 2


def _straight(ranks: Sequence[int]) -> int:
    """The highest card of a straight, 0 for none; the ace counts low in A23, A234, A2345 and nowhere else."""
    ordered = sorted(set(ranks))
    if len(ordered) != len(ranks):
        return 0
    if ordered[-1] - ordered[0] == len(ranks) - 1:
        return ordered[-1]
    return ordered[-2] if ordered == [*range(2, len(ranks) + 1), ACE] else 0


def _name(cards: Sequence[str]) -> Ranked:
    """Name and tie-break of exactly these cards, not yet ordered by the game's list."""
    ranks = [rank(card) for card in cards]
    counted = sorted(((count, value) for value, count in Counter(ranks).items()), reverse=True)
    in_order = tuple(value for count, value in counted for _ in range(count))
    flush = len({card[1] for card in cards}) == 1
    top = _straight(ranks)
    if top and flush:
        return ("royal" if len(cards) == 5 and top == ACE else "straight_flush"), (top,)
    if top:
        return "straight", (top,)
    shape = tuple(count for count, _ in counted)
    name = _BY_COUNTS.get(shape, "high")
    if flush and name in ("high", "pair", "two_pair"):
        return "flush", tuple(sorted(ranks, reverse=True))
    return name, in_order


def _best(size: int, order: Sequence[str]) -> Callable[[Sequence[str]], Ranked]:
    def best(cards: Sequence[str]) -> Ranked:
        found = []
        for chosen in combinations(cards, size):
            name, key = _name(chosen)
            found.append(((order.index(name), *key), name))
        key, name = max(found)
        return name, key

    return best


three = _best(3, _THREE)
four = _best(4, _FOUR)
five = _best(5, _FIVE)
