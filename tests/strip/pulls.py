"""Cards pulled past two sensors, edge by edge, with what may go wrong.

Entry points: `passing`, `entries` (what the ring gets), `random_pull`.
Positions are quarters of a module, of the card's leading edge beyond sensor A. The ring's entries are written out here,
not taken from the driver.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from optical_strip.words import CARDS

from tests.strip.orders import DARK, END, STAGGER, WHITE, strip

A, B = 0, 2  # sensor of an entry, to which the level is added
LEVEL = 1


class Pull(NamedTuple):
    """What came of one pull: the cards that moved, in order, what went wrong, and the ring's entries."""

    codes: tuple[int, ...]
    kinds: tuple[str, ...]
    entries: list[int]


def passing(levels_a: list[int], levels_b: list[int]) -> list[tuple[int, int]]:
    """Position and entry of every edge on the way out, in order; sensors may see different levels of one strip."""
    found = []
    for sensor, levels, behind in ((A, levels_a, 0), (B, levels_b, STAGGER)):
        for place, (before, level) in enumerate(pairwise([DARK, *levels, DARK])):
            if before != level:
                found.append((place + behind, sensor | level))
    return sorted(found, key=itemgetter(0))


def entries(way: Sequence[tuple[int, int]], stops: Iterable[int]) -> list[int]:
    """What the ring gets when the card goes, out or back, until it is past so many edges, one stop after the other."""
    given = []
    at = 0
    for turn in stops:
        while at < turn:
            given.append(way[at][1])
            at += 1
        while at > turn:
            at -= 1
            given.append(way[at][1] ^ LEVEL)
    return given


def random_pull(chance: random.Random) -> Pull:
    """One pull of a card, or of two, with up to a few faults of any kind."""
    codes = [chance.randrange(CARDS)]
    kinds = []
    levels = list(strip(codes[0]).levels)
    if chance.random() < 0.1:
        kinds.append("two cards")
        codes.append(chance.randrange(CARDS))
        behind = chance.randrange(1, END + 60)
        levels += [DARK] * max(0, behind - END) + list(strip(codes[1]).levels)[max(0, END - behind) :]
    both = [levels[:], levels[:]]
    for sensors, rate in (((0, 1), 0.3), ((0,), 0.1), ((1,), 0.1)):
        while chance.random() < rate:
            kinds.append("dirt")
            begin = chance.randrange(len(levels))
            end = min(len(levels), begin + 1 + int(chance.expovariate(1 / 6)))
            colour = chance.choice((WHITE, DARK))
            for sensor in sensors:
                both[sensor][begin:end] = [colour] * (end - begin)
    if chance.random() < 0.05:
        kinds.append("stray light")
        sensor = chance.randrange(2)
        begin = chance.randrange(len(levels))
        both[sensor][begin:] = [chance.choice((WHITE, DARK)) for _ in both[sensor][begin:]]
    way = passing(*both)
    stops: list[int] = []
    while chance.random() < 0.15 and way:
        kinds.append("push-back")
        first = chance.randrange(1, len(way) + 1)
        reach = chance.choice((3, 8, 30, len(way)))
        stops += [first, max(0, first - chance.randrange(1, reach + 1))]
    if chance.random() < 0.1:
        kinds.append("half pull")
        stops += [chance.randrange(len(way) + 1), 0]
    else:
        stops.append(len(way))
    given = _disturbed(entries(way, stops), kinds, chance)
    return Pull(tuple(codes), tuple(kinds), given)


def _disturbed(given: list[int], kinds: list[str], chance: random.Random) -> list[int]:
    """The entries with some of them lost, doubled or swapped."""
    while given and chance.random() < 0.15:
        place = chance.randrange(len(given))
        kind = chance.choice(("missing edge", "missing pulse", "doubled edge", "bounce", "swapped edges"))
        kinds.append(kind)
        if kind == "missing edge":
            del given[place]
        elif kind == "missing pulse":
            later = [at for at in range(place + 1, len(given)) if given[at] & B == given[place] & B]
            if later:
                del given[later[0]], given[place]
        elif kind == "doubled edge":
            given.insert(place, given[place])
        elif kind == "bounce":
            given[place:place] = [given[place], given[place] ^ LEVEL]
        elif place:
            given[place - 1 : place + 1] = given[place], given[place - 1]
    return given
