"""From a game to its odds. Entry point: `analyse`."""

from collections.abc import Callable

from sabot.rules.bets import bet_named
from sabot.rules.game import Bet, Game, fingerprint

from .decided import contested
from .model import BetOdds, GameOdds
from .tables import side_bet, withdrawable
from .war import first_bet, on_first_cards


def names(game: Game) -> tuple[str, ...]:
    """The bets that have odds of their own: the others accompany the first opening bet."""
    return tuple(name for name, _ in _found(game))


def analyse(game: Game, decks: int, only: str | None = None) -> GameOdds:
    """The odds of a game's bets (or of one, `only`) with so many packs in play.

    Raises:
        ValueError: the game is not played with so many packs.
        KeyError: no bet named `only` has odds of its own.
    """
    if decks not in game.decks:
        raise ValueError(f"{game.id} is not played with {decks} packs")
    wanted = dict(_found(game))
    chosen = wanted if only is None else {only: wanted[only]}
    found = tuple(work(game, decks) for work in chosen.values())
    return GameOdds(game.id, decks, fingerprint(game).hex(), found)


def _found(game: Game) -> list[tuple[str, Callable[[Game, int], BetOdds]]]:
    """Each bet that has odds of its own, in the game's order, and what finds them."""
    bets: list[tuple[str, Callable[[Game, int], BetOdds]]] = []
    contest = game.contest
    together = game.openings[0] if contest is not None else ()
    for bet in game.bets:
        if contest is not None and bet.name == game.openings[0][0]:
            bets.append((bet.name, first_bet if contest.war else contested))
        elif bet.name in together or bet.name == game.decision.bet:
            continue
        elif bet.table is None:
            bets.append((bet.name, _on(on_first_cards, bet)))
        elif bet.name == game.decision.asks:
            bets.append((bet.name, _on(withdrawable, bet)))
        else:
            bets.append((bet.name, _on(side_bet, bet)))
    return bets


def _on(work: Callable[[Game, Bet, int], BetOdds], bet: Bet) -> Callable[[Game, int], BetOdds]:
    return lambda game, decks: work(game, bet_named(game, bet.name), decks)
