"""The expanders' interrupt line broken, or held low: keys are heard without it, and somebody is told."""

from __future__ import annotations

import pytest

from hwsim.chips.mcp23017 import Mcp23017
from hwsim.core import NS_PER_MS
from hwsim.nets import Tap
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

BETS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c\nseat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
ROUND = "press rnvp\nwait until gate open\ndraw 9\n+0.5 seat 1 play 25.00\nwait 1.5\npress devoiler\nexpect settlement"
TOLD = "TOUCHES: PANNE"
CHECKED = 14  # bytes of an expander's configuration, which a check reads


def held_low(table: TestTable) -> Tap:
    """A short to ground."""
    short = table.table.hardware.interrupt.tap("short")
    short.drive(0)
    return short


def broken(table: TestTable, yes: bool) -> None:
    """The wire of both expanders, at the controller."""
    for tap in table.table.hardware.interrupt_taps:
        tap.broken = yes


def faults(table: TestTable) -> list[tuple[str, object, object]]:
    return [
        (one.name, one.fields["index"], one.fields.get("detail"))
        for one in table.records()
        if one.name in ("fault", "fault_cleared")
    ]


def test_a_line_that_is_held_low_is_told_and_keys_are_heard(table: TestTable) -> None:
    table.open()
    table.play(BETS)
    short = held_low(table)
    table.play("expect fault part expander index 0 within 5\nwait 0.5")
    assert faults(table) == [("fault", 0, "interrupt low")] and TOLD in table.display_lines()
    table.play(ROUND)
    short.drive(1)
    table.play("wait 7")
    assert len(faults(table)) == 1, "it has not been true for long enough"
    table.play("expect fault_cleared part expander within 8\nwait 0.5")
    assert TOLD not in table.display_lines()
    assert table.table.controller.restarts == 0 and len(faults(table)) == 2


def test_a_line_that_never_falls_is_told_at_the_first_key_and_all_are_heard(table: TestTable) -> None:
    table.open()
    table.play(BETS)
    broken(table, True)
    table.play("wait 20")
    assert not faults(table), "nobody has pulled it yet"
    table.play(f"{ROUND} within 3\nwait 0.5")
    assert faults(table) == [("fault", 1, "interrupt lost")] and TOLD in table.display_lines()
    table.play("press fin\nexpect round_end within 0.5")
    broken(table, False)
    table.play("wait 15\npress oui\nexpect fault_cleared part expander within 0.5")
    assert table.table.controller.restarts == 0 and len(faults(table)) == 2


@pytest.mark.parametrize("key", sampled(["p1", "p2", "plus"], ["p1"]))
def test_each_expanders_own_wire(table: TestTable, key: str) -> None:
    table.open()
    number = int(key != "p1")
    table.table.hardware.interrupt_taps[number].broken = True
    table.play(f"press {key}\nexpect fault part expander within 1.5")
    assert faults(table) == [("fault", number, "interrupt lost")]


def test_a_press_as_short_as_any_is_heard_without_the_line(table: TestTable) -> None:
    table.open()
    broken(table, True)
    table.play("press plus\nexpect fault part expander within 1.5\nwait 0.5\npress non\nwait 0.5")
    contact = table.table.hardware.keys["superviseur"]
    for at in range(10):
        before = len(table.records("key"))
        contact.tap(table.table.now + at * 1_037_000, 20 * NS_PER_MS)
        table.play("wait 0.4")
        assert len(table.records("key")) == before + 1


def test_the_first_press_is_heard_too_however_short(table: TestTable) -> None:
    table.open()
    table.play("wait 1")  # FIN is up again: an expander keeps one change until it is read
    broken(table, True)
    table.table.hardware.keys["superviseur"].tap(table.table.now + NS_PER_MS, 20 * NS_PER_MS)
    table.play("wait 2")
    assert [entry.fields["note"] for entry in table.records("key")] == ["called"]
    assert faults(table) == [("fault", 1, "interrupt lost")]


@pytest.mark.parametrize("after_us", [20, 200, 350])
def test_a_key_that_goes_down_in_the_middle_of_a_check_is_no_sign_of_a_broken_line(
    table: TestTable, monkeypatch: pytest.MonkeyPatch, after_us: int
) -> None:
    table.open()
    contact = table.table.hardware.keys["superviseur"]
    expander = table.table.hardware.expanders[1]
    read = Mcp23017.read
    met: list[int] = []

    def reading(chip: Mcp23017, count: int) -> bytes:
        if chip is expander and count == CHECKED and len(met) < 4:
            met.append(table.table.now)
            contact.tap(table.table.now + after_us * 1000, 60 * NS_PER_MS)
        return read(chip, count)

    monkeypatch.setattr(Mcp23017, "read", reading)
    table.play("wait 6")
    assert len(met) == 4 == len(table.records("key")) and not faults(table)


def test_keys_at_any_instant_of_a_sound_line_are_no_sign_of_a_broken_one(table: TestTable) -> None:
    """A check of an expander, twice a second, meets a key that goes down in the middle of it."""
    table.open()
    contact = table.table.hardware.keys["superviseur"]
    for at in range(60):
        contact.tap(table.table.now + 13 * NS_PER_MS * at, 60 * NS_PER_MS)
        table.table.run_for(500 + 200)
    assert not faults(table)
    assert len(table.records("key")) >= 58


def test_a_line_that_is_held_low_through_a_restart_harms_no_start(table: TestTable) -> None:
    table.open()
    short = held_low(table)
    table.play("press the reset button\nexpect power_on\nexpect fault part expander within 5")
    assert faults(table) == [("fault", 0, "interrupt low")]
    table.open()
    table.play(f"{BETS}\n{ROUND}")
    short.drive(1)
