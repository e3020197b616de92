"""What the dealer declares of a spot because no antenna can see it. Entry point: `declare`.

A dead chip, a coupon, cash or a plaque is keyed (`keyed_bet`, by the dealer up to the table's limit, above it by the
supervisor; each is counted). A tip (`toke`) is declared before the lock and is outside limits and relations. A dispute,
or a player who is absent, holds the seat. Loaded when it is first needed.
"""

from sabot.table.issues import NOTICE
from sabot.wire.codes import ROLES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues

_DEALER = ROLES.index("dealer")
_MOST_CENTS = (1 << 30) - 1


def declare(core: "Core", issues: "Issues", kind: str, spot: int, cents: int, by: int) -> bool:
    """Take one declaration; False when the kind, the place, the amount, the person or the moment does not fit."""
    if spot < 0 or not 0 <= cents <= _MOST_CENTS:
        return False
    if kind == "keyed_bet":
        return _keyed_bet(core, issues, spot, cents, by)
    if kind == "toke":
        return _toke(core, issues, spot, cents)
    if kind in ("dispute", "absent"):
        return _hold(core, issues, kind, spot)
    return False


def _may_change(core: "Core", spot: int) -> bool:
    """Whether a bet may still be made on the spot."""
    return core.spots.state(spot) == "open" and core.machine.name != "suspended"


def _keyed_bet(core: "Core", issues: "Issues", spot: int, cents: int, by: int) -> bool:
    if not _may_change(core, spot) or (by == _DEALER and cents > core.config.keyed_cents):
        return False
    before = core.spots.seen[spot]
    core.spots.keyed[spot] = cents
    core.see(spot)
    issue = issues.raise_at("keyed_bet", spot, before, core.spots.seen[spot], (core.now, core.now))
    if issue is not None:
        issues.close(issue, "keyed", by, core.spots.seen[spot])
    return True


def _toke(core: "Core", issues: "Issues", spot: int, cents: int) -> bool:
    if spot not in core.spots.laid or not _may_change(core, spot) or cents > core.ledger.amount(spot):
        return False
    before = core.spots.seen[spot]
    core.spots.tokes[spot] = cents
    core.see(spot)
    issues.raise_at("toke", spot, before, core.spots.seen[spot], (core.now, core.now), (), NOTICE)
    return True


def _hold(core: "Core", issues: "Issues", kind: str, spot: int) -> bool:
    if not core.in_round or not core.confirmed or issues.at(spot, kind) is not None:
        return False
    locked = core.spots.locked[spot]
    return issues.raise_at(kind, spot, locked, locked, (core.now, core.now)) is not None
