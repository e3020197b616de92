"""What anyone may know of the table: states, amounts, open irregularities. Never a card. Entry point: `report`."""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot.table.keys import Keys
    from sabot.table.round import Round
    from sabot.table.staff import Staff


def report(course: "Round", staff: "Staff", keys: "Keys") -> "dict[str, Any]":
    """The table's status as plain values; `menu` says what is being keyed on the panel (`docs/panel.md`)."""
    core = course.core
    seats = []
    for seat in core.spots.seats:
        entry = {"seat": seat, "state": core.spots.seat_state(seat), "held": course.issues.holds(seat)}
        entry["folding"] = course.watch.folding[seat] != 0
        seats.append(entry)
    spots = []
    for spot in range(core.spots.count):
        spots.append(
            {
                "place": core.spots.places[spot],
                "bet": core.game.bets[core.spots.bet(spot)].name,
                "state": core.spots.state(spot),
                "seen": core.spots.seen[spot],
                "locked": core.spots.locked[spot],
            }
        )
    issues = []
    for issue in course.issues.open:
        place = core.spots.places[issue.spot] if issue.spot >= 0 else 0
        entry = {"id": issue.id, "kind": issue.kind, "severity": issue.severity, "place": place}
        entry["visible"] = course.issues.visible(issue.kind)
        entry["second"] = issue.word != ""
        issues.append(entry)
    payment = course.ending.payment
    return {
        "state": core.machine.name,
        "round": core.round,
        "rounds": core.rounds,
        "confirmed": core.confirmed,
        "gate": course.gate,
        "cards": course.deal.position,
        "seats": seats,
        "spots": spots,
        "issues": issues,
        "paying": payment.status() if payment is not None and core.in_round else {},
        "cut": core.cut,
        "dealer": staff.dealer,
        "supervisor": staff.supervisor,
        "menu": keys.status(),
    }
