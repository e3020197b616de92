"""Readers of few antennas among others that couple with all of them; and one that fails while a neighbour listens."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise, product

import pytest

from hwsim.core import NS_PER_MS
from hwsim.world.chips import Chip
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import APART, bled, locked, seen
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


WRAPS = {"half of the us": 1 << 29, "all us": 1 << 30, "half of the ms": (1 << 29) * 1000, "all ms": (1 << 30) * 1000}
KEY_US = 2_112_000  # the key is pressed so long after the start, and some milliseconds


@pytest.mark.parametrize(("wraps", "before_ms"), sampled(product(WRAPS, (-300, -5, 0, 150)), [("all us", 0)]))
def test_a_lock_is_the_same_while_the_counter_comes_round(make_table: Maker, wraps: str, before_ms: int) -> None:
    """A neighbour hears a chip that has just come, another comes after the key, both are taken away."""
    table = make_table(seed=3, config=APART, ticks_us=WRAPS[wraps] - KEY_US - before_ms * 1000)
    table.play("open the table\nchips A 25.00\nseat 2 ante 10.00\nwait 1.5\nplace A on seat 1 ante")
    _chip, reach, release = bled(table, "pair_plus")
    reach()
    table.table.scheduler.after(250 * NS_PER_MS, release)
    table.play("wait 0.16\npress rnvp\n+0.3 seat 1 pair_plus 5.00\nwait until confirmed within 3\nwait 1.5")
    assert locked(table) == {"ante1": 2500, "ante2": 1000}
    table.play("take all from seat 1 pair_plus\nwait 1.2\ntake A from seat 1 ante\nwait 1.5")
    assert seen(table) == {"ante2": 1000}
    told = [(entry.name, entry.fields["before"], entry.fields["after"]) for entry in table.records()[-3:]]
    assert told == [("late", 0, 500), ("change", 500, 0), ("change", 2500, 0)]


@pytest.mark.parametrize("couples", sampled(["all", "chain"], ["chain"]))
def test_a_full_table_sees_each_chip_where_it_lies_whatever_couples(make_table: Maker, couples: str) -> None:
    """Each bet's chips are heard by the next spot of the chain for a while; its neighbours are other readers'."""
    spots = [(seat, bet) for seat in range(1, 8) for bet in ("ante", "first", "second", "bonus")]
    readers = [[list(spot) for spot in spots[first::4]] for first in range(4)]
    pairs = pairwise(spots) if couples == "chain" else combinations(spots, 2)
    coupled = [[list(spot) for spot in pair] for pair in pairs]
    table = make_table(game="boston", seats=7, seed=3, config={"readers": readers, "couples_with": coupled})
    bets = {f"ante{seat}": 500 * seat for seat in range(1, 8)}
    table.play("open the table\nwait 1\n" + "\n".join(f"seat {seat} ante {5 * seat}.00" for seat in range(1, 8)))
    table.play("wait 1.5")
    assert seen(table) == bets
    strays = [
        (table.table.spot(*after), chip)
        for spot, after in pairwise(spots)
        for chip in table.table.felt.lying_on(table.table.spot(*spot))
        if isinstance(chip, Chip)
    ]
    for near, chip in strays:
        near.reach(chip.tag)
    assert [looked for looked in (seen(table, 0.05) for _ in range(5)) if looked != bets] == []
    for near, chip in strays:
        near.release(chip.tag)
    table.play("press rnvp\nwait until confirmed within 2")
    assert locked(table) == bets
