"""Poker de Boston, sentence by sentence: articles 67.51 to 67.63.

Its three-card order is tested with Poker 3 cartes, the order of its combinations of five cards with Poker 3-5-7.
"""

import pytest

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS
from sabot.rules.games import load
from sabot.rules.ranking import HIGH, STRAIGHT
from tests.rules.bylaw.at_table import ascending, bet, deal, due, equal, kind, outside_limits, refusal, too_many

G = "boston"
OPEN = {"ante": 10, "first": 20}
ALL = {**OPEN, "second": 20}
HIGHER, LOWER, DEALER = "Kc Kd 2h 5s 7c", "Qc Jd 2h 5s 7c", "9c 9d 3h 4s 6c"


@pytest.mark.bylaw("67.51a")
def test_one_or_two_packs() -> None:
    for decks in (1, 2):
        assert due(G, HIGHER, DEALER, ALL, "play", decks=decks)
    assert [refusal(G, HIGHER, DEALER, ALL, "play", decks=decks) for decks in (0, 3)] == ["67.51", "67.51"]


@pytest.mark.bylaw("67.52a")
def test_at_most_seven_players() -> None:
    assert load(G).max_players == 7
    assert too_many(G, 8, {"cards": [], "bets": OPEN}) == "67.52"
    assert too_many(G, 7, {"cards": [], "bets": OPEN}) is None


@pytest.mark.bylaw("67.54b", "67.54e")
@pytest.mark.parametrize("suits", ["ccccc", "cdhsc"])
def test_straights_from_five_high_to_ace_high_and_no_wrap(suits: str) -> None:
    runs = ["A2345", "23456", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA"]
    ascending(5, *[" ".join(rank + suit for rank, suit in zip(run, suits, strict=True)) for run in runs])
    assert kind("Qc Kd Ah 2s 3c", 5) == HIGH
    assert kind("Ac 2d 3h 4s 5c", 5) == STRAIGHT


@pytest.mark.bylaw("67.54c", "67.54f", "67.54h")
@pytest.mark.parametrize("held", [4, 3, 2])
def test_quads_trips_and_pairs_from_twos_to_aces(held: int) -> None:
    others = ["5s", "6s", "9s"][: 5 - held]
    hands = [" ".join([f"{rank}{suit}" for suit in "cdhs"[:held]] + others) for rank in "234TJQKA"]
    ascending(5, *hands)


@pytest.mark.bylaw("67.54d")
def test_full_houses_from_twos_full_of_threes_to_aces_full_of_kings() -> None:
    ascending(5, "2c 2d 2h 3s 3c", "2c 2d 2h As Ac", "3c 3d 3h 2s 2c", "Ac Ad Ah Qs Qc", "Ac Ad Ah Ks Kc")


@pytest.mark.bylaw("67.54g")
def test_two_pairs_from_threes_and_twos_to_aces_and_kings() -> None:
    ascending(5, "3c 3d 2h 2s Ac", "4c 4d 2h 2s 3c", "4c 4d 3h 3s 2c", "Ac Ad Qh Qs Kc", "Ac Ad Kh Ks 2c")


@pytest.mark.bylaw("67.55a")
def test_same_combination_goes_to_the_higher_card() -> None:
    ascending(5, "9c 9d 4h 3s 2c", "9c 9d 5h 3s 2c", "9c 9d 5h 4s 2c", "9c 9d 5h 4s 3c", "Tc Td 4h 3s 2c")
    ascending(5, "9c 9d 5h 5s 2c", "9c 9d 5h 5s Ac", "9c 9d 6h 6s 2c")
    ascending(5, "Kc 9c 5c 4c 2c", "Kc 9c 5c 4c 3c", "Kc Tc 5c 4c 2c", "Ac 9c 5c 4c 2c")


@pytest.mark.bylaw("67.55b")
def test_without_a_combination_the_higher_card_wins_one_after_another() -> None:
    ascending(5, "Kc Qd Jh Ts 8c", "Ac 7d 4h 3s 2c", "Ac 7d 5h 3s 2c", "Ac 7d 5h 4s 2c", "Ac 7d 5h 4s 3c")


@pytest.mark.bylaw("67.55c")
def test_otherwise_hands_are_equal_and_bets_are_null() -> None:
    equal(5, "9c 9d 5h 4s 3c", "9h 9s 5c 4d 3h")
    equal(5, "Ac 7d 5h 4s 3c", "Ad 7h 5s 4c 3d")
    lines = due(G, "9c 9d 5h 4s 3c", "9h 9s 5c 4d 3h", ALL, "play")
    assert lines == {"ante": ("push", 0, 10), "first": ("push", 0, 20), "second": ("push", 0, 20)}


@pytest.mark.bylaw("67.56a")
def test_ante_and_first_additional_bet_of_twice_the_ante_are_due() -> None:
    assert refusal(G, "Kc Kd 2h", "9c 9d 3h", {"ante": 10}, "fold") == "67.56"
    assert refusal(G, "Kc Kd 2h", "9c 9d 3h", {"first": 20}, "fold") == "67.56"
    for first in (10, 19, 21):
        assert refusal(G, HIGHER, DEALER, {"ante": 10, "first": first, "second": 20}, "play") == "67.56"


@pytest.mark.bylaw("67.56b")
def test_bonus_is_optional_and_never_alone() -> None:
    assert "bonus" not in due(G, HIGHER, DEALER, ALL, "play")
    assert due(G, HIGHER, DEALER, {**ALL, "bonus": 5}, "play")["bonus"] == ("win", 5, 5)
    assert refusal(G, "Kc Kd 2h", "9c 9d 3h", {"bonus": 5}) == "67.56"


@pytest.mark.bylaw("67.56c", "67.56e")
def test_the_announcement_locks_all_but_the_bet_of_the_decision() -> None:
    assert {each.name: each.lock for each in load(G).bets} == {
        "ante": LOCK_ANNOUNCEMENT,
        "first": LOCK_ANNOUNCEMENT,
        "second": LOCK_DECISIONS,
        "bonus": LOCK_ANNOUNCEMENT,
    }


@pytest.mark.bylaw("67.56d")
@pytest.mark.parametrize("name", ["ante", "first", "bonus"])
def test_limits(name: str) -> None:
    assert outside_limits(G, {**OPEN, "bonus": 5}, name) == ["67.56", "67.56"]


@pytest.mark.bylaw("67.57a", "67.60a")
def test_three_cards_each_then_two_to_those_who_stay_and_the_dealer() -> None:
    assert deal(G) == [
        ("deal", "seats", 3, "down"),
        ("deal", "dealer", 3, "down"),
        ("deal_second", "seats_in", 2, "down"),
        ("deal_second", "dealer", 2, "down"),
    ]
    course = load(G).course
    assert course.index("deal") < course.index("close") < course.index("deal_second") < course.index("reveal_dealer")
    assert refusal(G, "Kc Kd", DEALER, OPEN, "fold") == "67.57"
    assert refusal(G, "Kc Kd 2h 5s", DEALER, ALL, "play") == "67.60"
    assert refusal(G, HIGHER, "9c 9d 3h", ALL, "play") == "67.60"


@pytest.mark.bylaw("67.58a")
def test_second_additional_bet_is_twice_the_ante() -> None:
    for second in (10, 19, 21):
        assert refusal(G, HIGHER, DEALER, {**OPEN, "second": second}, "play") == "67.58"
    assert refusal(G, HIGHER, DEALER, OPEN, "play") == "67.58"
    assert refusal(G, "Kc Kd 2h", DEALER, OPEN) == "67.58"


@pytest.mark.bylaw("67.58b")
def test_without_it_ante_and_first_are_lost() -> None:
    lines = due(G, "As Ks Qs", "2c 3d 5h", {**OPEN, "bonus": 5}, "fold")
    assert lines == {"ante": ("forfeit", 0, 0), "first": ("forfeit", 0, 0), "bonus": ("win", 200, 5)}


@pytest.mark.bylaw("67.59a", "67.59b")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [("7c 8c 9c", 40), ("7c 7d 7h", 30), ("7c 8d 9h", 6), ("7c 9c Jc", 4), ("2c 2d 3h", 1), ("Ac Kd Jh", None)],
)
def test_bonus_is_paid_on_the_first_three_cards(hand: str, ratio: int | None) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 5 * ratio, 5)
    bets = {**ALL, "bonus": 5}
    assert due(G, hand + " Ts Js", "Qc Qd 4h 5s 6s", bets, "play")["bonus"] == expected
    assert due(G, hand, "Qc Qd 4h", {**OPEN, "bonus": 5}, "fold")["bonus"] == expected


@pytest.mark.bylaw("67.61a")
def test_the_dealer_always_plays_his_best_hand() -> None:
    assert load(G).contest.opens is None
    assert load(G).contest[:3] == (5, 5, 5)
    assert due(G, "3c 4d 5h 6s 8c", "2c 4h 5s 6c 8d", ALL, "play")["first"] == ("win", 20, 20)
    assert load(G).course[-2:] == ("reveal_dealer", "settle")


@pytest.mark.bylaw("67.62a", "67.62b")
def test_higher_hand_is_paid_1_to_1_on_both_and_the_ante_is_null() -> None:
    lines = due(G, HIGHER, DEALER, ALL, "play")
    assert lines == {"ante": ("push", 0, 10), "first": ("win", 20, 20), "second": ("win", 20, 20)}
    lines = due(G, LOWER, DEALER, ALL, "play")
    assert lines == {"ante": ("lose", 0, 0), "first": ("lose", 0, 0), "second": ("lose", 0, 0)}


@pytest.mark.bylaw("67.63a", "67.63b")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [
        ("As Ks Qs Js Ts", 1000),
        ("9s Ks Qs Js Ts", 200),
        ("9c 9d 9h 9s 2c", 100),
        ("9c 9d 9h 2s 2c", 25),
        ("2c 4c 9c Jc Kc", 15),
        ("Ac 2d 3h 4s 5c", 8),
        ("9c 9d 9h 2s 3c", 5),
        ("Tc Td 3h 3s 4c", 2),
    ],
)
@pytest.mark.parametrize("dealer", ["8c 8d 8h 8s 7c", "2d 3d 4h 6d 7h"])
def test_the_ante_wins_whatever_the_dealer_holds(hand: str, ratio: int, dealer: str) -> None:
    assert due(G, hand, dealer, ALL, "play", decks=2)["ante"] == ("win", 10 * ratio, 10)
    assert bet(G, "ante").table.article == "67.63"


@pytest.mark.bylaw("67.63b")
def test_two_pair_below_tens_is_not_paid() -> None:
    assert due(G, "9c 9d 8h 8s 2c", "Ac Kd 4h 6s 7c", ALL, "play")["ante"] == ("push", 0, 10)
    assert due(G, "9c 9d 8h 8s 2c", "Ac Ad Ah 6s 7c", ALL, "play")["ante"] == ("lose", 0, 0)
    assert due(G, "Tc Td 8h 8s 2c", "Ac Ad Ah 6s 7c", ALL, "play")["ante"] == ("win", 20, 10)
