"""The discard's antenna on the whole firmware: the cards that come back must be those that were dealt."""

from collections.abc import Callable, Iterable

from hwsim.provisioning import configuration, with_discard
from hwsim.table import ALIEN, _make_tag
from hwsim.world.cards import CARD_AFI, Card
from sabot_host.sim.pytest_plugin import TestTable

Maker = Callable[..., TestTable]

ROUND = """
seat 1 ante 25.00
seat 2 ante 10.00
wait 1.0
press rnvp
wait until gate open
draw 9 every 0.4
seat 1 play 25.00
seat 2 play 10.00
wait 0.8
press devoiler
expect settlement
"""
SETTLED_MS = 1500


def fitted(make_table: Maker) -> TestTable:
    readers = with_discard(configuration("three_card", 2))["readers"]
    table = make_table(config={"readers": readers})
    table.open()
    table.play(ROUND)
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


def test_all_cards_back_end_the_round(make_table: Maker) -> None:
    table = fitted(make_table)
    lay(table, table.table.shoe.dealt)
    assert ended(table)
    assert not table.records("irregularity") and not table.records("card_fault")


def test_missing_cards_are_asked_for_and_then_told(make_table: Maker) -> None:
    table = fitted(make_table)
    dealt = table.table.shoe.dealt
    lay(table, dealt[:-1])
    assert not ended(table)
    table.table.run_for(400)
    assert "DÉFAUSSE INCOMPLÈTE" in table.display_lines()
    assert not table.records("irregularity")
    lay(table, dealt[-1:])
    assert ended(table)
    assert not table.records("irregularity") and not table.records("card_fault")


def test_a_switched_card_is_told_with_its_hand_in_the_same_round(make_table: Maker) -> None:
    table = fitted(make_table)
    by_hand = hands(table)
    stranger = next(card for card in table.table.packs[0] if card not in table.table.shoe.dealt)
    lay(table, by_hand[1])
    assert not table.records("hand_differs")
    lay(table, [*by_hand[2][:-1], stranger])
    table.play("expect hand_differs seat 2")
    assert not ended(table)
    assert not any(entry.fields.get("seat") == 1 for entry in table.records("hand_differs"))


def test_a_card_of_another_pack_is_told(make_table: Maker) -> None:
    table = fitted(make_table)
    by_hand = hands(table)
    uid = bytes.fromhex("11223344550104e0")
    lay(table, [*by_hand[1][:-1], Card(ALIEN, uid, _make_tag(uid, CARD_AFI, b""))])
    table.play("expect hand_differs seat 1")


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
    assert not table.records("hand_differs") and not table.records("card_fault")


def test_chips_there_are_no_cards(make_table: Maker) -> None:
    table = fitted(make_table)
    chip = table.table.mint.chip(2500)
    antenna = table.table.discards
    assert antenna is not None
    table.table.felt.place(chip, antenna, table.table.now)
    lay(table, table.table.shoe.dealt)
    assert ended(table)
