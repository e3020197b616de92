"""The cards that come back to the discard must be those that were dealt. Entry point: `Discard`.

It finds a switched card in the same round. A card that was not dealt is told as soon as it is clear whose hand it came
with: that of which some cards lie there and as many are missing. Cards that are missing are asked for at the first
FIN, which then ends nothing, and told at the second. A seat that waits for the ruling is the supervisor's and the
dealer's together (`hand_differs`); what fits no seat, too many cards or one of the dealer's, stops the table as a
wrong count. Until a card is told of, nothing that can be seen depends on it. Loaded by tables with a discard antenna.
"""

from sabot.table.deal import CUT
from sabot.table.ticks import since

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.issues import Issues

_DEALER = 0


class Discard:
    """Judges the discard of one round after another."""

    def __init__(self, core: "Core", issues: "Issues", deal: "Deal") -> None:
        self._core = core
        self._issues = issues
        self._deal = deal
        self._came = b""
        self._since = 0  # raw ticks since which it has been so
        self._asked = False  # FIN has been pressed while cards were missing
        self._told: list[int] = []  # hands that have been told of
        self._extra = False  # that there are too many has been told

    def begin(self) -> None:
        """A round begins."""
        self._came = b""
        self._asked = False
        self._told = []
        self._extra = False
        self._core.ports.discard.begin()

    def report(self, codes: bytes, ticks: int) -> None:
        """These cards have come to the discard since the round began: 0 to 51, 255 for one of no deck."""
        self._came = codes
        self._since = ticks

    def tick(self) -> None:
        """Time passes: judge what has lain there for the dwell."""
        core = self._core
        if self._came and core.in_round and since(core.now, self._since) >= max(core.config.dwell_ms, 1) * 1000:
            strange = self._strange()
            if strange:
                self._tell(strange)

    def complete(self) -> bool:
        """FIN: whether the round may end. False once more when cards are missing that have not been told of."""
        missing = [hand for hand in range(8) if hand not in self._told and self._missing(hand)]
        strange = len(self._strange())
        if not missing and (not strange or self._extra or self._told):
            return True
        if missing and not strange and not self._asked:
            self._asked = True
            self._core.prompt("discard")
            return False
        for hand in missing:
            self._raise(hand)
        if strange and not self._told and not self._extra:
            self._extra = True
            self._stop()
        return False

    # --- what lies there ----------------------------------------------------------------------------------------------

    def _strange(self) -> "list[int]":
        """Cards of the discard that were not dealt, each as often as it is too many."""
        left = list(self._came)
        for code in self._deal.packs.taken():
            if code in left:
                left.remove(code)
        return [code for code in left if code != CUT]

    def _cards(self, hand: int) -> bytes:
        war = self._deal.wars() if hand == _DEALER else b""
        return self._deal.cards(hand) + war

    def _missing(self, hand: int) -> int:
        """How many cards of a seat's hand, or the dealer's, do not lie in the discard."""
        left = list(self._came)
        missing = 0
        for code in self._cards(hand):
            if code in left:
                left.remove(code)
            else:
                missing += 1
        return missing

    # --- telling ------------------------------------------------------------------------------------------------------

    def _tell(self, strange: "list[int]") -> None:
        """Tell of the hand that cards of no deal came with, when it is clear which."""
        found = []
        for hand in range(8):
            missing = self._missing(hand)
            if hand not in self._told and 0 < missing < len(self._cards(hand)) and missing == len(strange):
                found.append(hand)
        if len(found) == 1 and not self._told:
            self._raise(found[0])

    def _raise(self, hand: int) -> None:
        self._told.append(hand)
        core = self._core
        if hand == _DEALER or hand not in core.spots.seats:
            self._stop()
            return
        spot = core.spots.at(hand, 0)
        for mine in core.spots.of_seat(hand):
            if core.spots.locked[mine]:
                spot = mine
                break
        locked = core.spots.locked[spot]
        self._issues.raise_at("hand_differs", spot, locked, locked, (self._since or core.now, core.now))

    def _stop(self) -> None:
        self._issues.raise_card("wrong_count", self._core.now, self._deal.position)
        self._core.machine.attempt("suspend")
