"""Packets from a shuffler with two decks that take turns, and tables at which nobody but the dealer sees a card."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sabot_host.sim.pytest_plugin import TestTable

PACKETS = {"deal": "packets", "decks_alternate": True}
LOCK = "seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5\npress rnvp\nwait until gate open\n"
SHOW = "press devoiler\nexpect settlement\nwait 1.0\npress fin\nexpect round_end\nwait 0.5\n"


@pytest.mark.campaign
def test_two_rounds_from_two_decks_and_no_key_says_so(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config=PACKETS)
    table.open()
    for _ in range(2):
        table.play(LOCK + "draw 3 packets of 3\nexpect deal seat dealer cards 3\n" + SHOW)
        table.play("take all from seat 1 ante\ntake all from seat 2 ante")
        table.table.shuffle()
    assert not table.records("card_fault")
    assert len(table.records("reveal")) == 2


def test_a_packet_of_the_other_deck_is_alien(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config=PACKETS)
    table.open()
    table.play(LOCK + "draw a packet of 3\nwait 1.0")
    table.table.shuffle()
    table.play("draw a packet of 3\nexpect alien_card\nexpect gate shut")


def test_a_short_packet_waits_for_two_people_and_a_long_one_is_a_wrong_count(
    make_table: Callable[..., TestTable],
) -> None:
    table = make_table(config=PACKETS)
    table.open()
    table.play(LOCK + "draw a packet of 4\nexpect wrong_count\nsupervisor voids the round\nexpect void\nwait 0.5")
    table.table.shuffle()
    table.play("press rnvp\nwait until gate open\ndraw a packet of 2\nexpect unread_card\nexpect gate shut")


def test_packets_of_five_and_a_card_face_up(make_table: Callable[..., TestTable]) -> None:
    table = make_table(game="four_card", config={"deal": "packets"})
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.5\npress rnvp\nwait until gate open")
    table.play("draw 2 packets of 5\nwait 1.0\ndraw a packet of 1\nexpect deal seat dealer within 3")
    assert [row["cards"] for row in table.records("deal")[0].rows] == [5, 5, 1]
    assert not table.records("card_fault")


def test_hands_are_judged_with_the_seat_keys_where_no_reader_sees_a_card(make_table: Callable[..., TestTable]) -> None:
    table = make_table(config={"deal": "none"})
    table.open()
    table.play("seat 1 ante 25.00\nseat 2 ante 10.00\nwait 1.5\npress rnvp\nexpect confirmed\nexpect gate shut")
    table.play("expect deal\nseat 1 play 25.00\nwait 1.5\npress devoiler\nexpect reveal\nwait 0.5")
    # Seat 1: no bonus, the ante wins, the play wins; seat 2 has folded.
    table.play("press p1\nwait 0.4\npress maldonne\nwait 0.4\npress p1\nwait 0.4\npress p2\nwait 0.4")
    table.play("expect settlement anywhere seat 1 ante win paid 25.00, seat 1 play win paid 25.00")
    table.play("press fin\nexpect round_end")
    assert not table.records("irregularity")


def test_a_hand_is_keyed_where_no_reader_sees_a_card(make_table: Callable[..., TestTable]) -> None:
    table = make_table(seats=1, config={"deal": "none"})
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.5\npress rnvp\nexpect deal\nseat 1 play 25.00\nwait 1.5\npress devoiler")
    table.play("expect reveal\nwait 0.5")
    sevens = "p0 p7 p1 p0 p7 p2 p0 p2 p3"  # 7c 7d 2h
    queen = "p1 p2 p4 p0 p3 p1 p0 p2 p2"  # Qs 3c 2d
    for hand, cards in (("p1", sevens), ("p0", queen)):
        keys = ["plus", "plus", "p5", hand.replace("p0", "maldonne"), *cards.replace("p0", "maldonne").split(), "oui"]
        table.play("".join(f"press {key}\nwait 0.3\n" for key in keys))
    table.play("expect settlement anywhere seat 1 ante win paid 25.00, seat 1 play win paid 25.00")
    table.play("press fin\nexpect round_end")
