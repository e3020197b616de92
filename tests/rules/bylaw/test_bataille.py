"""Bataille, sentence by sentence: articles 67.33 to 67.40."""

import pytest

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS, LOCK_FIRST_CARD, most_cards
from sabot.rules.games import load
from sabot.rules.settle import stage
from tests.rules.bylaw.at_table import ascending, bet, deal, due, equal, refusal

G = "bataille"
ALL = {"initial": 10, "tie": 5, "additional": 10}


@pytest.mark.bylaw("67.33a")
def test_six_or_eight_packs() -> None:
    for decks in (6, 8):
        assert due(G, "9c", "8d", {"initial": 10}, decks=decks)
    assert {refusal(G, "9c", "8d", {"initial": 10}, decks=decks) for decks in (1, 2, 5, 7, 9)} == {"67.33"}


@pytest.mark.bylaw("67.34a")
def test_order_of_cards_suits_ignored() -> None:
    ascending(1, *[f"{rank}{suit}" for rank, suit in zip("23456789TJQKA", "cdhscdhscdhsc", strict=True)])
    equal(1, "7c", "7d", "7h", "7s")


@pytest.mark.bylaw("67.35a")
def test_players_are_as_many_as_the_layout_has_places() -> None:
    assert (load(G).max_players, load(G).players_article) == (None, "67.35")


@pytest.mark.bylaw("67.36a", "67.40a")
def test_initial_bet_is_due_and_the_tie_bet_goes_with_it() -> None:
    assert set(due(G, "9c", "8d", {"initial": 10})) == {"initial"}
    assert set(due(G, "9c", "8d", {"initial": 10, "tie": 5})) == {"initial", "tie"}
    assert refusal(G, "9c", "8d", {"tie": 5}) == "67.36"
    assert refusal(G, "9c", "8d", {}) == "67.36"


@pytest.mark.bylaw("67.36b", "67.40b")
def test_first_card_locks_the_initial_bet_and_the_announcement_the_tie_bet() -> None:
    assert bet(G, "initial").lock == LOCK_FIRST_CARD
    assert bet(G, "tie").lock == LOCK_ANNOUNCEMENT
    assert bet(G, "additional").lock == LOCK_DECISIONS


@pytest.mark.bylaw("67.37a", "67.37b")
def test_one_card_face_up_to_each_player_and_the_dealer() -> None:
    assert deal(G)[:2] == [("deal", "seats", 1, "up"), ("deal", "dealer", 1, "up")]
    assert refusal(G, "9c 8c", "8d", {"initial": 10}) == "67.37"
    assert refusal(G, "9c", "", {"initial": 10}) == "67.37"


@pytest.mark.bylaw("67.38a")
def test_cards_are_compared_once_all_are_dealt() -> None:
    course = load(G).course
    assert course.index("deal") < course.index("settle_unequal") < course.index("decide") < course.index("settle")
    assert stage(load(G), "settle_unequal", {"initial": 10, "tie": 5}) == ("initial", "tie")


@pytest.mark.bylaw("67.38b")
def test_higher_card_wins_1_to_1() -> None:
    assert due(G, "Ac", "Kd", {"initial": 10}) == {"initial": ("win", 10, 10)}
    assert due(G, "3c", "2d", {"initial": 10}) == {"initial": ("win", 10, 10)}


@pytest.mark.bylaw("67.38c")
def test_lower_card_loses() -> None:
    assert due(G, "2c", "3d", {"initial": 10}) == {"initial": ("lose", 0, 0)}


@pytest.mark.bylaw("67.38d")
def test_equal_card_withdraws_for_half_or_goes_to_war() -> None:
    assert due(G, "9c", "9d", {"initial": 10}, "surrender") == {"initial": ("forfeit", 0, 5)}
    assert due(G, "9c", "9d", {"initial": 11}, "surrender") == {"initial": ("forfeit", 0, 6)}
    assert due(G, "9c", "9c", {"initial": 10, "additional": 10}, "war", "3c 2c")["initial"] == ("win", 10, 10)
    assert refusal(G, "9c", "9d", {"initial": 10}) == "67.38"
    assert refusal(G, "9c", "8d", {"initial": 10}, "surrender") == "67.38"


@pytest.mark.bylaw("67.39a")
def test_war_asks_for_as_much_as_the_initial_bet() -> None:
    for additional in (9, 11):
        assert refusal(G, "9c", "9d", {"initial": 10, "additional": additional}, "war", "3c 2c") == "67.39"
    assert refusal(G, "9c", "9d", {"initial": 10}, "war", "3c 2c") == "67.39"
    assert refusal(G, "9c", "9d", {"initial": 10, "additional": 10}, "surrender") == "67.39"


@pytest.mark.bylaw("67.39b")
def test_three_cards_are_burned_before_each_card_of_a_war() -> None:
    burn = ("war", "burn", 3, "")
    assert deal(G)[2:] == [burn, ("war", "seats_in", 1, "up"), burn, ("war", "dealer", 1, "up")]
    assert load(G).war_dealer_card == "own"
    assert most_cards(load(G), 1) == 10
    assert refusal(G, "9c", "9d", {"initial": 10, "additional": 10}, "war") == "67.39"


@pytest.mark.bylaw("67.39c")
def test_war_won_pays_the_initial_bet_only() -> None:
    lines = due(G, "9c", "9d", ALL, "war", "3c 2c")
    assert (lines["initial"], lines["additional"]) == (("win", 10, 10), ("push", 0, 10))


@pytest.mark.bylaw("67.39d")
def test_war_lost_loses_both_bets() -> None:
    lines = due(G, "9c", "9d", ALL, "war", "2c 3c")
    assert (lines["initial"], lines["additional"]) == (("lose", 0, 0), ("lose", 0, 0))


@pytest.mark.bylaw("67.39e")
def test_war_ending_equal_pays_both_bets() -> None:
    lines = due(G, "9c", "9d", ALL, "war", "3c 3d")
    assert (lines["initial"], lines["additional"]) == (("win", 10, 10), ("win", 10, 10))


@pytest.mark.bylaw("67.40c", "67.40d")
def test_tie_bet_is_paid_10_to_1_on_the_first_cards_whatever_follows() -> None:
    assert due(G, "9c", "8d", {"initial": 10, "tie": 5})["tie"] == ("lose", 0, 0)
    assert due(G, "8c", "9d", {"initial": 10, "tie": 5})["tie"] == ("lose", 0, 0)
    assert due(G, "9c", "9d", {"initial": 10, "tie": 5}, "surrender")["tie"] == ("win", 50, 5)
    for war in ("3c 2c", "2c 3c", "3c 3d"):
        assert due(G, "9c", "9d", ALL, "war", war)["tie"] == ("win", 50, 5)
