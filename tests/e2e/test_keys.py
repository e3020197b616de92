"""Keys that do not come up: one press however long, a fault after ten seconds, and the table plays on."""

from __future__ import annotations

import pytest

from hwsim.core import NS_PER_MS, NS_PER_S
from sabot.wire.codes import KEYS
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

BETS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
REST = "wait until gate open\ndraw 9\n+0.5 seat 1 play 25.00\nwait 1.5\npress devoiler\nexpect settlement"


def stuck(table: TestTable) -> list[tuple[object, object]]:
    return [
        (one.fields["index"], one.fields["detail"]) for one in table.records("fault") if one.fields["part"] == "key"
    ]


@pytest.mark.parametrize("key", sampled(KEYS[2:], ["fin"]))
def test_a_key_that_is_held_down_counts_once_and_is_told_after_ten_seconds(table: TestTable, key: str) -> None:
    table.open()
    table.play(BETS)
    before = table.table.controller.restarts
    begun = len(table.records())
    table.play(f"hold {key}\nwait 9")
    once = [entry.name for entry in table.records()[begun:]]
    assert stuck(table) == [] and len(once) <= 1, once
    table.play("wait 2")
    assert stuck(table) == [(KEYS.index(key), f"{key} stuck")]
    assert [entry.name for entry in table.records()[begun:]] == [*once, "fault"]
    table.play(f"let go of {key}\nexpect fault_cleared part key within 1\nwait 0.5")
    assert not [line for line in table.display_lines() if "BLOQU" in line]
    assert table.table.controller.restarts == before


def test_a_key_that_is_stuck_hides_no_other(table: TestTable) -> None:
    table.open()
    table.play(f"{BETS}\nhold p7\nwait 11\npress rnvp\n{REST}")
    assert stuck(table) == [(KEYS.index("p7"), "p7 stuck")] and "TOUCHE BLOQUÉE" in table.display_lines()


def test_an_announcement_that_stays_down_locks_once_and_is_told(table: TestTable) -> None:
    table.open()
    table.play(f"{BETS}\nhold rnvp\nwait 11")
    assert stuck(table) == [(KEYS.index("rnvp"), "rnvp stuck")] and len(table.records("lock")) == 1
    table.play(f"let go of rnvp\nexpect fault_cleared part key within 1\n{REST}")


@pytest.mark.parametrize("key", ["rnvp", "oui"])
def test_a_key_that_never_comes_to_rest_is_told_and_comes_back(table: TestTable, key: str) -> None:
    """A contact that flickers every few milliseconds locks nothing, and fills no journal."""
    table.open()
    table.play(BETS)
    contact, begin = table.table.hardware.keys[key], table.table.now
    for at in range(0, 14 * NS_PER_S, 4 * NS_PER_MS):
        contact.glitch(begin + at, 2 * NS_PER_MS)
    table.play("wait 11")
    assert "TOUCHE BLOQUÉE" in table.display_lines()
    table.play("wait 2")
    assert stuck(table) == [(KEYS.index(key), f"{key} stuck")] and not table.records("lock")
    table.play(f"wait 2\nexpect fault_cleared part key within 1\npress rnvp\n{REST}")
    assert len(table.records()) < 40


def test_an_announcement_that_never_comes_to_rest_holds_up_neither_lamps_nor_display(table: TestTable) -> None:
    """Both give way to a press that is being judged, and to nothing that lasts."""
    table.open()
    table.play(BETS)
    assert table.bar == "green"
    contact, begin = table.table.hardware.keys["rnvp"], table.table.now
    for at in range(0, 3 * NS_PER_S, 4 * NS_PER_MS):
        contact.glitch(begin + at, 2 * NS_PER_MS)
    table.play("wait 1\nopen case\nwait 1")
    assert table.bar == "red" and table.display_lines()[0] == "PARTIE SUSPENDUE"
