"""A shoe with a reader and optical sensors, at a whole table: one checks the other."""

from __future__ import annotations

from dataclasses import replace

from hwsim.world.strip import CARD, blank, printed
from sabot_host.sim.pytest_plugin import TestTable

LOCKED = """
seat 1 ante 25.00
seat 2 ante 10.00
wait 1.0
press rnvp
wait until gate open
"""


def opened(make_table: type[TestTable], *top: str) -> TestTable:
    table = make_table(config={"shoe": "both"})
    table.open()
    table.table.shuffle(top)
    table.play(LOCKED)
    return table


def test_both_read_every_card_of_a_round(make_table: type[TestTable]) -> None:
    table = opened(make_table)
    for speed in (50, 2000, 300, 500, 1500, 120, 800, 1000, 250):
        table.table.draw(speed=speed)
        table.table.run_for(150 + 130_000 / speed)
    table.play("expect deal seat dealer cards 3")
    dealt = [card.code for card in table.table.shoe.dealt]
    table.play("press rnvp\nexpect decisions\npress devoiler\nexpect reveal")
    assert " ".join(dealt[6:]) in str(table.records("reveal")[0].rows)
    assert not table.records("card_fault") and not table.records("fault")


def test_a_tag_under_another_face_is_an_alien_card(make_table: type[TestTable]) -> None:
    table = opened(make_table, "7c", "As")
    cards = table.table.shoe.cards
    cards[1] = replace(cards[1], face=printed("Ks"))
    table.play("draw 2 every 0.6\nexpect alien_card\nexpect gate shut")
    assert [entry.fields["kind"] for entry in table.records("card_fault")] == ["alien_card"]


def test_a_strip_that_cannot_be_read_is_no_irregularity_beside_a_tag(make_table: type[TestTable]) -> None:
    """Of the sensors' silence the pit is told once, when it has lasted for five cards, and again when it is over."""
    table = opened(make_table)
    cards = table.table.shoe.cards
    cards[1:4] = [replace(card, face=blank()) for card in cards[1:4]]
    for card in cards[4:6]:
        card.face.strips[card.face.turned].spoil(20_000, CARD - 10_000)
    table.play("draw 6 every 0.6\nwait 0.5")
    faults = [entry.fields for entry in table.records("fault")]
    assert [(fault["part"], fault["index"], fault["detail"]) for fault in faults] == [("shoe", 1, "strip")]
    table.play("draw 3 every 0.6\nexpect deal seat dealer cards 3")
    assert len(table.records("fault_cleared")) == 1
    assert not table.records("card_fault")
