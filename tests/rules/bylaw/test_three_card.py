"""Poker 3 cartes, sentence by sentence: articles 67.22 to 67.32, and article 6."""

import pytest

from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_DECISIONS
from sabot.rules.games import GAMES, load
from sabot.rules.ranking import FLUSH, HIGH, PAIR, STRAIGHT, STRAIGHT_FLUSH, TRIPS
from tests.rules.bylaw.at_table import ascending, bet, deal, due, equal, kind, refusal

G = "three_card"
BOTH = {"ante": 10, "pair_plus": 5}
NOTHING = "9c 7d 2h"


@pytest.mark.bylaw("6a")
@pytest.mark.parametrize("game", GAMES)
def test_packs_hold_52_cards_each(game: str) -> None:
    decks = load(game).decks[0]
    known = refusal(game, " ".join(["As"] * (decks + 1)), "", {})
    assert (known, refusal(game, "1s", "", {}), refusal(game, "Xs", "", {})) == ("6", "6", "6")


@pytest.mark.bylaw("67.22a")
def test_one_or_two_packs() -> None:
    for decks in (1, 2):
        assert due(G, NOTHING, "Kc 9d 4h", {"pair_plus": 5}, decks=decks)
    assert [refusal(G, NOTHING, "Kc 9d 4h", {"pair_plus": 5}, decks=decks) for decks in (0, 3)] == ["67.22", "67.22"]


@pytest.mark.bylaw("67.22b")
def test_order_of_cards() -> None:
    ascending(
        3, *[f"{high}c {low}d {lower}h" for high, low, lower in ("642", "742", "842", "942", "T42", "J42", "Q42")]
    )
    ascending(3, "Qc 4d 2h", "Kc 4d 2h", "Ac 4d 2h")
    ascending(3, *[f"{each}c {each}d {'2' if each != '2' else '3'}h" for each in "23456789TJQKA"])


@pytest.mark.bylaw("67.22c")
def test_the_ace_completes_two_and_three_and_nothing_in_the_middle() -> None:
    assert (kind("Ac 2c 3c", 3), kind("Ac 2d 3h", 3)) == (STRAIGHT_FLUSH, STRAIGHT)
    assert (kind("Kc Ad 2h", 3), kind("Kc Ac 2c", 3)) == (HIGH, FLUSH)


@pytest.mark.bylaw("67.23a", "67.43a", "67.53a")
def test_descending_order_of_combinations() -> None:
    hands = ["Ac Kd Jh", "2c 2d 3h", "2c 3c 5c", "Ac 2d 3h", "2c 2d 2h", "Ac 2c 3c"]
    assert [kind(hand, 3) for hand in hands] == [HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH]
    ascending(3, *hands)
    # The lowest of each stands above the highest of the next.
    ascending(3, "Ac Kd Jh", "2c 2d 3h", "Ac Ad Kh", "2c 3c 5c", "Ac Kc Jc", "Ac 2d 3h", "Ac Kd Qh", "2c 2d 2h")
    ascending(3, "Ac Ad Ah", "Ac 2c 3c")


@pytest.mark.bylaw("67.23b", "67.23d")
@pytest.mark.parametrize("suits", ["ccc", "cdh"])
def test_highest_and_lowest_straights(suits: str) -> None:
    runs = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
    ascending(3, *[" ".join(rank + suit for rank, suit in zip(run, suits, strict=True)) for run in runs])


@pytest.mark.bylaw("67.23c", "67.23f")
def test_trips_and_pairs_from_twos_to_aces() -> None:
    ascending(3, *[f"{rank}c {rank}d {rank}h" for rank in "23456789TJQKA"])
    ascending(3, "2c 2d Ah", "3c 3d 2h", "Kc Kd Ah", "Ac Ad 2h")


@pytest.mark.bylaw("67.23e")
def test_flush_is_three_of_one_suit() -> None:
    assert [kind(f"2{suit} 9{suit} J{suit}", 3) for suit in "cdhs"] == [FLUSH] * 4
    assert kind("2c 9c Jd", 3) == HIGH


@pytest.mark.bylaw("67.24a")
def test_same_combination_goes_to_the_higher_card() -> None:
    ascending(3, "9c 9d 2h", "9c 9d Ah", "Tc Td 2h")
    ascending(3, "Kc 4c 2c", "Kc 5c 2c", "Kc 5c 3c", "Ac 4c 2c")


@pytest.mark.bylaw("67.24b")
def test_without_a_combination_the_higher_card_wins_one_after_another() -> None:
    ascending(3, "Kc Qd 2h", "Ac 4d 2h", "Ac 5d 2h", "Ac 5d 3h")


@pytest.mark.bylaw("67.24c")
def test_otherwise_hands_are_equal_whatever_the_suits() -> None:
    equal(3, "Ac 5d 3h", "As 5h 3d")
    equal(3, "9c 9d 2h", "9s 9h 2d")
    equal(3, "Kc 5c 3c", "Kd 5d 3d")
    bets = {"ante": 10, "play": 10}
    assert due(G, "Ac 5d 3h", "As 5h 3d", bets, "play") == {"ante": ("push", 0, 10), "play": ("push", 0, 10)}


@pytest.mark.bylaw("67.25a")
def test_players_are_as_many_as_the_layout_has_places() -> None:
    assert load(G).max_players is None
    assert load(G).players_article == "67.25"


@pytest.mark.bylaw("67.26a", "67.32a")
def test_ante_or_pair_plus_or_both() -> None:
    assert set(due(G, NOTHING, "Kc 9d 4h", {"pair_plus": 5})) == {"pair_plus"}
    assert set(due(G, NOTHING, "Kc 9d 4h", {"ante": 10}, "fold")) == {"ante"}
    assert set(due(G, NOTHING, "Kc 9d 4h", BOTH, "fold")) == {"ante", "pair_plus"}
    assert refusal(G, NOTHING, "Kc 9d 4h", {}) == "67.26"


@pytest.mark.bylaw("67.26b", "67.26c")
def test_the_announcement_locks_all_but_the_bet_of_the_decision() -> None:
    assert {each.name: each.lock for each in load(G).bets} == {
        "ante": LOCK_ANNOUNCEMENT,
        "pair_plus": LOCK_ANNOUNCEMENT,
        "play": LOCK_DECISIONS,
    }
    assert refusal(G, NOTHING, "Kc 9d 4h", {"pair_plus": 5, "play": 5}) == "67.28"


@pytest.mark.bylaw("67.27a")
def test_three_cards_face_down_to_each_player_and_the_dealer() -> None:
    assert deal(G) == [("deal", "seats", 3, "down"), ("deal", "dealer", 3, "down")]
    assert refusal(G, "9c 7d", "Kc 9d 4h", {"pair_plus": 5}) == "67.27"
    assert refusal(G, NOTHING, "Kc 9d 4h 2c", {"pair_plus": 5}) == "67.27"


@pytest.mark.bylaw("67.28a")
def test_the_additional_bet_is_the_ante() -> None:
    assert due(G, "Ac 9d 2h", "Kc 9h 4h", {"ante": 10, "play": 10}, "play")["play"] == ("win", 10, 10)
    for play in (9, 11):
        assert refusal(G, NOTHING, "Kc 9d 4h", {"ante": 10, "play": play}, "play") == "67.28"
    assert refusal(G, NOTHING, "Kc 9d 4h", {"ante": 10}) == "67.28"


@pytest.mark.bylaw("67.28b")
def test_without_it_the_ante_is_lost() -> None:
    assert due(G, "Ac Kc Qc", "9c 7d 2h", {"ante": 10}, "fold") == {"ante": ("forfeit", 0, 0)}
    assert due(G, "Ac Ad 2h", "9c 7d 2c", BOTH, "fold")["pair_plus"] == ("win", 5, 5)


@pytest.mark.bylaw("67.29a", "67.30a")
def test_dealer_shows_first_then_hands_are_compared() -> None:
    assert load(G).course[-2:] == ("reveal_dealer", "settle")
    assert load(G).contest[:3] == (3, 3, 3)
    bets = {"ante": 10, "play": 10}
    assert due(G, "Ac 5d 4h", "As 5h 3d", bets, "play") == {"ante": ("win", 10, 10), "play": ("win", 10, 10)}
    assert due(G, "As 5h 3d", "Ac 5d 4h", bets, "play") == {"ante": ("lose", 0, 0), "play": ("lose", 0, 0)}


@pytest.mark.bylaw("67.29b", "67.29c")
@pytest.mark.parametrize(
    ("dealer", "opens"),
    [("Jc Td 8h", False), ("Qc 3d 2h", True), ("Kc 3d 2h", True), ("Ac 4d 2h", True)]
    + [(hand, True) for hand in ("2c 2d 3h", "2c 3c 5c", "2d 3h 4c", "2c 2d 2h", "2d 3d 4d", "Ad 2h 3c")],
)
def test_dealer_opens_with_a_queen_or_better_else_ante_is_paid_and_play_null(dealer: str, opens: bool) -> None:
    lines = due(G, "Ks Kh 7s", dealer, {"ante": 10, "play": 10}, "play")
    if not opens:
        assert lines == {"ante": ("win", 10, 10), "play": ("push", 0, 10)}
        assert due(G, "9s 8d 2s", dealer, {"ante": 10, "play": 10}, "play") == lines
    else:
        assert lines["ante"][0] == lines["play"][0] != "push"


@pytest.mark.bylaw("67.30b")
def test_ante_and_play_are_paid_1_to_1() -> None:
    lines = due(G, "Ac Kd 2h", "Kc 9d 4h", {"ante": 250, "play": 250}, "play")
    assert lines == {"ante": ("win", 250, 250), "play": ("win", 250, 250)}


@pytest.mark.bylaw("67.31a", "67.31b")
@pytest.mark.parametrize(("hand", "ratio"), [("7c 8c 9c", 5), ("7c 7d 7h", 4), ("7c 8d 9h", 1), ("7c 9c Jc", 0)])
@pytest.mark.parametrize("dealer", ["As Ks Qs", "Jd 6h 2s", "Kc 9d 4h"])
def test_bonus_on_the_ante_whatever_the_dealer_holds(hand: str, ratio: int, dealer: str) -> None:
    lines = due(G, hand, dealer, {"ante": 10, "play": 10}, "play")
    assert lines.get("ante_bonus", ("win", 0, 0)) == ("win", 10 * ratio, 0)
    assert "ante_bonus" not in due(G, hand, dealer, {"ante": 10, "pair_plus": 5}, "fold")


@pytest.mark.bylaw("67.32b", "67.32c")
@pytest.mark.parametrize(
    ("hand", "ratio"),
    [("7c 8c 9c", 40), ("7c 7d 7h", 30), ("7c 8d 9h", 6), ("7c 9c Jc", 4), ("2c 2d 3h", 1), ("Ac Kd Jh", None)],
)
@pytest.mark.parametrize("dealer", ["As Ks Qs", "Jd 6h 4s"])
def test_pair_plus_whatever_the_dealer_holds(hand: str, ratio: int | None, dealer: str) -> None:
    expected = ("lose", 0, 0) if ratio is None else ("win", 5 * ratio, 5)
    assert due(G, hand, dealer, {"pair_plus": 5})["pair_plus"] == expected
    assert due(G, hand, dealer, BOTH, "fold")["pair_plus"] == expected
    assert bet(G, "pair_plus").table.article == "67.32"
