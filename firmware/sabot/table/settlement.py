"""Who shows his hand and what each bet is due. Entry point: `Settlement`.

The amounts are the locked ones, whatever lies on the spots by then; the arithmetic is `sabot.rules.settle`.
"""

from sabot.rules.settle import settle_seat
from sabot.wire.codes import DECISIONS, LAMP_SETTLED, RESULTS, place

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.deal import Deal

_PROMPT_OF = {"win": "pay", "lose": "take", "push": "push", "forfeit": "take"}


class Settlement:
    """Reveal and settlement records, and the payment prompts."""

    def __init__(self, core: "Core", deal: "Deal") -> None:
        self._core = core
        self._deal = deal
        self._shown: list[int] = []

    def clear(self) -> None:
        """Another round."""
        self._shown = []

    def _must_show(self, seat: int) -> bool:
        """Whether the seat's hand decides a bet: a folded hand stays hidden unless a side bet lives."""
        core = self._core
        state = core.spots.seat_state(seat)
        if state != "folded":
            return state == "in"
        if core.game.fold_side_bets != "live":
            return False
        for bet in core.game.bets:
            if bet.side and bet.name in core.bets(seat):
                return True
        return False

    def reveal(self, seats: "list[int]", dealer: bool) -> None:
        """Record the hands that are turned up now: the dealer's, and those of `seats` that decide a bet."""
        rows = [self._deal.opened(0)] if dealer else []
        for seat in seats:
            if seat not in self._shown and self._must_show(seat):
                self._shown.append(seat)
                rows.append(self._deal.opened(seat))
        if rows:
            self._core.append("reveal", {"round": self._core.round, "hands": rows})

    def due(self, seat: int) -> "list[tuple[int, int, int, int, int]]":
        """Rows of the settlement record for one seat; RuleError when a ruling has left bets that cannot stand."""
        core = self._core
        cards = tuple(self._deal.hand(seat)) if seat in self._shown else ()
        decision = DECISIONS[core.decision[seat]] if core.decision[seat] else None
        result = settle_seat(core.game, cards, tuple(self._deal.hand(0)), core.bets(seat), decision)
        rows = []
        for line in result.lines:
            where = self._place(seat, line.bet)
            rows.append((where, RESULTS.index(line.result), line.stake, line.paid, line.returned))
        return rows

    def settle(self, rows: "list[tuple[int, int, int, int, int]]", seats: "list[int]") -> None:
        """Record what these seats are due, then tell the dealer what to pay and take, from his right to his left."""
        core = self._core
        core.append("settlement", {"round": core.round, "bets": rows})
        for seat in seats:
            self._settled(seat)
        core.show()
        for where, result, stake, paid, returned in reversed(rows):
            kind = _PROMPT_OF[RESULTS[result]]
            core.prompt(kind, where, paid if kind == "pay" else returned if kind == "push" else stake - returned)

    def _settled(self, seat: int) -> None:
        core = self._core
        for spot in core.spots.of_seat(seat):
            if core.spots.locked[spot] and core.spots.state(spot) == "locked":
                core.spots.machines[spot].fire("settle")
                core.lamp(spot, LAMP_SETTLED)
        core.spots.seat_machines[seat].fire("done")

    def _place(self, seat: int, name: str) -> int:
        """Place of a bet; the extra line, which has no spot, takes the number after the last bet."""
        names = [bet.name for bet in self._core.game.bets]
        return place(seat, names.index(name) if name in names else len(names))
