"""What a person at the keyboard of a simulated table can do: now, and in general, in words of the game that is played.

Entry point: :class:`Coach` (:meth:`Coach.now`, :attr:`Coach.help`).
"""

from __future__ import annotations

from sabot.rules.bets import bounds
from sabot.rules.game import Game
from sabot_host.lang import CODED
from sabot_host.monitor.picture import Picture

_STAKE = 2500
_SEAT = "seat 1"


class Coach:
    """For a table of ``game``."""

    def __init__(self, game: Game) -> None:
        self._game = game
        stakes: dict[str, int] = {}
        for bet in game.bets:
            if bet.name in game.openings[0] or bet.name == game.decision.asks:
                stakes[bet.name] = _STAKE if bet.relation is None else bounds(game, stakes, bet.name)[0]
        self._opening = [f"{_SEAT} {bet} {CODED.money(cents)}" for bet, cents in stakes.items()]
        decision = game.decision
        self._taking = (
            [f"{_SEAT} {decision.bet} {CODED.money(bounds(game, stakes, decision.bet)[0])}"] if decision.bet else []
        )
        first = [step.count for step in game.deal if step.deal == "deal"]
        bet = next(iter(stakes))
        self.examples = (
            *self._opening,
            f"draw {sum(first)}",
            *self._taking,
            f"take all from {_SEAT} {bet}",
            f"lift all from {_SEAT} {bet} for 1",
            f"swap 25.00 on {_SEAT} {bet} for 5.00",
            "shuffle",
            f"supervisor rules late {_SEAT} {bet} refused",
        )
        """Lines that can be typed."""
        self.help = (
            (
                f"F opens the table; bets: {', '.join(self._opening)}",
                f"R locks them; space draws a card, draw {sum(first)} those of one seat ({first[0]}) and of the dealer",
                self._deciding(),
                "pay and take; F after each page and at the end",
                "? again: other lines",
            ),
            (
                "other lines: " + ", ".join(self.examples[-5:]),
                "docs/scenarios.md has all; arrow up: the line before",
                "quit: the end, and the journal is judged",
            ),
        )
        """Pages, a few lines each: a whole round, then what else there is."""

    def now(self, picture: Picture | None) -> str:
        """What can be done next at the table of that picture."""
        if picture is None:
            return "the controller starts"
        if picture.state == "closed":
            return "the table is closed: F opens it"
        if picture.state in ("idle", "betting", "last_bets"):
            return f"{', '.join(self._opening)}; R locks"
        if picture.state in ("locked", "dealing"):
            if picture.gate:
                return "the gate is open: the space bar draws the next card"
            return "the gate is shut: bets or a card are being looked at; see the display"
        if picture.state == "deciding":
            return self._deciding()
        if picture.state == "revealing":
            return "D shows the next cards"
        if picture.state == "settling":
            return "pay and take; F after each page and at the end; D shows more cards"
        if picture.state == "suspended":
            return "play is stopped: supervisor rules KIND RULING, or S: the desk"
        return "see the display"

    def _deciding(self) -> str:
        decision, course = self._game.decision, self._game.course
        deals = not course[course.index("close") + 1].startswith("reveal")
        close = "R: more cards" if deals else "D shows the cards"
        taken = f"{self._taking[0]} to {decision.taken}" if self._taking else f"nothing to {decision.taken}"
        return f"{taken}, A 1 to {decision.refused}; {close}"
