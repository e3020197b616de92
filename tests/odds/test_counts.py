"""The counting itself: every hand of the packs once, and the dealer's hands against plain enumeration."""

from itertools import combinations, permutations
from math import comb
from random import Random

import numpy as np
import pytest

from sabot.rules.cards import card_from_name
from sabot.rules.ranking import HIGH, at_least, rank_hand
from sabot_host.odds.contest import Counted, count
from sabot_host.odds.packs import Hands, hands, parts, weighted


def cards(names: str) -> list[int]:
    return [card_from_name(name) for name in names.split()]


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("size", range(6))
def test_classes_stand_for_every_hand_once(decks: int, size: int) -> None:
    assert int(Hands(decks, size).ways.sum()) == comb(52 * decks, size)


def test_numbers_of_classes_are_those_published() -> None:
    """Hands up to a renaming of suits: 169 of two cards (as every table of hold'em hands has it), and so on."""
    assert [len(hands(1, size)) for size in (2, 3, 4, 5)] == [169, 1755, 16432, 134459]


@pytest.mark.campaign
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_hand_finds_its_class_in_any_order_and_any_suits(decks: int, size: int) -> None:
    random = Random(size)
    found = hands(decks, size)
    places = [random.randrange(len(found)) for _ in range(500)]
    mixed = []
    for hand in found.cards[places].tolist():
        suits = random.sample(range(4), 4)
        mixed.append(random.sample([card & ~3 | suits[card & 3] for card in hand], size))
    assert found.find(np.array(mixed, np.uint8)).tolist() == places


@pytest.mark.parametrize(("decks", "size", "best"), [(1, 3, 3), (2, 3, 3), (1, 5, 4), (2, 5, 5), (1, 6, 4), (1, 7, 5)])
def test_ranks_are_those_of_the_rules(decks: int, size: int, best: int) -> None:
    found = hands(decks, size)
    ranks = found.ranks(best)
    random = Random(decks * 100 + size)
    for place in [random.randrange(len(found)) for _ in range(3000)]:
        hand = found.cards[place].tolist()
        assert ranks[place] == rank_hand(hand, size, best)


def test_ranks_of_hands_in_which_two_suits_could_hold_a_flush_are_refused() -> None:
    with pytest.raises(ValueError, match="flush"):
        hands(1, 6).ranks(3)


def test_parts_of_a_hand() -> None:
    found = parts(np.array([cards("As Ks 2c")], np.uint8), 2, hands(1, 2))
    named = [sorted(card >> 2 for card in hands(1, 2).cards[place]) for place in found[:, 0]]
    assert named == [[11, 12], [0, 12], [0, 11]]


def test_sums_too_great_are_refused() -> None:
    with pytest.raises(OverflowError):
        weighted(np.array([1 << 40, 1 << 40]), np.array([1 << 21, 1 << 22]))
    assert weighted(np.array([1 << 40, -5]), np.array([1 << 20, 2])).tolist() == [1 << 60, -10]


def plainly(hand: list[int], open_card: int | None, pack: list[int], dealer_cards: int, best: int) -> tuple[int, int]:
    """How many of the dealer's hands are below the player's, and how many equal, one by one."""
    left = list(pack)
    for card in hand if open_card is None else [*hand, open_card]:
        left.remove(card)
    own = rank_hand(hand, len(hand), best)
    given = () if open_card is None else (open_card,)
    below = same = 0
    for rest in combinations(left, dealer_cards - len(given)):
        other = rank_hand(given + rest, dealer_cards, best)
        below += other < own
        same += other == own
    return below, same


def counted_for(counted: Counted, hand: list[int], open_card: int | None = None) -> list[int]:
    """Not open, higher, equal, lower for one hand and one open card, whatever suits its class is written in."""
    place = int(counted.player.find(np.array([hand], np.uint8))[0])
    kept = sorted(counted.player.cards[place].tolist())
    suits = next(
        renamed for renamed in permutations(range(4)) if sorted(card & ~3 | renamed[card & 3] for card in hand) == kept
    )
    column = 0 if open_card is None else open_card & ~3 | suits[open_card & 3]
    counts = (counted.not_open, counted.higher, counted.equal, counted.lower)
    return [int(each[place, column]) for each in counts]


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("names", ["Qs 6h 4c", "Ac Ad Kh", "2c 3c 5c", "Kc 9d 2d"])
def test_three_cards_against_plain_enumeration(names: str, decks: int) -> None:
    opens = at_least(HIGH, 10, 3)
    hand = cards(names)
    not_open, higher, equal, lower = counted_for(count(decks, 3, 3, 3, opens), hand)
    below, same = plainly(hand, None, list(range(52)) * decks, 3, 3)
    queens = plainly_below(hand, list(range(52)) * decks, opens)
    assert (not_open, higher, equal) == (queens, below - queens, same)
    assert not_open + higher + equal + lower == comb(52 * decks - 3, 3)


def plainly_below(hand: list[int], pack: list[int], rank: int) -> int:
    left = list(pack)
    for card in hand:
        left.remove(card)
    return sum(rank_hand(rest, 3, 3) < rank for rest in combinations(left, 3))


@pytest.mark.campaign
def test_five_cards_against_plain_enumeration() -> None:
    hand = cards("Qs Qh 9c 5c 2d")
    counted = count(1, 5, 5, 4, at_least(HIGH, 11, 4))
    not_open, higher, equal, lower = counted_for(counted, hand)
    below, same = plainly(hand, None, list(range(52)), 5, 4)
    assert (not_open + higher, equal) == (below, same)
    assert not_open + higher + equal + lower == counted.total == comb(47, 5)


def test_between_like_hands_each_side_wins_as_often() -> None:
    """Where player and dealer hold as many cards, what one wins against the other is symmetrical."""
    counted = count(2, 3, 3, 3)
    won, lost = ((each * counted.ways).sum() for each in (counted.higher, counted.lower))
    assert won == lost


@pytest.mark.campaign
def test_six_cards_one_open_against_plain_enumeration() -> None:
    counted = count(1, 5, 6, 4, None, face_up=True)
    for names, shown in (("Tc Td 9c 5h 2s", "9d"), ("Kc Jc 8d 6h 3s", "Ks"), ("As 9s 8s 3s 2d", "2s")):
        hand, (open_card,) = cards(names), cards(shown)
        _, higher, equal, _ = counted_for(counted, hand, open_card)
        assert (higher, equal) == plainly(hand, open_card, list(range(52)), 6, 4)
