"""Asks a technician for one table's settings and gives the text of the house's file.

Entry point: :func:`ask`. What it asks with is passed in; every question has a default or a list of what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sabot.rules import games
from sabot.rules.game import LOCK_DECISIONS, Game
from sabot_host.provision.house import MOST_SEATS
from sabot_host.provision.template import house_text

LANGUAGES = ("fr", "en")
DEALS = ("cards", "packets", "none")
_LIMITS = ("5", "500")  # dollars: what the question offers


class Asker(Protocol):
    """How a question is put: it is asked again until ``check`` returns a value instead of raising ValueError."""

    def __call__(self, question: str, default: str, check: Callable[[str], Any]) -> Any:
        """The answer, as ``check`` gives it."""


def ask(asker: Asker) -> str:
    """Ask for one table; the text of its file."""
    name = asker("name of the house", "", str)
    casino = asker("number of the house, in every chip", "514", _whole(1, 65535))
    number = asker("number of the table", "1", _whole(1, 65535))
    game_id = asker("game (" + " ".join(games.GAMES) + ")", games.GAMES[0], _one_of(games.GAMES))
    game = games.load(game_id)
    most = min(game.max_players or MOST_SEATS, MOST_SEATS)
    table: dict[str, Any] = {"table": number, "game": game_id, "seats": asker("seats", str(most), _whole(1, most))}
    if len(game.decks) > 1:
        allowed = tuple(str(decks) for decks in game.decks)
        table["decks"] = int(asker("packs in play (" + " ".join(allowed) + ")", allowed[0], _one_of(allowed)))
    else:
        table["decks"] = game.decks[0]
    table["limits"] = _limits(asker, game)
    table["deal"] = asker("how cards come (" + " ".join(DEALS) + ")", DEALS[0], _one_of(DEALS))
    if table["deal"] != "none":
        table["deck"] = asker("file with the tags of the cards", f"decks/table-{number}.csv", _text)
    table["language"] = asker("language of the display (fr en)", LANGUAGES[0], _one_of(LANGUAGES))
    return house_text(name, casino, {}, [table])


def _limits(asker: Asker, game: Game) -> dict[str, list[int]]:
    """Limits of each bet that the player may choose; those of a decision follow from the bet they answer."""
    limits = {}
    for bet in game.bets:
        if bet.lock != LOCK_DECISIONS and bet.relation is None:
            low = asker(f"lowest {bet.name}, in dollars", _LIMITS[0], _cents)
            high = asker(f"highest {bet.name}, in dollars", _LIMITS[1], _cents_from(low))
            limits[bet.name] = [low, high]
    return limits


def _text(answer: str) -> str:
    if not answer.strip():
        raise ValueError("an answer is needed")
    return answer.strip()


def _whole(low: int, high: int) -> Callable[[str], int]:
    def check(answer: str) -> int:
        if not answer.isdecimal() or not low <= int(answer) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(answer)

    return check


def _one_of(allowed: tuple[str, ...]) -> Callable[[str], str]:
    def check(answer: str) -> str:
        if answer not in allowed:
            raise ValueError("one of " + " ".join(allowed))
        return answer

    return check


def _cents(answer: str) -> int:
    whole, point, rest = answer.replace(",", ".").partition(".")
    if not whole.isdecimal() or (point and not (rest.isdecimal() and len(rest) <= 2)):
        raise ValueError("an amount in dollars, as 5 or 2.50")
    cents = int(whole) * 100 + int((rest + "00")[:2])
    if cents == 0:
        raise ValueError("more than nothing")
    return cents


def _cents_from(low: int) -> Callable[[str], int]:
    def check(answer: str) -> int:
        cents = _cents(answer)
        if cents < low:
            raise ValueError("not less than the lowest")
        return cents

    return check
