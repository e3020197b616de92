"""Fou du poker, sentence by sentence: articles 67.75 to 67.87. Its hands are tested with those of Poker 4 cartes."""

import pytest

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS
from sabot.rules.games import load
from tests.rules.bylaw.at_table import bet, deal, due, outside_limits, refusal, too_many

G = "crazy_four"
OPEN = {"ante": 10, "super_bonus": 10}
PLAY = {**OPEN, "play": 10}
HIGHER, LOWER, DEALER = "Qc Qd 2h 5s 7c", "Qh Jd 2h 5s 7c", "9c 9d 3h 4s 6c"
CLOSED = "Qs Jd 9h 5c 3s"
"""A dealer who cannot open."""


@pytest.mark.bylaw("67.75a")
def test_one_or_two_packs() -> None:
    for decks in (1, 2):
        assert due(G, HIGHER, DEALER, PLAY, "play", decks=decks)
    assert [refusal(G, HIGHER, DEALER, PLAY, "play", decks=decks) for decks in (0, 3)] == ["67.75", "67.75"]


@pytest.mark.bylaw("67.78a")
def test_at_most_seven_players() -> None:
    assert load(G).max_players == 7
    assert too_many(G, 8, {"cards": [], "bets": OPEN}) == "67.78"
    assert too_many(G, 7, {"cards": [], "bets": OPEN}) is None


@pytest.mark.bylaw("67.79a")
def test_ante_and_super_bonus_of_the_same_amount_are_due() -> None:
    assert refusal(G, HIGHER, DEALER, {"ante": 10}, "fold") == "67.79"
    assert refusal(G, HIGHER, DEALER, {"super_bonus": 10}, "fold") == "67.79"
    for amount in (9, 11):
        assert refusal(G, HIGHER, DEALER, {"ante": 10, "super_bonus": amount}, "fold") == "67.79"


@pytest.mark.bylaw("67.79b", "67.79c", "67.87b")
def test_the_announcement_locks_all_but_the_bet_of_the_decision() -> None:
    assert {each.name: each.lock for each in load(G).bets} == {
        "ante": LOCK_ANNOUNCEMENT,
        "super_bonus": LOCK_ANNOUNCEMENT,
        "queens_up": LOCK_ANNOUNCEMENT,
        "play": LOCK_DECISIONS,
    }


@pytest.mark.bylaw("67.80a")
def test_five_cards_face_down_to_each_player_and_the_dealer() -> None:
    assert deal(G) == [("deal", "seats", 5, "down"), ("deal", "dealer", 5, "down")]
    assert refusal(G, "Qc Qd 2h 5s", DEALER, OPEN, "fold") == "67.80"
    assert refusal(G, HIGHER, "9c 9d 3h 4s", OPEN, "fold") == "67.80"


@pytest.mark.bylaw("67.81a")
@pytest.mark.parametrize(
    ("hand", "triple"),
    [
        ("Ac Ad 2h 5s 7c", True),
        ("2c 2d 3h 3s 7c", True),
        ("Ac 2d 3h 4s 9c", True),
        ("2c 3c 5c 9c Kd", True),
        ("2c 2d 2h 5s 7c", True),
        ("Kc Kd Ah Qs 7c", False),
        ("Ac Kd Qh Ts 7c", False),
    ],
)
def test_additional_bet_is_the_ante_or_up_to_three_times_with_aces_or_better(hand: str, triple: bool) -> None:
    assert due(G, hand, "9c 9d 9h 8s 8c", PLAY, "play", decks=2)["play"][0] in ("win", "lose")
    for play in (11, 20, 30):
        bets = {**OPEN, "play": play}
        if triple:
            assert due(G, hand, CLOSED, bets, "play", decks=2)["play"] == ("win", play, play)
        else:
            assert refusal(G, hand, CLOSED, bets, "play", decks=2) == "67.81"
    for play in (9, 31):
        assert refusal(G, hand, CLOSED, {**OPEN, "play": play}, "play", decks=2) == "67.81"


@pytest.mark.bylaw("67.81b")
def test_without_it_ante_and_super_bonus_are_lost() -> None:
    lines = due(G, "Ac Ad Ah As 2c", CLOSED, {**OPEN, "queens_up": 5}, "fold")
    assert lines == {"ante": ("forfeit", 0, 0), "super_bonus": ("forfeit", 0, 0), "queens_up": ("win", 250, 5)}
    assert refusal(G, HIGHER, DEALER, OPEN) == "67.81"


@pytest.mark.bylaw("67.82a", "67.83a")
def test_both_play_the_best_four_of_their_five_cards() -> None:
    won = {"ante": ("win", 10, 10), "super_bonus": ("push", 0, 10), "play": ("win", 10, 10)}
    assert due(G, "9h 9s 8d 6d 3c", "9c 9d 8h 6c 2s", PLAY, "play")["ante"] == ("push", 0, 10)
    assert due(G, "9h 9s 8d 7d 2c", "9c 9d 8h 6c 3s", PLAY, "play") == won
    assert due(G, HIGHER, "9c Td Jh Qs 2c", PLAY, "play", decks=2)["ante"] == ("lose", 0, 0)


@pytest.mark.bylaw("67.82b", "67.82c")
@pytest.mark.parametrize(
    ("dealer", "opens"),
    [(CLOSED, False), ("Kc Jd 9h 5c 3s", True), ("Ac Jd 9h 5c 3s", True), ("2c 2d 5h 7s 9c", True)]
    + [(hand, True) for hand in ("2c 2d 3h 3s 9c", "2c 3d 4h 5s 9c", "2c 3c 5c 7c 9d", "2c 2d 2h 7s 9c")],
)
def test_dealer_opens_with_a_king_or_better_else_play_is_paid_and_the_rest_null(dealer: str, opens: bool) -> None:
    for hand in ("Ah Kd 8h 6c 2s", "Th 8d 6h 4c 2s"):
        lines = due(G, hand, dealer, PLAY, "play", decks=2)
        closed = {"ante": ("push", 0, 10), "super_bonus": ("push", 0, 10), "play": ("win", 10, 10)}
        assert (lines == closed) == (not opens)


@pytest.mark.bylaw("67.83b")
def test_equal_hands_are_null() -> None:
    lines = due(G, "9h 9s 8d 6d 3c", "9c 9d 8h 6c 2s", PLAY, "play")
    assert lines == {"ante": ("push", 0, 10), "super_bonus": ("push", 0, 10), "play": ("push", 0, 10)}


@pytest.mark.bylaw("67.84a", "67.84b")
def test_higher_hand_is_paid_1_to_1() -> None:
    bets = {**OPEN, "play": 30}
    lines = due(G, "Ac Ad 2h 5s 7c", DEALER, bets, "play")
    assert (lines["ante"], lines["play"]) == (("win", 10, 10), ("win", 30, 30))
    lines = due(G, LOWER, DEALER, PLAY, "play")
    assert (lines["ante"], lines["play"]) == (("lose", 0, 0), ("lose", 0, 0))


@pytest.mark.bylaw("67.85a", "67.85b")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [
        ("Ac Ad Ah As 2c", 200),
        ("7c 7d 7h 7s 2c", 30),
        ("7c 8c 9c Tc 2d", 15),
        ("7c 7d 7h 2s 3c", 2),
        ("2c 5c 9c Jc Kd", 3),
        ("Ac 2d 3h 4s 9c", 1),
    ],
)
@pytest.mark.parametrize("dealer", ["Kc Kd Kh Ks 6c", CLOSED, "Ks Jd 9h 5h 3s"])
def test_super_bonus_whatever_the_dealer_holds(hand: str, ratio: int, dealer: str) -> None:
    assert due(G, hand, dealer, PLAY, "play", decks=2)["super_bonus"] == ("win", 10 * ratio, 10)
    assert due(G, hand, dealer, OPEN, "fold", decks=2)["super_bonus"] == ("forfeit", 0, 0)


@pytest.mark.bylaw("67.86a", "67.86b")
def test_super_bonus_without_such_a_hand_is_null_when_equal_or_higher_and_else_lost() -> None:
    assert due(G, HIGHER, DEALER, PLAY, "play")["super_bonus"] == ("push", 0, 10)
    assert due(G, "9h 9s 8d 6d 3c", "9c 9d 8h 6c 2s", PLAY, "play")["super_bonus"] == ("push", 0, 10)
    assert due(G, LOWER, DEALER, PLAY, "play")["super_bonus"] == ("lose", 0, 0)


@pytest.mark.bylaw("67.87a")
def test_queens_up_goes_with_ante_and_super_bonus_only() -> None:
    assert due(G, HIGHER, DEALER, {**PLAY, "queens_up": 5}, "play")["queens_up"] == ("win", 5, 5)
    assert refusal(G, HIGHER, DEALER, {"queens_up": 5}) == "67.79"
    assert "queens_up" not in due(G, HIGHER, DEALER, PLAY, "play")


@pytest.mark.bylaw("67.87b")
def test_limits_of_queens_up() -> None:
    assert outside_limits(G, {**OPEN, "queens_up": 5}, "queens_up") == ["67.87", "67.87"]


@pytest.mark.bylaw("67.87c", "67.87d")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [
        ("7c 7d 7h 7s 2c", 50),
        ("7c 8c 9c Tc 2d", 30),
        ("7c 7d 7h 2s 3c", 7),
        ("2c 5c 9c Jc Kd", 4),
        ("Ac 2d 3h 4s 9c", 3),
        ("7c 7d 3h 3s 9c", 2),
        ("Ac Ad 3h 5s 9c", 1),
        ("Kc Kd 3h 5s 9c", 1),
        ("Qc Qd 3h 5s 9c", 1),
        ("Jc Jd 3h 5s 9c", None),
        ("Ac Kd 3h 5s 9c", None),
    ],
)
@pytest.mark.parametrize("dealer", ["Kh Kd Kh Ks 6c", CLOSED])
def test_queens_up_whatever_the_dealer_holds(hand: str, ratio: int | None, dealer: str) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 5 * ratio, 5)
    bets = {**PLAY, "queens_up": 5}
    assert due(G, hand, dealer, bets, "play", decks=2)["queens_up"] == expected
    assert due(G, hand, dealer, {**OPEN, "queens_up": 5}, "fold", decks=2)["queens_up"] == expected
    assert bet(G, "queens_up").table.article == "67.87"
