"""Every hand there is, ranked by the firmware and by the reference of the articles: `make exhaustive`.

Entry points: `main` (the whole, some minutes on two cores, writes results/exhaustive.json), `COVERED` and the checks,
which the tests run on smaller packs. The reference's values are made by brute force from the text (`hands_reference`):
a table of all three-, four- and five-card hands, and for more cards the best of all the choices among them. A check
holds when ranks and reference values correspond one to one and in the same order, and when the reference counts each
combination as often as published.

Hands of seven cards are taken one for each class of hands that differ by a renaming of suits, and counted as often as
the class holds hands; all others are taken one by one.
"""

import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, factorial
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

from sabot.rules.cards import PACK_SIZE, card_name
from sabot.rules.ranking import rank_hand
from tests.model import hands_reference
from tests.records import RESULTS, ROOT, write_record

RESULT = RESULTS / "exhaustive.json"
COMMAND = "make exhaustive"
COVERED = (
    ROOT / "firmware/sabot/rules/ranking.py",
    ROOT / "firmware/sabot/rules/cards.py",
    ROOT / "tests/model/hands_reference.py",
    Path(__file__),
)

# What others have counted, by the names of the articles ("" for hands without a combination).
# https://en.wikipedia.org/wiki/Poker_probability (five cards, best five of seven),
# https://wizardofodds.com/games/three-card-poker/ (three cards). Of the best four of five and of six no complete table
# was found in print; theirs follow from counting arguments of their own in tests/rules/test_exhaustive.py.
PUBLISHED = {
    "3 of 3": {
        "suite couleur": 48,
        "brelan": 52,
        "séquence": 720,
        "couleur": 1096,
        "paire": 3744,
        "": 16440,
    },
    "5 of 5": {
        "quinte royale": 4,
        "quinte": 36,
        "carré": 624,
        "main pleine": 3744,
        "couleur": 5108,
        "séquence": 10200,
        "brelan": 54912,
        "double paire": 123552,
        "paire": 1098240,
        "": 1302540,
    },
    "5 of 7": {
        "quinte royale": 4324,
        "quinte": 37260,
        "carré": 224848,
        "main pleine": 3473184,
        "couleur": 4047644,
        "séquence": 6180020,
        "brelan": 6461620,
        "double paire": 31433400,
        "paire": 58627800,
        "": 23294460,
    },
}


class Found(NamedTuple):
    """Part of a check: the reference's value of each rank, hands by value, and the hands ranked."""

    values: dict[int, int]
    hands: Counter[int]
    ranked: int


class Reference:
    """The reference's value of every hand of `size` cards as a small number, greater being better."""

    def __init__(self, size: int) -> None:
        self.size = size
        names = [card_name(card) for card in range(PACK_SIZE)]
        seen: dict[hands_reference.Value, int] = {}
        found = array("H", bytes(2 * comb(PACK_SIZE, size)))
        for hand in combinations(range(PACK_SIZE), size):
            value = hands_reference.value([names[card] for card in hand])
            found[self.place(hand)] = seen.setdefault(value, len(seen))
        self.order = sorted(seen)
        number = {seen[value]: place for place, value in enumerate(self.order)}
        self.table = array("H", [number[each] for each in found])

    def place(self, hand: Sequence[int]) -> int:
        """The place of a hand, its cards in ascending order, among all of that size."""
        return sum(comb(card, number) for number, card in enumerate(hand, start=1))

    def combination(self, number: int) -> str:
        """The article's name of the combination of a value."""
        names = {3: hands_reference.LIST_3, 4: hands_reference.LIST_4, 5: hands_reference.LIST_5}[self.size]
        place = self.order[number][0]
        return names[len(names) - place] if place else ""


def by_hand(count: int, size: int, first: Iterable[int], table: Sequence[int], pack: int = PACK_SIZE) -> Found:
    """Rank every hand of `count` cards whose lowest card is one of `first`, best `size`, each once."""
    values: dict[int, int] = {}
    hands: Counter[int] = Counter()
    ranked = 0
    choices = _choices(count, size)
    for lowest in first:
        for rest in combinations(range(lowest + 1, pack), count - 1):
            hand = (lowest, *rest)
            value = max([table[place(hand)] for place in choices])
            ranked += 1
            hands[value] += 1
            if values.setdefault(rank_hand(hand, count, size), value) != value:
                raise AssertionError(f"{hand}: hands of one rank have two values")
    return Found(values, hands, ranked)


def by_class(count: int, size: int, parts: int, part: int, table: Sequence[int]) -> Found:
    """Rank one hand of each class of hands that differ by a renaming of suits: every `parts`-th, from `part` on."""
    values: dict[int, int] = {}
    hands: Counter[int] = Counter()
    ranked = 0
    choices = _choices(count, size)
    for number, (hand, ways) in enumerate(classes(count)):
        if number % parts != part:
            continue
        value = max([table[place(hand)] for place in choices])
        ranked += ways
        hands[value] += ways
        if values.setdefault(rank_hand(hand, count, size), value) != value:
            raise AssertionError(f"{hand}: hands of one rank have two values")
    return Found(values, hands, ranked)


def classes(count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """One hand of each class, its cards in ascending order, and how many hands the class holds."""
    sets = [mask for mask in range(1 << 13) if mask.bit_count() <= count]
    by_size = [[mask for mask in sets if mask.bit_count() == size] for size in range(count + 1)]
    ranks = {mask: [rank for rank in range(13) if mask >> rank & 1] for mask in sets}
    for sizes in combinations_with_replacement(range(count, -1, -1), 4):
        if sum(sizes) != count:
            continue
        for suits in _suits(sizes, by_size):
            hand = sorted(rank * 4 + suit for suit, mask in enumerate(suits) for rank in ranks[mask])
            ways = factorial(4)
            for same in Counter(suits).values():
                ways //= factorial(same)
            yield tuple(hand), ways


def _suits(sizes: tuple[int, ...], by_size: list[list[int]]) -> Iterator[tuple[int, ...]]:
    """The four suits' sets of ranks, of these sizes, each choice once whatever the order of equal sizes."""
    if not sizes:
        yield ()
        return
    same = sizes.count(sizes[0])
    for chosen in combinations_with_replacement(by_size[sizes[0]], same):
        for rest in _suits(sizes[same:], by_size):
            yield chosen + rest


def _choices(count: int, size: int) -> list[Callable[[Sequence[int]], int]]:
    """For each choice of `size` places of a hand, the function that gives its place in the reference's table."""
    functions = []
    tables = {f"c{number}": [comb(card, number) for card in range(PACK_SIZE)] for number in range(1, size + 1)}
    for places in combinations(range(count), size):
        terms = [f"c{number}[hand[{place}]]" for number, place in enumerate(places, start=1)]
        functions.append(eval(f"lambda hand: {' + '.join(terms)}", dict(tables)))
    return functions


def together(found: Iterable[Found]) -> Found:
    """The parts of a check as one."""
    values: dict[int, int] = {}
    hands: Counter[int] = Counter()
    ranked = 0
    for part in found:
        for rank, value in part.values.items():
            if values.setdefault(rank, value) != value:
                raise AssertionError("hands of one rank have two values")
        hands.update(part.hands)
        ranked += part.ranked
    return Found(values, hands, ranked)


def verify(found: Found, reference: Reference) -> dict[str, int]:
    """Check that ranks and values stand in the same order, one to one; give the hands of each combination."""
    in_order = [found.values[rank] for rank in sorted(found.values)]
    if any(low >= high for low, high in pairwise(in_order)):
        raise AssertionError("the ranks do not stand in the order of the values")
    if min(found.values) < 0 or max(found.values) >= 1 << 30:
        raise AssertionError("a rank is not below 2**30")
    counts: Counter[str] = Counter()
    for value, number in found.hands.items():
        counts[reference.combination(value)] += number
    return {reference.combination(value): counts[reference.combination(value)] for value in sorted(found.hands)[::-1]}


_tables: dict[int, Sequence[int]] = {}


def _hands(job: tuple[int, int, int]) -> Found:
    count, size, lowest = job
    return by_hand(count, size, [lowest], _tables[size])


def _classes(job: tuple[int, int, int, int]) -> Found:
    count, size, parts, part = job
    return by_class(count, size, parts, part, _tables[size])


def main() -> int:
    """Check all hands on two cores and write the record; the exit status is 1 when a check fails."""
    started = time.monotonic()
    references = {size: Reference(size) for size in (3, 4, 5)}
    _tables.update({size: reference.table for size, reference in references.items()})
    checks: dict[str, Any] = {}
    with Pool(2) as pool:
        for count, size in ((3, 3), (4, 4), (5, 4), (6, 4), (5, 5), (7, 5)):
            if count < 7:
                found = together(
                    pool.imap_unordered(_hands, [(count, size, low) for low in range(PACK_SIZE - count + 1)])
                )
            else:
                found = together(pool.imap_unordered(_classes, [(count, size, 16, part) for part in range(16)]))
            counts = verify(found, references[size])
            name = f"{size} of {count}"
            if found.ranked != comb(PACK_SIZE, count) or counts != PUBLISHED.get(name, counts):
                print(f"error: {name}: {found.ranked} hands, {counts}", file=sys.stderr)
                return 1
            published = "as published" if name in PUBLISHED else "no published table"
            checks[name] = {"hands": found.ranked, "ranks": len(found.values), "counts": counts, "compared": published}
            print(f"{name}: {found.ranked} hands, {len(found.values)} ranks, {published}", flush=True)
    write_record(RESULT, COMMAND, COVERED, {"seconds": round(time.monotonic() - started), "checks": checks})
    return 0


if __name__ == "__main__":
    sys.exit(main())
