"""Before the lock: seats, table and lamps say what lies there, and prompts what is still wrong with a seat's bets.

Entry points: `Advice`, `BETS_OPEN`. Before the lock a bet outside the limits or in the wrong relation is no
irregularity, only something to say; it is said again only when it changes.
"""

from sabot.rules import errors
from sabot.rules.bets import verify_bets
from sabot.rules.errors import RuleError
from sabot.wire.codes import LAMP_OFF, LAMP_OPEN

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core

BETS_OPEN = ("idle", "betting", "last_bets")  # states of the table
_DARK = ("closed", "dealer_change", "shuffle")  # no bet can be made, and the lamps say so
_KIND_OF = {errors.MISSING_BET: "missing", errors.BET_RELATION: "relation"}


def kind_of(code: str) -> str:
    """Kind of irregularity (`codes.kinds`) of a refused bet: missing, relation or limit."""
    return _KIND_OF.get(code, "limit")


class Advice:
    """What is to be said of the bets while they are open: states, lamps, limits and relations."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._said: list[tuple[str, int, int]] = [("none", 0, 0)] * 8
        self._bets_were_open = False
        self._was_dark = False

    def follow(self) -> None:
        """While bets are open: seats, table and lamps say what lies there."""
        core = self._core
        bets_open = core.machine.name in BETS_OPEN
        dark = core.machine.name in _DARK
        if bets_open != self._bets_were_open or dark != self._was_dark:
            self._bets_were_open = bets_open
            self._was_dark = dark
            self._clear()
            if bets_open or dark:
                core.ports.lamps.bar(LAMP_OPEN if bets_open else LAMP_OFF)
                for spot in range(core.spots.count):
                    if bets_open:
                        core.lamp_of_state(spot)
                    else:
                        core.lamp(spot, LAMP_OFF)
                core.show()
        if not bets_open:
            return
        any_bet = False
        for seat in core.spots.seats:
            # A chip that left a moment ago still counts: the announcement's edge may lie before it left.
            betting = False
            for spot in core.spots.of_seat(seat):
                lies = core.ledger.remembers(spot) or core.spots.keyed[spot] != 0
                betting = betting or (spot in core.spots.laid and lies)
            core.spots.seat_machines.attempt("bet" if betting else "unbet", seat)
            any_bet = any_bet or betting
        core.machine.attempt("first_bet" if any_bet else "emptied")

    def _clear(self) -> None:
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
