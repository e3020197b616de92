"""The lock of the bets that the first card dealt locks (67.36). Entry point: `FirstCard`.

`strike` is as hot as the announcement's lock: the beam's edge, a durable record, red lamps, nothing allocated. The
cards go on leaving the shoe while the confirming visits are made; they are kept, and bound when it is known who plays.
"""

from sabot.rules.game import LOCK_ANNOUNCEMENT
from sabot.table.confirm import Confirmation
from sabot.table.lock import SpotsLock
from sabot.table.verdict import Verdict
from sabot.wire.codes import place_seat

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues


class FirstCard:
    """Lock, confirmation and verdict of these bets."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._lock = SpotsLock(core, "first_card", core.spots.carded)
        self._begun = False
        self.confirmation = Confirmation(core, issues)
        self.verdict = Verdict(core, issues, self.confirmation)

    def clear(self) -> None:
        """Another round."""
        self._core.carded = False
        self._begun = False

    def confirm_part(self, verdict: Verdict) -> None:
        """Record what the announcement has locked; the first card will lock the rest, so nobody is left out yet."""
        core = self._core
        found = verdict.amounts(core.spots.announced)
        rows, out = verdict.rows(found, LOCK_ANNOUNCEMENT)
        verdict.record("confirmed_part", rows, out)
        for where, _amount, _flags in rows:
            core.spots.seat_machines.attempt("bet", place_seat(where))
        verdict.finish(found, out)

    def strike(self, edge: int) -> None:
        """The first card leaves at the raw instant `edge`. Allocates nothing."""
        core = self._core
        core.carded = True
        self._lock.lock_spots(edge)
        # A visit may tell of a chip before the next turn that may allocate: it is this lock's to judge.
        self.confirmation.strike(core.spots.carded, edge)

    def locked_at(self, edge: int) -> bool:
        """Whether the card that left at the raw instant `edge` has locked these bets."""
        return self._core.carded and self._lock.edge == edge

    def take_back(self) -> None:
        """It was the cut card, which is dealt to nobody: until a card is, the bets are open again."""
        core = self._core
        self.clear()
        self.confirmation.stop()
        for spot in core.spots.carded:
            if core.spots.machines.attempt("unlock", spot):
                core.spots.locked[spot] = 0
                core.lamp_of_state(spot)
        core.show()

    def confirm(self) -> None:
        """Seal the record and ask for the confirming visits, once, when the lamps are red."""
        core = self._core
        if core.carded and not self._begun:
            self._begun = True
            core.ports.journal.seal()
            self.confirmation.asks()
