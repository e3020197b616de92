"""Readers that fail in every way a chip can while the table plays: told, held, never a chip lost or made up."""

from itertools import product

import pytest

from hwsim.chips.pn5180 import Pn5180
from hwsim.chips.pn5180_failures import FAILURES
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

CARDS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c"
BETS = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5"
PHASES = ("idle", "betting", "locked", "deciding")
HELD_NS = 3_000_000_000  # the watchdog bites after five seconds
ALARMS = ("withdrawn", "late", "moved", "capped", "pinched", "swap", "change", "foreign_chip", "clone", "handled")


def play_until(table: TestTable, phase: str) -> None:
    """A round, as far as ``phase``."""
    table.open()
    table.play(CARDS)
    if phase != "idle":
        table.play(BETS)
    if phase in ("locked", "deciding"):
        table.play("press rnvp\nwait until gate open")
    if phase == "deciding":
        table.play("draw 9\n+0.5 seat 1 play 25.00\n+0.5 seat 2 play 10.00\nwait 1.5")


def play_on(table: TestTable, phase: str) -> None:
    """The rest of the round."""
    if phase == "idle":
        table.play(BETS)
    if phase in ("idle", "betting"):
        table.play("press rnvp\nwait until gate open")
    if phase != "deciding":
        table.play("draw 9\n+0.5 seat 1 play 25.00\n+0.5 seat 2 play 10.00\nwait 1.5")
    table.play("press devoiler\nexpect settlement seat 1 ante win, seat 1 play win, seat 2 ante lose")
    assert table.table.controller.restarts == 0
    assert [entry.name for entry in table.records() if entry.name in ALARMS] == []


@pytest.mark.parametrize(
    ("phase", "how"), sampled(product(PHASES, FAILURES), [("betting", "high"), ("deciding", "nonsense")])
)
def test_a_reader_that_fails_for_a_while_is_told_of_and_nothing_else_is(table: TestTable, phase: str, how: str) -> None:
    play_until(table, phase)
    reader = table.table.hardware.readers[0]
    reader.fail(how)
    table.play("wait 1.5\nexpect fault part reader")
    reader.fail("")
    table.play("expect fault_cleared part reader\nwait 3")
    play_on(table, phase)


@pytest.mark.parametrize("phase", sampled(PHASES, ["deciding"]))
def test_a_reader_whose_supply_drops_loses_no_chip(table: TestTable, phase: str) -> None:
    """In the middle of a visit or between two: it is told what it was told before, and no bet is held to be gone."""
    play_until(table, phase)
    reader = table.table.hardware.readers[0]
    for _ in range(12):
        reader.power_cycle()
        table.table.run_for(137)
    table.play("wait 3")
    play_on(table, phase)


def resets_for(table: TestTable, chip: Pn5180, seconds: float, every_ms: float) -> None:
    """Its supply drops again and again; it boots each time."""
    for _ in range(round(seconds * 1000 / every_ms)):
        chip.power_cycle()
        table.table.run_for(every_ms)


@pytest.mark.parametrize("every_ms", sampled([37, 150, 800], [150]))
def test_a_reader_that_resets_again_and_again_is_told_of_and_its_seats_play_on(table: TestTable, every_ms: int) -> None:
    """It reads all that it has to between two resets, so nobody is held: but somebody has to look after it."""
    play_until(table, "betting")
    reader = table.table.hardware.readers[0]
    table.play("press rnvp\nexpect confirmed seat 1 ante 25.00")
    resets_for(table, reader, 10, every_ms)
    assert [entry.fields["detail"] for entry in table.records("fault")] == ["unsteady"]
    assert "LECTEUR 0 INSTABLE" in table.display_lines() and not table.records("reader_fault")
    table.play("expect fault_cleared part reader within 22")
    play_on(table, "locked")


def test_a_reader_that_was_unsteady_and_is_dead_is_shown_as_dead_at_once(table: TestTable) -> None:
    """The page tells of another fault of the same part, in the same state of the table."""
    play_until(table, "betting")
    reader = table.table.hardware.readers[0]
    resets_for(table, reader, 10, 150)
    assert "LECTEUR 0 INSTABLE" in table.display_lines()
    reader.fail("busy")
    table.play("wait 3")
    assert "LECTEUR 0 EN PANNE" in table.display_lines()


def test_a_reader_that_is_hardly_ever_there_does_not_fill_the_journal(table: TestTable) -> None:
    """It fails and is back by turns: after two such bouts it stays out of order until it has been well for a while."""
    play_until(table, "betting")
    resets_for(table, table.table.hardware.readers[0], 10, 13)
    told = len(table.records("fault"))
    resets_for(table, table.table.hardware.readers[0], 10, 13)
    assert "LECTEUR 0 EN PANNE" in table.display_lines()
    assert len(table.records("fault")) == told <= 4  # twice, then that it is unsteady, and failed for good
    table.play("wait 13")
    assert [entry.name for entry in table.records() if entry.name.startswith("fault")][-1] == "fault_cleared"
    play_on(table, "betting")


def test_a_shoe_reader_that_resets_again_and_again_is_told_of_and_cards_are_read(table: TestTable) -> None:
    play_until(table, "locked")
    reader = table.table.hardware.shoe_reader
    assert reader is not None
    resets_for(table, reader, 6, 150)
    assert [entry.fields["detail"] for entry in table.records("fault")] == ["unsteady"]
    assert "SABOT INSTABLE" in table.display_lines()
    play_on(table, "locked")
    table.play("expect fault_cleared part shoe within 30")


SHOE_CODES = {"low": "stuck", "high": "absent", "busy": "busy", "nonsense": "", "loose": "absent"}


@pytest.mark.parametrize(("phase", "how"), sampled(product(("betting",), FAILURES), [("betting", "low")]))
def test_a_shoe_reader_that_fails_at_rest_is_told_of_before_a_card_is_drawn(
    table: TestTable, phase: str, how: str
) -> None:
    """Nobody listens at the mouth while the gate is shut: its reader is looked at, and what it has is told."""
    play_until(table, phase)
    reader = table.table.hardware.shoe_reader
    assert reader is not None
    reader.fail(how)
    table.play("expect fault part shoe within 11\nwait 0.5")
    told = [entry.fields["detail"] for entry in table.records("fault")]
    assert len(told) == 1 and SHOE_CODES[how] in str(told[0])
    assert "SABOT BLOQUÉ" in table.display_lines()
    reader.fail("")
    table.play("expect fault_cleared part shoe within 3\nwait 1")
    play_on(table, phase)


@pytest.mark.parametrize("how", sampled(FAILURES, ["high"]))
def test_a_shoe_reader_that_fails_while_it_listens_says_what_it_has_and_loses_no_card(
    table: TestTable, how: str
) -> None:
    play_until(table, "locked")
    reader = table.table.hardware.shoe_reader
    assert reader is not None
    reader.fail(how)
    table.play("wait 1.5\nexpect fault part shoe")
    assert SHOE_CODES[how] in str(table.records("fault")[0].fields["detail"])
    reader.fail("")
    table.play("expect fault_cleared part shoe\nwait 3")
    play_on(table, "locked")


@pytest.mark.parametrize("phase", sampled(PHASES, ["locked", "deciding"]))
def test_a_main_loop_that_stands_still_for_three_seconds_loses_no_chip(
    table: TestTable, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transfer on the readers' bus takes so long, as if something had held the program up: nothing has moved."""
    play_until(table, phase)
    transfer = Pn5180.transfer
    held: list[int] = []

    def slow(chip: Pn5180, mosi: bytes, byte_ns: int) -> bytes:
        if not held:
            held.append(table.table.now)
            table.table.scheduler.run_until(table.table.now + HELD_NS)
        return transfer(chip, mosi, byte_ns)

    monkeypatch.setattr(Pn5180, "transfer", slow)
    table.play("wait 5.0")
    assert held
    play_on(table, phase)
    assert not [entry for entry in table.records("fault") if entry.fields["part"] == "task"]
