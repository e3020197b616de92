"""Every presence comes from bytes on the air: change one bit there, and the journal is another one."""

from collections.abc import Callable

import pytest

from sabot_host.sim.pytest_plugin import TestTable

OPEN = """
power on
plug host
wait until host up
press fin
wait until bar green
chips A 25.00
"""
BETS = "place A on seat 1 ante\nseat 2 ante 10.00\nwait 1.5\n"
BET = BETS + "press rnvp\nwait until lock\n"
BIT_OF_UID = 8 * (2 + 4) + 3  # flags, DSFID, then the UID from its lowest byte on


def locked(make_table: Callable[..., TestTable], fault: str) -> dict[str, int]:
    """What the lock record holds when ``fault`` is on the air."""
    table = make_table(seed=3)
    table.play(OPEN + fault + BET)
    row_of = {str(row["bet"]) + str(row["seat"]): int(row["amount"]) for row in table.records("lock")[0].rows}
    assert not fault or table.running.air.hits > 0, "the fault never met an answer"
    return {place: amount for place, amount in row_of.items() if amount}


def test_without_a_fault_both_bets_are_locked(make_table: Callable[..., TestTable]) -> None:
    assert locked(make_table, "") == {"ante1": 2500, "ante2": 1000}


def test_a_bit_of_every_answer_hides_the_chip(make_table: Callable[..., TestTable]) -> None:
    assert locked(make_table, f"flip bit {BIT_OF_UID} in answers of A\n") == {"ante2": 1000}


def test_a_bit_of_one_answer_is_asked_for_again(make_table: Callable[..., TestTable]) -> None:
    assert locked(make_table, f"flip bit {BIT_OF_UID} in answers of A 1 times\n") == {"ante1": 2500, "ante2": 1000}


def test_a_bit_of_the_value_makes_the_chip_worthless(make_table: Callable[..., TestTable]) -> None:
    assert locked(make_table, "change bit 40 in data of A\n") == {"ante2": 1000}


def test_a_lost_answer_at_the_confirmation_is_not_an_absence(make_table: Callable[..., TestTable]) -> None:
    table = make_table(seed=3)
    table.play(OPEN + BET + "lose answers of A 3 times\n")
    table.play("expect confirmed seat 1 ante 25.00, seat 2 ante 10.00 within 1.0\nexpect no change anywhere")
    assert table.running.air.hits == 3


def test_a_weak_chip_that_a_strong_one_hides_is_seen_and_locked(make_table: Callable[..., TestTable]) -> None:
    """Where both answer at once only the strong one is ever heard."""
    table = make_table(seed=3)
    table.play(OPEN + "chips B 5.00\n" + BETS)
    antenna = table.table.spot(1, "ante")
    strong = antenna.tags[0]
    antenna.capture = lambda tags: [strong] if strong in tags else tags
    table.play("place B on seat 1 ante\nwait 0.5\npress rnvp\nexpect confirmed seat 1 ante 30.00\nwait 1")
    assert not [entry.name for entry in table.records() if entry.family == "irregularity"]


@pytest.mark.campaign
def test_one_answer_in_twenty_lost_is_no_removal_after_the_lock(make_table: Callable[..., TestTable]) -> None:
    """For half a minute with bets locked, at every antenna: not even a notice."""
    table = make_table(seed=3)
    table.play(OPEN + "lose 5 % of answers everywhere\n" + BET + "wait 30.0")
    assert table.running.air.hits > 50
    assert {entry.name for entry in table.records()} & {"change", "irregularity"} == set()
    table.play("expect confirmed seat 1 ante 25.00, seat 2 ante 10.00 anywhere")
