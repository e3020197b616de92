"""Bataille: two cards, and a war when they are equal. Entry points: `first_bet`, `on_first_cards`.

Burned cards are not seen, so that the cards of a war are any two of those left: their odds are the same for each seat,
whether the dealer's card is its own or common.
"""

from collections.abc import Iterator
from fractions import Fraction

from sabot.rules.bets import bet_named
from sabot.rules.game import (
    EQUAL,
    HIGHER,
    LOWER,
    REFUSED,
    WAR_EQUAL,
    WAR_HIGHER,
    WAR_LOWER,
    Bet,
    Game,
)
from sabot.rules.settle import settle_end

from .model import BetOdds, Result, Strategy
from .tables import unit

_FIRST = {HIGHER: "higher card", LOWER: "lower card", EQUAL: "equal cards"}
_WAR = {WAR_HIGHER: "war, higher card", WAR_LOWER: "war, lower card", WAR_EQUAL: "war, equal cards"}


def _pairs(held: list[int]) -> Iterator[tuple[int, int, Fraction]]:
    """The player's rank, the dealer's, and how likely they are, from so many cards of each rank."""
    left = sum(held)
    for own, count in enumerate(held):
        for other, others in enumerate(held):
            yield own, other, Fraction(count * (others - (own == other)), left * (left - 1))


def _compared(held: list[int], names: tuple[str, str, str]) -> dict[str, Fraction]:
    """How likely the player's card is higher, lower, equal; under the names given."""
    found = dict.fromkeys(names, Fraction(0))
    for own, other, likely in _pairs(held):
        found[names[0] if own > other else names[1] if own < other else names[2]] += likely
    return found


def _after_equal(decks: int, rank: int) -> dict[str, Fraction]:
    held = [4 * decks] * 13
    held[rank] -= 2
    return _compared(held, (WAR_HIGHER, WAR_LOWER, WAR_EQUAL))


def first_bet(game: Game, decks: int) -> BetOdds:
    """The odds of the initial bet, with the better of war and surrender on equality."""
    base = game.decision.asks
    stake = unit(game)
    alone = {base: stake}
    at_war = {base: stake, game.decision.bet: stake * bet_named(game, game.decision.bet).relation.low}
    first = _compared([4 * decks] * 13, (HIGHER, LOWER, EQUAL))
    # The war goes alike whatever the rank of the first two cards: the rank above has as many cards as the one below.
    war = _after_equal(decks, 0)
    war_net = {end: Fraction(settle_end(game, (), at_war, game.decision.taken, end).net, stake) for end in _WAR}
    surrender = Fraction(settle_end(game, (), alone, game.decision.refused, REFUSED).net, stake)
    worth = sum((war[end] * war_net[end] for end in _WAR), Fraction(0))
    results = [
        Result(_FIRST[end], Fraction(settle_end(game, (), alone, None, end).net, stake), Fraction(1), first[end])
        for end in (HIGHER, LOWER)
    ]
    fights = worth > surrender
    if fights:
        staked = Fraction(sum(at_war.values()), stake)
        results += [Result(_WAR[end], war_net[end], staked, first[EQUAL] * war[end]) for end in _WAR]
    else:
        results.append(Result(game.decision.refused, surrender, Fraction(1), first[EQUAL]))
    better = game.decision.taken if fights else game.decision.refused
    rule = f"on equality always {better}: war is worth {float(worth):+.6f} of the {base} bet, {game.decision.refused} "
    rule += f"{float(surrender):+.6f}"
    strategy = Strategy((rule,), ((better, first[EQUAL]),))
    return BetOdds(base, bet_named(game, base).article, tuple(results), (game.decision.bet,), strategy)


def on_first_cards(game: Game, bet: Bet, decks: int) -> BetOdds:
    """The odds of a bet that the first two cards decide, whatever follows (67.40)."""
    found: list[Result] = []
    stake = unit(game)
    for end, likely in _compared([4 * decks] * 13, (HIGHER, LOWER, EQUAL)).items():
        due = settle_end(game, (), {bet.name: stake}, None, end, (bet.name,))
        found.append(Result(_FIRST[end], Fraction(due.net, stake), Fraction(1), likely))
    return BetOdds(bet.name, bet.article, tuple(found))
