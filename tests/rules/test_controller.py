"""The rules on the controller's interpreter: what a table loads, what settling costs, and the same fingerprints."""

from typing import Any

import pytest

from sabot.rules import settle
from sabot.rules.game import fingerprint
from sabot.rules.games import GAMES, load
from sabot.rules.ranking import rank_hand
from tests.rules.on_micropython import run

# By game: cards of a seat and of the dealer, bets, decision and cards of a war; every line of the answer is due.
SEATS = {
    "three_card": '(0, 5, 10), (48, 45, 42), {"ante": 10, "pair_plus": 5, "play": 10}, "play", None, None',
    "bataille": '(30,), (31,), {"initial": 10, "tie": 5, "additional": 10}, "war", 5, 9',
    "poker_357": '(0, 5, 10), (48, 45, 42, 20), {"three": 5, "five": 5, "seven": 5}, "stay", None, None',
    "boston": '(0, 1, 2, 9, 10), (48, 45, 42, 20, 25), {"ante": 10, "first": 20, "bonus": 5, "second": 20}, "play",'
    " None, None",
    "four_card": '(0, 1, 2, 9, 15), (48, 45, 42, 20, 25, 30), {"ante": 10, "aces_up": 5, "play": 30}, "play",'
    " None, None",
    "crazy_four": "(0, 1, 2, 9, 15), (48, 45, 42, 20, 25),"
    ' {"ante": 10, "super_bonus": 10, "queens_up": 5, "play": 30}, "play", None, None',
}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_loads_its_own_game_and_settles_seven_seats_in_4_kilobytes(game_id: str) -> None:
    printed = run(
        f"""
import gc, sys
from sabot.rules.games import load
from sabot.rules.settle import settle_seat
from sabot.rules.game import fingerprint
game = load("{game_id}")
cards, dealer, bets, decision, war_player, war_dealer = {SEATS[game_id]}
settle_seat(game, cards, dealer, bets, decision, war_player, war_dealer)
gc.collect()
gc.disable()
before = gc.mem_alloc()
for _ in range(7):
    settle_seat(game, cards, dealer, bets, decision, war_player, war_dealer)
allocated = gc.mem_alloc() - before
gc.enable()
print(sorted([name for name in sys.modules if name.startswith("sabot.rules.games.")]))
print(fingerprint(game).hex())
print(allocated)
"""
    )
    modules, mark, allocated = printed.splitlines()
    assert modules == f"['sabot.rules.games.{game_id}']"
    assert mark == fingerprint(load(game_id)).hex()
    assert 0 < int(allocated) <= 4096


@pytest.mark.parametrize("game_id", GAMES)
def test_settling_seven_seats_ranks_few_hands(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def counted(cards: Any, count: int, size: int) -> int:
        nonlocal calls
        calls += 1
        return rank_hand(cards, count, size)

    monkeypatch.setattr(settle, "rank_hand", counted)
    cards, dealer, bets, decision, war_player, war_dealer = eval(SEATS[game_id])
    for _ in range(7):
        settle.settle_seat(load(game_id), cards, dealer, bets, decision, war_player, war_dealer)
    assert 7 <= calls <= 2000


@pytest.mark.parametrize(
    ("game_id", "version", "mark"),
    [
        ("three_card", 1, "669a0270775cdc22"),
        ("bataille", 1, "5bac2b002870108d"),
        ("poker_357", 1, "6f85c892fb34394a"),
        ("boston", 1, "4b43d1767b3be459"),
        ("four_card", 1, "1c76ff74805b2e0a"),
        ("crazy_four", 1, "5566edf6b9137c07"),
    ],
)
def test_a_changed_rule_changes_version_and_fingerprint_together(game_id: str, version: int, mark: str) -> None:
    """Round records name both: whoever changes a rule or a ratio raises the version and writes the new mark here."""
    game = load(game_id)
    assert (game.version, fingerprint(game).hex()) == (version, mark)
