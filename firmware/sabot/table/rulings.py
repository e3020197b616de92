"""What a ruling does. Entry point: `Rulings`.

Words (`codes.RESOLUTIONS`): `valid`, the change counts; `refused`, it does not; `cleared`, there is nothing to change;
`keyed`, the amount is the one given (cents; a card's code for an unread card); `void`, the seat's bets go back, or the
whole round's for a stopped table. The record says what the bet at that spot is from then on.
"""

from sabot.rules.cards import PACK_SIZE
from sabot.rules.game import LOCK_ANNOUNCEMENT
from sabot.table.issues import QUESTION, TABLE_STOP, Issue, Issues
from sabot.wire.codes import ROLES, clears

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.enclosure import Enclosure
    from sabot.table.round import Round

_DEALER = ROLES.index("dealer")
_TECHNICIAN = ROLES.index("technician")
_CONTACTS = ("lid", "case")
_REPLACED = ("unread_card", "alien_card")  # faults whose card may be keyed: it takes the place it was dealt to


class Rulings:
    """Applies the words of the dealer and of the supervisor to the round."""

    def __init__(self, course: "Round", issues: Issues, enclosure: "Enclosure") -> None:
        self._round = course
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
        return self._spot(issue, word, amount, by)

    # --- cards --------------------------------------------------------------------------------------------------------

    def _card(self, issue: Issue, word: str, amount: int, by: int) -> bool:
        if word == "void":
            return self._round.ending.void("card_fault", by)
        if issue.kind in _CONTACTS and (word != "cleared" or not self._enclosure.clears(issue, by)):
            return False
        if word == "keyed":
            # Whether that card has been dealt already is not told: it would tell what lies face down.
            if issue.kind not in _REPLACED or not 0 <= amount < PACK_SIZE:
                return False
            issue.keyed = amount
            self._round.core.prompt("doubt")
            return True
        if word != "cleared" or issue.kind == "unread_card":
            return False
        self._end_card(issue, word, by)
        return True

    def confirm_keyed(self, issue: Issue, right: bool, by: int) -> None:
        """The dealer's word on the card that the supervisor keyed: two people have seen the face, or it is keyed anew.

        The record does not hold the face: it stays as secret as any other face-down card's.
        """
        code = issue.keyed
        issue.keyed = -1
        if right and not self._round.deal.fits(code):
            # Two people have seen the face of a card that has been dealt: the place stays open, and this is told.
            self._issues.raise_card("duplicate_card", self._round.core.now, self._round.deal.position)
        elif right:
            self._end_card(issue, "keyed", by)
            wrong = self._round.deal.take(code)
            if wrong:
                self._issues.raise_card(wrong, self._round.core.now, self._round.deal.position)
                self._round.core.machine.attempt("suspend")
            else:
                self._round.dealing.dealt(self._round.core.now)

    def _end_card(self, issue: Issue, word: str, by: int) -> None:
        self._issues.close(issue, word, by, 0)
        if not self._issues.stops() and self._round.core.machine.name == "suspended":
            self._round.core.machine.fire("resume")
            # A card keyed while something else still stopped the table may have been the last one.
            self._round.dealing.complete(self._round.core.now)

    # --- bets ---------------------------------------------------------------------------------------------------------

    def _spot(self, issue: Issue, word: str, amount: int, by: int) -> bool:
        core = self._round.core
        if core.in_round and (not core.confirmed or self._round.waits(issue.spot)):
            return self._too_early(issue, word, by)
        locked = core.spots.locked
        seat = core.spots.seat(issue.spot)
        before = locked[issue.spot]
        bet_here = core.spots.state(issue.spot) == "locked"
        highest = self._round.decisions.highest(seat, issue.spot)
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
            self._out(seat, by)
        elif not self._issues.holds(seat) and core.confirmed:
            self._go_on(issue, seat)
        return True

    def _too_early(self, issue: Issue, word: str, by: int) -> bool:
        """Before the lock is confirmed there is no amount to rule on: the question can only be taken note of."""
        if word in ("keyed", "void"):
            return False
        self._issues.close(issue, word, by, self._round.core.spots.locked[issue.spot])
        self._calm(issue.spot)
        return True

    def _go_on(self, issue: Issue, seat: int) -> None:
        """Nothing is open at the seat any more."""
        core = self._round.core
        if issue.spot == core.spots.opened[seat]:
            self._round.watch.folding[seat] = 0  # the ruling has answered the keyed fold
        if issue.spot in core.spots.laid and not core.closed:
            wrong = self._round.verdict.refused(seat, None if self._round.judged else LOCK_ANNOUNCEMENT)
            if wrong is not None:
                self._out(seat, 0)
                return
        if core.spots.seat_state(seat) == "deciding" and not core.closed:
            self._round.decisions.excuse(seat, self._round.deal.complete())

    def _out(self, seat: int, by: int) -> None:
        """The seat's bets go back; what else was open there has no object any more."""
        core = self._round.core
        self._issues.close_seat(seat, by)
        core.append("seat_state", {"seat": seat, "trigger": "out"})
        self._round.verdict.put_out(seat)
        core.show()

    def _calm(self, spot: int) -> None:
        """The spot's lamp says again what the spot is."""
        core = self._round.core
        if not [issue for issue in self._issues.open if issue.spot == spot]:
            core.lamp_of_state(spot)
            core.show()
