"""Reports against duties: told right, not told, or told of nothing. Entry points: :func:`match`, :func:`changes`."""

from __future__ import annotations

from collections.abc import Sequence

from hwsim.fuzz.bookkeeper.course import Course, Report, spot_of
from hwsim.fuzz.bookkeeper.duties import Duty
from hwsim.fuzz.bookkeeper.findings import FALSE, MISSED, WRONG, Findings
from hwsim.fuzz.bookkeeper.locks import TICK_NS, contains, within
from hwsim.fuzz.bookkeeper.stays import Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Visits

AMOUNTS = ("late", "capped", "pinched", "withdrawn", "equal_swap", "moved", "clone")
SILENT = ("ambiguous_large", "late", "capped", "pinched", "withdrawn", "bad_mac", "clone")  # V: told to the pit


def match(reports: Sequence[Report], duties: Sequence[Duty], visits: Visits, findings: Findings) -> None:
    """Judge the reports that name chips, and what nobody reported."""
    for report in reports:
        told = [_duty_of(report, uid, duties, findings) for uid in report.uids]
        known = [duty for duty in told if duty is not None]
        for duty in known:
            duty.told = True
        if len(known) == len(told) and known:
            _interval(report, known, visits, findings)
            net = sum(duty.cents for duty in known)
            if report.kind in AMOUNTS and report.after - report.before != net:
                findings.add(WRONG, report.when, f"{report}: its chips make a difference of {net} cents")
    grouped = {(duty.spot, duty.group) for duty in duties if duty.told and duty.group}
    for duty in duties:
        if duty.must and not duty.told and (duty.spot, duty.group) not in grouped:
            kinds = " or ".join(sorted(duty.kinds))
            where = f"seat {duty.spot[0]} {duty.spot[1]}"
            findings.add(MISSED, duty.instants[0], f"no '{kinds}' at {where}: {duty.words}")


def _duty_of(report: Report, uid: str, duties: Sequence[Duty], findings: Findings) -> Duty | None:
    mine = [duty for duty in duties if duty.spot == report.spot and duty.uid == uid]
    holds = [duty for duty in mine if any(contains(report.earliest, report.latest, at) for at in duty.instants)]
    right = [duty for duty in holds if report.kind in duty.kinds]
    if right:
        return next((duty for duty in right if not duty.told), right[0])
    span = f"from {report.earliest / 1e9:.4f} to {report.latest / 1e9:.4f}"
    if holds:
        kinds = " or ".join(sorted(holds[0].kinds))
        findings.add(WRONG, report.when, f"{report}: it is '{kinds}', because {holds[0].words}")
    elif mine:
        findings.add(WRONG, report.when, f"{report} {span}: {mine[0].words}")
    else:
        silent = report.kind in SILENT
        findings.add(FALSE, report.when, f"{report} {span}: nothing happened with {uid}", report.severity, silent)
    return None


def _interval(report: Report, duties: Sequence[Duty], visits: Visits, findings: Findings) -> None:
    """The interval is no wider than scan period and retries make it."""
    windows = [visits.window(duty.spot, at) for duty in duties for at in duty.instants]
    windows += [visits.window(duty.origin, at) for duty in duties if duty.origin for at in duty.instants]
    low, high = min(low for low, _ in windows), max(high for _, high in windows)
    if not within(report.earliest, report.latest, low, high):
        findings.add(
            WRONG,
            report.when,
            f"{report}: from {report.earliest / 1e9:.4f} to {report.latest / 1e9:.4f} is wider than the visits, "
            f"which lie at {low / 1e9:.4f} and {high / 1e9:.4f}",
        )


def changes(
    course: Course, stays: Stays, wanted: Sequence[tuple[tuple[int, str], int, str]], findings: Findings
) -> None:
    """Notices of severity 0 against true motions; ``wanted``: spot, instant and words of those that must be there."""
    seen: set[tuple[tuple[int, str], int]] = set()
    for entry in course.changes:
        spot = spot_of(entry.fields)
        earliest, latest = int(entry.fields["earliest"]), int(entry.fields["latest"])
        less = int(entry.fields["before"]) - int(entry.fields["after"])
        motions = [(stay.went, stay.value) for stay in stays.at(spot) if stay.went < FOREVER]
        motions += [(stay.came, -stay.value) for stay in stays.at(spot)]
        here = [(when, value) for when, value in motions if earliest <= when <= latest + TICK_NS]
        for when, _ in here:
            seen.add((spot, when))
        if not any(value == less for _, value in here):
            findings.add(FALSE, entry.when, f"{entry}: no chip of {abs(less)} cents moved there then")
    for spot, when, words in wanted:
        if (spot, when) not in seen:
            findings.add(MISSED, when, f"no 'change' at seat {spot[0]} {spot[1]}: {words}")
