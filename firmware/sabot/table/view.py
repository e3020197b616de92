"""What a monitor draws of the table: states, lamps, chips and amounts, open irregularities. Entry point: `view`.

The layout is that of `sabot.wire.view`. It is made for being asked for twice a second: one buffer, one pass.
"""

from sabot.table.ledger import PRESENT
from sabot.wire import view as layout
from sabot.wire.codes import kind_number

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core
    from sabot.table.issues import Issues


def view(core: "Core", issues: "Issues", gate: bool, paying: "dict[str, int]", silent: bool) -> bytearray:
    """The table as it is.

    Args:
        core: its state.
        issues: what is open.
        gate: whether the shoe's gate is open.
        paying: `Payment.status`, empty when nobody is being paid.
        silent: whether what is kept from the players' eyes is told too.
    """
    spots = core.spots
    lamps = core.ports.lamps
    chips = bytearray(spots.count)
    for item in range(core.ledger.top):
        spot = core.ledger.spot[item]
        if core.ledger.where[item] == PRESENT and chips[spot] < 255:
            chips[spot] += 1
    told = [issue for issue in issues.open if silent or issues.visible(issue.kind) != "silent"]
    counts = (len(spots.seats), spots.count, len(told))
    out = bytearray(
        layout.TABLE_SIZE + layout.SEAT_SIZE * counts[0] + layout.SPOT_SIZE * counts[1] + layout.ISSUE_SIZE * counts[2]
    )
    flags = (layout.GATE if gate else 0) | (layout.CONFIRMED if core.confirmed else 0)
    page = (paying.get("seat", 0), paying.get("page", 0), paying.get("pages", 0))
    at = layout.table(out, core.machine.state(), flags, core.round, lamps.states[len(lamps.places)], page, counts)
    for seat in spots.seats:
        held = layout.HELD if issues.holds(seat) else 0
        at = layout.seat(out, at, seat, spots.seat_machines.state(seat) | held)
    lamp = 0  # they come in the order of the spots, and a spot that shares an antenna has none
    for spot in range(spots.count):
        lit = 0
        if lamp < len(lamps.places) and lamps.places[lamp] == spots.places[spot]:
            lit = lamps.states[lamp]
            lamp += 1
        state = spots.machines.state(spot)
        at = layout.spot(out, at, spots.places[spot], state, lit, chips[spot], spots.seen[spot], spots.locked[spot])
    for issue in told:
        place = spots.places[issue.spot] if issue.spot >= 0 else 0
        at = layout.issue(out, at, issue.id, kind_number(issue.kind), issue.severity, place)
    return out
