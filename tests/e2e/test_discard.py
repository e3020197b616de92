"""The discard's antenna on the whole firmware: the cards that come back must be those that were dealt."""

from collections.abc import Callable, Iterable

import pytest

from hwsim.provisioning import configuration, with_discard
from hwsim.world.cards import Card
from sabot_host.sim.pytest_plugin import TestTable

Maker = Callable[..., TestTable]

LOCK = """
seat 1 ante 25.00
seat 2 ante 10.00
wait 1.0
press rnvp
wait until gate open
"""
DECIDE = """
seat 1 play 25.00
seat 2 play 10.00
wait 0.8
press devoiler
expect settlement
"""
ROUND = LOCK + "draw 9 every 0.4" + DECIDE
CHECK = 'wait 0.5\nexpect display "VÉRIFIER LA DÉFAUSSE"'
SETTLED_MS = 1500


def fitted(make_table: Maker, lines: str = ROUND) -> TestTable:
    readers = with_discard(configuration("three_card", 2))["readers"]
    table = make_table(config={"readers": readers})
    table.open()
    table.play(lines)
    return table


def lay(table: TestTable, cards: Iterable[Card]) -> None:
    table.table.discard(cards)
    table.table.run_for(SETTLED_MS)


def hands(table: TestTable) -> dict[int, list[Card]]:
    """Cards by seat, 0 the dealer's, as they were dealt: three each, the dealer's last."""
    dealt = table.table.shoe.dealt
    return {1: dealt[:3], 2: dealt[3:6], 0: dealt[6:]}


def ended(table: TestTable) -> bool:
    """Whether FIN ends the round."""
    before = len(table.records("round_end"))
    table.play("press fin\nwait 0.3")
    return len(table.records("round_end")) > before


def quiet(table: TestTable) -> bool:
    return not table.records("hand_differs") and not table.records("card_fault")


def test_all_cards_back_end_the_round(make_table: Maker) -> None:
    table = fitted(make_table)
    lay(table, table.table.shoe.dealt)
    assert ended(table)
    assert quiet(table)


def test_missing_cards_are_asked_for_first(make_table: Maker) -> None:
    table = fitted(make_table)
    dealt = table.table.shoe.dealt
    lay(table, dealt[:-1])
    assert not ended(table)
    table.play(CHECK)
    assert quiet(table)
    lay(table, dealt[-1:])
    assert ended(table)
    assert quiet(table)


def test_cards_that_stay_away_are_told_and_two_people_end_it(make_table: Maker) -> None:
    table = fitted(make_table)
    by_hand = hands(table)
    lay(table, [*by_hand[0], *by_hand[2], *by_hand[1][:1]])
    assert not ended(table)
    table.play(CHECK)
    table.play("press fin\nexpect hand_differs seat 1 severity 2")
    assert not ended(table), "it waits for the ruling"
    table.play("supervisor rules hand_differs seat 1 ante cleared\npress oui\nexpect seconded\nexpect resolved")
    assert ended(table)
    assert len(table.records("hand_differs")) == 1


def test_a_switched_card_is_told_with_its_hand_in_the_same_round(make_table: Maker) -> None:
    table = fitted(make_table)
    by_hand = hands(table)
    stranger = next(card for card in table.table.packs[0] if card not in table.table.shoe.dealt)
    lay(table, by_hand[1])
    assert quiet(table)
    table.play("mark switched")
    lay(table, [*by_hand[2][:-1], stranger])
    table.play("expect hand_differs seat 2 covers switched")
    assert not ended(table)
    assert [entry.fields["seat"] for entry in table.records("hand_differs")] == [2]
    lay(table, by_hand[0])
    table.play("supervisor rules hand_differs seat 2 ante cleared\npress oui\nexpect resolved")
    assert ended(table), "what has been told of is not told again"


def test_a_folded_hand_that_was_switched_is_told_before_the_reveal(make_table: Maker) -> None:
    table = fitted(make_table, LOCK + "draw 9 every 0.4\nseat 1 play 25.00\nwait 0.8")
    lay(table, [*hands(table)[2][:-1], table.table.strange_card()])
    table.play("expect hand_differs seat 2 ante severity 2")
    assert not table.records("reveal")
    table.play("supervisor rules hand_differs seat 2 ante cleared\npress oui\nexpect resolved")
    table.play("press devoiler\nexpect settlement")


@pytest.mark.campaign
def test_the_dealers_own_hand_stops_the_table(make_table: Maker) -> None:
    table = fitted(make_table)
    by_hand = hands(table)
    lay(table, [*by_hand[1], *by_hand[2], *by_hand[0][:-1], table.table.strange_card()])
    table.play("expect wrong_count\nexpect state suspended")
    table.play("supervisor rules wrong_count cleared\nexpect resolved\nwait 0.5")
    assert ended(table)


@pytest.mark.campaign
def test_one_card_too_many_is_a_wrong_count(make_table: Maker) -> None:
    table = fitted(make_table)
    lay(table, [*table.table.shoe.dealt, table.table.strange_card()])
    assert not ended(table)
    table.play(CHECK)
    table.play("press fin\nexpect wrong_count\nsupervisor rules wrong_count cleared\nexpect resolved\nwait 0.5")
    assert ended(table)


@pytest.mark.campaign
def test_a_card_that_was_keyed_is_not_looked_for(make_table: Maker) -> None:
    # It lies in the discard, under a UID that is none of the decks'.
    table = fitted(make_table, "cards As Kd alien 7h 8h 9h 2c 3c 4c\n" + LOCK + "draw 3 every 0.4\nexpect alien_card")
    table.play("supervisor rules alien_card keyed Qs\npress oui\nexpect resolved\nwait 0.5")
    table.play("draw 6 every 0.4" + DECIDE)
    lay(table, table.table.shoe.dealt)
    assert not table.records("hand_differs")
    assert ended(table)
    assert not table.records("hand_differs") and len(table.records("card_fault")) == 1


@pytest.mark.campaign
def test_what_lay_there_before_the_round_is_no_part_of_it(make_table: Maker) -> None:
    table = fitted(make_table)
    first = list(table.table.shoe.dealt)
    lay(table, first)
    assert ended(table)
    for seat, bet in table.table.spots:
        table.table.clear(seat, bet)
    table.play("wait 1.0")
    rest = [card for card in table.table.packs[0] if card not in first]
    table.table.shoe.load(rest)
    table.play(ROUND)
    lay(table, table.table.shoe.dealt)
    assert ended(table)
    assert quiet(table)


def test_a_dead_reader_asks_for_no_cards(make_table: Maker) -> None:
    # The discard lies on the only reader: its failure is told of as such, and not as nine cards that are missing.
    table = fitted(make_table)
    table.play("break reader 0\nexpect fault part reader\nwait 1.0\npress fin\nwait 0.5")
    assert quiet(table)
    assert "VÉRIFIER LA DÉFAUSSE" not in table.display_lines()


def test_a_reader_that_was_dead_when_the_round_began_compares_nothing(make_table: Maker) -> None:
    """Cards of the round before are dealt again and laid down while it is dead: which are of which round?"""
    readers = with_discard(configuration("three_card", 7))["readers"]
    table = make_table(config={"readers": readers})
    table.open()
    table.play(ROUND)
    dealt = list(table.table.shoe.dealt)
    lay(table, dealt)
    assert ended(table)
    for seat, bet in table.table.spots:
        table.table.clear(seat, bet)
    table.play("wait 1.0\nbreak reader 3\nexpect fault part reader")
    for card in dealt:
        table.table.felt.remove(card, table.table.now)
    table.table.run_for(1)
    table.table.shuffle([card.code for card in dealt])
    table.play(ROUND)
    lay(table, table.table.shoe.dealt[-9:])
    table.play("mend reader 3\nexpect fault_cleared part reader within 10\nwait 3.0")
    assert ended(table)
    assert quiet(table)


@pytest.mark.campaign
def test_chips_there_are_no_cards(make_table: Maker) -> None:
    table = fitted(make_table)
    chip = table.table.mint.chip(2500)
    antenna = table.table.discards
    assert antenna is not None
    table.table.felt.place(chip, antenna, table.table.now)
    lay(table, table.table.shoe.dealt)
    assert ended(table)
