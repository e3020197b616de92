"""Readers of few antennas among others that couple with all of them; and one that fails while a neighbour listens."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest

from hwsim.core import NS_PER_MS
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import APART, bled, seen
from tests.sampled import sampled

Maker = Callable[..., TestTable]
SPOTS = [[seat, bet] for seat in (1, 2) for bet in ("ante", "pair_plus", "play")]
EVERYTHING = [list(pair) for pair in combinations(SPOTS, 2)]
STACKS = "seat 1 ante 2000.00\nseat 2 ante 1234.50\nseat 2 pair_plus 500.00\nseat 1 pair_plus 15.00\nwait 2\n"


@pytest.mark.parametrize("shared", sampled(["3111", "1122", "222", "51"], ["1122"]))
def test_every_spot_is_visited_though_everything_couples(make_table: Maker, shared: str) -> None:
    left = iter(SPOTS)
    readers = [[next(left) for _ in range(int(count))] for count in shared]
    table = make_table(seed=3, config={"readers": readers, "couples_with": EVERYTHING})
    table.play("open the table\nwait 1\n" + STACKS)
    visits: dict[str, list[int]] = {antenna.name: [table.table.now] for antenna in table.table.spots.values()}

    def noting(name: str) -> Callable[[bool], None]:
        return lambda on: visits[name].append(table.table.now) if on else None

    for antenna in table.table.spots.values():
        antenna.on_field = noting(antenna.name)
    table.play("wait 3")
    gaps = {name: max(after - before for before, after in pairwise(begun)) for name, begun in visits.items()}
    assert max(gaps.values()) < 400 * NS_PER_MS, gaps


@pytest.mark.parametrize("every_ms", sampled([15, 23, 37], [23]))
def test_a_visit_that_failed_does_not_say_that_a_chip_is_not_there(make_table: Maker, every_ms: int) -> None:
    """Its own spot's reader resets again and again while a neighbour's hears the chip: it is shown there by none."""
    table = make_table(seed=3, config=APART)
    table.play("open the table\nchips A 25.00\nwait 1.5")
    assert seen(table) == {}
    table.play("place A on seat 1 ante")
    _chip, reach, release = bled(table, "pair_plus")
    reach()
    reader = table.table.hardware.readers[0]
    for at in range(0, 340, every_ms):
        table.table.scheduler.after(at * NS_PER_MS + 1, reader.power_cycle)
    table.table.scheduler.after(350 * NS_PER_MS, release)
    looks = [seen(table, 0.02) for _ in range(20)]
    assert [each for each in looks if each not in ({}, {"ante1": 2500})] == []
    table.play("wait 3")
    assert seen(table) == {"ante1": 2500}
