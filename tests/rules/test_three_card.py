"""Poker 3 cartes, articles 67.22 to 67.32: what the random rounds of test_references.py do not ask."""

from random import Random
from typing import Any

import pytest

from sabot.rules.cards import card_from_name
from sabot.rules.errors import RuleError
from sabot.rules.game import Row, fingerprint
from sabot.rules.games import load
from sabot.rules.ranking import PAIR
from sabot.rules.settle import dealer_opens, settle_seat
from sabot.rules.variants import configure, with_table
from tests.model.three_card_reference import opens
from tests.rules.rounds import PACK

GAME = load("three_card")


def cards(names: str) -> list[int]:
    return [card_from_name(name) for name in names.split()]


def lines_of(names: str, dealer: str, bets: dict[str, int], decision: str | None = None) -> dict[str, tuple[Any, ...]]:
    result = settle_seat(GAME, cards(names), cards(dealer), bets, decision)
    return {each.bet: (each.result, each.paid, each.returned) for each in result.lines}


def test_67_29_dealer_opens_exactly_with_a_queen_or_better() -> None:
    random = Random(29)
    for _ in range(3000):
        dealer = random.sample(PACK, 3)
        assert dealer_opens(GAME, [card_from_name(name) for name in dealer]) == opens(dealer), dealer


def test_67_28_fold_loses_the_ante_and_leaves_pair_plus_live() -> None:
    assert lines_of("7c 7d 2h", "As Ks Qs", {"ante": 10, "pair_plus": 5}, "fold") == {
        "ante": ("forfeit", 0, 0),
        "pair_plus": ("win", 5, 5),
    }


def test_folded_seat_without_a_side_bet_needs_no_cards() -> None:
    """A folded hand is never turned up, and the dealer's is not when everyone folded."""
    assert lines_of("", "", {"ante": 10}, "fold") == {"ante": ("forfeit", 0, 0)}


def test_live_side_bet_needs_the_cards() -> None:
    with pytest.raises(RuleError) as caught:
        lines_of("", "", {"pair_plus": 10})
    assert caught.value.code == "card_count"


def test_fold_side_bets_forfeit_is_an_option_with_its_own_fingerprint() -> None:
    house = configure(GAME, fold_side_bets="forfeit")
    result = settle_seat(house, cards("7c 7d 2h"), cards("As Ks Qs"), {"ante": 10, "pair_plus": 5}, "fold")
    assert [each.result for each in result.lines] == ["forfeit", "forfeit"]
    assert settle_seat(house, cards("7c 7d 2h"), cards("As Ks Qs"), {"pair_plus": 5}).received == 10
    assert fingerprint(house) != fingerprint(GAME)
    assert configure(house, fold_side_bets="live") == GAME


def test_a_house_paytable_changes_payment_and_fingerprint() -> None:
    house = with_table(GAME, "pair_plus", 2, (Row(PAIR, 0, 3, 2),))
    result = settle_seat(house, cards("7c 7d 2h"), cards("As Ks Qs"), {"pair_plus": 5})
    assert result.lines[0].paid == 8  # 7.5, rounded up: in the player's favour
    assert fingerprint(house) != fingerprint(GAME)
    bonus = with_table(GAME, "ante_bonus", 2, ())
    result = settle_seat(bonus, cards("Ac Ad Ah"), cards("2s 3s 4s"), {"ante": 5, "play": 5}, "play")
    assert [each.bet for each in result.lines] == ["ante", "play"]
    with pytest.raises(ValueError, match="no paytable"):
        with_table(GAME, "ante", 2, ())
