"""The cards as people at a simulated table see them: whose hand each one lies in, and which are turned up."""

from collections.abc import Callable

from sabot.rules import games
from sabot_host.sim.hands import Hands
from sabot_host.sim.pytest_plugin import TestTable


def test_three_card_poker_shows_the_dealer_once_he_shows_himself(table: TestTable) -> None:
    hands = Hands(table, games.load("three_card"))
    table.open()
    assert hands.told() == []
    table.play("seat 2 ante 25.00\nwait 1.5\ncards As Ad 7c Qs 3c 2c\npress rnvp\nwait until gate open\ndraw 2")
    assert hands.told() == ["seat 2 As Ad"], "seat 1 does not play"
    table.play("draw 4\nexpect state deciding")
    assert hands.told() == ["seat 2 As Ad 7c", "dealer ?? ?? ??"]
    table.play("seat 2 play 25.00\nwait 1.5\npress devoiler\nexpect settlement")
    assert hands.told() == ["seat 2 As Ad 7c", "dealer Qs 3c 2c"]
    table.play("take all from seat 2 ante\ntake all from seat 2 play\nwait 1\npress fin\nexpect round_end")
    assert hands.told() == [], "the round is over"


def test_a_war_at_bataille_burns_and_gives_the_dealer_another_card(make_table: Callable[..., TestTable]) -> None:
    table = make_table(game="bataille", seats=2)
    hands = Hands(table, games.load("bataille"))
    table.open()
    table.play("seat 1 initial 25.00\nseat 2 initial 25.00\nwait 2\ncards 8c 2d 8s 4s 6c Ts Qs 7d 3c 4c 5c")
    table.play("press rnvp\nwait until gate open\ndraw 3\nexpect state deciding")
    assert hands.told() == ["seat 1 8c", "seat 2 2d", "dealer 8s"]
    table.play("wait 1\nseat 1 additional 25.00\nwait 2\npress rnvp\nwait until gate open\ndraw 8\nwait 1")
    assert hands.told() == [
        "seat 1 8c Qs",
        "seat 2 2d",
        "dealer 8s",
        "burned 4s 6c Ts 7d 3c 4c",
        "dealer against seat 1 5c",
    ]


def test_357_shows_the_dealers_cards_two_by_two(make_table: Callable[..., TestTable]) -> None:
    table = make_table(game="poker_357", seats=2)
    hands = Hands(table, games.load("poker_357"))
    table.open()
    table.play("seat 1 three 5.00\nseat 1 five 5.00\nwait 2\ncards 8c 2d 8s 4s 6c Ts Qs")
    table.play("press rnvp\nwait until gate open\ndraw 7\nwait 1")
    assert hands.told() == ["seat 1 8c 2d 8s", "dealer ?? ?? ?? ??"]
    table.play("wait 1\npress devoiler\nwait 1.5")
    assert hands.told()[1] == "dealer ?? ?? ?? ??", "the players' hands come first"
    table.play("press devoiler\nwait 1.5")
    assert hands.told() == ["seat 1 8c 2d 8s", "dealer 4s 6c ?? ??"]


def test_a_card_that_went_astray_is_told(table: TestTable) -> None:
    hands = Hands(table, games.load("three_card"))
    table.open()
    table.play("seat 1 ante 25.00\nwait 1.5\npress rnvp\nwait until gate open\ndraw 2\ndraw two together\nwait 1")
    assert hands.told()[-1] == "(a card went astray: by the plan only)"
