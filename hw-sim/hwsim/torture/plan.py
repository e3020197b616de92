"""What goes wrong in the life of one seed. Entry points: :func:`plan`, :class:`Plan`, :class:`Fault`, :data:`KINDS`.

A fault belongs to an attempt to play a round (0: the first start) and comes so many milliseconds after that begins, so
that taking one away leaves the others where they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

Value = int | str
Values = dict[str, Value]

ATTEMPTS = 4
LATEST_MS = 7_000  # a round takes about as long
_OTHERS = (2, 5)  # faults of one life that do not cut the power
_CUTS = (1, 2, 2, 3)  # those that do
_CROWDED = 0.3  # share of lives in which segments are due
_NEAR_WRAP = 0.4  # and in which a counter begins anew soon
_CALM = 0.25  # and in which people do nothing beside playing
_ROTS = 0.4  # and after which a bit turns over in what is kept
_WRAPS_US = (1 << 30, (1 << 30) * 1000)  # where the counters of microseconds and of milliseconds begin anew


class Fault(NamedTuple):
    """One fault: its number in the plan, in which attempt and when, its kind, and how it comes."""

    number: int
    attempt: int
    after_ms: int
    kind: str
    values: Mapping[str, Value]

    def __str__(self) -> str:
        """One line."""
        how = " ".join(f"{name} {value}" for name, value in self.values.items())
        return f"{self.number}: attempt {self.attempt} +{self.after_ms / 1000:.3f} s {self.kind} {how}".rstrip()


@dataclass(frozen=True)
class Plan:
    """A life: its faults, how many rounds people try to play, and what the controller begins with."""

    seed: int
    attempts: int
    faults: tuple[Fault, ...]
    ticks_us: int = 0
    """what the counter of microseconds reads at each start"""
    crowded: bool = False
    """more than a quarter of the journal's memory waits for a host: segments are due"""
    calm: bool = False
    """people do nothing beside playing"""
    rot: int = 0
    """which bit of the journal's memories turns over when the life is over; 0: none does"""

    def keeping(self, numbers: Collection[int]) -> Plan:
        """The same life with these of its faults only."""
        return replace(self, faults=tuple(fault for fault in self.faults if fault.number in numbers))

    def lines(self) -> list[str]:
        """For people."""
        begin = [f"the counter of microseconds begins at {self.ticks_us}"] if self.ticks_us else []
        memory = ["segments of the journal are due"] if self.crowded else []
        rot = ["one bit of what is kept turns over at the end"] if self.rot else []
        return [*begin, *memory, *map(str, self.faults), *rot]


Draw = Callable[[random.Random], Values]


def _cut(rng: random.Random) -> Values:
    """How long the power is away, and where in the recovery that follows it goes again: after bytes, or after ms."""
    values: Values = {"off_ms": rng.choice((20, 300, 1500))}
    if rng.random() < 0.4:
        values["again"] = rng.choice(("bytes", "ms"))
        values["after"] = rng.randrange(400) if values["again"] == "bytes" else rng.randrange(500, 1400)
    if rng.random() < 0.2:
        values["rot"] = rng.choice(("superblock", "head", "meters", "free"))
        values["bit"] = rng.randrange(1 << 30)
    return values


def _cut_memory(rng: random.Random) -> Values:
    return {"bytes": rng.randrange(1, 500), "torn": rng.randrange(2), **_cut(rng)}


def _cut_flash(rng: random.Random) -> Values:
    return {"operations": rng.randrange(40), "torn": rng.randrange(2), **_cut(rng)}


def _cut_call(rng: random.Random) -> Values:
    return {"calls": rng.randrange(1, 400), **_cut(rng)}


def _while(least: int, most: int, **choices: tuple[Value, ...]) -> Draw:
    def draw(rng: random.Random) -> Values:
        chosen: Values = {name: rng.choice(values) for name, values in choices.items()}
        return {**chosen, "ms": rng.randrange(least, most)}

    return draw


def _bytes(least: int, most: int) -> Draw:
    return lambda rng: {"bytes": rng.randrange(least, most)}


def _nothing(rng: random.Random) -> Values:
    return {}


_KEYS = ("rnvp", "fin", "devoiler", "oui", "non", "p1", "p2", "abandon", "plus")

#: Kinds that cut the power, and how each comes.
CUTS: Mapping[str, Draw] = {"cut": _cut, "cut_memory": _cut_memory, "cut_flash": _cut_flash, "cut_call": _cut_call}

#: Those that leave the memory without what is written to it for ``ms`` milliseconds.
MEMORY = ("memory_brown_out", "memory_deaf")

#: All other kinds.
OTHERS: Mapping[str, Draw] = {
    "reset": _nothing,
    "memory_brown_out": lambda rng: {"bytes": rng.randrange(1, 300), "ms": rng.randrange(1, 400)},
    "memory_deaf": _while(20, 1500),
    "flash_deaf": _while(200, 5000),
    "reader_brown_out": lambda rng: {"reader": rng.randrange(4)},
    "reader_dead": lambda rng: {
        "reader": rng.randrange(4),
        "how": rng.choice(("low", "high", "busy", "nonsense")),
        "ms": rng.randrange(50, 3000),
    },
    "display_brown_out": _nothing,
    "cable": _while(30, 3000),
    "cable_flaps": _while(400, 2500),
    "garbage": _bytes(1, 700),
    "flood": _while(50, 800),
    "host_dead": _while(200, 4000),
    "host_slow": _while(500, 4000),
    "acknowledge": _nothing,
    "clock_jump": lambda rng: {"seconds": rng.choice((-86_400, -3_600, -61, 61, 3_600, 86_400, 20_000_000))},
    "clock_stops": _while(100, 4000),
    "stuck_key": _while(100, 4000, key=_KEYS, level=("down", "up")),
    "tag_lost": _while(100, 6000),
    "answers_lost": _while(200, 4000),
    "noise": _while(20, 700),
}

KINDS = (*CUTS, *OTHERS)


def plan(seed: int, attempts: int = ATTEMPTS, *, calm: bool = False) -> Plan:
    """The life of ``seed``; ``calm``: people do nothing beside playing."""
    rng = random.Random(f"torture/{seed}")
    crowded = rng.random() < _CROWDED
    cuts = [kind for kind in CUTS if kind != "cut_flash" or crowded]
    kinds = [rng.choice(cuts) for _ in range(rng.choice(_CUTS))]
    kinds += [rng.choice(list(OTHERS)) for _ in range(rng.randint(*_OTHERS))]
    drawn = []
    for kind in kinds:
        when = rng.randint(1, attempts), rng.randrange(LATEST_MS)
        drawn.append((*when, kind, (CUTS.get(kind) or OTHERS[kind])(rng)))
    if crowded:
        drawn.append((0, rng.randrange(2000), "cut_flash", _cut_flash(rng)))
    drawn.sort(key=lambda one: one[:2])
    faults = tuple(Fault(number, *one) for number, one in enumerate(drawn, 1))
    ticks = 0
    if rng.random() < _NEAR_WRAP:
        ticks = rng.choice(_WRAPS_US) - rng.randrange(1_000_000, 30_000_000)
    rot = rng.randrange(1, 1 << 30) if rng.random() < _ROTS else 0
    return Plan(seed, attempts, faults, ticks, crowded, calm or rng.random() < _CALM, rot)
