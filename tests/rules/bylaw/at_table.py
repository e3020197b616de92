"""One seat at a table, as the tests of the by-law play it. Entry points: `due`, `refusal`, `ascending`, `kind`.

`due` and `refusal` go through the JSON lines of `sabot settle`; amounts are cents.
"""

import json
from itertools import pairwise
from typing import Any

import pytest

from sabot.rules.bets import verify_bets
from sabot.rules.cards import card_from_name
from sabot.rules.errors import RuleError
from sabot.rules.game import Bet
from sabot.rules.games import load
from sabot.rules.ranking import kind_of, rank_hand
from sabot_host.settle import settle_line

Line = tuple[str, int, int]
"""Result, paid, returned."""


def _round(game: str, player: dict[str, Any], dealer: str, decks: int | None) -> str:
    packs = load(game).decks[0] if decks is None else decks
    return json.dumps({"game": game, "decks": packs, "dealer": dealer.split(), "players": [player]})


def _player(cards: str, bets: dict[str, int], decision: str | None, war: str) -> dict[str, Any]:
    player: dict[str, Any] = {"cards": cards.split(), "bets": bets}
    if decision is not None:
        player["decision"] = decision
    if war:
        player["war_player"], player["war_dealer"] = war.split()
    return player


def due(
    game: str,
    cards: str,
    dealer: str,
    bets: dict[str, int],
    decision: str | None = None,
    war: str = "",
    decks: int | None = None,
) -> dict[str, Line]:
    """What each bet of one seat is due."""
    text, settled = settle_line(_round(game, _player(cards, bets, decision, war), dealer, decks))
    assert settled, text
    lines = json.loads(text)["players"][0]["bets"]
    return {bet: (line["result"], line["paid"], line["returned"]) for bet, line in lines.items()}


def refusal(
    game: str,
    cards: str,
    dealer: str,
    bets: dict[str, int],
    decision: str | None = None,
    war: str = "",
    decks: int | None = None,
) -> str | None:
    """The article that one seat's round breaks."""
    text, settled = settle_line(_round(game, _player(cards, bets, decision, war), dealer, decks))
    assert not settled, text
    article: str | None = json.loads(text)["error"]["article"]
    return article


def too_many(game: str, players: int, player: dict[str, Any]) -> str | None:
    """The article that so many equal players break, or None when it is not their number."""
    whole = {"game": game, "decks": load(game).decks[-1], "dealer": [], "players": [player] * players}
    text, _ = settle_line(json.dumps(whole))
    error = json.loads(text).get("error", {})
    return error.get("article") if error.get("code") == "too_many_players" else None


def outside_limits(game: str, bets: dict[str, int], bet: str) -> list[str | None]:
    """The articles broken by a bet one cent below its minimum and one above its maximum."""
    found: list[str | None] = []
    verify_bets(load(game), bets, {bet: (bets[bet], bets[bet])})
    for low, high in ((bets[bet] + 1, bets[bet] + 9), (1, bets[bet] - 1)):
        with pytest.raises(RuleError) as caught:
            verify_bets(load(game), bets, {bet: (low, high)})
        found.append(caught.value.article)
    return found


def bet(game: str, name: str) -> Bet:
    """A bet of a game."""
    found: Bet = next(each for each in load(game).bets if each.name == name)
    return found


def rank(hand: str, size: int) -> int:
    """The rank of the best `size` cards of a hand."""
    cards = [card_from_name(name) for name in hand.split()]
    return rank_hand(cards, len(cards), size)


def kind(hand: str, size: int) -> int:
    """The kind of the best `size` cards of a hand."""
    return kind_of(rank(hand, size), size)


def ascending(size: int, *hands: str) -> None:
    """Each hand is better than the one before it."""
    for low, high in pairwise(hands):
        assert rank(low, size) < rank(high, size), (low, high)


def equal(size: int, *hands: str) -> None:
    """All hands are equal."""
    assert len({rank(hand, size) for hand in hands}) == 1, hands


def deal(game: str) -> list[tuple[str, str, int, str]]:
    """The deal plan: which deal, to whom, how many cards, how they lie."""
    return [tuple(step) for step in load(game).deal]
