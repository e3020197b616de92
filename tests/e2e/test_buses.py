"""Cables and buses that fail while the table plays: a disturbance is survived, a loss leads to the safe state."""

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

BET = "seat 1 ante 25.00\nwait 1.0\n"
LOCKS = "press rnvp\nexpect lock seat 1 ante 25.00 within 0.1\nexpect confirmed seat 1 ante 25.00"


@pytest.mark.parametrize(("stuck_ms", "told"), [(10, []), (1500, ["reader", "display"])])
def test_a_stuck_expander_bus_stops_the_scan_and_not_the_table(
    table: TestTable, stuck_ms: int, told: list[str]
) -> None:
    table.open()
    table.play(BET)
    bus = table.table.fabric.i2c_buses[1]
    bus.stuck = True
    table.table.run_for(stuck_ms)
    bus.stuck = False
    table.table.run_for(3000)
    assert sorted(str(entry.fields["part"]) for entry in table.records("fault")) == sorted(told)
    assert len(table.records("fault_cleared")) == len(told)
    table.play(LOCKS)


def test_the_announcement_locks_while_the_expander_bus_is_stuck(table: TestTable) -> None:
    table.open()
    table.play(BET)
    table.table.fabric.i2c_buses[1].stuck = True
    table.play(
        "press rnvp\nexpect lock seat 1 ante 25.00 within 0.03\nexpect bar red within 0.02\nexpect gate shut now"
    )
    table.table.fabric.i2c_buses[1].stuck = False
    table.play("expect confirmed seat 1 ante 25.00")


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("phase", sampled(["betting", "locked"], ["locked"]))
def test_an_expander_that_goes_is_named_and_leads_to_the_safe_state(table: TestTable, phase: str, number: int) -> None:
    """Its keys are heard no more, and nobody presses any: it is missed all the same, while the other one answers."""
    table.open()
    table.play(BET)
    if phase == "locked":
        table.play("press rnvp\nwait until gate open")
    table.table.hardware.expanders[number].dead = True
    table.play("expect fault part task within 8\nexpect gate shut\nexpect state suspended\nwait 0.5")
    task = [entry for entry in table.records("fault") if entry.fields["part"] == "task"]
    assert [entry.fields["detail"] for entry in task] == [f"panel: ExpanderFault: absent at {0x20 + number:#x}"]
    assert table.display_lines()[0] == "PARTIE SUSPENDUE" and table.bar != "green"
    assert table.table.controller.restarts == 0


def test_an_expander_that_is_away_for_three_seconds_is_set_up_again(table: TestTable) -> None:
    table.open()
    table.play(BET)
    table.table.hardware.expanders[1].dead = True
    table.play("wait 3")
    table.table.hardware.expanders[1].dead = False
    table.play("wait 3\nseat 2 ante 10.00\nwait 1\npress rnvp\nwait until gate open\ndraw 9")
    table.play("press devoiler\nexpect settlement")
    assert not [entry for entry in table.records("fault") if entry.fields["part"] == "task"]
    assert table.table.controller.restarts == 0
