"""Poker hands ranked by brute force, straight from the articles' text. Entry points: `best3`, `best4`, `best5`.

A hand is a sequence of card names ("As"). Each function tries every choice of 3, 4 or 5 cards and returns the value of
the best one: (place of the combination in the article's list, then what decides among equals). Greater is better.
Slow and plain on purpose. The ace may complete the lowest sequence; it never stands in the middle of one (67.54 6°).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

ORDER = "23456789TJQKA"

# The articles list the combinations from the highest down.
LIST_3 = ["suite couleur", "brelan", "séquence", "couleur", "paire"]  # 67.23, 67.43, 67.53
LIST_4 = ["carré", "suite couleur", "brelan", "couleur", "séquence", "double paire", "paire"]  # 67.65
LIST_5 = [  # 67.44, 67.54
    "quinte royale",
    "quinte",
    "carré",
    "main pleine",
    "couleur",
    "séquence",
    "brelan",
    "double paire",
    "paire",
]

Value = tuple[int, tuple[int, ...]]


def values(hand: Sequence[str]) -> list[int]:
    """The cards' values, 2 to 14, highest first."""
    return sorted((ORDER.index(card[0]) + 2 for card in hand), reverse=True)


def sequence_top(hand: Sequence[str]) -> int | None:
    """The top card of a hand of successive cards (the ace under the two counts as 1), or None."""
    ranks = values(hand)
    for each in (ranks, sorted([1 if rank == 14 else rank for rank in ranks], reverse=True)):
        if all(high - low == 1 for high, low in pairwise(each)):
            return each[0]
    return None


def by_groups(hand: Sequence[str]) -> tuple[int, ...]:
    """Values, those that occur most often first, then the higher: the combination, then the cards beside it."""
    counts = Counter(values(hand))
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return tuple(rank for rank in ranks for _ in range(counts[rank]))


def combination(hand: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """The name of the highest combination of a hand (all its cards), and what compares it with another of that name."""
    size = len(hand)
    shape = sorted(Counter(values(hand)).values(), reverse=True)
    suited = len({card[1] for card in hand}) == 1
    top = sequence_top(hand)
    found: dict[str, tuple[int, ...]] = {"": tuple(values(hand))}
    if 2 in shape:
        found["paire"] = by_groups(hand)
    if shape[:2] == [2, 2]:
        found["double paire"] = by_groups(hand)
    if shape[0] == 3:
        found["brelan"] = by_groups(hand)
    if shape[:2] == [3, 2]:
        found["main pleine"] = by_groups(hand)
    if shape[0] >= 4:  # five of a rank, with two packs, is four and a card of the same rank
        found["carré"] = by_groups(hand)
    if suited:
        found["couleur"] = tuple(values(hand))
    if top is not None:
        found["séquence"] = (top,)
        if suited:
            found["suite couleur" if size < 5 else "quinte"] = (top,)
            if size == 5 and top == 14:
                found["quinte royale"] = ()
    for name in {3: LIST_3, 4: LIST_4, 5: LIST_5}[size]:
        if name in found:
            return name, found[name]
    return "", found[""]


def value(hand: Sequence[str]) -> Value:
    """Comparable value of a hand, all of whose cards count."""
    names = {3: LIST_3, 4: LIST_4, 5: LIST_5}[len(hand)]
    name, detail = combination(hand)
    return (len(names) - names.index(name) if name else 0), detail


def best(cards: Sequence[str], size: int) -> tuple[str, ...]:
    """The best hand of that size among the cards."""
    return max(combinations(cards, size), key=value)


def best3(cards: Sequence[str]) -> Value:
    """Value of the best three cards."""
    return value(best(cards, 3))


def best4(cards: Sequence[str]) -> Value:
    """Value of the best four cards."""
    return value(best(cards, 4))


def best5(cards: Sequence[str]) -> Value:
    """Value of the best five cards."""
    return value(best(cards, 5))
