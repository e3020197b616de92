"""What a monitor draws, packed small: states, lamps, chips and amounts, open irregularities. Entry point: `view`.

The layout is that of `wire.messages.VIEW_*`. It is made for being asked for twice a second: one buffer, one pass.
"""

from struct import pack_into

from sabot.table.ledger import PRESENT
from sabot.wire import messages as m
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
    size = m.VIEW_TABLE_SIZE + 2 * len(spots.seats) + m.VIEW_SPOT_SIZE * spots.count + m.VIEW_ISSUE_SIZE * len(told)
    out = bytearray(size)
    pack_into(
        m.VIEW_TABLE,
        out,
        0,
        core.machine.state,
        (m.VIEW_GATE if gate else 0) | (m.VIEW_CONFIRMED if core.confirmed else 0),
        core.round,
        lamps.states[len(lamps.places)],
        paying.get("seat", 0),
        paying.get("page", 0),
        paying.get("pages", 0),
        len(spots.seats),
        spots.count,
        len(told),
    )
    at = m.VIEW_TABLE_SIZE
    for seat in spots.seats:
        out[at] = seat
        out[at + 1] = spots.seat_machines[seat].state | (m.VIEW_HELD if issues.holds(seat) else 0)
        at += 2
    lamp = 0  # they come in the order of the spots, and a spot that shares an antenna has none
    for spot in range(spots.count):
        lit = 0
        if lamp < len(lamps.places) and lamps.places[lamp] == spots.places[spot]:
            lit = lamps.states[lamp]
            lamp += 1
        pack_into(
            m.VIEW_SPOT,
            out,
            at,
            spots.places[spot],
            spots.machines[spot].state,
            lit,
            chips[spot],
            spots.seen[spot],
            spots.locked[spot],
        )
        at += m.VIEW_SPOT_SIZE
    for issue in told:
        place = spots.places[issue.spot] if issue.spot >= 0 else 0
        pack_into(m.VIEW_ISSUE, out, at, issue.id, kind_number(issue.kind), issue.severity, place)
        at += m.VIEW_ISSUE_SIZE
    return out
