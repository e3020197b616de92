"""Cards pulled past the simulator's sensors, read through pin interrupts by the driver on the board's interpreter.

Entry points: :class:`Lip` (the board, the shoe and what was read), :func:`random_pulls` (its :class:`Tally`). What a
card is, and where its bars are, comes from the simulator's world, which shares nothing with the driver but the page.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hwsim.chips.beam import ExitBeam
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.optical_lip import OpticalLip
from hwsim.core import NS_PER_MS, Line
from hwsim.provisioning import card_number
from hwsim.rf.antenna import Antenna, Tag
from hwsim.world.cards import Card, make_cut_card, make_pack, shuffled
from hwsim.world.shoe import BACK, DEALT, Leg, Shoe
from hwsim.world.strip import CARD, QUARTER, Face
from hwsim.world.truth import Truth
from hwsim.world.uids import UidSource
from tests.hwsim.overlay_rig import Rig

DRIVERS = Path(__file__).parents[2] / "drivers"
CAUSES = ("DIRT", "PUSHED_BACK", "HALF_PULL", "TWO_CARDS", "STRAY_LIGHT", "LOST_EDGE", "OVERFLOW", "PUSHED_IN")
PROGRAM = f"""
    from machine import Pin
    from optical_strip import decoder as of
    from optical_strip.ring import EMPTY, EdgeRing

    CAUSES = {{getattr(of, name): name for name in {CAUSES}}}
    beam = Pin(26, Pin.IN, Pin.PULL_UP)
    ring = EdgeRing(Pin(20, Pin.IN, Pin.PULL_DOWN), Pin(21, Pin.IN, Pin.PULL_DOWN))
    ring.start(Pin.IRQ_RISING | Pin.IRQ_FALLING)
    decoder = of.Decoder()
    ended = of.NOTHING
    print("ready")
    while True:
        entry = ring.take()
        if entry != EMPTY:
            card = decoder.edge(entry)
            if card != of.NOTHING:
                if ended != of.NOTHING:
                    print("card", ended)
                ended = card
            continue
        if ring.dark() and beam.value():
            cause = decoder.clear()
            if cause != of.NOTHING:
                print("no", CAUSES[cause])
            elif ended != of.NOTHING:
                print("card", ended)
            ended = of.NOTHING
        time.sleep_ms(1)
"""
LIGHT_NS = 400 * NS_PER_MS
AFTER_NS = 900 * NS_PER_MS  # by then any light has gone, and all has been told


def _make_tag(uid: bytes, afi: int, memory: bytes) -> Tag:
    return IcodeSlix2(uid, afi=afi, memory=memory)


class Lip(Rig):
    """A board whose program is a loop around the driver, at a shoe with a pack and a cut card."""

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, PROGRAM, path=[DRIVERS], seed=seed)
        lines = {gpio: Line(name, level) for gpio, name, level in ((20, "A", 0), (21, "B", 0), (26, "BEAM", 1))}
        for gpio, line in lines.items():
            self.fabric.pin(gpio, line, "in")
        self.lip = OpticalLip(self.scheduler, (lines[20], lines[21]))
        self.shoe = Shoe(
            self.scheduler,
            Truth(self.scheduler),
            Antenna(self.scheduler, "mouth"),
            ExitBeam(self.scheduler, lines[26]),
            lip=self.lip,
        )
        self.seed = seed
        self.fill()

    def fill(self) -> None:
        """A new pack."""
        uids = UidSource(self.seed)
        pack = make_pack(_make_tag, uids, strips=True)
        self.shoe.load(shuffled([*pack, make_cut_card(_make_tag, uids, strips=True)], self.seed))

    def __enter__(self) -> Lip:
        super().__enter__()
        self.finish("ready")
        return self

    def until_over(self, cards: int) -> list[str]:
        """Let everything happen until so many cards have arrived, out or back; what the board has said meanwhile."""
        facts = self.shoe.truth.facts
        before, said = len(facts), len(self.printed)

        def moving() -> bool:
            return sum(fact.act in (DEALT, BACK) for fact in facts[before:]) < cards

        assert self.controller.run_while(moving, 60_000 * NS_PER_MS), "a card that never arrives"
        self.controller.run_for(AFTER_NS)
        return self.printed[said:]


@dataclass
class Tally:
    """What came of random pulls: by kind of fault, cards read and causes of refusal; every wrong identity."""

    pulls: int = 0
    read: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    clean_unread: int = 0

    def figures(self) -> dict[str, Any]:
        """Plain values for a report."""
        return {
            "pulls": self.pulls,
            "wrong_identities": len(self.wrong),
            "clean_pulls_not_read": self.clean_unread,
            "clean_pulls": self.read["clean"] + self.refused["clean"],
            "read_by_kind": _named(self.read),
            "refused_by_kind": _named(self.refused),
            "refused_by_cause": _named(self.causes),
        }


def _named(counted: Counter[str]) -> dict[str, int]:
    """The counts under names that a figure can have."""
    return {name.lower().replace(" ", "_").replace("-", "_"): count for name, count in sorted(counted.items())}


def _course(source: random.Random, shoe: Shoe, back: bool = False) -> list[Leg]:
    """A whole way out in pieces, with stops and, ``back``, with ways back."""
    farthest = 38_000 if back else 50_000  # beyond, a card that comes back has been out, and is told again
    places = sorted(source.sample(range(-50_000, farthest), source.randint(0, 12)))
    if back:
        places.append(source.randint(-20_000, 35_000))
        places.append(places[-1] - source.randint(100, 15_000))
    legs = [Leg(to, _speed(source), source.choice((0, 0, 0, 2, 150)) * NS_PER_MS) for to in places]
    return [*legs, Leg(shoe.geometry.out, _speed(source))]


def _speed(source: random.Random) -> int:
    """50 to 2000 mm/s, as often slow as fast."""
    return int(50 * 40 ** source.random())


def _dirty(source: random.Random, face: Face) -> None:
    """One stretch for both sensors, or one for each."""
    for sensors in source.choice((("AB",), ("AB",), ("A",), ("B",), ("A", "B"))):
        first, last = sorted(source.sample(range(CARD // QUARTER + 1), 2))
        if source.random() < 0.6:  # a short one, as most are
            last = min(first + source.randint(1, 16), CARD // QUARTER)
        if first < last:
            face.below.spoil(first * QUARTER, last * QUARTER, white=source.random() < 0.5, sensors=sensors)


KINDS = ("clean", "dirt", "push-back", "half pull", "two cards", "light", "flicker", "bounce", "melted", "face up")
_WEIGHTS = (4, 8, 3, 2, 3, 2, 1, 2, 2, 1)


def _one(lip: Lip, source: random.Random, kind: str) -> tuple[list[Card], list[str]]:
    """Pull a card, or two, with a fault of ``kind``: the cards that left, and what the board said."""
    shoe, now = lip.shoe, lip.scheduler.now
    if len(shoe.cards) < 3:
        lip.fill()
    card = shoe.cards[0]
    dealt = len(shoe.dealt)
    sensor = source.choice(lip.lip.sensors)
    if kind == "dirt":
        _dirty(source, card.face)
    elif kind == "light":
        sensor.force(now + source.randrange(LIGHT_NS), source.random() < 0.7, source.randrange(1, LIGHT_NS))
    elif kind == "flicker":
        sensor.flicker(now, 2 * LIGHT_NS, 10 * NS_PER_MS, source.randrange(1000))
    elif kind == "bounce":
        sensor.bounce(source.randint(1, 6), source.randint(5_000, 100_000))
    elif kind == "face up":
        card.face.up = True
    if kind == "half pull":
        shoe.pull_along(now, [Leg(source.randint(-24_000, 37_000)), Leg(shoe.geometry.rest)])
    elif kind == "two cards":
        shoe.draw_two(now, source.choice((100, 500, 1500)), source.randint(2_000, 70_000))
    else:
        shoe.pull_along(now, _course(source, shoe, back=kind == "push-back"))
    if kind == "melted":
        lip.scheduler.at(now + source.randrange(150) * NS_PER_MS, sensor.melt)
    said = lip.until_over(2 if kind == "two cards" else 1)
    sensor.steady()
    card.face.up = False
    for strip in card.face.strips:
        strip.wipe()
    return shoe.dealt[dealt:], said


def random_pulls(root: Path, count: int, seed: int) -> Tally:
    """Pull ``count`` times at random, with faults of every kind."""
    source = random.Random(f"pulls/{seed}")
    tally = Tally()
    with Lip(root, seed) as lip:
        for _ in range(count):
            kind = source.choices(KINDS, _WEIGHTS)[0]
            left, said = _one(lip, source, kind)
            tally.pulls += 1
            told = [int(line.split()[1]) for line in said if line.startswith("card ")]
            causes = [line.split()[1] for line in said if line.startswith("no ")]
            tally.causes.update(set(causes))
            numbers = [card_number(card.code) for card in left]
            rest = iter(numbers)
            if not all(number in rest for number in told):  # each that was told has left, in this order
                tally.wrong.append(f"{kind}: told {told}, left {numbers}")
            (tally.read if told == numbers and not causes else tally.refused)[kind] += 1
            tally.clean_unread += kind == "clean" and told != numbers
        assert not lip.controller.stderr, lip.controller.stderr
    return tally
