"""The course of a round: what follows a confirmed lock, a complete deal, closed decisions. Entry point: `Round`.

Each step writes its record first, then moves the machines, then lamps, gate and prompts. Steps that must wait while the
table is stopped are tried again by `proceed`, which every input ends with.
"""

from sabot.table.confirm import Confirmation, Found
from sabot.table.core import Core
from sabot.table.deal import Deal
from sabot.table.decisions import PENDING, Decisions
from sabot.table.ending import Ending
from sabot.table.issues import Issues
from sabot.table.lock import LockPath
from sabot.table.ticks import since
from sabot.table.verdict import Verdict
from sabot.table.watch import Watch
from sabot.wire.codes import DECISIONS, KEYS


class Round:
    """One round after another, over the parts that the table is made of."""

    def __init__(self, core: Core, issues: Issues) -> None:
        self.core = core
        self.issues = issues
        self.lock = LockPath(core)
        self.confirmation = Confirmation(core, issues)
        self.watch = Watch(core, issues)
        self.verdict = Verdict(core, issues, self.confirmation)
        self.deal = Deal(core)
        self.decisions = Decisions(core, issues, self.watch)
        self.ending = Ending(core, issues, self.confirmation, self.watch, self.deal, self.decisions)
        self.close_key = 0  # the key that closed the decisions (codes.KEYS), 0 while they are open
        self.reveal_asked = False
        self.gate = False  # the shoe's gate is open

    # --- the lock -----------------------------------------------------------------------------------------------------

    def announce(self, edge: int) -> None:
        """Lock the bets at the raw instant `edge`; the work that may allocate comes after the lamps."""
        core = self.core
        core.confirmed = False
        self.close_key = 0
        self.reveal_asked = False
        self.lock.strike(edge)
        if core.config.gate_after == "key":
            self._set_gate(True)
        core.ports.journal.seal()
        self.deal.clear()
        self.ending.begin_round()
        for seat in range(8):
            core.decision[seat] = PENDING
            self.watch.folding[seat] = 0
        self.confirmation.begin(core.spots.announced, edge)

    def _set_gate(self, opened: bool) -> None:
        if opened != self.gate:
            self.gate = opened
            self.core.ports.gate.set(opened)

    def waits(self, spot: int) -> bool:
        """Whether the spot is one whose lock is not judged yet."""
        if not self.confirmation.active:
            return False
        return self.confirmation.covers[spot] != 0

    def wholly_after(self, lo: int) -> bool:
        """Whether a change that began after the raw instant `lo` lies after the lock that is being confirmed."""
        return self.confirmation.active and since(lo, self.confirmation.edge) >= 0

    def proceed(self) -> None:
        """Go on with whatever is due and not held up."""
        core = self.core
        if self.confirmation.done():
            if core.machine.name == "locked" and not core.confirmed:
                self._confirm_bets()
            elif core.machine.name == "deciding" and self.close_key:
                self._confirm_decisions()
        if core.confirmed and core.machine.name == "locked" and not self.deal.planned():
            self._nobody_plays()
        while self.deal.planned() and self.deal.early_count and core.machine.name in ("locked", "dealing"):
            self._bind_early()
        if core.machine.name == "revealing" and self.reveal_asked:
            self.reveal_asked = False
            self.ending.reveal()
        if core.machine.name in ("revealing", "settling"):
            self.ending.catch_up()
        self._set_gate(
            core.machine.name in ("locked", "dealing")
            and (self.deal.planned() or (core.config.gate_after == "key" and not core.confirmed))
            and not self.deal.complete()
        )

    def _confirm_bets(self) -> None:
        """Every spot has had its confirming visit."""
        playing = self.verdict.confirm()
        self.core.confirmed = True
        self.confirmation.stop()
        self.deal.plan(playing)

    def _nobody_plays(self) -> None:
        """No seat has a bet that stands: bets are open again, and cards that have left already stop the table."""
        early = self.deal.early_count
        self.deal.early_count = 0
        if self.ending.withdraw(0):
            for _ in range(early):
                self._card_fault("card_before_lock", self.core.now)
        else:
            self.deal.early_count = early

    # --- the deal -----------------------------------------------------------------------------------------------------

    def card(self, code: int, ticks: int) -> None:
        """A card has left the shoe at the raw instant `ticks`: 0 to 51, `deal.UNREAD` or `deal.ALIEN`."""
        core = self.core
        state = core.machine.name
        if state in ("locked", "dealing") and self.gate:
            if not core.confirmed:
                if not self.deal.keep_early(code):
                    self._card_fault("wrong_count", ticks)
                return
            self._bind(code, ticks)
        elif state == "suspended":
            self._card_fault("two_cards", ticks)
        elif state in ("idle", "betting", "last_bets", "locked"):
            self._card_fault("card_before_lock", ticks)
        elif state in ("dealing", "deciding", "revealing", "settling"):
            self._card_fault("wrong_count", ticks)

    def _bind_early(self) -> None:
        self._bind(self.deal.next_early(), self.core.now)

    def _bind(self, code: int, ticks: int) -> None:
        if self.core.machine.name == "locked":
            self.core.machine.fire("first_card")
        wrong = self.deal.take(code)
        if wrong:
            self._card_fault(wrong, ticks)
        else:
            self.dealt()

    def _card_fault(self, kind: str, ticks: int) -> None:
        self.issues.raise_card(kind, ticks, self.deal.position)
        self.core.machine.attempt("suspend")

    def dealt(self) -> None:
        """A card has taken its place."""
        core = self.core
        seat = self.deal.served()
        if seat > 0:
            self.decisions.open(seat)
        if self.deal.complete():
            core.append("deal", {"round": core.round, "hands": self.deal.hands()})
            core.machine.fire("all_dealt")

    # --- the decisions ------------------------------------------------------------------------------------------------

    def close(self, edge: int, key: int) -> None:
        """Close the decisions at the raw instant `edge` of a key (codes.KEYS); the caller has checked the state."""
        core = self.core
        for spot in range(core.spots.count):
            self.lock.opened[spot] = 1 if self.decisions.is_open(spot) else 0
        self.close_key = key
        self.lock.strike_close(edge, key)
        core.ports.journal.seal()
        self.confirmation.begin(self.decisions.open_spots(), edge)
        if KEYS[key] == "devoiler":
            self.reveal_asked = True

    def _confirm_decisions(self) -> None:
        core = self.core
        spots = core.spots
        found: dict[int, Found] = {}
        for spot in self.decisions.open_spots():
            found[spot] = self.confirmation.sort(spot)
        seats, rows = self.decisions.close(found, bytes(self.confirmation.lost))
        self.confirmation.stop()
        edge = core.time(self.confirmation.edge)
        core.append(
            "decisions", {"round": core.round, "edge": edge, "by": self.close_key, "seats": seats, "spots": rows}
        )
        places = [row[0] for row in rows]
        for seat, decision in seats:
            if decision != PENDING:
                spots.seat_machines[seat].fire("play" if DECISIONS[decision] == core.game.decision.taken else "fold")
            spot = self.decisions.spot_of[seat]
            spots.machines[spot].fire("lock" if spots.places[spot] in places else "shut")
        core.machine.fire("close")
        for seat, decision in seats:
            spot = self.decisions.spot_of[seat]
            here = found[spot]
            interval = (self.confirmation.edge, self.confirmation.ended)
            self.verdict.open_questions(spot, here)
            if decision != PENDING or not self.issues.holds(seat):
                self.decisions.question(seat, here.base, interval)
