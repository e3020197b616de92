"""A visit that a fault voids, and one that does not hear a chip well: neither makes a chip lie where it does not."""

from __future__ import annotations

from collections.abc import Callable

from hwsim.chips.pn5180_map import RX_DATA_INTEGRITY_ERROR
from hwsim.core import NS_PER_MS
from hwsim.world.chips import Chip
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_bleed import APART, OPEN, bled, locked, seen

Maker = Callable[..., TestTable]
HERE = {"ante1": 2500, "ante2": 1000}


def irregular(table: TestTable) -> list[str]:
    return [entry.name for entry in table.records() if entry.family == "irregularity"]


def test_a_chip_that_only_a_voided_visit_heard_is_no_bet(make_table: Maker) -> None:
    """Its reader resets at the end of the first visit to it, its player takes it, and then nothing goes any more."""
    table = make_table(seed=3)
    table.play("open the table\nchips A 25.00\nplace A on seat 2 pair_plus\nwait 1.5\ntake A from seat 2 pair_plus")
    table.play("seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5")
    antenna = table.table.spot(2, "pair_plus")

    def field(on: bool) -> None:
        if not on and antenna.tags:
            antenna.on_field = None
            table.table.scheduler.after(1, reset)

    def reset() -> None:
        table.table.hardware.readers[0].power_cycle()
        (chip,) = table.table.felt.lying_on(antenna)
        table.table.felt.take(chip)
        table.table.scheduler.after(2 * NS_PER_MS, lambda: table.table.press("rnvp"))

    antenna.on_field = field
    table.play("place A on seat 2 pair_plus\nwait until confirmed within 3\nwait 7")
    assert antenna.on_field is None
    assert locked(table) == HERE
    assert irregular(table) == []


def test_a_chip_that_a_neighbour_heard_in_a_voided_visit_is_not_there_when_its_reader_is_back(
    make_table: Maker,
) -> None:
    """Its reader is dead and tries once a second: the visit that hears the chip fails too, the next one hears none."""
    table = make_table(seed=3, config=APART)
    table.play(OPEN)
    assert seen(table) == HERE
    _chip, reach, release = bled(table, "pair_plus")
    antenna, reader = table.table.spot(2, "pair_plus"), table.table.hardware.readers[1]
    reader.fail("busy")
    table.play("expect fault part reader within 2")

    def field(on: bool) -> None:
        if not on:
            antenna.on_field = None
            table.table.scheduler.after(1, reader.power_cycle)
            table.table.scheduler.after(1, release)

    antenna.on_field = field
    reach()
    reader.fail("")
    table.play("wait 1.9")
    assert antenna.on_field is None
    assert [looked for looked in (seen(table, 0.01) for _ in range(40)) if looked != HERE] == []
    assert [entry.name for entry in table.records() if entry.name.startswith("fault")] == ["fault", "fault_cleared"]


def test_a_chip_that_a_neighbour_heard_no_more_is_new_there_though_a_fault_ended_that_visit(make_table: Maker) -> None:
    table = make_table(seed=3, config=APART)
    table.play(OPEN)
    assert seen(table) == HERE
    _chip, reach, release = bled(table, "pair_plus")
    antenna, reader = table.table.spot(2, "pair_plus"), table.table.hardware.readers[1]
    visits: list[bool] = []

    def field(on: bool) -> None:
        visits.append(on)
        if visits.count(True) == 3:  # it has been heard twice
            if on:
                release()
            else:
                antenna.on_field = None
                table.table.scheduler.after(1, reader.power_cycle)
                table.table.scheduler.after(1, reach)
                table.table.scheduler.after(200 * NS_PER_MS, release)

    antenna.on_field = field
    reach()
    assert [looked for looked in (seen(table, 0.02) for _ in range(20)) if looked != HERE] == []
    assert antenna.on_field is None


def test_a_chip_that_a_neighbour_may_hear_or_not_is_not_two(make_table: Maker) -> None:
    """Noise hides from the neighbour for more than a second that the chip answers there no more."""
    table = make_table(seed=3, config=APART)
    table.play(OPEN)
    _chip, reach, release = bled(table, "pair_plus")
    antenna = table.table.spot(2, "pair_plus")
    reach()
    table.play("wait 0.15")
    antenna.noise = lambda: RX_DATA_INTEGRITY_ERROR
    release()
    table.play("wait 1.1")
    assert seen(table) == HERE
    table.play("press rnvp\nwait 0.1")
    antenna.noise = None
    table.play("wait until confirmed within 3\nwait 2")
    assert locked(table) == HERE
    assert irregular(table) == []


def test_a_chip_is_not_a_neighbours_when_the_counter_stands_high_at_the_start(make_table: Maker) -> None:
    """None of the antennas has been read then, whatever the ticks are: its own comes last in its reader's round."""
    last = [[2, "ante"], [2, "play"], [1, "ante"], [1, "pair_plus"], [1, "play"]]
    table = make_table(seed=3, config={**APART, "readers": [last, [[2, "pair_plus"]]]}, ticks_us=3 << 28)
    own, near = table.table.spot(1, "play"), table.table.spot(2, "pair_plus")
    table.play("chips A 25.00\nplace A on seat 1 play")
    (chip,) = (each for each in table.table.felt.lying_on(own) if isinstance(each, Chip))
    near.reach(chip.tag)
    table.play("plug host\npower on\nwait 0.65")
    assert [looked for looked in (seen(table, 0.1) for _ in range(4)) if looked] == []
    near.release(chip.tag)
    table.play("wait 1")
    assert seen(table) == {"play1": 2500}
