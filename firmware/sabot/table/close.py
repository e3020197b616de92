"""The close of the decisions: the second announcement, its confirmation, what it means for each seat.

Entry point: `Close`.
"""

from sabot.rules.game import EQUAL
from sabot.table.decisions import PENDING
from sabot.wire.codes import DECISIONS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.confirm import Confirmation, Found
    from sabot.table.core import Core
    from sabot.table.decisions import Decisions
    from sabot.table.issues import Issues
    from sabot.table.lock import LockPath
    from sabot.table.showdown import Showdown
    from sabot.table.verdict import Verdict


class Close:
    """Ends the decisions of a round; `key` is the one that did (codes.KEYS), 0 while they are open."""

    def __init__(
        self,
        core: "Core",
        issues: "Issues",
        lock: "LockPath",
        confirmation: "Confirmation",
        verdict: "Verdict",
        decisions: "Decisions",
        showdown: "Showdown",
    ) -> None:
        self._core = core
        self._issues = issues
        self._lock = lock
        self._confirmation = confirmation
        self._verdict = verdict
        self._decisions = decisions
        self._showdown = showdown
        self.key = 0

    def strike(self, edge: int, key: int) -> None:
        """Close the decisions at the raw instant `edge` of a key (codes.KEYS); the caller has checked the state."""
        core = self._core
        for spot in range(core.spots.count):
            self._lock.opened[spot] = 1 if self._decisions.is_open(spot) else 0
        self.key = key
        self._lock.strike_close(edge, key)
        core.ports.journal.seal()
        self._confirmation.begin(self._decisions.open_spots(), edge)
        missing = self._decisions.watch.unseen(edge)
        if missing:
            core.ports.scanner.confirm(missing)

    def nobody_decides(self) -> bool:
        """Whether the game asks only equal seats (67.38), and there is none, or none any more."""
        core = self._core
        if core.game.decision.on != EQUAL:
            return False
        return "deciding" not in [core.spots.seat_state(seat) for seat in core.spots.seats]

    def unasked(self) -> None:
        """Nobody decides: what would be closed is closed."""
        self._record(self._core.now, [], [])

    def confirm(self) -> None:
        """Every spot has had its confirming visit: record what each seat decided, and ask what is left open."""
        core = self._core
        spots = core.spots
        found: dict[int, Found] = {}
        for spot in self._decisions.open_spots():
            found[spot] = self._confirmation.sort(spot)
        seats, rows = self._decisions.close(found, bytes(self._confirmation.lost))
        self._confirmation.stop()
        self._record(self._confirmation.edge, seats, rows)
        places = [row[0] for row in rows]
        for seat, decision in seats:
            if decision != PENDING:
                spots.seat_machines.fire("play" if DECISIONS[decision] == core.game.decision.taken else "fold", seat)
            spot = self._decisions.spot_of[seat]
            if spot >= 0:
                spots.machines.fire("lock" if spots.places[spot] in places else "shut", spot)
                core.lamp_of_state(spot)
        core.show()
        for seat, decision in seats:
            spot = self._decisions.spot_of[seat]
            if spot < 0:
                continue
            here = found[spot]
            interval = (self._confirmation.edge, self._confirmation.ended)
            self._verdict.open_questions(spot, here)
            if decision != PENDING or not self._issues.holds(seat):
                self._decisions.question(seat, here.base, interval)

    def _record(self, edge: int, seats: "list[tuple[int, int]]", rows: "list[tuple[int, int, int]]") -> None:
        """Write what was decided and close; the dealer's open hand then is what the settlement begins with."""
        core = self._core
        core.append(
            "decisions", {"round": core.round, "edge": core.time(edge), "by": self.key, "seats": seats, "spots": rows}
        )
        core.machine.fire("close")
        taken = DECISIONS.index(core.game.decision.taken)
        if not [seat for seat, decision in seats if decision in (PENDING, taken)]:
            self._showdown.open_dealer()
