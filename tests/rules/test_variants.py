"""A house's options: what each game knows, what it changes, and that each choice has its own fingerprint."""

from itertools import product

import pytest

from sabot.rules import errors
from sabot.rules.bets import can_bet, verify_bets
from sabot.rules.errors import RuleError
from sabot.rules.game import LOCK_ANNOUNCEMENT, LOCK_FIRST_CARD, fingerprint, most_cards
from sabot.rules.games import GAMES, load
from sabot.rules.variants import configure, options
from tests.rules.on_micropython import run


@pytest.mark.parametrize("game_id", GAMES)
def test_every_choice_of_options_is_another_game(game_id: str) -> None:
    game = load(game_id)
    names = [name for name, _ in options(game)]
    seen = set()
    for words in product(*[allowed for _, allowed in options(game)]):
        chosen = configure(game, **dict(zip(names, words, strict=True)))
        seen.add(fingerprint(chosen))
        assert options(chosen) == options(game)
    assert len(seen) == 2 ** len(names)
    assert configure(game, **{name: allowed[0] for name, allowed in options(game)}) == game
    assert configure(game) == game


def test_the_options_of_each_game() -> None:
    known = {game_id: [name for name, _ in options(load(game_id))] for game_id in GAMES}
    assert known == {
        "three_card": ["fold_side_bets"],
        "bataille": ["half_stakes", "initial_lock", "war_dealer_card"],
        "poker_357": ["half_stakes"],
        "boston": ["fold_side_bets"],
        "four_card": ["fold_side_bets"],
        "crazy_four": ["fold_side_bets"],
    }


@pytest.mark.parametrize(
    ("game_id", "option", "word"),
    [
        ("three_card", "fold_side_bets", "maybe"),
        ("three_card", "half_stakes", "even"),
        ("bataille", "fold_side_bets", "live"),
        ("bataille", "initial_lock", "decisions"),
        ("poker_357", "war_dealer_card", "own"),
    ],
)
def test_an_option_a_game_does_not_know_is_refused(game_id: str, option: str, word: str) -> None:
    with pytest.raises(ValueError, match=option):
        configure(load(game_id), **{option: word})


def test_initial_lock_moves_the_lock_of_the_initial_bet_and_what_is_judged_there() -> None:
    game = load("bataille")
    house = configure(game, initial_lock="announcement")
    assert [bet.lock for bet in game.bets] == [LOCK_FIRST_CARD, LOCK_ANNOUNCEMENT, "decisions"]
    assert [bet.lock for bet in house.bets] == [LOCK_ANNOUNCEMENT, LOCK_ANNOUNCEMENT, "decisions"]
    assert can_bet(game, {"tie": 5}, None, LOCK_ANNOUNCEMENT)
    assert not can_bet(house, {"tie": 5}, None, LOCK_ANNOUNCEMENT)


@pytest.mark.parametrize(
    ("game_id", "bets", "article"),
    [
        ("bataille", {"initial": 501}, "67.36"),
        ("poker_357", {"three": 5, "five": 5, "seven": 5}, "67.45"),
    ],
)
def test_half_stakes_even(game_id: str, bets: dict[str, int], article: str) -> None:
    house = configure(load(game_id), half_stakes="even")
    verify_bets(load(game_id), bets)
    with pytest.raises(RuleError) as caught:
        verify_bets(house, bets)
    assert (caught.value.code, caught.value.article) == (errors.ODD_STAKE, article)
    verify_bets(house, {name: 2 * cents for name, cents in bets.items()})


def test_only_stakes_that_can_be_halved_must_be_even() -> None:
    verify_bets(configure(load("poker_357"), half_stakes="even"), {"three": 5, "five": 7, "seven": 8})
    verify_bets(configure(load("bataille"), half_stakes="even"), {"initial": 2, "tie": 1})


def test_cards_of_the_longest_round() -> None:
    game = load("bataille")
    assert most_cards(game, 7) == 64
    assert most_cards(configure(game, war_dealer_card="common"), 7) == 22
    assert {each: most_cards(load(each), 7) for each in GAMES if each != "bataille"} == {
        "three_card": 24,
        "poker_357": 25,
        "boston": 40,
        "four_card": 41,
        "crazy_four": 40,
    }


def test_fingerprints_of_options_are_the_same_on_micropython() -> None:
    printed = run(
        """
from sabot.rules.games import load
from sabot.rules.game import fingerprint
from sabot.rules.variants import configure
print(fingerprint(configure(load("bataille"), initial_lock="announcement", half_stakes="even")).hex())
"""
    )
    house = configure(load("bataille"), initial_lock="announcement", half_stakes="even")
    assert printed == fingerprint(house).hex() + "\n"
