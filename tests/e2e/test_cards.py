"""Cards that do not leave the shoe as they should, and the deal that goes on after them."""

from dataclasses import replace

import pytest

from hwsim.world.chips import DeadTag
from sabot_host.sim.pytest_plugin import TestTable
from tests.sampled import sampled

LOCKED = """
seat 1 ante 25.00
seat 2 ante 10.00
wait 1.0
press rnvp
wait until gate open
"""


def rule(table: TestTable, kind: str, ruling: str, amount: int = 0) -> list[str]:
    """The supervisor's word on the newest fault of that kind; what the controller said against it."""
    fault = table.records(kind)[-1]
    table.host.rule(int(fault.fields["id"]), ruling, amount)
    table.table.run_while(lambda: not table.host.quiet(), 3000)
    return table.host.refusals()


def test_after_two_cards_together_have_been_cleared_single_cards_are_single(table: TestTable) -> None:
    table.open()
    table.play(LOCKED + "draw two together\nexpect two_cards\nexpect gate shut\nwait 1.0")
    assert not rule(table, "two_cards", "cleared")
    table.play("expect gate open\ndraw 9 every 0.4\nexpect deal seat dealer cards 3")
    assert len(table.records("card_fault")) == 1


@pytest.mark.parametrize(("speed", "stagger_mm"), sampled([(500, 5), (500, 20), (1500, 10), (150, 30)], [(500, 5)]))
def test_a_card_that_leaves_behind_another_is_never_missed(table: TestTable, speed: int, stagger_mm: int) -> None:
    # Both are in the beam at a time, so there is one edge; the second tag may be heard before it or after.
    table.open()
    table.play(LOCKED)
    for _ in range(2):
        faults = len(table.records("card_fault"))
        table.table.shoe.draw_two(table.table.now, speed, stagger_mm * 1000)
        table.play("wait until two_cards within 2\nexpect gate shut\nwait 1.3")
        assert len(table.records("card_fault")) == faults + 1, "told once"
        assert not rule(table, "two_cards", "cleared")
        table.table.run_for(37)


@pytest.mark.campaign
@pytest.mark.parametrize(("speed", "every_ms"), [(500, 240), (2000, 90)])
def test_fast_dealing_is_no_irregularity(table: TestTable, speed: int, every_ms: int) -> None:
    table.open()
    table.play(LOCKED)
    for _ in range(9):
        table.table.draw(speed=speed)
        table.table.run_for(every_ms)
    table.play("expect deal seat dealer cards 3")
    assert not table.records("card_fault")
    dealt = [card.code for card in table.table.shoe.dealt]
    table.play("press rnvp\nexpect decisions\npress devoiler\nexpect reveal")
    assert " ".join(dealt[6:]) in str(table.records("reveal")[0].rows)


def test_a_card_pushed_back_is_told_as_such_and_keeps_its_place(table: TestTable) -> None:
    table.open()
    table.table.shuffle(["7c", "7d", "2h"])
    table.play(LOCKED + "draw\npull a card and push it back\nwait 0.5\ndraw\nexpect pushed_back\nexpect gate shut")
    assert not rule(table, "pushed_back", "cleared")
    table.play("wait 1.0\ndraw 7 every 0.4\nexpect deal seat dealer cards 3")
    assert [entry.fields["kind"] for entry in table.records("card_fault")] == ["pushed_back"]
    assert [card.code for card in table.table.shoe.dealt[:3]] == ["7c", "7d", "2h"]
    assert len(table.table.shoe.dealt) == 9


@pytest.mark.parametrize(
    ("speed", "every_ms", "place"),
    sampled(
        [(500, 160, 0), (500, 240, 0), (1000, 130, 0), (2000, 90, 0), (2000, 90, 4)], [(500, 160, 0), (2000, 90, 4)]
    ),
)
def test_a_dead_tag_among_cards_dealt_fast_is_unread_at_its_own_place(
    table: TestTable, speed: int, every_ms: int, place: int
) -> None:
    """The tag of the next card is in the field before its edge: it is not that of the card that cannot be read."""
    table.open()
    table.play(LOCKED)
    cards = table.table.shoe.cards
    cards[place] = replace(cards[place], tag=DeadTag())
    for _ in range(9):
        table.table.draw(speed=speed)
        table.table.run_for(every_ms)
    table.play("wait 1.0\nexpect gate shut")
    first = table.records("card_fault")[0]
    assert (first.name, first.fields["index"]) == ("unread_card", place)


@pytest.mark.parametrize("broken", [False, True])
def test_a_card_that_rests_in_the_beam_while_the_reader_fails_is_one(table: TestTable, broken: bool) -> None:
    fails = "break shoe reader\nwait 3\nmend shoe reader\n" if broken else ""
    table.open()
    table.play(LOCKED + f"draw\nwait 0.5\npull a card 60 mm\nwait 0.5\n{fails}wait 3\npull it out\nwait 1")
    assert not table.records("card_fault")
    table.play("draw 7 every 0.4\nexpect deal seat dealer cards 3")
    assert len(table.records("fault")) == broken


def test_the_last_card_of_a_round_may_be_the_first_of_the_next(table: TestTable) -> None:
    table.open()
    table.play(LOCKED + "draw 9 every 0.4\npress devoiler\nexpect settlement\nwait 1.0\npress fin\nexpect round_end")
    table.table.shuffle([table.table.shoe.dealt[-1].code])
    table.play("wait 0.5\npress rnvp\nwait until gate open\ndraw 9 every 0.4\nexpect deal seat dealer cards 3")
    assert not table.records("card_fault")
