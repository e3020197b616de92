"""The expander that chooses the antennas forgets its settings, and a reader that it does not reset reads on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import locked, seen

Maker = Callable[..., TestTable]
BETS = ["ante", "pair_plus", "play"]
FOUR = [[[1, "ante"]], [[1, "pair_plus"]], [[1, "play"]], [[2, bet] for bet in BETS]]
HERE = {"ante1": 2500, "ante2": 1000, "pair_plus2": 500}
OPEN = "open the table\nseat 1 ante 25.00\nseat 2 ante 10.00\nplace 5.00 on seat 2 pair_plus\nwait 1.5"


def test_a_chip_is_not_seen_where_it_does_not_lie(make_table: Maker) -> None:
    table = make_table(seed=3, config={"readers": FOUR})
    table.play(OPEN)
    assert seen(table) == HERE
    table.table.hardware.expanders[0].power_cycle()
    looks = [seen(table, 0.05) for _ in range(40)]
    assert [each for each in looks if each != HERE] == []


@pytest.mark.parametrize("after", [0.05, 0.3])
def test_a_lock_in_that_moment_is_that_of_the_bets(make_table: Maker, after: float) -> None:
    table = make_table(seed=3, config={"readers": FOUR})
    table.play(OPEN)
    table.table.hardware.expanders[0].power_cycle()
    table.play(f"wait {after}\npress rnvp\nwait until confirmed within 5\nwait 7")
    told = [(entry.name, entry.fields["seat"]) for entry in table.records() if entry.family == "irregularity"]
    assert locked(table) == HERE
    assert told == [("transit", 1)], "its own reader is held in reset"
