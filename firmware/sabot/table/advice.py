"""Prompts before the lock: what is still wrong with a seat's bets. Entry point: `Advice`.

Before the lock a bet outside the limits or in the wrong relation is no irregularity, only something to say; it is said
again only when it changes.
"""

from sabot.rules import errors
from sabot.rules.bets import verify_bets
from sabot.rules.errors import RuleError

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core

_KIND_OF = {errors.MISSING_BET: "missing", errors.BET_RELATION: "relation"}


def kind_of(code: str) -> str:
    """Kind of irregularity (`codes.kinds`) of a refused bet: missing, relation or limit."""
    return _KIND_OF.get(code, "limit")


class Advice:
    """Limits and relations of each seat's bets while bets are open."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._said: list[tuple[str, int, int]] = [("none", 0, 0)] * 8

    def clear(self) -> None:
        """Bets are not open any more, or open anew: nothing has been said."""
        for seat in range(8):
            self._said[seat] = ("none", 0, 0)
            self._core.stirred[seat] = 1

    def tick(self) -> None:
        """Say what is new about the seats that changed."""
        for seat in self._core.spots.seats:
            if self._core.stirred[seat]:
                self._core.stirred[seat] = 0
                said = self._about(seat)
                if said != self._said[seat]:
                    self._said[seat] = said
                    self._core.prompt(*said)

    def _about(self, seat: int) -> "tuple[str, int, int]":
        """Prompt, place and amount for a seat; ("none", place, 0) takes back what was said."""
        core = self._core
        first = core.spots.places[core.spots.at(seat, 0)]
        bets = {}
        for spot in core.spots.of_seat(seat):
            if spot in core.spots.laid and core.spots.seen[spot]:
                bets[core.game.bets[core.spots.bet(spot)].name] = core.spots.seen[spot]
        if not bets:
            return ("none", first, 0) if self._said[seat][0] != "none" else self._said[seat]
        try:
            verify_bets(core.game, bets, core.config.limits)
        except RuleError as wrong:
            place = first
            for index in range(core.spots.bets):
                if core.game.bets[index].name == wrong.bet:
                    place = core.spots.places[core.spots.at(seat, index)]
            return self._wording(wrong, place)
        return ("none", first, 0) if self._said[seat][0] != "none" else self._said[seat]

    @staticmethod
    def _wording(wrong: RuleError, place: int) -> "tuple[str, int, int]":
        low = wrong.low or 0
        if wrong.code == errors.MISSING_BET:
            return "missing", place, low
        if wrong.code == errors.BET_RELATION:
            return "ratio", place, low
        if wrong.code == errors.OVER_LIMIT:
            return "maximum", place, wrong.high or 0
        return "minimum", place, low
