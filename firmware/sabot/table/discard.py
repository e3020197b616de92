"""The cards that come back to the discard must be those that were dealt. Entry point: `Discard`.

It finds a switched card in the same round. A card that was not dealt is told as soon as it is clear whose hand it came
with: that of which some cards lie there and as many are missing. Cards that are missing, or too many, are asked for
at the first FIN, which then ends nothing, and told at the second. A seat whose cards they are waits for the
supervisor and the dealer together (`hand_differs`); the dealer's own hand, and what fits no seat, stops the table as a
wrong count. Until a card is told of, nothing that can be seen depends on it.

Cards that the table was stopped for in this round are not compared: as many may be missing, and as many others be
there. Loaded by tables with a discard antenna; `core.ports.discard` is what lies on it.
"""

from sabot.rules.cards import PACK_SIZE
from sabot.table.deal import CUT
from sabot.table.ticks import since

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.dealing import Dealing
    from sabot.table.issues import Issues

_DEALER = 0


class Discard:
    """Judges the discard of one round after another."""

    def __init__(self, core: "Core", issues: "Issues", deal: "Deal", dealing: "Dealing") -> None:
        self._core = core
        self._issues = issues
        self._deal = deal
        self._dealing = dealing
        self._blind = False  # the reader was dead when the round began: nobody knows what is of which round
        self._clear()

    def begin(self) -> None:
        """A round begins: what lies there has nothing to do with it."""
        self._clear()
        self._blind = self._core.ports.discard.dead
        self._core.ports.discard.begin()

    def _clear(self) -> None:
        self._came = b""
        self._from = self._until = self._core.now  # raw ticks between which the cards there have changed
        self._due = False  # they have not been judged since
        self._asked = False  # FIN has been pressed while they were not complete
        self._told: list[int] = []  # hands that have been told of
        self._explained = 0  # strange cards that have been told of

    def report(self, codes: bytes, ticks: int) -> None:
        """These cards have come since the round began: 0 to 51, 255 for one of no deck; found at the raw `ticks`."""
        self._came = codes
        self._from = self._core.ports.discard.before
        self._until = ticks
        self._due = True

    def tick(self) -> None:
        """Time passes: judge what has lain there for the dwell."""
        core = self._core
        if self._due and not self._blind and since(core.now, self._until) >= core.config.dwell_ms * 1000:
            self._due = False
            self._judge()

    def complete(self) -> bool:
        """FIN: whether the round may end. What is missing or too many is asked for first, and then told."""
        core = self._core
        if self._blind or core.ports.discard.dead:
            return True
        hands = [hand for hand in range(8) if hand not in self._told and self._missing(hand)]
        missing = sum([self._missing(hand) for hand in hands]) - self._dealing.faults
        strange = self._strange()
        if missing <= 0 and strange <= 0:
            return True
        if not self._asked:
            self._asked = True
            core.prompt("discard")
            return False
        if missing > 0:
            for hand in hands:
                self._tell(hand, core.now)
        else:
            self._stop()
        self._explained += max(strange, 0)
        return False

    # --- what lies there ----------------------------------------------------------------------------------------------

    def _strange(self) -> int:
        """How many cards there were not dealt, besides those told of, or stopped for."""
        left = [code for code in self._came if code != CUT]
        for code in range(PACK_SIZE):  # of one pack: no table with more of them has a discard's antenna
            if code in left and not self._deal.packs.holds(code):
                left.remove(code)
        return len(left) - self._explained - self._dealing.faults

    def _missing(self, hand: int) -> int:
        """How many cards of a seat's hand, or the dealer's, do not lie in the discard."""
        left = list(self._came)
        missing = 0
        for code in self._deal.cards(hand):
            if code in left:
                left.remove(code)
            else:
                missing += 1
        return missing

    # --- telling ------------------------------------------------------------------------------------------------------

    def _judge(self) -> None:
        """Tell of the hand that cards which were not dealt came with, when it is clear which."""
        strange = self._strange()
        found = []
        for hand in range(8):
            missing = self._missing(hand)
            if hand not in self._told and 0 < missing < len(self._deal.cards(hand)) and missing == strange:
                found.append(hand)
        if len(found) == 1:
            self._explained += strange
            self._tell(found[0], self._until)

    def _tell(self, hand: int, until: int) -> None:
        self._told.append(hand)
        spots = self._core.spots
        if hand == _DEALER:
            self._stop()
            return
        at = spots.of_seat(hand)[0]
        for spot in spots.of_seat(hand):
            if spots.locked[spot]:
                at = spot
                break
        locked = spots.locked[at]
        self._issues.raise_at("hand_differs", at, locked, locked, (self._from, until))

    def _stop(self) -> None:
        self._dealing.fault("wrong_count", self._until)
