"""Cables and buses that fail while the table plays: a disturbance is survived, a loss leads to the safe state."""

import pytest

from sabot_host.sim.pytest_plugin import TestTable

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


def test_keys_that_cannot_be_read_any_more_lead_to_the_safe_state(table: TestTable) -> None:
    table.open()
    table.play(BET + "press rnvp\nwait until gate open")
    table.table.hardware.expanders[1].dead = True
    table.play("press oui\nexpect fault part task\nexpect gate shut\nexpect state suspended")
    assert table.table.controller.restarts == 0
