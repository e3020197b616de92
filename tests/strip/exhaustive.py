"""Every codeword under every stretch of dirt, every lost, doubled or swapped edge, every push-back: `make strip`.

Entry points: `main` (the whole, some twenty minutes, writes results/optical_strip.json), `COVERED` and the checks, of
which the tests run a part. A check raises AssertionError when anything could be taken for a card that it is not.

What only changes the order of alternating edges is judged by membership in `orders.READINGS`: `test_optical_strip`
shows that the decoder takes those 53 orders and no other. All else goes through the decoder itself.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from optical_strip import decoder
from optical_strip.decoder import NOTHING, Decoder
from optical_strip.words import CARDS, code_of, word_of

from tests.records import RESULTS, ROOT, write_record
from tests.strip import orders
from tests.strip.orders import (
    DARK,
    DIGIT,
    EDGES,
    END,
    STAGGER,
    WHITE,
    order,
    reading,
    stretched,
    strip,
    together,
    words,
)
from tests.strip.pulls import LEVEL, B, entries, passing

RESULT = RESULTS / "optical_strip.json"
COMMAND = "make strip"
COVERED = (
    ROOT / "drivers/optical_strip/decoder.py",
    ROOT / "drivers/optical_strip/encode.py",
    ROOT / "drivers/optical_strip/words.py",
    Path(orders.__file__),
    ROOT / "tests/strip/pulls.py",
    Path(__file__),
)
_SINGLY = 97  # of the pairs that are tried at once, each so many-th by itself as well
CAUSES = {
    decoder.DIRT: "dirt",
    decoder.PUSHED_BACK: "push-back",
    decoder.HALF_PULL: "half pull",
    decoder.TWO_CARDS: "two cards",
    decoder.STRAY_LIGHT: "stray light",
    decoder.LOST_EDGE: "lost edge",
    decoder.OVERFLOW: "overflow",
    decoder.PUSHED_IN: "pushed in",
    NOTHING: "nothing",
}


def decoded(given: Iterable[int], reader: Decoder) -> tuple[list[int], int]:
    """The cards that the decoder takes these entries for, and what it says when the mouth is empty."""
    cards = [card for card in map(reader.edge, given) if card != NOTHING]
    return cards, reader.clear()


def _judge(code: int, given: Iterable[int], found: Counter[str], what: str, begun: Decoder | None = None) -> None:
    cards, cause = decoded(given, begun or Decoder())
    if any(card != code for card in cards):
        raise AssertionError(f"card {code}, {what}: taken for {cards}")
    found["read" if cards and cause == NOTHING else CAUSES[cause]] += 1


def _stretches(step: int) -> Iterator[tuple[int, int, int]]:
    for begin in range(0, END, step):
        for end in range(begin + 1, END + 1):
            for level in (DARK, WHITE):
                yield begin, end, level


def dirt(code: int, step: int = 1) -> Counter[str]:
    """Every stretch, from every `step`-th quarter of a module on, on both sensors, and on each of them alone.

    What one sensor reports of it counts once for each stretch.
    """
    clean = strip(code)
    found: Counter[str] = Counter()
    for begin, end, level in _stretches(step):
        dirty = stretched(clean, begin, end, level)
        for seen in (order(dirty, dirty), order(dirty, clean.edges), order(clean.edges, dirty)):
            card = reading(seen)
            if card not in (code, NOTHING):
                raise AssertionError(f"card {code}, {begin} to {end} of colour {level}: taken for {card}")
            found["refused" if card == NOTHING else "read"] += 1
    return found


class Smudge(NamedTuple):
    """What a stretch of dirt does on one sensor: its edges, between which places they moved, and what is read then."""

    edges: int
    low: int
    high: int
    masks: frozenset[int]


def _smudges(code: int, behind: int) -> list[Smudge]:
    """Every stretch that leaves a sensor its number of edges; `behind` is 0 for A and the stagger for B.

    `masks` holds the gaps that read the other way, with the other sensor clean; none when it can be no word at all.
    """
    clean = strip(code)
    found = {}
    for begin, end, level in _stretches(1):
        dirty = stretched(clean, begin, end, level)
        if dirty.bit_count() == EDGES and dirty not in found:
            moved = dirty ^ clean.edges or 1 << DIGIT * begin
            low = (moved & -moved).bit_length() // DIGIT
            high = moved.bit_length() // DIGIT
            seen = order(clean.edges, dirty) if behind else order(dirty, clean.edges)
            masks = frozenset(word ^ word_of(code) for word in words(seen))
            found[dirty] = Smudge(dirty, low + behind, high + behind, masks)
    return list(found.values())


def differing_dirt(code: int, step: int = 1) -> Counter[str]:
    """Every two stretches, one on each sensor, that leave each its number of edges.

    With another number, of either, no order is a card's. Where no edge of A moved past a place of B's moved ones, what
    both do is what each does alone, so all of those are tried at once, and some of them singly.
    """
    found: Counter[str] = Counter()
    of_a = sorted(_smudges(code, 0))[::step]
    of_b = sorted(_smudges(code, STAGGER))
    own = word_of(code)
    for mask_a in frozenset[int]().union(*[each.masks for each in of_a]):
        for mask_b in frozenset[int]().union(*[each.masks for each in of_b]):
            if mask_a != mask_b and code_of(own ^ mask_a ^ mask_b) != NOTHING:
                raise AssertionError(f"card {code}, gaps {mask_a:x} and {mask_b:x}: taken for another card")
    shifted = [(each, each.edges << DIGIT * STAGGER + 1) for each in of_b]
    for one in of_a:
        for other, edges in shifted:
            apart = one.high < other.low or other.high < one.low
            if apart:
                found["apart"] += 1
                if found["apart"] % _SINGLY:
                    continue
            seen = together(one.edges, edges)
            card = reading(seen)
            if card not in (code, NOTHING):
                raise AssertionError(f"card {code}, {one} and {other}: taken for {card}")
            if apart and set(words(seen)) != {own ^ first ^ second for first in one.masks for second in other.masks}:
                raise AssertionError(f"card {code}, {one} and {other}: not what each does alone")
            if not apart:
                found["refused" if card == NOTHING else "read"] += 1
    return found


def edge_faults(code: int, step: int = 1) -> Counter[str]:
    """One edge or any two missing; any doubled, or bouncing; any one or two swapped with the next; every `step`-th."""
    clean = [entry for _, entry in passing(list(strip(code).levels), list(strip(code).levels))]
    last = len(clean)
    found: Counter[str] = Counter()
    for at in range(0, last, step):
        _judge(code, clean[:at] + clean[at + 1 :], found, f"without edge {at}")
        _judge(code, clean[:at] + clean[at : at + 1] + clean[at:], found, f"edge {at} twice")
        bounce = [clean[at], clean[at] ^ LEVEL]
        _judge(code, clean[:at] + bounce + clean[at:], found, f"edge {at} bouncing")
        _judge(code, _swapped(clean, at), found, f"edge {at} swapped")
    for one, other in list(combinations(range(last), 2))[::step]:
        without = [entry for at, entry in enumerate(clean) if at not in (one, other)]
        _judge(code, without, found, f"without edges {one} and {other}")
        _judge(code, _swapped(_swapped(clean, one), other), found, f"edges {one} and {other} swapped")
    return found


def _swapped(given: list[int], at: int) -> list[int]:
    """With edge `at` and the one behind it, of the other sensor, in the other order."""
    pair = given[at : at + 2]
    return given if len(pair) < 2 or pair[0] & B == pair[1] & B else given[:at] + pair[::-1] + given[at + 2 :]


def dirt_and_bounce(code: int, step: int = 1) -> Counter[str]:
    """Every stretch that takes one bar from one sensor, with a false bar or gap put in anywhere on that sensor."""
    clean = strip(code)
    fewer = {
        dirty
        for begin, end, level in _stretches(1)
        if (dirty := stretched(clean, begin, end, level)).bit_count() == EDGES - 2
    }
    found: Counter[str] = Counter()
    for dirty in sorted(fewer)[::step]:
        for own, other in ((b"1", b"2"), (b"2", b"1")):
            seen = order(dirty, clean.edges) if own == b"1" else order(clean.edges, dirty)
            # Two more edges of a sensor beside one of its own, whichever side, are the same order.
            for at, digit in enumerate(seen):
                if digit != other[0]:
                    card = reading(seen[:at] + own + own + seen[at:])
                    if card not in (code, NOTHING):
                        raise AssertionError(f"card {code}, {dirty:x} and a bounce at {at}: taken for {card}")
                    found["refused" if card == NOTHING else "read"] += 1
    return found


def moved_back(code: int, step: int = 1) -> Counter[str]:
    """Out to any edge, back to any edge, and out; out and back to rest; every `step`-th."""
    levels = list(strip(code).levels)
    way = passing(levels, levels)
    found: Counter[str] = Counter()
    turns = [(out, back) for out in range(1, len(way) + 1) for back in range(out)]
    for out, back in turns[::step]:
        _judge(code, entries(way, (out, back, len(way))), found, f"back from edge {out} to {back}")
    for out in range(1, len(way) + 1, step):
        _judge(code, entries(way, (out, 0)), found, f"half pull to edge {out}")
    return found


def two_cards(code: int, step: int = 1) -> Counter[str]:
    """Every card behind this one, overlapping by any quarters of a module: what is read is the first, or nothing."""
    first = strip(code)
    found: Counter[str] = Counter()
    for other in range(0, CARDS, step):
        second = strip(other)
        for behind in range(1, END + 1, step):
            hidden = END - behind
            edges = first.edges & (1 << DIGIT * END) - 1
            edges |= second.edges >> DIGIT * (hidden + 1) << DIGIT * (END + 1)
            if second.levels[hidden] != WHITE:
                edges |= 1 << DIGIT * END
            seen = order(edges, edges)
            # The decoder ends a card as soon as the edges up to then are one.
            cards = {reading(seen[-length:]) for length in range(2 * EDGES - 8, 2 * EDGES + 1)} - {NOTHING}
            if cards - {code}:
                raise AssertionError(f"card {code}, {other} {behind} quarters behind: taken for {cards}")
            found["first read" if cards else "refused"] += 1
    return found


Check = Callable[[int, int], Counter[str]]
CHECKS: tuple[Check, ...] = (dirt, differing_dirt, edge_faults, dirt_and_bounce, moved_back, two_cards)


def main() -> int:
    """Run every check over all codewords and write the record; the exit status is 1 when one fails."""
    started = time.monotonic()
    checks: dict[str, dict[str, int]] = {}
    for check in CHECKS:
        found: Counter[str] = Counter()
        for code in range(CARDS):
            try:
                found += check(code, 1)
            except AssertionError as wrong:
                print(f"error: {check.__name__}: {wrong}", file=sys.stderr)
                return 1
        checks[check.__name__] = {"cases": found.total(), "taken for another card": 0, **dict(sorted(found.items()))}
        print(f"{check.__name__}: {checks[check.__name__]}", flush=True)
    write_record(RESULT, COMMAND, COVERED, {"seconds": round(time.monotonic() - started), "checks": checks})
    return 0


if __name__ == "__main__":
    sys.exit(main())
