"""Noise hides for long whether a chip is still there that was heard just before: a lock then has a doubt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import locked

Maker = Callable[..., TestTable]


@pytest.mark.parametrize("heard", [1, 8])
def test_a_chip_that_was_not_heard_for_long_before_the_lock_is_in_doubt(make_table: Maker, heard: int) -> None:
    """However often it was heard before: once, when its memory has not been read yet, or again and again."""
    table = make_table(seed=3)
    table.play("open the table\nseat 1 ante 25.00\nseat 2 ante 10.00\nchips A 25.00\nwait 1.5")
    antenna = table.table.spot(2, "pair_plus")
    visits: list[bool] = []

    def field(on: bool) -> None:
        if not on and antenna.tags:
            visits.append(on)
            if len(visits) == heard:
                antenna.noise = lambda: RX_DATA_INTEGRITY_ERROR

    antenna.on_field = field
    table.play("place A on seat 2 pair_plus\nwait 1.5")
    antenna.on_field = None
    table.play("take A from seat 2 pair_plus\nwait 12\npress rnvp\nwait 1\nplace A on seat 2 pair_plus")
    antenna.noise = None
    table.play("wait until confirmed within 3\nwait 2")
    kinds = [entry.name for entry in table.records() if entry.family == "irregularity"]
    assert kinds == ["ambiguous"]
    assert locked(table) == {"ante1": 2500, "ante2": 1000}
