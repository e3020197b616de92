"""What the bookkeeper asks for on spots without a bet, around their seat's settlement (docs/fuzz.md)."""

from __future__ import annotations

import pytest

from hwsim.core import NS_PER_MS, Scheduler
from hwsim.fuzz.bookkeeper.duties import After, Duty
from hwsim.fuzz.bookkeeper.locks import Held, Locked
from hwsim.fuzz.bookkeeper.spots import idle, never
from hwsim.fuzz.bookkeeper.stays import Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Visits
from hwsim.rf.antenna import Antenna
from hwsim.world.chips import Chip, DeadTag
from hwsim.world.truth import PLACED, REMOVED, Fact

SPOT = (4, "additional")
UID = bytes(range(8))
CHIP = Chip(500, UID, b"", DeadTag(), "5.00#1")
LOCKED, SETTLED, END = 1000, 4000, 8000  # ms
PERIOD, VISIT = 50, 20  # ms: a visit's begin to the next one's, and how long it is


def a_chip(came: float, went: float | None = None) -> tuple[Stays, Visits]:
    """It lies there from ``came`` to ``went`` (ms); the antenna is visited all the time."""
    scheduler = Scheduler()
    antenna = Antenna(scheduler, "P4 additional")
    visits = Visits(scheduler, {SPOT: antenna})
    assert antenna.on_field is not None
    for begin in range(0, END, PERIOD):
        scheduler.run_until(begin * NS_PER_MS)
        antenna.on_field(True)
        scheduler.run_until((begin + VISIT) * NS_PER_MS)
        antenna.on_field(False)
    stays = Stays(visits, {antenna.name: SPOT}, {CHIP.label: CHIP}.get)
    fact = Fact(round(came * NS_PER_MS), PLACED, CHIP.label, UID, antenna.name)
    stays.take([fact])
    if went is not None:
        stays.take([leaving(fact, went)])
    return stays, visits


def on_a_decision(came: float, went: float | None = None) -> list[Duty]:
    """The spot is that of a decision which never opens."""
    stays, visits = a_chip(came, went)
    begin, settled, end = (instant * NS_PER_MS for instant in (LOCKED, SETTLED, END))
    return never(SPOT, begin, settled, end, "early_play", stays, visits, Locked())


def on_a_side_bet(came: float) -> list[Duty]:
    """The spot was locked without a bet."""
    stays, visits = a_chip(came)
    lock, settled = LOCKED * NS_PER_MS, SETTLED * NS_PER_MS
    return After(SPOT, lock, settled, settled, stays, visits, Locked()).duties(Held())


def on_a_bet(came: float) -> list[Duty]:
    """The spot's bet was settled, and its chips taken, before this one came."""
    stays, visits = a_chip(came)
    return idle(SPOT, SETTLED * NS_PER_MS, FOREVER, END * NS_PER_MS, stays, visits, Locked(), settled=True)


def leaving(fact: Fact, went: float) -> Fact:
    """The same chip leaves."""
    return fact._replace(act=REMOVED, when=round(went * NS_PER_MS))


@pytest.mark.parametrize(
    ("came", "went", "kinds", "must"),
    [
        (2030, None, {"early_play"}, True),
        (2030, 3030, {"early_play"}, True),  # it is gone by the settlement
        (SETTLED - 541, None, {"early_play", "next_round"}, True),  # seed 883: the dwell ends at the settlement
        (SETTLED - 330, None, {"next_round"}, True),  # no alarm is due before the settlement
        (SETTLED - 330, SETTLED + 1030, {"next_round"}, True),
    ],
)
def test_a_chip_that_lies_there(came: float, went: float | None, kinds: set[str], must: bool) -> None:
    (duty,) = on_a_decision(came, went)
    assert (set(duty.kinds), duty.must) == (kinds, must)


@pytest.mark.parametrize(
    ("came", "went"),
    [
        (2030, 2430),  # a hand
        (SETTLED - 330, SETTLED + 100),
        (SETTLED + 30, None),  # comes to a settled seat: another duty
    ],
)
def test_nothing_to_tell(came: float, went: float | None) -> None:
    assert on_a_decision(came, went) == []


@pytest.mark.parametrize(
    ("came", "kinds", "must"),
    [
        (2030, {"capped", "late"}, True),
        (SETTLED - 530, {"capped", "late"}, True),  # its seat waits until it has dwelt
        (SETTLED - 66, {"capped", "late", "next_round"}, False),  # its value is not known yet when its seat is settled
    ],
)
def test_a_chip_where_no_bet_was_made(came: float, kinds: set[str], must: bool) -> None:
    (duty,) = on_a_side_bet(came)
    assert (set(duty.kinds), duty.must) == (kinds, must)


@pytest.mark.parametrize(
    ("came", "kinds"),
    [
        (SETTLED + 15, {"capped", "late", "next_round"}),  # the last visit without it began before the settlement
        (SETTLED + 125, {"next_round"}),
    ],
)
def test_a_chip_where_a_bet_was_settled(came: float, kinds: set[str]) -> None:
    (duty,) = on_a_bet(came)
    assert (set(duty.kinds), duty.must) == (kinds, False)
