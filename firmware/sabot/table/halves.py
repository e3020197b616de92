"""A decision refused at half the bet, which is taken there and then (67.38 3°, 67.47). Entry point: `Halves`.

Surrender at Bataille and the withdrawal of the seven at 3-5-7: after ABANDON and the seat's key the dealer's hand takes
half and gives half back, so the settlement of that bet cannot wait for the close.
"""

from sabot.rules.game import REFUSED
from sabot.rules.settle import settle_end
from sabot.table import ledger as led
from sabot.table.decisions import halved
from sabot.wire.codes import DECISIONS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues
    from sabot.table.settlement import Settlement
    from sabot.table.watch import Watch


class Halves:
    """Refusals that cost half a bet."""

    def __init__(self, core: "Core", issues: "Issues", watch: "Watch", settlement: "Settlement") -> None:
        self._core = core
        self._issues = issues
        self._watch = watch
        self._settlement = settlement
        self._names = halved(core.game)

    def take_keyed(self) -> None:
        """The deal is complete: the refusals that were keyed meanwhile take effect."""
        for seat in self._core.spots.seats:
            if self._watch.folding[seat]:
                self._watch.folding[seat] = 0
                self.take(seat)

    def take(self, seat: int) -> bool:
        """The seat refuses; False when it has nothing to decide, or the bet itself waits for a ruling.

        Where the decision opens a bet, the seat has given up; else it plays on with its other bets.
        """
        core = self._core
        if seat not in core.spots.seats or core.spots.seat_state(seat) != "deciding":
            return False
        asked = core.asked_spot(seat)
        self._watch.judge(asked, True)  # what has left it is judged now, however short a time ago
        if self._issues.holds_spot(asked):
            return False
        spot = core.spots.opened[seat]
        trigger = "withdraw" if spot < 0 else "fold"
        core.decision[seat] = DECISIONS.index(core.game.decision.refused)
        core.append("seat_state", {"seat": seat, "trigger": trigger})
        core.spots.seat_machines.fire(trigger, seat)
        if spot >= 0:
            core.spots.machines.fire("shut", spot)
            core.lamp_of_state(spot)
        decision = core.game.decision.refused
        result = settle_end(core.game, (), core.bets(seat), decision, REFUSED, self._names)
        self._settlement.settle(self._settlement.rows(seat, result), [seat])
        ledger = core.ledger
        for item in range(ledger.top):
            if ledger.where[item] == led.PRESENT and ledger.spot[item] == asked and ledger.mark[item] == led.LATER:
                ledger.mark[item] = led.POSTED  # it has not dwelt yet, and was laid to a live bet
        return True
