"""Settling in stages: the three reveals of 3-5-7, the two settlements of Bataille, and what cannot be settled yet."""

from random import Random

import pytest

from sabot.rules import errors
from sabot.rules.cards import card_from_name
from sabot.rules.errors import RuleError
from sabot.rules.games import GAMES, load
from sabot.rules.settle import Line, settle_seat, stage
from tests.rules.rounds import random_round


def cards(names: "list[str] | str") -> tuple[int, ...]:
    return tuple(card_from_name(name) for name in (names.split() if isinstance(names, str) else names))


def steps(game_id: str) -> list[str]:
    return [step for step in load(game_id).course if step.startswith("settle")]


@pytest.mark.parametrize("game_id", GAMES)
def test_the_stages_together_are_the_whole_settlement(game_id: str) -> None:
    """Stage by stage, with no more cards turned up than by then, each bet ends as in one settlement."""
    game = load(game_id)
    random = Random(f"stages {game_id}")
    shown = {"settle_three": 0, "settle_five": 2, "settle_seven": 4}
    for _ in range(300):
        played = random_round(game_id, random)
        dealer = cards(played["dealer"])
        for player in played["players"]:
            hand, bets, decision = cards(player["cards"]), player["bets"], player.get("decision")
            own, other = (
                card_from_name(player[key]) if key in player else None for key in ("war_player", "war_dealer")
            )
            whole = settle_seat(game, hand, dealer, bets, decision, own, other)
            lines: list[Line] = []
            received = 0
            for step in steps(game_id):
                names = stage(game, step, bets, decision in ("war", "surrender"))
                part = settle_seat(game, hand, dealer[: shown.get(step, 6)], bets, decision, own, other, names)
                lines += part.lines
                received += part.received
            assert sorted(lines) == sorted(whole.lines)
            assert received == whole.received


def test_first_settlement_of_bataille_comes_before_the_decisions() -> None:
    game = load("bataille")
    bets = {"initial": 100, "tie": 10}
    assert stage(game, "settle_unequal", bets, equal=False) == ("initial", "tie")
    assert stage(game, "settle", bets, equal=False) == ()
    assert stage(game, "settle_unequal", bets, equal=True) == ("tie",)
    assert stage(game, "settle", {**bets, "additional": 100}, equal=True) == ("initial", "additional")
    nine, other = cards("9c"), cards("9d")
    (tie,) = settle_seat(game, nine, other, bets, only=("tie",)).lines
    assert tie == Line("tie", "win", 10, 100, 10)
    for bet in ("initial", "additional"):
        with pytest.raises(RuleError) as caught:
            settle_seat(game, nine, other, bets | {"additional": 100}, only=(bet,))
        assert (caught.value.code, caught.value.article) == (errors.MISSING_DECISION, "67.38")
    (surrendered,) = settle_seat(game, nine, other, bets, "surrender", only=("initial",)).lines
    assert surrendered == Line("initial", "forfeit", 100, 0, 50)


def test_three_is_settled_on_the_seats_own_cards_and_five_on_the_first_two_of_the_dealer() -> None:
    game = load("poker_357")
    hand, bets = cards("9c 9d 2h"), {"three": 10, "five": 10, "seven": 10}
    assert settle_seat(game, hand, (), bets, "stay", only=("three",)).received == 20
    with pytest.raises(RuleError) as caught:
        settle_seat(game, hand, (), bets, "stay", only=("five",))
    assert caught.value.code == errors.CARD_COUNT
    assert settle_seat(game, hand, cards("9h 2c"), bets, "stay", only=("five",)).received == 130
    with pytest.raises(RuleError):
        settle_seat(game, hand, cards("9h 2c"), bets, "stay", only=("seven",))
    (seven,) = settle_seat(game, hand, (), bets, "withdraw", only=("seven",)).lines
    assert seven == Line("seven", "forfeit", 10, 0, 5)


def test_side_bets_need_neither_decision_nor_dealer() -> None:
    game = load("crazy_four")
    bets = {"ante": 10, "super_bonus": 10, "queens_up": 5}
    (line,) = settle_seat(game, cards("Kc Kd 9h 5c 2d"), (), bets, only=("queens_up",)).lines
    assert line == Line("queens_up", "win", 5, 5, 5)
    with pytest.raises(RuleError):
        settle_seat(game, cards("Kc Kd 9h 5c 2d"), (), bets, only=("ante",))


def test_the_extra_line_goes_with_the_bet_it_is_paid_on() -> None:
    game = load("three_card")
    given = cards("Ac 2d 3h"), cards("Kc 9d 4h"), {"ante": 10, "play": 10, "pair_plus": 5}, "play"
    assert [line.bet for line in settle_seat(game, *given, only=("ante", "play")).lines] == [
        "ante",
        "play",
        "ante_bonus",
    ]
    assert [line.bet for line in settle_seat(game, *given, only=("pair_plus",)).lines] == ["pair_plus"]
