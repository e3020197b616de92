"""The course of a round: what follows a confirmed lock, a complete deal, closed decisions. Entry point: `Round`.

Each step writes its record first, then moves the machines, then lamps, gate and prompts. Steps that must wait while the
table is stopped are tried again by `proceed`, which every input ends with.
"""

from sabot.rules.errors import RuleError
from sabot.table.confirm import Confirmation, Found
from sabot.table.core import Core
from sabot.table.deal import Deal
from sabot.table.decisions import PENDING, Decisions
from sabot.table.issues import SEAT_HOLD, Issues
from sabot.table.lock import LockPath
from sabot.table.settlement import Settlement
from sabot.table.ticks import since
from sabot.table.verdict import Verdict
from sabot.table.watch import Watch
from sabot.wire.codes import DECISIONS, KEYS, VOID_REASONS


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
        self.settlement = Settlement(core, self.deal)
        self.confirmed = False  # the lock of the bets is confirmed
        self.close_key = 0  # the key that closed the decisions (codes.KEYS), 0 while they are open
        self.reveal_asked = False
        self.gate = False  # the shoe's gate is open

    # --- the lock -----------------------------------------------------------------------------------------------------

    def announce(self, edge: int) -> None:
        """Lock the bets at the raw instant `edge`; the work that may allocate comes after the lamps."""
        core = self.core
        self.confirmed = False
        self.close_key = 0
        self.reveal_asked = False
        self.lock.strike(edge)
        if core.config.gate_after == "key":
            self._set_gate(True)
        core.ports.journal.seal()
        self.deal.clear()
        self.settlement.clear()
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
            if core.machine.name == "locked" and not self.confirmed:
                self._confirm_bets()
            elif core.machine.name == "deciding" and self.close_key:
                self._confirm_decisions()
        while self.confirmed and self.deal.early_count and core.machine.name in ("locked", "dealing"):
            self._bind_early()
        if core.machine.name == "revealing" and self.reveal_asked:
            self._reveal()
        self._set_gate(
            core.machine.name in ("locked", "dealing")
            and (self.confirmed or core.config.gate_after == "key")
            and not self.deal.complete()
        )

    def _confirm_bets(self) -> None:
        """Every spot has had its confirming visit."""
        playing = self.verdict.confirm()
        self.confirmed = True
        self.confirmation.stop()
        if playing:
            self.deal.plan(playing)
        else:
            self.withdraw(0)

    def withdraw(self, by: int) -> bool:
        """Take the announcement back, before the first card only; `by` as in codes.ROLES, 0: no seat has a bet left."""
        core = self.core
        if core.machine.name != "locked" or self.deal.position or self.deal.early_count:
            return False
        self._expire_all("expired", by)
        core.append("unlock", {"round": core.round, "by": by})
        core.machine.fire("unlock")
        for spot in range(core.spots.count):
            core.spots.locked[spot] = 0
            if not core.spots.machines[spot].attempt("unlock") and core.spots.state(spot) == "released":
                core.spots.machines[spot].fire("open" if spot in core.spots.announced else "shut")
        for seat in core.spots.seats:
            core.spots.seat_machines[seat].attempt("clear")
        self._over()
        return True

    # --- the deal -----------------------------------------------------------------------------------------------------

    def card(self, code: int, ticks: int) -> None:
        """A card has left the shoe at the raw instant `ticks`: 0 to 51, `deal.UNREAD` or `deal.ALIEN`."""
        core = self.core
        state = core.machine.name
        if state in ("locked", "dealing") and self.gate:
            if not self.confirmed:
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
        opened = self.decisions.open_spots()
        for spot in range(core.spots.count):
            self.lock.opened[spot] = 1 if spot in opened else 0
        self.close_key = key
        self.lock.strike_close(edge, key)
        core.ports.journal.seal()
        self.confirmation.begin(opened, edge)
        if KEYS[key] == "devoiler":
            self.reveal_asked = True

    def _confirm_decisions(self) -> None:
        core = self.core
        spots = core.spots
        found: dict[int, Found] = {}
        for spot in self.decisions.open_spots():
            found[spot] = self.confirmation.sort(spot)
        lost = bytes(self.confirmation.lost)
        seats, rows = self.decisions.close(found, lost)
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
            if lost[spot] or here.doubted or here.handled or here.valueless:
                self.verdict.open_questions(spot, here)
            elif decision != PENDING or not self.issues.holds(seat):
                self.decisions.question(seat, here.base, interval)

    # --- the end ------------------------------------------------------------------------------------------------------

    def _reveal(self) -> None:
        """The dealer's hand is shown: record the hands, then settle every seat that nothing holds."""
        core = self.core
        self.reveal_asked = False
        for spot in range(core.spots.count):
            if core.spots.state(spot) == "locked":
                self.watch.judge(spot, True)
        live = [seat for seat in core.spots.seats if core.is_live(seat)]
        self.settlement.reveal(live, True)
        core.machine.fire("reveal")
        self._settle(live)

    def _settle(self, seats: "list[int]") -> None:
        """Settle these seats, those on hold apart: they are settled when their last question is answered."""
        rows = []
        settled = []
        for seat in seats:
            if not self.issues.holds(seat):
                try:
                    rows += self.settlement.due(seat)
                    settled.append(seat)
                    continue
                except RuleError as wrong:
                    self._cannot_stand(seat, wrong)
            if self.core.spots.seat_state(seat) != "held":
                self.core.append("seat_state", {"seat": seat, "trigger": "hold"})
                self.core.spots.seat_machines[seat].fire("hold")
        if settled:
            self.settlement.settle(rows, settled)

    def _cannot_stand(self, seat: int, wrong: RuleError) -> None:
        """Rulings have left bets that the by-law does not allow together: the supervisor's again."""
        core = self.core
        spot = core.asked_spot(seat)
        for index in range(core.spots.bets):
            if core.game.bets[index].name == wrong.bet:
                spot = core.spots.at(seat, index)
        locked = core.spots.locked[spot]
        issue = self.issues.raise_at("relation", spot, locked, locked, (core.now, core.now), (), SEAT_HOLD)
        if issue is not None:
            issue.on_refused = -locked

    def release(self, seat: int) -> None:
        """A ruling has been given at a seat, and nothing holds it any more: go on with what had to wait."""
        core = self.core
        state = core.spots.seat_state(seat)
        course = core.machine.name
        if state == "held":
            core.append("seat_state", {"seat": seat, "trigger": "unhold"})
            core.spots.seat_machines[seat].fire("unhold")
            state = core.spots.seat_state(seat)
        if state == "deciding" and course in ("revealing", "settling"):
            trigger = self.decisions.settle_pending(seat, (core.now, core.now))
            if trigger:
                core.append("seat_state", {"seat": seat, "trigger": trigger})
                core.spots.seat_machines[seat].fire(trigger)
        if course == "settling":
            if core.spots.seat_state(seat) != "deciding":
                self.settlement.reveal([seat], False)
            self._settle([seat])

    def finish(self) -> bool:
        """End the round; False while a seat is on hold."""
        core = self.core
        for seat in core.spots.seats:
            if core.spots.seat_state(seat) in ("held", "in", "folded", "deciding"):
                return False
        self._expire_all("expired", 0)
        core.rounds += 1
        core.append("round_end", {"round": core.round, "rounds": core.rounds})
        for seat in core.spots.seats:
            core.history.end(seat, sum(core.bets(seat).values()))
        core.machine.fire("finish")
        self._reset()
        return True

    def void(self, reason: str, by: int) -> bool:
        """Void the round: unsettled bets return as locked, settled ones stand. False when no round is running."""
        core = self.core
        spots = core.spots
        if not core.in_round:
            return False
        self._expire_all("void", by)
        rows = []
        for spot in range(spots.count):
            if spots.state(spot) == "locked" and spots.locked[spot]:
                rows.append((spots.places[spot], spots.locked[spot]))
        values = {"round": core.round, "reason": VOID_REASONS.index(reason), "by": by, "article": "house:" + reason}
        values["spots"] = rows
        core.append("void", values)
        core.machine.fire("void")
        for place, cents in rows:
            core.prompt("void_return", place, cents)
        for seat in spots.seats:
            if core.is_live(seat):
                spots.seat_machines[seat].fire("out")
        self._reset()
        return True

    def _expire_all(self, word: str, by: int) -> None:
        """End everything that is open; the table resumes when that was what stopped it."""
        for issue in list(self.issues.open):
            spot = issue.spot
            self.issues.close(issue, word, by, self.core.spots.locked[spot] if spot >= 0 else 0)
        if self.core.machine.name == "suspended":
            self.core.machine.fire("resume")

    def _reset(self) -> None:
        """Seats cleared, spots open for the next round's bets."""
        spots = self.core.spots
        for spot in range(spots.count):
            machine = spots.machines[spot]
            if not machine.attempt("release") and machine.name in ("locked", "open"):
                machine.fire("free")
            if spot in spots.announced:
                machine.attempt("open")
            else:
                machine.attempt("shut")
            spots.locked[spot] = 0
        for seat in spots.seats:
            spots.seat_machines[seat].attempt("clear")
        self._over()

    def _over(self) -> None:
        self.core.in_round = False
        self.confirmed = False
        self.confirmation.stop()
        self.deal.clear()
        self.core.ledger.forget_round()
