"""Hands shown and seats settled, stage by stage of the game's course. Entry point: `Showdown`.

A seat that waits for a ruling is settled after it, one with chips that have not dwelt yet a moment later, the others at
once.
"""

from sabot.rules.bets import bet_named
from sabot.rules.errors import DECISION_AMOUNT, RuleError
from sabot.table.deal import DEALER, LATER
from sabot.table.issues import SEAT_HOLD
from sabot.table.settlement import Settlement
from sabot.wire.codes import DECISIONS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.decisions import Decisions
    from sabot.table.issues import Issues
    from sabot.table.watch import Watch

# Numbers of the dealer's hands that a reveal of the course turns up, where it is not all of them.
_DEALER_SHOWS: "dict[str, list[int]]" = {"reveal_seats": [], "reveal_dealer_two": [DEALER]}


def _nowhere(spot: int) -> bool:
    """No lock is being confirmed at a spot whose bet is due."""
    return False


class Showdown:
    """Reveals and settlements of each round."""

    def __init__(self, core: "Core", issues: "Issues", watch: "Watch", deal: "Deal", decisions: "Decisions") -> None:
        self._core = core
        self._issues = issues
        self._watch = watch
        self._deal = deal
        self._decisions = decisions
        self.settlement = Settlement(core, deal)

    def reveal(self, step: str) -> None:
        """A reveal of the course: record the hands that are turned up."""
        dealer = _DEALER_SHOWS.get(step, [DEALER, LATER])
        self.settlement.reveal(self._live(), dealer)
        self.open_dealer()

    def show_open(self) -> None:
        """Record the hands of the latest deal that lie face up."""
        self.settlement.show([number for number in self._deal.numbers() if self._deal.face_up(number)])
        self.open_dealer()

    def open_dealer(self) -> None:
        """After the close, the dealer's open hand is what the settlement begins with."""
        if self._core.machine.name == "revealing" and self.settlement.dealer_shown():
            self._core.machine.fire("reveal")

    def settle(self, step: str) -> None:
        """A settlement of the course: settle every seat that nothing holds."""
        self.catch_up()  # a seat whose last question has just been answered is settled with the others
        self.settlement.stages.append(step)
        self._settle(self._live())

    def _live(self) -> "list[int]":
        return [seat for seat in self._core.spots.seats if self._core.is_live(seat)]

    def _settle(self, seats: "list[int]") -> None:
        """Settle these seats, those on hold apart: they are settled when their last question is answered."""
        rows = []
        settled = []
        self._watch.look_at_twins(_nowhere)
        for seat in seats:
            if self._watch.undecided(seat):
                continue
            for spot in self.settlement.spots(seat):
                self._watch.judge(spot, True)  # what has left it is judged now, however short a time ago
            if not self._issues.holds(seat):
                if not self.settlement.known(seat):
                    continue
                try:
                    rows += self.settlement.due(seat)
                    settled.append(seat)
                    self.settlement.caught_up(seat)
                    continue
                except RuleError as wrong:
                    self._cannot_stand(seat, wrong)
            state = self._core.spots.seat_state(seat)
            if state != "held" and (state != "deciding" or self._core.closed) and self.settlement.spots(seat):
                self._move(seat, "hold")
        if settled:
            self.settlement.settle(rows, settled)

    def _cannot_stand(self, seat: int, wrong: RuleError) -> None:
        """Bets that the by-law does not allow together, by a ruling or by the hand now seen: the supervisor's."""
        core = self._core
        spot = core.asked_spot(seat)
        for index in range(core.spots.bets):
            if core.game.bets[index].name == wrong.bet:
                spot = core.spots.at(seat, index)
        locked = core.spots.locked[spot]
        after, too_high = locked, False
        if wrong.code == DECISION_AMOUNT and wrong.bet is not None and wrong.high is not None:
            # 67.81: a right that rests on the hand, which nothing could depend on before it was shown.
            too_high = bet_named(core.game, wrong.bet).relation.kind is not None and locked > wrong.high
            after = wrong.high if too_high else locked
        if wrong.bet == core.game.decision.bet and wrong.low is not None:
            after = max(after, wrong.low)  # PLAY-AMOUNT: valid makes the play good
        kind = "play_too_high" if too_high else "relation"
        issue = self._issues.raise_at(kind, spot, locked, after, (core.now, core.now), (), SEAT_HOLD)
        if issue is not None:
            issue.on_refused = after - locked if too_high else -locked

    def fold(self, seat: int) -> None:
        """A ruling has refused to make good a play that another ruling took away: the seat has folded (PLAY-AMOUNT).

        Nothing happens while something else is open at the seat, or its decision waits: it is judged after that.
        """
        core = self._core
        if self._issues.holds(seat) or not core.decision[seat] or core.spots.seat_state(seat) != "held":
            return
        self._move(seat, "unhold")
        core.decision[seat] = DECISIONS.index(core.game.decision.refused)
        self._move(seat, "fold")

    def catch_up(self) -> None:
        """Go on with every seat that had to wait for a ruling and does not any more."""
        core = self._core
        for seat in core.spots.seats:
            if not core.is_live(seat):
                continue
            if self._issues.holds(seat):
                if self.settlement.behind(seat) and core.spots.seat_state(seat) not in ("held", "deciding"):
                    self._settle([seat])  # what came late has dwelt: the seat goes on hold
                continue
            if core.spots.seat_state(seat) == "held":
                self._move(seat, "unhold")
            if core.closed and core.spots.seat_state(seat) == "deciding":
                trigger = self._decisions.settle_pending(seat, (core.now, core.now))
                if trigger:
                    self._move(seat, trigger)
            if self.settlement.behind(seat):
                if core.spots.seat_state(seat) != "deciding":
                    self.settlement.reveal([seat], [])
                self._settle([seat])

    def _move(self, seat: int, trigger: str) -> None:
        self._core.append("seat_state", {"seat": seat, "trigger": trigger})
        self._core.spots.seat_machines.fire(trigger, seat)
