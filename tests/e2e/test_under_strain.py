"""Several things at a time: cards and badges before a lock is confirmed, deaths, resets, at full tables too."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.test_segments import OPENED, ROUND, crowded, one_stream
from tests.sampled import sampled

Make = Callable[..., TestTable]
READERS = [[[seat, bet] for bet in ("ante", "play", "pair_plus")] for seat in (1, 2)]
BETS = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5\n"
CARDS = "cards As Ad 7c 9h 5c 2d Qs 3c 2c\n"


def kinds(table: TestTable) -> list[str]:
    return [str(entry.fields["kind"]) for entry in table.records("card_fault")]


def held_open(make_table: Make, **config: object) -> TestTable:
    """Locked, the gate open by the key; for six seconds no visit to seat 2 is clean: the lock is not confirmed."""
    table = make_table(config={"readers": READERS, "gate_after": "key", **config})
    table.open()
    table.play(CARDS + BETS)
    table.play("noise at seat 2 ante for 6\nwait 0.1\npress rnvp\nexpect lock\nwait until gate open within 1")
    assert not table.records("confirmed")
    return table


def test_two_cards_in_a_confirmation_that_is_held_open(make_table: Make) -> None:
    """The gate shuts at once; they are told of when it is known who plays. No key confirms anything."""
    table = held_open(make_table)
    table.play("draw two together\nexpect gate shut within 1\nwait 0.3")
    table.play("press oui\nwait 0.2\npress non\nwait 0.2\npress fin\nwait 0.2\npress devoiler\nwait 0.2")
    assert not kinds(table) and not table.records("confirmed") and not table.records("settlement")
    table.play("expect confirmed seat 1 ante 25.00, seat 2 ante 10.00 within 12\nexpect two_cards within 1\nwait 1")
    assert table.table.hardware.gate.holds, "confirmed, and not ruled yet"
    table.play("supervisor rules two_cards cleared\nwait until gate open within 2")
    assert kinds(table) == ["two_cards"] and table.table.controller.restarts == 0


@pytest.mark.parametrize("between", sampled([0.05, 0.2, 0.6], [0.2]))
def test_cards_and_an_announcement_in_a_confirmation_that_is_held_open(make_table: Make, between: float) -> None:
    """Pressed again in the middle of two cards, the key locks nothing anew."""
    table = held_open(make_table)
    table.play(f"draw\n+{between} draw\n+{between} press rnvp\nwait 1")
    assert len(table.records("lock")) == 1 and not table.records("confirmed")
    table.play("expect confirmed seat 1 ante 25.00, seat 2 ante 10.00 within 12\nwait 1")
    assert not kinds(table) and table.table.controller.restarts == 0
    table.play("draw 7 every 0.4\n+0.5 seat 1 play 25.00\nwait 1.5\npress devoiler\nexpect settlement within 3")


def test_two_badges_in_a_confirmation_that_is_held_open(make_table: Make) -> None:
    """Dealer and supervisor hold theirs at a time, cards leave: each is answered once, and the lock stands."""
    table = held_open(make_table, badge_reader=True)
    table.play("badge anna\nbadge susan\n")
    hardware = table.table.hardware
    hardware.pad.enter(table.running.badges["anna"])
    hardware.pad.enter(table.running.badges["susan"])
    table.play("draw 2 every 0.4\nwait 3")
    told = [entry.fields["did"] for entry in table.records("badge")]
    assert told and set(told) == {"unknown"} and len(told) <= 2
    assert not table.records("signed") and not table.records("confirmed") and not kinds(table)
    table.play("expect confirmed seat 1 ante 25.00, seat 2 ante 10.00 within 12")
    assert table.table.controller.restarts == 0


@pytest.mark.parametrize(
    ("state", "operations"), sampled(product(("closed", "settling"), [1, 4, 9, 16, 30]), [("closed", 9)])
)
def test_a_task_that_dies_while_a_segment_is_written(state: str, operations: int) -> None:
    """The table stops; the journal is one stream before and after the next start, whatever was under way."""
    table = crowded()
    try:
        flash = table.table.hardware.flash
        table.play("power on")
        if state == "settling":
            table.play("wait 1.5\n" + OPENED + ROUND.partition("wait 2.0")[0])
        flash.journal = []
        table.table.run_while(lambda: len(flash.journal or []) < operations, 20_000)
        assert len(flash.journal) >= operations
        expander = table.table.hardware.expanders[1]
        expander.dead = True
        table.play("wait 9")
        assert table.table.hardware.gate.holds and table.bar == "red" and "PANNE INTERNE" in table.display_lines()
        died = [entry.fields["detail"] for entry in table.records("fault") if entry.fields["part"] == "task"]
        assert [str(one).partition(":")[0] for one in died] == ["panel"]
        expander.dead = False
        table.play("power off\nwait 1\npower on\nwait 8")
        assert table.unwilling() is None and flash.erases
        one_stream(table)
    finally:
        table.close()


def round_of(seats: int) -> str:
    """Everybody plays, and the dealer does not open."""
    cards = 3 * (seats + 1)
    bets = "".join(f"seat {seat} ante 25.00\n" for seat in range(1, seats + 1))
    plays = "".join(f"+0.3 seat {seat} play 25.00\n" for seat in range(1, seats + 1))
    return f"{bets}wait 3\npress rnvp\nwait until gate open\ndraw {cards} every 0.4\n{plays}wait 3\n"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seats", sampled([5, 7], []))
def test_readers_that_reset_by_turns_at_a_full_table(make_table: Make, seats: int) -> None:
    """All of them, one after the other and together, in a round of all seats: no chip is lost, or made up."""
    table = make_table(seats=seats)
    table.open()
    bets, _, rest = round_of(seats).partition("press rnvp")
    table.play(bets)
    readers = table.table.hardware.readers
    for turn in range(40):
        readers[turn % len(readers)].power_cycle()
        table.table.run_for(97)
    for reader in readers:
        reader.power_cycle()
    table.play(f"press rnvp{rest}")
    for reader in readers:
        reader.power_cycle()
        table.table.run_for(50)
    table.play("wait 3\npress devoiler\nexpect settlement")
    locked = {(row["seat"], row["amount"]) for row in table.records("confirmed")[0].rows if row["amount"]}
    assert locked == {(seat, 2500) for seat in range(1, seats + 1)}
    assert not table.records("irregularity") and table.table.controller.restarts == 0


@pytest.mark.timeout(600)
@pytest.mark.parametrize("phase", ["betting", "dealt"])
@pytest.mark.parametrize("seats", sampled([5, 7], []))
def test_a_task_that_dies_at_a_full_table(make_table: Make, seats: int, phase: str) -> None:
    """It stops, says so, and gives every bet back when it starts again."""
    table = make_table(seats=seats)
    table.open()
    bets, _, rest = round_of(seats).partition("press rnvp")
    table.play(bets if phase == "betting" else f"{bets}press rnvp{rest}")
    expander = table.table.hardware.expanders[0]
    expander.dead = True
    table.play("wait 9")
    assert table.display_lines()[0] == "PARTIE SUSPENDUE" and table.table.hardware.gate.holds
    assert table.bar == "red"
    died = [entry.fields["detail"] for entry in table.records("fault") if entry.fields["part"] == "task"]
    assert died and all("ExpanderFault" in str(one) for one in died)
    expander.dead = False
    table.play("power off\nwait 1\npower on\nwait 4")
    assert table.unwilling() is None
    if phase == "dealt":
        rows = table.records("void")[0].rows
        back = {int(row["seat"]): 0 for row in rows}
        for row in rows:
            back[int(row["seat"])] += int(row["amount"])
        assert back == dict.fromkeys(range(1, seats + 1), 2500), "what the announcement has locked"
