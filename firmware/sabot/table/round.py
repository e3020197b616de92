"""The course of a round: what follows a confirmed lock, a complete deal, closed decisions. Entry point: `Round`.

Each step writes its record first, then moves the machines, then lamps, gate and prompts. The steps are those of the
game (`Game.course`), in its order; one that must wait is tried again by `proceed`, which every input ends with. What
only some games have is loaded with them alone.
"""

from sabot.table.close import Close
from sabot.table.confirm import Confirmation
from sabot.table.core import Core
from sabot.table.deal import AGAIN, CUT, PUSHED_BACK, Deal
from sabot.table.dealing import Dealing
from sabot.table.decisions import PENDING, Decisions
from sabot.table.ending import Ending
from sabot.table.issues import Issues
from sabot.table.lock import LockPath
from sabot.table.showdown import Showdown
from sabot.table.ticks import since
from sabot.table.verdict import Verdict
from sabot.table.watch import Watch
from sabot.wire.codes import KEYS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.by_hand import ByHand
    from sabot.table.first_card import FirstCard
    from sabot.table.halves import Halves
    from sabot.table.packets import Packets
    from sabot.table.readers import Readers


class Round:
    """One round after another, over the parts that the table is made of."""

    def __init__(self, core: Core, issues: Issues) -> None:
        self.core = core
        self.issues = issues
        self.lock = LockPath(core)
        self.confirmation = Confirmation(core, issues)
        self.confirmations = [self.confirmation]
        self.watch = Watch(core, issues)
        self.verdict = Verdict(core, issues, self.confirmation)
        self.deal = Deal(core)
        self.decisions = Decisions(core, issues, self.watch)
        self.showdown = Showdown(core, issues, self.watch, self.deal, self.decisions)
        self.ending = Ending(core, issues, self.confirmations, self.deal)
        self.first_card: FirstCard | None = None
        if core.spots.carded:
            from sabot.table import first_card

            self.first_card = first_card.FirstCard(core, issues)
            self.confirmations.append(self.first_card.confirmation)
        self.halves: Halves | None = None
        if self.decisions.at_once:
            from sabot.table import halves

            self.halves = halves.Halves(core, issues, self.watch, self.showdown.settlement)
        self.dealing = Dealing(core, issues, self.deal, self.decisions, self.showdown, self.halves)
        self.by_hand: ByHand | None = None
        self.packets: Packets | None = None
        self.readers: Readers | None = None  # from the first reader that fails
        if core.config.deal != "cards" or core.config.payment_order != "none" or core.config.discard >= 0:
            from sabot.table.styles import attach

            attach(self)
        self.closing = Close(core, issues, self.lock, self.confirmation, self.verdict, self.decisions, self.showdown)
        self.judged = False  # every bet made before the deal is confirmed, and it is known who plays
        self.reveal_asked = False
        self.gate = False  # the shoe's gate is open

    # --- the lock -----------------------------------------------------------------------------------------------------

    def announce(self, edge: int) -> None:
        """Lock the bets at the raw instant `edge`; the work that may allocate comes after the lamps."""
        core = self.core
        core.confirmed = False
        core.step = 0
        self.judged = False
        self.closing.key = 0
        self.reveal_asked = False
        if self.first_card is not None:
            self.first_card.clear()
        self.lock.strike(edge)
        if core.config.gate_after == "key" and self.by_hand is None:
            self._set_gate(True)
        core.ports.journal.seal()
        self.dealing.clear()
        if self.ending.discard is not None:
            self.ending.discard.begin()
        if self.packets is not None:
            self.packets.clear()
        self.showdown.settlement.clear()
        for seat in range(8):
            core.decision[seat] = PENDING
            self.watch.folding[seat] = 0
        self.confirmation.begin(core.spots.announced, edge)

    def leaving(self, edge: int) -> None:
        """A card breaks the shoe's beam at the raw instant `edge`: the first one may lock bets. Allocates nothing."""
        core = self.core
        if self.first_card is not None and core.machine.name == "locked" and self.gate and not core.carded:
            self.first_card.strike(edge)

    def shut_gate(self) -> None:
        """Shut the shoe's gate, and know that it is, whatever else cannot be done any more."""
        self._set_gate(False)

    def _set_gate(self, opened: bool) -> None:
        if opened != self.gate:
            self.gate = opened
            self.core.ports.gate.set(opened)

    def waits(self, spot: int) -> bool:
        """Whether the spot is one whose lock is not judged yet. Allocates nothing."""
        for confirmation in self.confirmations:
            if confirmation.judges(spot):
                return True
        return False

    def edge_of(self, spot: int) -> int:
        """Raw instant of the lock that the spot's bet was locked by."""
        if self.first_card is not None and spot in self.core.spots.carded:
            return self.first_card.confirmation.edge
        return self.lock.edge if spot in self.core.spots.announced else self.confirmation.edge

    def confirming(self) -> bool:
        """Whether some lock is being confirmed. Allocates nothing."""
        for confirmation in self.confirmations:
            if confirmation.active:
                return True
        return False

    def wholly_after(self, spot: int, lo: int) -> bool:
        """Whether a change at a spot, begun after the raw instant `lo`, lies after the lock that is being confirmed."""
        for confirmation in self.confirmations:
            if confirmation.judges(spot) and since(lo, confirmation.edge) >= 0:
                return True
        return False

    def reader(self, antennas: "tuple[int, ...]", dead: bool) -> None:
        """The reader of these antennas has failed, or is back."""
        if self.readers is None:
            from sabot.table.readers import Readers

            self.readers = Readers(self)
        self.readers.told(antennas, dead)

    # --- going on -----------------------------------------------------------------------------------------------------

    def proceed(self) -> None:
        """Go on with whatever is due and not held up."""
        core = self.core
        if self.readers is not None:
            self.readers.tick()
        self._confirm()
        if self.judged and core.machine.name == "locked" and not self.deal.planned():
            self._nobody_plays()
        self.dealing.bind_early()
        if self.issues.open and not self.closing.key:
            self.dealing.open_late()
        if core.in_round:
            while not core.complete and core.machine.name != "suspended" and self._step(core.game.course[core.step]):
                core.step += 1
            if core.machine.name not in ("locked", "suspended"):
                self.showdown.catch_up()
        self._set_gate(self._gate_is_due())

    def _gate_is_due(self) -> bool:
        state = self.core.machine.name
        if self.by_hand is not None:
            return False
        if state == "locked" and not self.judged:
            if self.core.confirmed:
                return self.first_card is not None
            # A wrong card is told of when the lock is confirmed: nothing follows it until then.
            return self.core.config.gate_after == "key" and not self.deal.wrong_early()
        return state in ("locked", "dealing") and self.deal.planned() and not self.deal.complete()

    def _confirm(self) -> None:
        """Judge the lock whose every spot has had its confirming visit."""
        core = self.core
        first = self.first_card
        if self.confirmation.done():
            if core.machine.name == "locked" and not core.confirmed:
                if first is None:
                    self._play(self.verdict)
                else:
                    first.confirm_part(self.verdict)
                core.confirmed = True
                self.confirmation.stop()
            elif core.machine.name == "deciding" and self.closing.key:
                if not self.watch.unseen(self.confirmation.edge):
                    self.closing.confirm()
        if first is not None:
            first.confirm()
            known = self.deal.early_count != 0  # it has been read, and is not the cut card
            if first.confirmation.done() and core.confirmed and core.machine.name == "locked" and known:
                self._play(first.verdict)
                first.confirmation.stop()

    def _play(self, verdict: Verdict) -> None:
        """The last lock before the deal is confirmed."""
        playing = verdict.confirm()
        self.judged = True
        if self.by_hand is None:
            self.deal.plan("deal", playing)
            return
        self.by_hand.plan(playing)

    def _nobody_plays(self) -> None:
        """No seat has a bet that stands: bets are open again, and cards that have left already stop the table."""
        early, carded = self.deal.early_count, self.core.carded
        self.deal.early_count = 0
        self.core.carded = False
        if self.ending.withdraw(0):
            for _ in range(early):
                self.dealing.fault("card_before_lock", self.core.now)
        else:
            self.deal.early_count = early
            self.core.carded = carded

    def _step(self, step: str) -> bool:
        """Do a step of the course, or find it done; False when it must wait."""
        core = self.core
        if step == "deal":
            return core.machine.name == "deciding"
        if step == "close":
            if core.machine.name == "deciding" and not self.closing.key and self.closing.nobody_decides():
                self.closing.unasked()
            return core.machine.name in ("revealing", "settling")
        if step.startswith("reveal"):
            if not self.reveal_asked:
                return False
            self.reveal_asked = False
            self.showdown.reveal(step)
        elif step.startswith("settle"):
            self.showdown.settle(step)
        elif step != "decide" and self.by_hand is None:
            return self.dealing.again(step)
        elif step == "war" and self.by_hand is not None:
            self.by_hand.war()
        return True

    def reveal_is_due(self) -> bool:
        """Whether a hand of the dealer, or of the seats, is the next thing to be shown."""
        course = self.core.game.course
        state = self.core.machine.name
        if state == "deciding":
            return self.closing.key != 0 and course[course.index("close") + 1].startswith("reveal")
        return (
            state in ("revealing", "settling")
            and not self.core.complete
            and course[self.core.step].startswith("reveal")
        )

    # --- what is keyed and what the shoe says -------------------------------------------------------------------------

    def card(self, code: int, ticks: int) -> None:
        """A card has left the shoe at the raw instant `ticks`: 0 to 51, with `AGAIN` or without, or a negative code.

        The same card twice in a deal has been pushed back; the first of a deal may be the last one of the deal before.
        With `AGAIN` twice, it was told already when it went in.
        """
        first = self.first_card
        if code >= 0 and code & (AGAIN - 1) == CUT:
            locked = first is not None and not self.judged and first.locked_at(ticks)
            self.ending.cut(ticks, locked)
            if first is not None and locked:
                first.take_back()
            return
        self.leaving(ticks)  # a card close behind the cut card, whose edge came before that was known
        if code >= AGAIN:
            in_deal = self.deal.position or self.deal.early_count
            if in_deal and code >= 2 * AGAIN:
                return
            code = PUSHED_BACK if in_deal else code & (AGAIN - 1)
        self.dealing.card(code, ticks, self.gate, self.judged)

    def close(self, edge: int, key: int) -> None:
        """Close the decisions at the raw instant `edge` of a key (codes.KEYS); the caller has checked the state."""
        self.closing.strike(edge, key)
        if KEYS[key] == "devoiler":
            self.reveal_asked = self.reveal_is_due()

    def give_up(self, seat: int) -> bool:
        """The dealer keys a seat's refusal; False when the seat has nothing to decide.

        A fold, or a refusal keyed while cards are still dealt, may be taken back by the same keys.
        """
        if self.halves is not None and self.core.machine.name == "deciding":
            return self.halves.take(seat)
        return self.decisions.toggle_fold(seat)
