"""What a ruling does, and which doubts need one. Entry points: `Rulings`, `doubtful`.

Words (`codes.RESOLUTIONS`): `valid`, the change counts; `refused`, it does not; `cleared`, there is nothing to change;
`keyed`, the amount is the one given (cents; a card's code for an unread card); `void`, the seat's bets go back, or the
whole round's for a stopped table. The record says what the bet at that spot is from then on.
"""

from sabot.rules.cards import PACK_SIZE
from sabot.rules.game import LOCK_ANNOUNCEMENT
from sabot.table import ledger as led
from sabot.table.advice import kind_of
from sabot.table.issues import QUESTION, TABLE_STOP, Issue, Issues
from sabot.table.ticks import since
from sabot.wire.codes import ROLES, clears

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.confirm import Found
    from sabot.table.core import Core
    from sabot.table.enclosure import Enclosure
    from sabot.table.round import Round

_DEALER = ROLES.index("dealer")
_SUPERVISOR = ROLES.index("supervisor")
_TECHNICIAN = ROLES.index("technician")
_CONTACTS = ("lid", "case")
_ASTRAY = ("exposed", "misplaced", "foul_hand", "misdeal")  # the house's table says what becomes of the card
# Faults whose card may be keyed: it takes the place it was dealt to. Of two cards, too, there may have been but one.
_REPLACED = ("unread_card", "alien_card", "two_cards")


def doubtful(core: "Core", issues: Issues, spot: int, found: "Found") -> None:
    """Raise the question of a change whose interval contains the lock: small for the dealer, large for the pit.

    What lay there before that interval is a standing bet, and an addition to it is large. Chips of one stack, some of
    which were heard before the lock and some after it, are no addition to each other.
    """
    ledger = core.ledger
    seat = core.spots.seat(spot)
    before = found.base + found.went_cents
    after = found.base + found.came_cents
    core.history.doubt(seat)
    size = max(found.came_cents, found.went_cents)
    large = size >= core.config.large_cents or core.history.large(seat, size)
    recent = 0  # cents of ``before`` that came in that interval too
    for item in range(ledger.top):
        if ledger.where[item] and ledger.spot[item] == spot and ledger.first_fresh[item]:
            if since(ledger.first_lo[item], found.lo) >= 0 and item not in found.came:
                recent += ledger.value(item) if item in found.went or ledger.mark[item] == led.COUNTED else 0
    large = large or (found.came_cents > 0 and before > recent)
    kind = "ambiguous_large" if large else "ambiguous"
    issue = issues.raise_at(kind, spot, before, after, (found.lo, found.hi), found.came + found.went)
    if issue is not None:
        issue.on_valid = found.came_cents
        issue.on_refused = found.went_cents
        issue.only_went = not found.came


class Rulings:
    """Applies the words of the dealer and of the supervisor to the round."""

    def __init__(self, course: "Round", issues: Issues, enclosure: "Enclosure") -> None:
        self.course = course
        self._issues = issues
        self._enclosure = enclosure

    def rule(self, number: int, word: str, amount: int, by: int) -> bool:
        """End irregularity `number`; False when it is not open, or the word, the amount or the person do not fit."""
        issue = self._issues.find(number)
        if issue is None or (by == _DEALER and issue.severity > QUESTION):
            return False
        if by == _TECHNICIAN and clears(issue.kind) != "T":
            return False
        if issue.severity == TABLE_STOP:
            return self._card(issue, word, amount, by)
        if issue.severity > QUESTION and clears(issue.kind) == "S2":
            issue.word = word
            issue.amount = amount
            self.course.core.prompt("second", self.course.core.spots.places[issue.spot])
            return True
        return self._spot(issue, word, amount, by)

    def second(self, issue: Issue, yes: bool) -> None:
        """The dealer's word on what the supervisor has ruled, or keyed: then two people answer for it."""
        if not issue.word:
            self._confirm_keyed(issue, yes)
            return
        word = issue.word
        issue.word = ""
        self.course.core.append("seconded", {"id": issue.id, "by": _DEALER if yes else 0})
        if yes:
            self._spot(issue, word, issue.amount, _SUPERVISOR)

    # --- cards --------------------------------------------------------------------------------------------------------

    def _card(self, issue: Issue, word: str, amount: int, by: int) -> bool:
        if word == "void":
            return self.course.ending.void("card_fault", by)
        if word == "valid" and issue.kind not in _ASTRAY:
            word = "cleared"  # nothing stands or falls with it: play goes on
        if issue.kind in _CONTACTS and (word != "cleared" or not self._enclosure.clears(issue, by)):
            return False
        if word == "keyed":
            # Whether that card has been dealt already is not told: it would tell what lies face down.
            # A card that left while the table was stopped, before anything was to be dealt, has no place to take.
            if issue.kind not in _REPLACED or not 0 <= amount < PACK_SIZE or not self.course.deal.planned():
                return False
            issue.keyed = amount
            self.course.core.prompt("doubt")
            return True
        if word == "valid" and issue.kind in _ASTRAY:
            from sabot.table.astray import carry_out

            return carry_out(self, issue, by)
        if word != "cleared" or issue.kind == "unread_card":
            return False
        self.end_card(issue, word, by)
        return True

    def _confirm_keyed(self, issue: Issue, right: bool) -> None:
        """The dealer's word on the card that the supervisor keyed: two people have seen the face, or it is keyed anew.

        The record does not hold the face: it stays as secret as any other face-down card's.
        """
        code = issue.keyed
        issue.keyed = -1
        if right and not self.course.deal.fits(code):
            # Two people have seen the face of a card that has been dealt: the place stays open, and this is told.
            self._issues.raise_card("duplicate_card", self.course.core.now, self.course.deal.position)
        elif right:
            self.end_card(issue, "keyed", _SUPERVISOR)
            wrong = self.course.deal.take(code)
            if wrong:
                self._issues.raise_card(wrong, self.course.core.now, self.course.deal.position)
                self.course.core.machine.attempt("suspend")
            else:
                self.course.dealing.dealt(self.course.core.now)

    def end_card(self, issue: Issue, word: str, by: int) -> None:
        """End a fault of the cards; the table goes on when it was the last that stopped it."""
        self._issues.close(issue, word, by, 0)
        if not self._issues.stops() and self.course.core.machine.name == "suspended":
            self.course.core.machine.fire("resume")
            # A card keyed while something else still stopped the table may have been the last one.
            self.course.dealing.complete(self.course.core.now)

    # --- bets ---------------------------------------------------------------------------------------------------------

    def _spot(self, issue: Issue, word: str, amount: int, by: int) -> bool:
        core = self.course.core
        if core.in_round and (not core.confirmed or self.course.waits(issue.spot)):
            return self._too_early(issue, word, by)
        locked = core.spots.locked
        seat = core.spots.seat(issue.spot)
        before = locked[issue.spot]
        bet_here = core.spots.state(issue.spot) == "locked"
        highest = self.course.decisions.highest(seat, issue.spot)
        if word == "valid":
            after = min(before + issue.on_valid, highest)  # 67.28: what is too much goes back
        elif word in ("refused", "cleared"):
            after = before + issue.on_refused
        elif word == "keyed" and by != _DEALER and 0 <= amount <= highest and bet_here:
            after = amount
        elif word == "void" and by != _DEALER and core.is_live(seat):
            after = 0
        else:
            return False
        playing = core.is_live(seat)
        if playing and bet_here and word != "void":
            locked[issue.spot] = max(after, 0)
        self._issues.close(issue, word, by, locked[issue.spot] if word != "void" else 0)
        self._calm(issue.spot)
        if not playing:
            return True
        if word == "void":
            self.out(seat, by)
            return True
        if word == "refused" and issue.kind == "relation" and not after and issue.spot == core.spots.opened[seat]:
            self.course.showdown.fold(seat)
        if not self._issues.holds(seat) and core.confirmed:
            self._go_on(issue, seat)
        return True

    def _too_early(self, issue: Issue, word: str, by: int) -> bool:
        """Before the lock is confirmed there is no amount to rule on: the question can only be taken note of."""
        if word in ("keyed", "void"):
            return False
        self._issues.close(issue, word, by, self.course.core.spots.locked[issue.spot])
        self._calm(issue.spot)
        return True

    def _go_on(self, issue: Issue, seat: int) -> None:
        """Nothing is open at the seat any more."""
        core = self.course.core
        if issue.spot == core.spots.opened[seat]:
            self.course.watch.folding[seat] = 0  # the ruling has answered the keyed fold
        if issue.spot in core.spots.laid and not core.closed:
            wrong = self.course.verdict.refused(seat, None if self.course.judged else LOCK_ANNOUNCEMENT)
            if wrong is not None:
                spot, cents = self.course.verdict.broken(seat, wrong)
                self.out(seat, 0)
                self.course.verdict.tell_out(kind_of(wrong.code), spot, cents)
                return
        if core.spots.seat_state(seat) == "deciding" and not core.closed:
            self.course.decisions.excuse(seat, self.course.deal.complete())

    def out(self, seat: int, by: int) -> None:
        """The seat's bets go back; what else was open there has no object any more."""
        core = self.course.core
        self._issues.close_seat(seat, by)
        core.append("seat_state", {"seat": seat, "trigger": "out"})
        self.course.verdict.put_out(seat)
        core.show()

    def _calm(self, spot: int) -> None:
        """The spot's lamp says again what the spot is."""
        core = self.course.core
        if not [issue for issue in self._issues.open if issue.spot == spot]:
            core.lamp_of_state(spot)
            core.show()
