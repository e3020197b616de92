"""What people say of a spot because no antenna can see it. Entry point: `Declared`.

A dead chip, a coupon, cash or a plaque is keyed (`keyed_bet`, by the dealer up to the table's limit, above it by the
supervisor; each is counted). A tip (`toke`) is declared before the lock and is outside limits and relations. A bet that
the dealer saw after his word and before his key (`seen_late`), a dispute, or a player who is absent, holds the seat.
`change` says that chips of a bet are being exchanged for others of the same value; `buy_in` that chips were sold.
"""

from sabot.table import ledger as led
from sabot.table.issues import NOTICE
from sabot.table.ticks import since
from sabot.wire.codes import DECLARATIONS, ROLES

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.round import Round

_DEALER = ROLES.index("dealer")
_MOST_CENTS = const((1 << 30) - 1)
_GAP_US = const(3000000)  # the key follows the word by 0.3 to 1.5 s; two scans more


class Declared:
    """Takes declarations about the spots of one table."""

    def __init__(self, course: "Round") -> None:
        self._round = course
        self._core = course.core
        self._issues = course.issues

    def say(self, kind: str, spot: int, cents: int, by: int) -> bool:
        """Take one (`codes.DECLARATIONS`); False when kind, place, amount, person or moment does not fit."""
        if spot < 0 or not 0 <= cents <= _MOST_CENTS:
            return False
        if kind == "keyed_bet":
            return self._keyed_bet(spot, cents, by)
        if kind == "toke":
            return self._toke(spot, cents)
        if kind == "seen_late":
            return self._seen_late(spot)
        if kind in ("dispute", "absent"):
            return self._hold(kind, spot)
        if kind in ("change", "buy_in"):
            return self._sold(kind, spot, cents, by)
        return False

    def _may_change(self, spot: int) -> bool:
        """Whether a bet may still be made on the spot."""
        return self._core.spots.state(spot) == "open" and self._core.machine.name != "suspended"

    def _keyed_bet(self, spot: int, cents: int, by: int) -> bool:
        core = self._core
        if not self._may_change(spot) or (by == _DEALER and cents > core.config.keyed_cents):
            return False
        before = core.spots.seen[spot]
        core.spots.keyed[spot] = cents
        core.see(spot)
        issue = self._issues.raise_at("keyed_bet", spot, before, core.spots.seen[spot], (core.now, core.now))
        if issue is not None:
            self._issues.close(issue, "keyed", by, core.spots.seen[spot])
        return True

    def _toke(self, spot: int, cents: int) -> bool:
        core = self._core
        if spot not in core.spots.laid or not self._may_change(spot) or cents > core.ledger.amount(spot):
            return False
        before = core.spots.seen[spot]
        core.spots.tokes[spot] = cents
        core.see(spot)
        self._issues.raise_at("toke", spot, before, core.spots.seen[spot], (core.now, core.now), (), NOTICE)
        return True

    def _hold(self, kind: str, spot: int) -> bool:
        core = self._core
        if not core.in_round or not core.confirmed or self._issues.at(spot, kind) is not None:
            return False
        locked = core.spots.locked[spot]
        return self._issues.raise_at(kind, spot, locked, locked, (core.now, core.now)) is not None

    def _seen_late(self, spot: int) -> bool:
        """The chips that came last before the key: the supervisor says whether they were in time."""
        core = self._core
        ledger = core.ledger
        if not core.in_round or self._round.waits(spot) or core.spots.state(spot) != "locked":
            return False
        if not core.spots.locked[spot] or self._issues.at(spot, "seen_late") is not None:
            return False
        edge = self._round.edge_of(spot)
        came: list[int] = []
        low = high = core.now
        for item in range(ledger.top):
            if ledger.where[item] != led.PRESENT or ledger.spot[item] != spot or ledger.mark[item] != led.COUNTED:
                continue
            if ledger.in_fresh[item] and 0 <= since(edge, ledger.in_hi[item]) <= _GAP_US:
                low = ledger.in_lo[item] if not came or since(ledger.in_lo[item], low) < 0 else low
                high = ledger.in_hi[item] if not came or since(ledger.in_hi[item], high) > 0 else high
                came.append(item)
        value = sum([ledger.value(item) for item in came])
        locked = core.spots.locked[spot]
        issue = self._issues.raise_at("seen_late", spot, max(locked - value, 0), locked, (low, high), came)
        if issue is not None:
            issue.on_valid = 0
            issue.on_refused = -value
        return issue is not None

    def _sold(self, kind: str, spot: int, cents: int, by: int) -> bool:
        """Chips change hands, no bet changes: recorded; an exchange of one value is then nothing to ask about."""
        core = self._core
        if (kind == "buy_in") != (cents > 0) or core.machine.name == "closed":
            return False
        values = {"said": DECLARATIONS.index(kind), "place": core.spots.places[spot], "amount": cents, "by": by}
        core.append("declared", values)
        if kind == "change":
            core.changing[core.spots.seat(spot)] = core.now or 1
        return True
