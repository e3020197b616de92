"""How a round ends: closed, voided, or its announcement withdrawn; and how a table closes. Entry point: `Ending`.

A round ends when no seat waits for a ruling any more.
"""

from sabot.wire.codes import FAULTS, VOID_REASONS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.confirm import Confirmation
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.discard import Discard
    from sabot.table.issues import Issues
    from sabot.table.payment import Payment

_SELDOM = ("rulings", "astray")  # modules of this package that a round seldom needs, and that go with it


class Ending:
    """The last part of each round."""

    def __init__(self, core: "Core", issues: "Issues", confirmations: "list[Confirmation]", deal: "Deal") -> None:
        self._core = core
        self._issues = issues
        self._confirmations = confirmations
        self._deal = deal
        self.payment: Payment | None = None  # of a table that pays in an order
        self.discard: Discard | None = None  # of a table whose discard has an antenna

    def tick(self) -> None:
        """Time passes in a round: look at what is paid, and at what comes back."""
        if self.payment is not None and self._core.machine.name != "suspended":
            self.payment.tick()
        if self.discard is not None:
            self.discard.tick()

    def withdraw(self, by: int) -> bool:
        """Take the announcement back, before the first card only; `by` as in codes.ROLES, 0: no seat has a bet left.

        False when it is too late, and while something waits for the supervisor.
        """
        core = self._core
        if core.machine.name != "locked" or self._deal.position or self._deal.early_count:
            return False
        if core.carded or self._issues.serious():
            return False
        self._expire_all("expired", by)
        core.append("unlock", {"round": core.round, "by": by})
        core.machine.fire("unlock")
        for spot in range(core.spots.count):
            core.spots.locked[spot] = 0
            if not core.spots.machines.attempt("unlock", spot) and core.spots.state(spot) == "released":
                core.spots.machines.fire("open" if spot in core.spots.laid else "shut", spot)
        for seat in core.spots.seats:
            core.spots.seat_machines.attempt("clear", seat)
        self._over()
        return True

    def finish(self) -> bool:
        """End the round; False while a seat is not settled, or anything waits for the supervisor.

        Hands of a later reveal (67.50) stay hidden when no bet rests on them.
        """
        core = self._core
        if self._issues.serious() or [seat for seat in core.spots.seats if core.is_live(seat)]:
            return False
        if self.discard is not None and not self.discard.complete():
            return False
        self._expire_all("expired", 0)
        core.rounds += 1
        if self.payment is not None:
            self.payment.record()
        core.append("round_end", {"round": core.round, "rounds": core.rounds})
        for seat in core.spots.seats:
            core.history.end(seat, sum(core.bets(seat).values()))
        core.machine.fire("finish")
        self._reset()
        self._close_when_full()
        self._shuffle()
        return True

    def void(self, reason: str, by: int) -> bool:
        """Void the round: unsettled bets return as locked, settled ones stand. False when no round is running."""
        core = self._core
        spots = core.spots
        if not core.in_round:
            return False
        article = "house:" + ("case" if self._issues.of("case") else reason)
        self._expire_all("void", by)
        rows = []
        for spot in range(spots.count):
            if spots.state(spot) == "locked" and spots.locked[spot]:
                rows.append((spots.places[spot], spots.locked[spot]))
        values = {"round": core.round, "reason": VOID_REASONS.index(reason), "by": by, "article": article}
        values["spots"] = rows
        core.append("void", values)
        core.machine.fire("void")
        for place, cents in rows:
            core.prompt("void_return", place, cents)
        for seat in spots.seats:
            if core.is_live(seat):
                spots.seat_machines.fire("out", seat)
        self._reset()
        self._close_when_full()
        self._shuffle()
        return True

    def cut(self, ticks: int, locked: bool) -> None:
        """The cut card has left the shoe at the raw instant `ticks`: the running round is the last, or none begins.

        `locked`: its edge has locked bets as the first card's, which the record takes back.
        """
        core = self._core
        if (core.cut and not locked) or core.machine.name == "closed":
            return
        core.cut = True
        core.append("cut_card", {"round": core.round, "at": core.time(ticks)})
        core.prompt("last_round")
        if not core.in_round:
            self._shuffle()

    def _shuffle(self) -> None:
        """No round begins behind the cut card: the table waits for the shuffle."""
        if self._core.cut and self._core.machine.can("shuffle"):
            self._core.append("table", {"trigger": "shuffle", "by": 0})
            self._core.machine.fire("shuffle")

    def shuffled(self, by: int) -> bool:
        """The cards have been shuffled, says `by` (codes.ROLES); False when the table does not wait for that."""
        core = self._core
        if core.machine.name != "shuffle":
            return False
        core.append("table", {"trigger": "shuffled", "by": by})
        core.machine.fire("shuffled")
        core.cut = False
        return True

    def _close_when_full(self) -> None:
        """No room in the journal for another round: the table closes, and the fault says why."""
        core = self._core
        if core.ports.journal.full:
            values = {"part": FAULTS.index("journal_full"), "index": 0, "detail": "acknowledge the records"}
            core.append("fault", values)
            core.machine.fire("emptied")
            self.shut_down(0)
            core.prompt("call_supervisor")

    def shut_down(self, by: int) -> None:
        """Close an idle table: spots shut, what lies there is no bet. `by` as in codes.ROLES, 0: the controller."""
        core = self._core
        for trigger in ("shut_down", "closed"):
            core.append("table", {"trigger": trigger, "by": by})
            core.machine.fire(trigger)
        for spot in core.spots.laid:
            core.spots.machines.fire("shut", spot)
        for seat in core.spots.seats:
            core.spots.seat_machines.attempt("unbet", seat)

    def _expire_all(self, word: str, by: int) -> None:
        """End everything that is open; the table resumes when that was what stopped it."""
        for issue in list(self._issues.open):
            spot = issue.spot
            self._issues.close(issue, word, by, self._core.spots.locked[spot] if spot >= 0 else 0)
        if self._core.machine.name == "suspended":
            self._core.machine.fire("resume")

    def _reset(self) -> None:
        """Seats cleared, spots open for the next round's bets."""
        spots = self._core.spots
        for spot in range(spots.count):
            machines = spots.machines
            if not machines.attempt("release", spot) and machines.name_of(spot) in ("locked", "open"):
                machines.fire("free", spot)
            machines.attempt("open" if spot in spots.laid else "shut", spot)
            spots.locked[spot] = 0
            spots.keyed[spot] = 0
            spots.tokes[spot] = 0
        for seat in spots.seats:
            spots.seat_machines.attempt("clear", seat)
        self._over()

    def _over(self) -> None:
        core = self._core
        core.in_round = False
        core.confirmed = False
        core.changing = [0] * 8
        core.carded = False
        for confirmation in self._confirmations:
            confirmation.stop()
        self._deal.clear()
        if self.payment is not None:
            self.payment.clear()
        for name in _SELDOM:
            core.ports.forget("sabot.table." + name)
        core.ledger.forget_round()
        for item in range(core.ledger.top):
            if core.ledger.where[item] and core.spots.host[core.ledger.spot[item]] >= 0:
                core.ledger.move(item, core.spots.host[core.ledger.spot[item]])  # it lies beside the next round's bet
        for spot in range(core.spots.count):
            core.see(spot)
