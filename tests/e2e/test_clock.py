"""The clock with the battery: what records say of the time, and what they say when nobody can know it."""

from collections.abc import Callable

import pytest

from hwsim.chips.ds3231_time import registers_of, seconds_of
from hwsim.core import NS_PER_S
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import BEGINNING, VirtualCable
from sabot.wire.codes import CLOCK_QUALITY
from sabot.wire.records import TAG_SIZE, parse
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

Maker = Callable[..., TestTable]

ASKED_MS = 11_000  # the controller compares its clock with the chip's every ten seconds


def stamp(table: TestTable, sequence: int) -> tuple[str, int]:
    """Quality and seconds of the clock in a stored record."""
    record = parse(table.witness.raw[sequence] + bytes(TAG_SIZE))
    return CLOCK_QUALITY[record["quality"]], record["clock"]


def stamps(table: TestTable) -> list[tuple[str, int]]:
    return [stamp(table, entry.sequence) for entry in table.records()]


def behind_s(table: TestTable, sequence: int) -> float:
    """By how much the clock in a record is behind the world's."""
    entry = next(entry for entry in table.records() if entry.sequence == sequence)
    return BEGINNING + entry.when / NS_PER_S - stamp(table, sequence)[1]


def record_now(table: TestTable) -> int:
    """Have a record made; returns its number."""
    before = len(table.records("key"))
    table.table.press("non")
    assert table.table.run_while(lambda: len(table.records("key")) == before, 500)
    return table.records("key")[-1].sequence


def set_time(table: TestTable, seconds: int) -> None:
    """A technician sets the clock."""
    client = Client(VirtualCable(table.table))
    client.open()
    client.authenticate("technician", DEVELOPMENT_KEYS["technician"])
    client.set_time(seconds)
    client.close()


def world_s(table: TestTable) -> int:
    return int(BEGINNING + table.table.now / NS_PER_S)


def chip_s(table: TestTable) -> int:
    return seconds_of(table.table.hardware.clock.time)


def told(table: TestTable, name: str) -> list[str]:
    return [str(entry) for entry in table.records(name)]


def test_every_record_has_the_chips_time_from_the_first_on(table: TestTable) -> None:
    table.open()
    table.table.run_for(2700)
    record_now(table)
    assert {quality for quality, _ in stamps(table)} == {"set"}
    for entry in table.records():
        assert 0 <= behind_s(table, entry.sequence) < 2, entry  # the chip's whole second, and a record's


def test_the_time_survives_a_power_cut(table: TestTable) -> None:
    table.play("power on\nwait 1.0\npower off\nwait 100.0\npower on\nwait 1.0")
    starts = table.records("power_on")
    assert len(starts) == 2
    assert 0 <= behind_s(table, starts[1].sequence) < 2
    assert not table.records("fault")


def test_a_clock_that_was_never_set_is_told_and_no_time_is_invented(make_table: Maker) -> None:
    table = make_table(clock=None)
    table.play("power on\nwait 1.0\nexpect fault part clock detail stopped")
    assert set(stamps(table)) == {("stopped", 0)}
    now = world_s(table)
    set_time(table, now)
    table.table.run_for(1200)
    assert told(table, "fault_cleared") == ["fault_cleared part clock index 0 by none"]
    assert stamp(table, record_now(table))[0] == "set"
    assert abs(chip_s(table) - world_s(table)) <= 1
    table.play("power off\nwait 50.0\npower on\nwait 1.0")
    assert abs(behind_s(table, table.records("power_on")[1].sequence)) < 2
    assert len(table.records("fault")) == 1


@pytest.mark.campaign
def test_a_clock_that_dies_in_use_is_told_and_the_time_goes_on_marked(table: TestTable) -> None:
    table.play("power on\nwait 1.0")
    table.table.hardware.clock.dead = True
    table.table.run_for(ASKED_MS)
    assert told(table, "fault") == ["fault part clock index 0 detail absent"]
    last = record_now(table)
    assert stamp(table, last)[0] == "coasting"
    assert 0 <= behind_s(table, last) < 2
    table.table.hardware.clock.dead = False
    table.table.run_for(ASKED_MS)
    assert len(table.records("fault")) == len(table.records("fault_cleared")) == 1
    assert stamp(table, record_now(table))[0] == "set"


def test_a_chip_that_jumps_is_not_believed(table: TestTable) -> None:
    table.play("power on\nwait 1.0")
    table.table.hardware.clock.set_time(registers_of(world_s(table) + 3600))
    table.table.run_for(ASKED_MS)
    assert told(table, "fault") == ["fault part clock index 0 detail jumped"]
    last = record_now(table)
    assert stamp(table, last)[0] == "coasting"
    assert 0 <= behind_s(table, last) < 2
    set_time(table, world_s(table))
    assert len(table.records("fault_cleared")) == 1
    assert abs(chip_s(table) - world_s(table)) <= 1


@pytest.mark.campaign
@pytest.mark.parametrize("ppb", [-100_000_000, 100_000_000])
def test_the_controllers_clock_follows_the_chip(table: TestTable, ppb: int) -> None:
    """A chip that is much too fast or slow stands for a crystal of the controller that is: both drift apart."""
    table.play("power on\nwait 1.0")
    table.table.hardware.clock.set_ppb(ppb)
    for _ in range(3):
        table.table.run_for(ASKED_MS)
        _, seconds = stamp(table, record_now(table))
        assert abs(chip_s(table) - seconds) <= 2
    assert abs(chip_s(table) - world_s(table)) >= 1  # it has drifted, all the same
    assert not table.records("fault")


@pytest.mark.parametrize("clocks", sampled([0, 3, 6], [3]))
def test_a_reset_in_the_middle_of_a_read_leaves_no_stuck_bus(table: TestTable, clocks: int) -> None:
    """The chip goes on holding the data line, and with it expanders and display, until it is clocked out."""
    table.play("power on\nwait 1.0\npower off")
    table.table.hardware.clock.abandon_read(0, clocks)
    assert table.table.fabric.i2c_buses[1].stuck
    table.play("power on\nwait 1.0")
    assert not table.table.fabric.i2c_buses[1].stuck
    assert not table.records("fault")
