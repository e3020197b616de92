"""The check of all hands: its record is of the present code, its counts follow by hand, and it finds what is wrong."""

from math import comb

import pytest

from sabot.rules.cards import card_name
from sabot.rules.ranking import rank_hand
from tests.model.hands_reference import LIST_3
from tests.records import read_record, stale
from tests.rules import exhaustive
from tests.rules.exhaustive import COMMAND, COVERED, PUBLISHED, RESULT, Found, Reference, by_hand, classes, verify

STRAIGHT_FLUSHES_OF_SIX = 4 * sum(
    comb(39, 6 - mask.bit_count())
    for mask in range(1 << 13)
    if 4 <= mask.bit_count() <= 6 and any((mask << 1 | mask >> 12) >> low & 15 == 15 for low in range(11))
)
"""Six-card hands with four in a row of one suit, over the sets of ranks that the suit can hold."""
BOTH = 4 * 11 * 4 * 3
"""Six-card hands with four in a row of one suit and three of a rank."""


@pytest.fixture(scope="module")
def fours() -> Reference:
    return Reference(4)


def test_record_is_of_the_present_code() -> None:
    """If this fails: make exhaustive."""
    assert stale(RESULT, COVERED) == []
    record = read_record(RESULT)
    assert record["command"] == COMMAND
    assert record["commit"]


def test_record_holds_every_hand_and_the_published_counts() -> None:
    checks = read_record(RESULT)["checks"]
    assert {name: check["hands"] for name, check in checks.items()} == {
        "3 of 3": 22_100,
        "4 of 4": 270_725,
        "4 of 5": 2_598_960,
        "4 of 6": 20_358_520,
        "5 of 5": 2_598_960,
        "5 of 7": 133_784_560,
    }
    for name, counts in PUBLISHED.items():
        assert checks[name]["counts"] == counts
    assert {name: check["ranks"] for name, check in checks.items() if name[0] == "5"} == {
        "5 of 5": 7462,
        "5 of 7": 4824,
    }


def test_best_four_of_five_by_hand() -> None:
    counts = read_record(RESULT)["checks"]["4 of 5"]["counts"]
    straight_flushes = 4 * (11 * 48 - 10)
    assert counts["carré"] == 13 * 48
    assert counts["suite couleur"] == straight_flushes
    assert counts["brelan"] == 13 * 4 * comb(48, 2)
    assert counts["couleur"] == 4 * (comb(13, 4) * 39 + comb(13, 5)) - straight_flushes
    assert counts["double paire"] == comb(13, 2) * 36 * 44


def test_best_four_of_six_by_hand() -> None:
    counts = read_record(RESULT)["checks"]["4 of 6"]["counts"]
    assert counts["carré"] == 13 * comb(48, 2)
    assert counts["suite couleur"] == STRAIGHT_FLUSHES_OF_SIX
    one_brelan = 13 * 4 * (comb(12, 3) * 4**3 + 12 * 6 * 11 * 4)
    assert counts["brelan"] == one_brelan + comb(13, 2) * 4**2 - BOTH
    suited = 4 * (comb(13, 4) * comb(39, 2) + comb(13, 5) * 39 + comb(13, 6))
    with_brelan = 4 * comb(13, 4) * 4 * 3
    assert counts["couleur"] == suited - STRAIGHT_FLUSHES_OF_SIX - (with_brelan - BOTH)


@pytest.mark.parametrize(("count", "number"), [(3, 1755), (4, 16_432), (5, 134_459)])
def test_classes_stand_for_every_hand_once(count: int, number: int) -> None:
    found = list(classes(count))
    assert len(found) == number
    assert sum(ways for _, ways in found) == comb(52, count)


@pytest.mark.parametrize("suits", [(1, 2, 3, 0), (3, 1, 0, 2)])
def test_a_renaming_of_suits_changes_no_rank(suits: tuple[int, ...]) -> None:
    for hand, _ in list(classes(5))[::37]:
        renamed = [card & ~3 | suits[card & 3] for card in hand]
        assert rank_hand(hand, 5, 5) == rank_hand(renamed, 5, 5)
        assert rank_hand(hand, 5, 4) == rank_hand(renamed, 5, 4)


def test_sample_of_all_hands(fours: Reference) -> None:
    found = by_hand(5, 4, range(30, 48), fours.table)
    assert found.ranked == sum(comb(51 - low, 4) for low in range(30, 48))
    verify(found, fours)
    assert sum(verify(by_hand(4, 4, range(49), fours.table), fours).values()) == comb(52, 4)


def test_places_of_hands_are_one_to_one(fours: Reference) -> None:
    assert fours.place((0, 1, 2, 3)) == 0
    assert fours.place((48, 49, 50, 51)) == comb(52, 4) - 1
    assert fours.combination(fours.table[-1]) == "carré"
    assert [card_name(card) for card in (48, 51)] == ["Ac", "As"]


def test_a_rank_out_of_order_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    threes = Reference(3)
    right = by_hand(3, 3, range(50), threes.table)
    assert list(verify(right, threes)) == [*LIST_3, ""]
    swapped = dict(right.values)
    low, high = sorted(swapped)[100:102]
    swapped[low], swapped[high] = swapped[high], swapped[low]
    with pytest.raises(AssertionError, match="order"):
        verify(Found(swapped, right.hands, right.ranked), threes)

    def blind_to_suits(hand: tuple[int, ...], count: int, size: int) -> int:
        return rank_hand([card & ~3 | place for place, card in enumerate(hand)], count, size)

    monkeypatch.setattr(exhaustive, "rank_hand", blind_to_suits)
    with pytest.raises(AssertionError, match="two values"):
        by_hand(3, 3, range(50), threes.table)
