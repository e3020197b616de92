"""The shoe's lid and the case on the whole firmware: routine, a stop, and a trace that outlives the power."""

import pytest

from sabot_host.sim.pytest_plugin import TestTable

BETS = "seat 1 ante 25.00\nwait 1.2\n"


def open_lid(table: TestTable) -> None:
    table.table.hardware.lid.open(table.table.now)
    table.table.run_for(400)


def shut_lid(table: TestTable) -> None:
    table.table.hardware.lid.close(table.table.now)
    table.table.run_for(400)


def numbers(table: TestTable, kind: str) -> list[int]:
    """Of the irregularities of a kind that need a ruling."""
    return [int(entry.fields["id"]) for entry in table.records(kind) if entry.fields["id"]]


def clears(table: TestTable, number: int, role: str = "supervisor") -> bool:
    """A role says that it is in order; whether it was taken."""
    table.host.rule(number, "cleared", 0, role=role)
    assert table.table.run_while(lambda: not table.host.quiet(), 3000)
    return not table.host.refusals()


def test_the_lid_of_a_closed_table_is_routine(table: TestTable) -> None:
    table.play("power on\nplug host\nwait until host up")
    open_lid(table)
    shut_lid(table)
    assert numbers(table, "lid") == []
    assert len(table.records("lid")) == 1
    table.play("press fin\nwait until bar green")


def test_the_lid_in_play_stops_the_table_until_it_is_shut_and_cleared(table: TestTable) -> None:
    table.open()
    table.play(BETS)
    open_lid(table)
    table.play("expect state suspended\nexpect gate shut")
    assert "COUVERCLE OUVERT" in table.display_lines()
    (number,) = numbers(table, "lid")
    assert not clears(table, number)
    shut_lid(table)
    table.play("expect state suspended")
    assert clears(table, number)
    table.play("expect state idle\npress rnvp\nexpect lock seat 1 ante 25.00")


def test_a_lid_that_is_open_when_play_begins_is_told_then(table: TestTable) -> None:
    table.play("power on\nplug host\nwait until host up")
    open_lid(table)
    table.play("press fin\nexpect table trigger opened\nwait 0.3\nexpect state suspended")
    shut_lid(table)
    assert clears(table, numbers(table, "lid")[0])
    table.play("expect state idle")


def test_the_case_stops_the_table_until_two_people_clear_it(table: TestTable) -> None:
    table.open()
    table.play(BETS)
    case = table.table.hardware.case
    begun = table.table.now
    case.open(begun)
    case.close(begun + 30_000_000)  # quicker than any look at it
    table.table.run_for(300)
    table.play("expect state suspended")
    one, other = numbers(table, "case")
    assert clears(table, other, "technician")
    table.play("expect state suspended")
    assert not clears(table, one, "technician")
    assert clears(table, one)
    table.play("expect state idle\nexpect bar green")


@pytest.mark.campaign
def test_the_case_outlives_a_void_and_the_power(table: TestTable) -> None:
    table.open()
    table.play(BETS + "press rnvp\nexpect confirmed")
    case = table.table.hardware.case
    case.open(table.table.now)
    case.close(table.table.now + 500_000_000)
    table.table.run_for(800)
    table.play("supervisor voids the round\nexpect void\nwait 0.3\nexpect state suspended")
    assert len(numbers(table, "case")) == 4
    table.play("power off\nwait 5.0\npower on\nwait until host up")
    assert len(table.records("power_on")) == 2
    told = numbers(table, "case")
    assert len(told) == 6
    table.play("press fin\nwait 0.5\nexpect state closed")
    assert clears(table, told[4])
    table.play("power off\nwait 5.0\npower on\nwait until host up\npress fin\nwait 0.5\nexpect state closed")
    last = numbers(table, "case")[-2:]
    assert clears(table, last[0]) and clears(table, last[1], "technician")
    table.play("press fin\nwait until bar green")


def test_a_case_that_is_open_at_the_start_is_told(table: TestTable) -> None:
    table.table.hardware.case.open(0)
    table.play("power on\nplug host\nwait until host up\nwait 0.3")
    one, other = numbers(table, "case")
    assert not clears(table, one)
    table.table.hardware.case.close(table.table.now)
    table.table.run_for(300)
    assert clears(table, one) and clears(table, other, "technician")


def test_what_waited_for_the_supervisor_outlives_the_power(table: TestTable) -> None:
    """A late bet is not got rid of by the switch: the table stays closed until the supervisor has cleared it."""
    table.open()
    table.play(BETS + "press rnvp\nexpect confirmed\nseat 1 ante 100.00\nexpect capped seat 1 ante\n")
    table.play("power off\nwait 2.0\npower on\nwait until host up\nwait 0.5\npress fin\nwait 0.5\nexpect state closed")
    assert table.records("void")[-1].fields["article"] == "house:unruled"
    assert "COUPURE: À TRANCHER" in table.display_lines()
    table.play("power off\nwait 2.0\npower on\nwait until host up\nwait 0.5\npress fin\nwait 0.5\nexpect state closed")
    _first, again = numbers(table, "unruled")
    assert not clears(table, again, "technician")
    assert clears(table, again)
    table.play("press fin\nwait until bar green")
