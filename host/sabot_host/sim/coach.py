"""What a person at the keyboard of a simulated table can do: now, and in general, in words of the game that is played.

Entry point: :class:`Coach` (:meth:`Coach.now`, :attr:`Coach.help`).
"""

from __future__ import annotations

from sabot.rules.bets import bounds
from sabot.rules.game import Game
from sabot_host.monitor.picture import Picture
from sabot_host.monitor.screen import money

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
        self._opening = [f"{_SEAT} {bet} {money(cents)}" for bet, cents in stakes.items()]
        decision = game.decision
        self._taking = (
            [f"{_SEAT} {decision.bet} {money(bounds(game, stakes, decision.bet)[0])}"] if decision.bet else []
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
            f"a round: F opens the table. Bets: {', '.join(self._opening)}",
            "R: rien ne va plus. The gate opens; the space bar draws a card",
            f"draw {sum(first)}: the cards of one seat ({first[0]}) and the dealer's ({sum(first[1:])})",
            self._deciding(),
            "then pay and take, F after each page, and F ends the round",
            "other lines: " + ", ".join(self.examples[-5:]),
            "docs/scenarios.md has all. Arrow up: the line before",
            "quit: the end, and the journal is judged",
        )
        """A whole round, a line each."""

    def now(self, picture: Picture | None) -> str:
        """What can be done next at the table of that picture."""
        if picture is None:
            return "the controller starts"
        if picture.state == "closed":
            return "the table is closed: F opens it"
        if picture.state in ("idle", "betting", "last_bets"):
            return f"bets are open: type {', '.join(self._opening)}; R: rien ne va plus"
        if picture.state in ("locked", "dealing"):
            if picture.gate:
                return "the gate is open: the space bar draws the next card"
            return "the gate is shut: the table looks at the bets or at a card; see the display"
        if picture.state == "deciding":
            return self._deciding()
        if picture.state == "revealing":
            return "D shows the next cards"
        if picture.state == "settling":
            return "pay and take as the display says; D where it asks for cards; F after each page, F ends the round"
        if picture.state == "suspended":
            return "play is stopped: type supervisor rules KIND RULING, or S for the supervisor's desk"
        return "see the display"

    def _deciding(self) -> str:
        decision, course = self._game.decision, self._game.course
        deals = not course[course.index("close") + 1].startswith("reveal")
        close = "R closes the decisions, more cards follow" if deals else "D closes them and shows the cards"
        taken = f"{self._taking[0]} to {decision.taken}" if self._taking else f"nothing to {decision.taken}"
        return f"decisions: {taken}, A 1 to {decision.refused}; {close}"
