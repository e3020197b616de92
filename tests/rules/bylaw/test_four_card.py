"""Poker 4 cartes, sentence by sentence: articles 67.64 to 67.74; and 67.75 to 67.77, the hands of Fou du poker."""

import pytest

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS
from sabot.rules.games import load
from sabot.rules.ranking import FLUSH, HIGH, PAIR, QUADS, STRAIGHT, STRAIGHT_FLUSH, TRIPS, TWO_PAIR
from tests.rules.bylaw.at_table import ascending, bet, deal, due, equal, kind, outside_limits, refusal, too_many

G = "four_card"
ANTE, PLAY = {"ante": 10}, {"ante": 10, "play": 10}
HIGHER, LOWER, DEALER = "Kc Kd 2h 5s 7c", "Qc Jd 2h 5s 7c", "9c 9d 3h 4s 6c 8h"


@pytest.mark.bylaw("67.64a")
def test_one_or_two_packs() -> None:
    for decks in (1, 2):
        assert due(G, HIGHER, DEALER, PLAY, "play", decks=decks)
    assert [refusal(G, HIGHER, DEALER, PLAY, "play", decks=decks) for decks in (0, 3)] == ["67.64", "67.64"]


@pytest.mark.bylaw("67.64c", "67.75c")
def test_the_ace_completes_two_to_four() -> None:
    assert (kind("Ac 2c 3c 4c", 4), kind("Ac 2d 3h 4s", 4)) == (STRAIGHT_FLUSH, STRAIGHT)


@pytest.mark.bylaw("67.65a", "67.76a")
def test_descending_order_of_combinations() -> None:
    hands = [
        "Ac Kd Qh Ts",
        "2c 2d 3h 4s",
        "2c 2d 3h 3s",
        "Ac 2d 3h 4s",
        "2c 3c 4c 6c",
        "2c 2d 2h 3s",
        "Ac 2c 3c 4c",
        "2c 2d 2h 2s",
    ]
    order = [HIGH, PAIR, TWO_PAIR, STRAIGHT, FLUSH, TRIPS, STRAIGHT_FLUSH, QUADS]
    assert [kind(hand, 4) for hand in hands] == order
    ascending(4, *hands)
    # The lowest of each stands above the highest of the next.
    highest = ["Ac Kd Qh Ts", "Ac Ad Kh Qs", "Ac Ad Kh Ks", "Ac Kd Qh Js", "Ac Kc Qc Tc", "Ac Ad Ah Ks", "Ac Kc Qc Jc"]
    for high, low in zip(highest, hands[1:], strict=True):
        ascending(4, high, low)
    assert (load(G).contest.size, load("crazy_four").contest.size) == (4, 4)


@pytest.mark.bylaw("67.65b", "67.65d", "67.65h")
@pytest.mark.parametrize("held", [4, 3, 2])
def test_quads_trips_and_pairs_from_twos_to_aces(held: int) -> None:
    others = ["5s", "9s"][: 4 - held]
    ascending(4, *[" ".join([f"{rank}{suit}" for suit in "cdhs"[:held]] + others) for rank in "234TJQKA"])


@pytest.mark.bylaw("67.65c", "67.65f")
@pytest.mark.parametrize("suits", ["cccc", "cdhs"])
def test_straights_from_four_high_to_ace_high_and_no_wrap(suits: str) -> None:
    runs = ["A234", "2345", "3456", "4567", "5678", "6789", "789T", "89TJ", "9TJQ", "TJQK", "JQKA"]
    ascending(4, *[" ".join(rank + suit for rank, suit in zip(run, suits, strict=True)) for run in runs])
    assert kind("Qc Kd Ah 2s", 4) == HIGH
    assert kind("Kc Ad 2h 3s", 4) == HIGH


@pytest.mark.bylaw("67.65e")
def test_flush_is_four_of_one_suit() -> None:
    assert [kind(f"2{suit} 5{suit} 9{suit} J{suit}", 4) for suit in "cdhs"] == [FLUSH] * 4
    assert kind("2c 5c 9c Jd", 4) == HIGH


@pytest.mark.bylaw("67.65g")
def test_two_pairs_from_threes_and_twos_to_aces_and_kings() -> None:
    ascending(4, "3c 3d 2h 2s", "4c 4d 2h 2s", "4c 4d 3h 3s", "Ac Ad Qh Qs", "Ac Ad Kh Ks")


@pytest.mark.bylaw("67.66a", "67.77a")
def test_same_combination_goes_to_the_higher_card() -> None:
    ascending(4, "9c 9d 4h 2s", "9c 9d 5h 2s", "9c 9d 5h 3s", "Tc Td 4h 2s")
    ascending(4, "9c 9d 9h 2s", "9c 9d 9h As", "Tc Td Th 2s")
    ascending(4, "Kc 9c 5c 2c", "Kc 9c 5c 3c", "Kc Tc 5c 2c", "Ac 9c 5c 2c")


@pytest.mark.bylaw("67.66b", "67.77b")
def test_without_a_combination_the_higher_card_wins_one_after_another() -> None:
    ascending(4, "Kc Qd Jh 9s", "Ac 7d 4h 2s", "Ac 7d 5h 2s", "Ac 7d 5h 3s")


@pytest.mark.bylaw("67.66c", "67.77c")
def test_otherwise_hands_are_equal() -> None:
    equal(4, "9c 9d 5h 4s", "9h 9s 5c 4d")
    equal(4, "Ac 7d 5h 4s", "Ad 7h 5s 4c")
    equal(4, "9c 9d 5h 4s 2c", "9h 9s 5c 4d 3h")


@pytest.mark.bylaw("67.67a")
def test_at_most_seven_players() -> None:
    assert load(G).max_players == 7
    assert too_many(G, 8, {"cards": [], "bets": ANTE}) == "67.67"
    assert too_many(G, 7, {"cards": [], "bets": ANTE}) is None


@pytest.mark.bylaw("67.68a", "67.74a")
def test_ante_or_aces_up_or_both() -> None:
    assert set(due(G, HIGHER, DEALER, {"aces_up": 5})) == {"aces_up"}
    assert set(due(G, HIGHER, DEALER, ANTE, "fold")) == {"ante"}
    assert set(due(G, HIGHER, DEALER, {**ANTE, "aces_up": 5}, "fold")) == {"ante", "aces_up"}
    assert refusal(G, HIGHER, DEALER, {}) == "67.68"


@pytest.mark.bylaw("67.68b", "67.68d", "67.74b")
def test_the_announcement_locks_all_but_the_bet_of_the_decision() -> None:
    assert {each.name: each.lock for each in load(G).bets} == {
        "ante": LOCK_ANNOUNCEMENT,
        "aces_up": LOCK_ANNOUNCEMENT,
        "play": LOCK_DECISIONS,
    }
    assert refusal(G, HIGHER, DEALER, {"aces_up": 5, "play": 5}) == "67.70"


@pytest.mark.bylaw("67.68c", "67.74b")
@pytest.mark.parametrize("name", ["ante", "aces_up"])
def test_limits(name: str) -> None:
    assert outside_limits(G, {**ANTE, "aces_up": 5}, name) == ["67.68", "67.68"]


@pytest.mark.bylaw("67.69a")
def test_five_cards_to_each_player_then_six_to_the_dealer_one_open() -> None:
    assert deal(G) == [("deal", "seats", 5, "down"), ("deal", "dealer", 5, "down"), ("deal", "dealer", 1, "up")]
    assert refusal(G, "Kc Kd 2h 5s", DEALER, ANTE, "fold") == "67.69"
    assert refusal(G, HIGHER, "9c 9d 3h 4s 6c", ANTE, "fold") == "67.69"


@pytest.mark.bylaw("67.70a")
def test_additional_bet_is_from_one_to_three_times_the_ante() -> None:
    for play in (10, 11, 25, 30):
        assert due(G, HIGHER, DEALER, {"ante": 10, "play": play}, "play")["play"] == ("win", play, play)
    for play in (9, 31):
        assert refusal(G, HIGHER, DEALER, {"ante": 10, "play": play}, "play") == "67.70"
    assert refusal(G, HIGHER, DEALER, ANTE) == "67.70"


@pytest.mark.bylaw("67.70b")
def test_without_it_the_ante_is_lost() -> None:
    lines = due(G, "As Ks Qs Js 2c", DEALER, {**ANTE, "aces_up": 5}, "fold")
    assert lines == {"ante": ("forfeit", 0, 0), "aces_up": ("win", 150, 5)}


@pytest.mark.bylaw("67.71a")
def test_the_dealer_plays_the_best_four_of_all_his_six_cards() -> None:
    lost = {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}
    assert due(G, HIGHER, "9c 9d 3h 4s 8c 9h", PLAY, "play") == lost
    assert due(G, HIGHER, "9c Td 3h Js 4c Qh", PLAY, "play") == lost
    assert due(G, HIGHER, "2c 3d 5h 6s 8c Th", PLAY, "play")["ante"][0] == "win"
    assert load(G).contest.opens is None


@pytest.mark.bylaw("67.72a")
def test_the_player_plays_the_best_four_of_his_five_cards() -> None:
    won = {"ante": ("win", 10, 10), "play": ("win", 10, 10)}
    assert due(G, "2c Td 3h Js 4c", "Kc Kd 3s 5s 7c 8h", PLAY, "play")["ante"] == ("lose", 0, 0)
    assert due(G, "2c 5d 3h Js 4c", "Kc Kd 3s 5s 7c 8h", PLAY, "play") == won


@pytest.mark.bylaw("67.72b", "67.72c")
def test_equal_or_higher_is_paid_1_to_1() -> None:
    won = {"ante": ("win", 10, 10), "play": ("win", 30, 30)}
    bets = {"ante": 10, "play": 30}
    assert due(G, HIGHER, DEALER, bets, "play") == won
    assert due(G, "9h 9s 8d 6d 2h", "9c 9d 8h 6c 2s 3d", bets, "play") == won
    assert due(G, LOWER, DEALER, bets, "play") == {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}


@pytest.mark.bylaw("67.73a", "67.73b")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [("7c 7d 7h 7s 2c", 25), ("7c 8c 9c Tc 2d", 20), ("7c 7d 7h 2s 3c", 2), ("2c 5c 9c Jc Kd", 0)],
)
@pytest.mark.parametrize("dealer", ["Ac Ad Ah As 6c 4h", "Ac Jd 4h 6s 8d 2h"])
def test_bonus_on_the_ante_whatever_the_dealer_holds(hand: str, ratio: int, dealer: str) -> None:
    lines = due(G, hand, dealer, PLAY, "play")
    assert lines.get("ante_bonus", ("win", 0, 0)) == ("win", 10 * ratio, 0)
    assert "ante_bonus" not in due(G, hand, dealer, ANTE, "fold")


@pytest.mark.bylaw("67.74c", "67.74d")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [
        ("7c 7d 7h 7s 2c", 50),
        ("7c 8c 9c Tc 2d", 30),
        ("7c 7d 7h 2s 3c", 7),
        ("2c 5c 9c Jc Kd", 5),
        ("Ac 2d 3h 4s 9c", 4),
        ("7c 7d 3h 3s 9c", 2),
        ("Ac Ad 3h 5s 9c", 1),
        ("Kc Kd 3h 5s 9c", None),
        ("Ac Kd 3h 5s 9c", None),
    ],
)
@pytest.mark.parametrize("dealer", ["Qc Qd Qh Qs 6c 4h", "Qc Jd 4h 6s 8d 2h"])
def test_aces_up_whatever_the_dealer_holds(hand: str, ratio: int | None, dealer: str) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 5 * ratio, 5)
    assert due(G, hand, dealer, {"aces_up": 5})["aces_up"] == expected
    assert due(G, hand, dealer, {**ANTE, "aces_up": 5}, "fold")["aces_up"] == expected
    assert bet(G, "aces_up").table.article == "67.74"
