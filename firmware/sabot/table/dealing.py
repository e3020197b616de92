"""The deals of a round: what is bound, what is a fault, what a complete deal opens. Entry point: `Dealing`.

The first deal follows the locks; a second one, where the course has it, follows the close of the decisions.
"""

from sabot.rules.game import EQUAL
from sabot.table.deal import DEALER
from sabot.table.decisions import PENDING
from sabot.wire.codes import DECISIONS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.decisions import Decisions
    from sabot.table.halves import Halves
    from sabot.table.issues import Issues
    from sabot.table.showdown import Showdown


_SHUT = ("closed", "dealer_change")  # nothing is played: a card that leaves the shoe stops nothing, and is recorded


class Dealing:
    """Binds the cards. `halves`: of a game in which a refusal is settled at once, else None."""

    def __init__(
        self,
        core: "Core",
        issues: "Issues",
        deal: "Deal",
        decisions: "Decisions",
        showdown: "Showdown",
        halves: "Halves | None",
    ) -> None:
        self._core = core
        self._issues = issues
        self._deal = deal
        self._decisions = decisions
        self._showdown = showdown
        self._halves = halves
        self._second = ""  # the deal after the decisions that has begun, a step of the course
        self.unread = 0  # cards of the latest packet that are still to be keyed
        self.faults = 0  # times that a card stopped the table in this round
        self._all_decide = core.game.decision.on != EQUAL
        if not self._all_decide:
            from sabot.table.wars import open_equal

            self._open_equal = open_equal

    def clear(self) -> None:
        """Another round: nothing has been dealt."""
        self._second = ""
        self.unread = 0
        self.faults = 0
        self._deal.clear()

    def card(self, code: int, ticks: int, gate: bool, judged: bool) -> None:
        """A card has left the shoe at the raw instant `ticks`: 0 to 51, or a negative code of `deal`.

        `gate`: it was open; `judged`: it is known who plays.
        """
        core = self._core
        state = core.machine.name
        if self.expected(gate):
            if judged:
                self.bind(code, ticks)
            elif not self._deal.keep_early(code, ticks):
                self.fault("wrong_count", ticks)
        elif state == "suspended":
            self.fault("two_cards", ticks)
        elif state in ("idle", "betting", "last_bets", "locked"):
            self.fault("card_before_lock", ticks)
        elif state in ("dealing", "deciding", "revealing", "settling"):
            self.fault("wrong_count", ticks)
        elif state in _SHUT and not core.ports.journal.full:
            self._issues.note_card("card_before_lock", ticks)

    def expected(self, gate: bool) -> bool:
        """Whether a card may leave now; `gate`: it was open."""
        return gate and self._core.machine.name in ("locked", "dealing")

    def bind_early(self) -> None:
        """Bind the cards that left while the lock was being confirmed, as far as nothing stops the table."""
        while self._deal.planned() and self._deal.early_count and self._core.machine.name != "suspended":
            code, ticks = self._deal.next_early()
            if self._core.machine.name in ("locked", "dealing"):
                self.bind(code, ticks)
            else:
                self.fault("wrong_count", ticks)  # the deal was complete before it

    def bind(self, code: int, ticks: int) -> None:
        """Bind a card to the next place, or tell what is wrong with it."""
        if self._core.machine.name == "locked":
            self._core.machine.fire("first_card")
        wrong = self._deal.take(code)
        if wrong:
            self.fault(wrong, ticks)
        else:
            self.dealt(ticks)

    def fault(self, kind: str, ticks: int) -> None:
        """Something is wrong with the cards at the raw instant `ticks`: the table stops."""
        self.faults += 1
        self._issues.raise_card(kind, ticks, self._deal.position)
        self._core.machine.attempt("suspend")

    def astray(self, kind: str, hand: int, other: int) -> bool:
        """The dealer says that a card of a hand is `exposed`, that two hands are `misplaced`, or one is a `foul_hand`.

        The table stops; False when there is nothing of the kind to stop for.
        """
        core = self._core
        if core.machine.name not in ("dealing", "deciding") or (kind == "misplaced") == (hand == other):
            return False
        if not self._deal.cards(hand) or not self._deal.cards(other):
            return False
        issue = self._issues.raise_card(kind, core.now, hand | (other << 4 if kind == "misplaced" else 0))
        if issue is not None:
            issue.hands = hand | (other << 4)
        core.machine.attempt("suspend")
        return True

    def misdeal(self) -> None:
        """The dealer asks for the round to be void: the table stops until the supervisor has spoken."""
        self.fault("misdeal", self._core.now)

    def dealt(self, ticks: int) -> None:
        """A card, which left the shoe at the raw instant `ticks`, has taken its place."""
        core = self._core
        seat = self._deal.served()
        if self._all_decide and seat in core.spots.seats:
            self._decisions.open(seat)
        self.complete(ticks)
        if self.unread:
            self.unread -= 1
            if self.unread:
                self.fault("unread_card", ticks)

    def open_late(self) -> None:
        """A bet that gives a decision (67.47) waits for a ruling, and its seat has had its last card: open it now.

        A seat that was served while the bet waited is asked in the same way.
        """
        core = self._core
        state = core.machine.name
        if not self._all_decide or state not in ("dealing", "deciding"):
            return
        for issue in list(self._issues.open):
            seat = core.spots.seat(issue.spot) if issue.spot >= 0 else 0
            if not seat or issue.spot != core.asked_spot(seat) or core.decision[seat] != PENDING:
                continue
            if self._deal.has_all(seat):
                self._decisions.open(seat, state == "deciding")

    def complete(self, ticks: int) -> None:
        """End the deal if its last card is bound; while the table is stopped this waits for the end of the stop."""
        core = self._core
        if core.machine.name != "dealing" or not self._deal.complete():
            return
        if not self._all_decide and not self._second and self._deal.hand(DEALER):
            self._open_equal(core, self._deal, self._decisions, ticks)
        core.append("deal", {"round": core.round, "hands": self._deal.hands()})
        core.machine.fire("dealt_again" if self._second else "all_dealt")
        self._showdown.show_open()
        if self._halves is not None and not self._second:
            self._halves.take_keyed()

    def again(self, step: str) -> bool:
        """The deal after the decisions, to the seats that went on and to the dealer; True when it is done."""
        core = self._core
        if self._second != step:
            seats = self.staying()
            if not seats:
                return True
            self._second = step
            core.machine.fire("deal_again")
            self._deal.plan(step, seats)
        return core.machine.name != "dealing"

    def staying(self) -> "list[int]":
        """Seats that are dealt more cards; one that waits for a ruling is played on with."""
        core = self._core
        taken = DECISIONS.index(core.game.decision.taken)
        found = []
        for seat in core.spots.seats:
            waits = core.decision[seat] == PENDING and core.spots.seat_state(seat) == "deciding"
            if waits or (core.decision[seat] == taken and core.is_live(seat)):
                found.append(seat)
        return found
