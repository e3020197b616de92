"""A chip is heard twice, before the announcement and after it, and then its player takes it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from hwsim.core import NS_PER_MS
from sabot_host.sim.pytest_plugin import TestTable

Maker = Callable[..., TestTable]


@pytest.mark.parametrize("elsewhere", ["quiet", "noise"])
def test_a_bet_taken_after_the_visit_that_confirmed_it_is_not_in_doubt(make_table: Maker, elsewhere: str) -> None:
    """Nor when noise elsewhere holds the lock up, so that all is judged when it has gone."""
    table = make_table(seed=3)
    table.play("open the table\nchips A 25.00\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5")
    antenna = table.table.spot(2, "pair_plus")
    visits: list[int] = []

    def field(on: bool) -> None:
        if not on and antenna.tags:
            visits.append(table.table.now)
            if len(visits) == 1:
                table.table.scheduler.after(NS_PER_MS, lambda: table.table.press("rnvp"))
            elif len(visits) == 2:
                (chip,) = table.table.felt.lying_on(antenna)
                table.table.scheduler.after(NS_PER_MS, lambda: table.table.felt.take(chip))

    antenna.on_field = field
    if elsewhere == "noise":
        table.table.spot(1, "ante").noise = lambda: RX_DATA_INTEGRITY_ERROR
    table.play("place A on seat 2 pair_plus\nwait 0.6")
    table.table.spot(1, "ante").noise = None
    table.play("wait until confirmed within 3\nwait 7")
    kinds = [entry.name for entry in table.records() if entry.family == "irregularity"]
    changes = [int(entry.fields["earliest"]) for entry in table.records("change")]
    edge = int(table.records("lock")[0].fields["edge"])
    assert "ambiguous" not in kinds
    assert all(earliest > edge for earliest in changes)
