"""The memory stops keeping records, and the task that needs it dies: nothing says then that bets can be made."""

from __future__ import annotations

import pytest

from hwsim.core import NS_PER_MS
from sabot_host.sim.pytest_plugin import TestTable

BETS = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
PROTECTED = 0x0C  # status of a memory that takes no write


def suspended(table: TestTable) -> bool:
    return bool(table.display_lines()) and table.display_lines()[0] == "PARTIE SUSPENDUE"


def restarted(table: TestTable) -> str:
    """The memory keeps records again and the power comes back: what the journal says then of the task that died."""
    table.table.hardware.fram.status = 0
    table.play("power off\nwait 1\npower on\nwait 2")
    return str(table.records("fault")[-1].fields["detail"])


@pytest.mark.parametrize("hold_ms", [5, 20, 45, 120])
def test_a_panel_that_dies_with_its_key_down_leaves_no_green_bar(table: TestTable, hold_ms: int) -> None:
    """Nobody judges the edge with which the key comes up; display and lamps do not wait for that."""
    table.open()
    table.play(BETS)
    table.table.hardware.fram.status = PROTECTED
    table.table.press("rnvp", hold=hold_ms * NS_PER_MS)
    table.table.run_for(100)
    assert table.bar not in ("green", "dark") and not table.records("lock")
    table.table.run_for(3000)
    assert table.bar not in ("green", "dark") and suspended(table)
    assert restarted(table).startswith("crash: panel: JournalError")


@pytest.mark.parametrize("key", ["fin", "p1", "oui"])
def test_a_panel_that_dies_at_another_key_leaves_no_green_bar(table: TestTable, key: str) -> None:
    table.open()
    table.play(BETS)
    table.table.hardware.fram.status = PROTECTED
    table.table.press(key)
    table.table.run_for(100)
    table.table.press("rnvp", hold=200 * NS_PER_MS)
    table.table.run_for(1500)
    assert table.bar not in ("green", "dark") and suspended(table) and not table.records("lock")
    assert restarted(table).startswith("crash: panel: JournalError")


def test_a_supervisor_that_dies_is_seen_before_the_watchdog_bites(table: TestTable) -> None:
    """It lights the lamps, too: the bar is no longer green while five seconds run."""
    table.open()
    table.play(BETS)
    table.table.hardware.fram.status = PROTECTED
    table.table.hardware.case.open(table.table.now)
    table.table.run_for(300)
    assert table.bar not in ("green", "dark") and table.table.controller.restarts == 0
    table.table.hardware.fram.status = 0
    table.play("wait 6")
    assert table.table.controller.restarts == 1
