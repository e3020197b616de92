"""Poker 3-5-7, sentence by sentence: articles 67.41 to 67.50. Its three-card order is tested with Poker 3 cartes."""

import pytest

from sabot.rules.cards import RANKS
from sabot.rules.game import LOCK_ANNOUNCEMENT
from sabot.rules.games import load
from sabot.rules.ranking import FLUSH, FULL_HOUSE, HIGH, PAIR, QUADS, ROYAL, STRAIGHT, STRAIGHT_FLUSH, TRIPS, TWO_PAIR
from sabot.rules.settle import stage
from tests.rules.bylaw.at_table import ascending, deal, due, kind, outside_limits, refusal, too_many

G = "poker_357"
TWO = {"three": 10, "five": 10}
ALL = {"three": 10, "five": 10, "seven": 10}
NOTHING, DEALER = "9c 7d 2h", "Kc Jd 4h 5s"


@pytest.mark.bylaw("67.41a")
def test_one_or_two_packs() -> None:
    for decks in (1, 2):
        assert due(G, NOTHING, DEALER, TWO, decks=decks)
    assert [refusal(G, NOTHING, DEALER, TWO, decks=decks) for decks in (0, 3)] == ["67.41", "67.41"]


@pytest.mark.bylaw("67.41b", "67.51b", "67.64b", "67.75b")
def test_value_of_cards_is_that_of_67_1() -> None:
    assert RANKS == "23456789TJQKA"


@pytest.mark.bylaw("67.41c", "67.51c")
def test_the_ace_completes_two_and_three() -> None:
    assert (kind("Ac 2c 3c", 3), kind("Ac 2d 3h", 3), kind("Kc Ad 2h", 3)) == (STRAIGHT_FLUSH, STRAIGHT, HIGH)


@pytest.mark.bylaw("67.41d", "67.51d")
def test_the_ace_completes_two_to_five() -> None:
    assert (kind("Ac 2c 3c 4c 5c", 5), kind("Ac 2d 3h 4s 5c", 5)) == (STRAIGHT_FLUSH, STRAIGHT)
    assert kind("Kc Ad 2h 3s 4c 9d Jh", 5) == HIGH


@pytest.mark.bylaw("67.42a")
def test_at_most_seven_players() -> None:
    assert load(G).max_players == 7
    assert too_many(G, 8, {"cards": [], "bets": TWO}) == "67.42"
    assert too_many(G, 7, {"cards": [], "bets": TWO}) is None


@pytest.mark.bylaw("67.44a", "67.54a")
def test_descending_order_of_combinations() -> None:
    hands = [
        "Ac Kd Qh Js 9c",
        "2c 2d 3h 4s 5c",
        "2c 2d 3h 3s 4c",
        "2c 2d 2h 3s 4c",
        "Ac 2d 3h 4s 5c",
        "2c 3c 4c 5c 7c",
        "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c",
        "Ac 2c 3c 4c 5c",
        "As Ks Qs Js Ts",
    ]
    order = [HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL]
    assert [kind(hand, 5) for hand in hands] == order
    ascending(5, *hands)
    assert [kind(hand + " 7d 9h", 5) for hand in hands[3:]] == order[3:]


@pytest.mark.bylaw("67.45a")
def test_bets_on_three_and_five_cards_are_due_and_distinct() -> None:
    assert due(G, NOTHING, DEALER, {"three": 10, "five": 700})["five"] == ("lose", 0, 0)
    assert refusal(G, NOTHING, DEALER, {"three": 10}) == "67.45"
    assert refusal(G, NOTHING, DEALER, {"five": 10, "seven": 5}) == "67.45"


@pytest.mark.bylaw("67.45b")
def test_bet_on_seven_cards_is_optional() -> None:
    assert set(due(G, NOTHING, DEALER, TWO)) == {"three", "five"}
    assert set(due(G, NOTHING, DEALER, ALL, "stay")) == {"three", "five", "seven"}


@pytest.mark.bylaw("67.45c", "67.45e")
def test_the_announcement_locks_every_bet_and_the_decision_opens_none() -> None:
    assert {each.lock for each in load(G).bets} == {LOCK_ANNOUNCEMENT}
    assert load(G).decision.bet is None


@pytest.mark.bylaw("67.45d")
@pytest.mark.parametrize("bet", ["three", "five", "seven"])
def test_limits(bet: str) -> None:
    assert outside_limits(G, ALL, bet) == ["67.45", "67.45"]


@pytest.mark.bylaw("67.46a")
def test_three_cards_to_each_player_then_four_to_the_dealer() -> None:
    assert deal(G) == [("deal", "seats", 3, "down"), ("deal", "dealer", 4, "down")]
    assert refusal(G, NOTHING + " 3c", DEALER, TWO) == "67.46"
    assert refusal(G, NOTHING, "Kc Jd 4h", TWO) == "67.46"


@pytest.mark.bylaw("67.47a")
def test_only_the_seven_can_be_withdrawn_and_only_by_who_made_it() -> None:
    lines = due(G, "9c 9d 2h", DEALER, ALL, "withdraw")
    assert (lines["three"], lines["five"], lines["seven"]) == (("win", 10, 10), ("win", 10, 10), ("forfeit", 0, 5))
    assert refusal(G, NOTHING, DEALER, TWO, "withdraw") == "67.47"
    assert refusal(G, NOTHING, DEALER, ALL) == "67.47"


@pytest.mark.bylaw("67.47b")
def test_withdrawal_closes_before_the_dealer_shows_two_cards() -> None:
    course = load(G).course
    assert course.index("deal") < course.index("decide") < course.index("close") < course.index("reveal_dealer_two")


@pytest.mark.bylaw("67.47c")
def test_withdrawal_costs_half() -> None:
    assert due(G, "9c 9d 9h", "9s Jd 4h 5s", ALL, "withdraw")["seven"] == ("forfeit", 0, 5)
    assert due(G, NOTHING, DEALER, {**TWO, "seven": 7}, "withdraw")["seven"] == ("forfeit", 0, 4)


@pytest.mark.bylaw("67.48a", "67.49a", "67.50a")
def test_three_reveals_and_settlements_in_turn() -> None:
    shown = load(G).course[3:]
    assert shown == (
        "reveal_seats",
        "settle_three",
        "reveal_dealer_two",
        "settle_five",
        "reveal_dealer_rest",
        "settle_seven",
    )
    assert [stage(load(G), step, ALL) for step in shown[1::2]] == [("three",), ("five",), ("seven",)]


@pytest.mark.bylaw("67.48b", "67.48c")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [("7c 8c 9c", 40), ("7c 7d 7h", 25), ("7c 8d 9h", 6), ("7c 9c Jc", 4), ("2c 2d 3h", 1), ("Ac Kd Jh", None)],
)
def test_three(hand: str, ratio: int | None) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 10 * ratio, 10)
    assert due(G, hand, "Qs Td 4s 2s", TWO)["three"] == expected


@pytest.mark.bylaw("67.49b")
def test_five_counts_the_first_two_cards_of_the_dealer() -> None:
    assert due(G, "9c 7d 2h", "9h 9s 4h 5s", TWO)["five"] == ("win", 40, 10)
    assert due(G, "9c 7d 2h", "4h 5s 9h 9s", TWO)["five"] == ("lose", 0, 0)


@pytest.mark.bylaw("67.49c")
@pytest.mark.parametrize(
    ("hand", "two", "ratio"),
    [
        ("As Ks Qs", "Js Ts", 500),
        ("9s Ks Qs", "Js Ts", 100),
        ("As 2s 3s", "4s 5s", 100),
        ("9c 9d 9h", "9s 2c", 40),
        ("9c 9d 9h", "2s 2c", 12),
        ("2c 4c 9c", "Jc Kc", 9),
        ("Ac 2d 3h", "4s 5c", 6),
        ("9c 9d 9h", "2s 3c", 4),
        ("2c 2d 3h", "3s 4c", 3),
        ("6c 6d 2h", "3s 9c", 1),
        ("Ac Ad 2h", "3s 9c", 1),
        ("5c 5d Ah", "Ks Qc", None),
        ("Ac Kd Qh", "Js 9c", None),
    ],
)
def test_five(hand: str, two: str, ratio: int | None) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 10 * ratio, 10)
    rest = "8d 7h" if "8" not in hand + two and "7" not in hand + two else "4d 6h"
    assert due(G, hand, f"{two} {rest}", TWO)["five"] == expected


@pytest.mark.bylaw("67.50b", "67.50c")
def test_seven_counts_the_best_five_of_all_seven_cards() -> None:
    assert due(G, "9c 9d 2h", "Kc Jd 9h 9s", ALL, "stay")["seven"] == ("win", 70, 10)
    assert due(G, "9c Td 2h", "Jc Qd Kh 3s", ALL, "stay")["seven"] == ("win", 30, 10)
    assert due(G, "2c 2d 3h", "3s Tc Td 4h", ALL, "stay")["seven"] == ("win", 10, 10)


@pytest.mark.bylaw("67.50d")
@pytest.mark.parametrize(
    ("hand", "dealer", "ratio"),
    [
        ("As Ks Qs", "2c Js 3d Ts", 100),
        ("9s Ks Qs", "2c Js 3d Ts", 20),
        ("9c 9d 9h", "9s 2c 3d 4h", 7),
        ("9c 9d 9h", "2s 2c 7d 4h", 5),
        ("2c 4c 9c", "Jc Kc 5d 7h", 4),
        ("Ac 2d 3h", "4s 5c 9d Jh", 3),
        ("9c 9d 9h", "2s 3c 5d Jh", 2),
        ("Tc Td 3h", "3s 4c 7d Qh", 1),
        ("9c 9d 3h", "3s 4c 7d Qh", None),
        ("Ac Ad 3h", "2s 9c 7d Qh", None),
    ],
)
def test_seven(hand: str, dealer: str, ratio: int | None) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 10 * ratio, 10)
    assert due(G, hand, dealer, ALL, "stay")["seven"] == expected
