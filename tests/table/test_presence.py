"""Presence and its intervals, against a world whose truth is known; and arithmetic on wrapping ticks."""

from random import Random
from typing import Any

import pytest

from sabot.table.presence import Presence
from sabot.table.ticks import LONG_AGO, since


class Listener:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def chip_in(self, *what: int) -> None:
        self.told.append(("in", *what))

    def chip_out(self, *what: int) -> None:
        self.told.append(("out", *what))

    def chip_unsure(self, *what: int) -> None:
        self.told.append(("unsure", *what))

    def visit_done(self, *what: Any) -> None:
        self.told.append(("done", *what))


def visit(presence: Presence, start: int, answers: dict[int, int], silent: dict[int, int], clean: bool = True) -> None:
    """One visit to antenna 0: chips that answer, with the instant before the request; chips that are silent."""
    presence.visit_begun(0, start)
    for chip, lo in answers.items():
        presence.answered(0, chip, lo, lo + 5)
    for chip, first in silent.items():
        presence.silent(0, chip, first)
    presence.visit_finished(0, clean, start + 100)


def test_arrival_and_departure() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {}, {})
    visit(presence, 2000, {3: 2010}, {})
    visit(presence, 3000, {3: 3010}, {})
    visit(presence, 4000, {}, {3: 4050})
    assert listener.told == [
        ("done", 0, 1000, 1100, True),
        ("in", 0, 3, 1000, 2015),
        ("done", 0, 2000, 2100, True),
        ("done", 0, 3000, 3100, True),
        ("out", 0, 3, 3010, 4050),
        ("done", 0, 4000, 4100, True),
    ]


def test_the_first_arrival_may_be_long_ago() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {0: 1010}, {})
    assert listener.told[0] == ("in", 0, 0, LONG_AGO, 1015)


def test_an_unclean_visit_proves_no_absence() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {}, {})
    visit(presence, 2000, {}, {}, clean=False)
    visit(presence, 3000, {1: 3010}, {})
    assert ("in", 0, 1, 1000, 3015) in listener.told


def test_unknown_is_not_absent() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {1: 1010, 2: 1020}, {})
    presence.visit_begun(0, 2000)
    presence.answered(0, 1, 2010, 2015)
    presence.unknown(0, 2)
    presence.visit_finished(0, True, 2100)
    assert presence.holds(0, 2)
    assert listener.told[-2:] == [("unsure", 0, 2, 1020), ("done", 0, 2000, 2100, False)]
    visit(presence, 3000, {1: 3010}, {2: 3050})
    assert ("out", 0, 2, 1020, 3050) in listener.told


def test_a_chip_on_two_antennas_and_no_room() -> None:
    listener = Listener()
    presence = Presence(2, 254, listener)
    for antenna in (0, 1):
        presence.visit_begun(antenna, 1000)
        for chip in range(200):
            presence.answered(antenna, chip, 1001, 1002)
        presence.visit_finished(antenna, True, 1100)
    assert (presence.count(0), presence.count(1), presence.lost) == (200, 54, 146)
    presence.visit_begun(0, 2000)
    presence.silent(0, 7, 2001)
    presence.silent(0, 7, 2001)
    presence.visit_finished(0, False, 2100)
    assert (presence.count(0), presence.holds(0, 7), presence.holds(1, 7)) == (199, False, True)
    presence.visit_begun(1, 3000)
    presence.answered(1, 199, 3001, 3002)
    assert presence.holds(1, 199)


def test_instants_too_old_to_be_compared() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {1: 1010}, {})
    for minute in range(1, 7):
        presence.visit_begun(0, minute * 60000000)
        presence.unknown(0, 1)
        presence.visit_finished(0, False, minute * 60000000 + 100)
    visit(presence, 420000000, {2: 420000010}, {1: 420000050})
    assert ("in", 0, 2, LONG_AGO, 420000015) in listener.told
    assert ("out", 0, 1, LONG_AGO, 420000050) in listener.told


@pytest.mark.parametrize("capacity", [0, 255])
def test_capacity_has_bounds(capacity: int) -> None:
    with pytest.raises(ValueError, match="capacity"):
        Presence(1, capacity, Listener())


@pytest.mark.parametrize("seed", range(20))
def test_every_interval_contains_the_truth(seed: int) -> None:
    random = Random(seed)
    listener = Listener()
    presence = Presence(1, 8, listener)
    start = random.randrange(1 << 30)
    moves: dict[int, list[int]] = {chip: [] for chip in range(8)}
    lying: set[int] = set()
    now = 0
    for _ in range(300):
        begun = now
        presence.visit_begun(0, (start + now) & 0x3FFFFFFF)
        clean = True
        for chip in range(8):
            now += random.randrange(1, 50)
            if random.random() < 0.1:
                lying ^= {chip}
                moves[chip].append(now)
            now += random.randrange(1, 50)
            asked = (start + now) & 0x3FFFFFFF
            heard = random.random() < 0.9
            clean = clean and heard
            if heard and chip in lying:
                presence.answered(0, chip, asked, (asked + 3) & 0x3FFFFFFF)
            elif heard:
                presence.silent(0, chip, (asked + 3) & 0x3FFFFFFF)
            else:
                presence.unknown(0, chip)
        now += random.randrange(1, 500)
        presence.visit_finished(0, clean, (start + now) & 0x3FFFFFFF)
        assert begun < now
    changes = [entry for entry in listener.told if entry[0] in ("in", "out")]
    assert len(changes) > 100
    for _, _antenna, chip, lo, hi in changes:
        instants = [(start + instant) & 0x3FFFFFFF for instant in moves[chip]]
        assert any((lo == LONG_AGO or since(instant, lo) >= 0) and since(hi, instant) >= 0 for instant in instants)


def test_ticks_wrap() -> None:
    top = (1 << 30) - 1
    assert since(5, top) == 6
    assert since(top, 5) == -6
    assert since(7, 7) == 0
    assert since((1 << 29) - 1, 0) == (1 << 29) - 1
    assert since(0, (1 << 29) - 1) == 1 - (1 << 29)
    assert since(123, LONG_AGO) > 0
    assert since(LONG_AGO, 123) < 0
    assert since(LONG_AGO, LONG_AGO) == 0


def test_a_chip_is_unsure_in_every_visit_that_does_not_hear_it() -> None:
    listener = Listener()
    presence = Presence(1, 4, listener)
    visit(presence, 1000, {1: 1010}, {})
    for number in range(600):
        listener.told = []
        presence.visit_begun(0, 2000 + number)
        presence.unknown(0, 1)
        presence.visit_finished(0, False, 2000 + number)
        assert listener.told[0][:3] == ("unsure", 0, 1), number
