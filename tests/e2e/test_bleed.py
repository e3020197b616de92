"""A field that reaches a chip on a neighbour's spot: heard there, and believed only where it lies."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from hwsim.core import NS_PER_MS, NS_PER_S
from hwsim.world.chips import Chip
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

Maker = Callable[..., TestTable]
BETS = ["ante", "pair_plus", "play"]
COUPLED = {"couples_with": [[1, 2]]}
OPEN = "open the table\nchips A 25.00\nplace A on seat 1 ante\nseat 2 ante 10.00\nwait 1.5\n"


def bled(table: TestTable, bet: str = "ante") -> tuple[Chip, Callable[[], None], Callable[[], None]]:
    """The chip on seat 1, and how seat 2's field begins to reach it and ends."""
    antenna = table.table.spot(2, bet)
    (chip,) = (each for each in table.table.felt.lying_on(table.table.spot(1, "ante")) if isinstance(each, Chip))
    return chip, lambda: antenna.reach(chip.tag), lambda: antenna.release(chip.tag)


def seen(table: TestTable, after_s: float = 0.1) -> dict[str, int]:
    """Cents by place, as the host's screen shows them."""
    table.host.look()
    table.play(f"wait {after_s}")
    assert table.host.picture is not None
    return {f"{spot.bet}{spot.seat}": spot.seen for spot in table.host.picture.spots if spot.seen}


def locked(table: TestTable) -> dict[str, int]:
    """What the lock came to, by place."""
    rows = table.records("confirmed")[0].rows
    return {f"{row['bet']}{row['seat']}": int(row["amount"]) for row in rows if row.get("amount")}


def test_a_chip_heard_by_a_neighbour_is_seen_where_it_lies(make_table: Maker) -> None:
    table = make_table(seed=3, config=COUPLED)
    table.play(OPEN)
    _chip, reach, release = bled(table)
    reach()
    for _ in range(4):
        assert seen(table) == {"ante1": 2500, "ante2": 1000}
    release()
    table.play("wait 1")
    assert seen(table) == {"ante1": 2500, "ante2": 1000}


@pytest.mark.parametrize("before_ms", sampled([10, 120, 400], [120]))
def test_a_lock_while_a_neighbour_hears_the_chip_counts_it_once(make_table: Maker, before_ms: int) -> None:
    table = make_table(seed=3, config=COUPLED)
    table.play(OPEN)
    _chip, reach, release = bled(table)
    reach()
    table.play(f"wait {before_ms / 1000}\npress rnvp")
    table.table.scheduler.after(150 * NS_PER_MS, release)
    table.play("wait until confirmed within 3\nwait 2")
    assert locked(table) == {"ante1": 2500, "ante2": 1000}
    assert {entry.name for entry in table.records() if entry.family == "irregularity"} == set()


def test_a_chip_that_goes_to_a_neighbour_is_seen_there(make_table: Maker) -> None:
    table = make_table(seed=3, config=COUPLED)
    table.play(OPEN)
    chip, _reach, _release = bled(table)
    table.table.felt.move(chip, table.table.spot(2, "pair_plus"), table.table.now, 50 * NS_PER_MS)
    table.play("wait 0.6")
    assert seen(table) == {"ante2": 1000, "pair_plus2": 2500}


def test_a_chip_that_answers_at_two_coupled_spots_for_long_is_two(make_table: Maker) -> None:
    """A clone beside its original is told all the same, a second later."""
    table = make_table(seed=3, config=COUPLED)
    table.play("open the table\nchips A 25.00\nclone C of A\nplace A on seat 1 ante\nplace C on seat 2 ante\nwait 2")
    assert seen(table) == {"ante1": 2500, "ante2": 2500}
    table.play("press rnvp\nwait until confirmed within 3\nwait 2")
    assert len(table.records("clone")) == 2


APART = {**COUPLED, "readers": [[[1, bet] for bet in BETS] + [[2, "ante"], [2, "play"]], [[2, "pair_plus"]]]}
"""Seat 2's Pair Plus has a reader of its own, which visits it several times in one round of the other."""


@pytest.mark.parametrize("phase_ms", sampled(range(0, 60, 4), [8, 24, 40, 56]))
def test_a_chip_that_a_neighbour_hears_first_is_seen_where_it_lies_alone(make_table: Maker, phase_ms: int) -> None:
    table = make_table(seed=3, config=APART)
    table.play("open the table\nchips A 25.00\nwait 1.5")
    assert seen(table) == {}
    table.play(f"wait {phase_ms / 1000}\nplace A on seat 1 ante")
    _chip, reach, release = bled(table, "pair_plus")
    reach()
    table.table.scheduler.after(250 * NS_PER_MS, release)
    looks = [seen(table, 0.02) for _ in range(30)]
    assert [each for each in looks if each not in ({}, {"ante1": 2500})] == []
    assert looks[-1] == {"ante1": 2500}


@pytest.mark.parametrize("before_ms", sampled(range(120, 240, 20), [160]))
def test_a_lock_while_a_neighbour_hears_a_chip_first_counts_it_where_it_lies(make_table: Maker, before_ms: int) -> None:
    table = make_table(seed=3, config=APART)
    table.play("open the table\nchips A 25.00\nseat 2 ante 10.00\nwait 1.5\nplace A on seat 1 ante")
    _chip, reach, release = bled(table, "pair_plus")
    reach()
    table.table.scheduler.after(250 * NS_PER_MS, release)
    table.play(f"wait {before_ms / 1000}\npress rnvp\nwait until confirmed within 3\nwait 2")
    assert locked(table) == {"ante1": 2500, "ante2": 1000}
    assert {entry.name for entry in table.records() if entry.family == "irregularity"} == set()


def test_a_neighbour_that_cannot_be_read_delays_a_chip_by_a_second_at_most(make_table: Maker) -> None:
    table = make_table(seed=3, config=APART)
    table.play("open the table\nwait 1.5")
    table.table.spot(2, "pair_plus").noise = lambda: RX_DATA_INTEGRITY_ERROR
    table.play("seat 1 ante 25.00\nwait 1.5")
    assert seen(table) == {"ante1": 2500}


def test_a_reader_of_one_antenna_leaves_gaps_to_a_neighbours(make_table: Maker) -> None:
    table = make_table(seed=3, config=APART)
    visits: list[int] = []
    table.table.spot(1, "ante").on_field = lambda on: visits.append(table.table.now) if on else None
    table.play("open the table\nseat 1 ante 10.00\nseat 2 ante 10.00\nseat 2 pair_plus 5.00\nwait 3")
    settled = [visit for visit in visits if visit > table.table.now - NS_PER_S]
    assert max(after - before for before, after in pairwise(settled)) < 150 * NS_PER_MS
