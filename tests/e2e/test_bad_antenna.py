"""One antenna of a reader cannot be read: the reader fails at it each time, and only there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import seen

Maker = Callable[..., TestTable]
HERE = {"ante1": 2500, "ante2": 1000}
ALL = [[[seat, bet] for seat in (1, 2) for bet in ("ante", "pair_plus", "play")]]


@pytest.mark.parametrize("when", ["on", "off"])
def test_its_other_antennas_are_read_after_a_lock_that_gave_it_up(make_table: Maker, when: str) -> None:
    table = make_table(seed=3, config={"readers": ALL})
    table.play("open the table\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5")
    antenna, reader = table.table.spot(1, "pair_plus"), table.table.hardware.readers[0]

    def field(on: bool) -> None:
        if on == (when == "on"):
            table.table.scheduler.after(1, reader.power_cycle)

    antenna.on_field = field
    table.play("place 5.00 on seat 2 pair_plus\nwait 1.5")
    assert seen(table) == {**HERE, "pair_plus2": 500}
    table.play("press rnvp\nwait 14\nplace 10.00 on seat 2 ante\nwait 4")
    assert seen(table) == {"ante1": 2500, "ante2": 2000, "pair_plus2": 500}
