"""What lay on a spot at the instant of its lock, and what of it is in doubt. Entry points: `at_lock`, `Held`, `Locked`.

A change is in doubt when the lock lies between the instants that the visits can tell it apart by; then the journal may
know better, or ask. It may never ask about a change whose window does not hold the lock, and what it claims to know
must be true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from hwsim.fuzz.bookkeeper.course import Report
from hwsim.fuzz.bookkeeper.findings import WRONG, Findings
from hwsim.fuzz.bookkeeper.stays import Stay, Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot, Visits

DOUBTS = ("ambiguous", "ambiguous_large", "equal_swap")
LARGE_CENTS = 10_000
SLACK_NS = 6_000_000  # from the driver's begin of a visit to its field, and from its field's end to its end
TICK_NS = 1_000  # instants are recorded in whole microseconds


@dataclass
class Held:
    """What a spot held at its lock. ``counted``: certain; ``came``, ``went``: asked about."""

    counted: list[Stay] = field(default_factory=list)
    came: list[Stay] = field(default_factory=list)
    went: list[Stay] = field(default_factory=list)
    swapped: bool = False

    @property
    def cents(self) -> int:
        """The certain amount."""
        more = self.came if self.swapped else []
        return sum(stay.value for stay in [*self.counted, *more])

    @property
    def doubted(self) -> bool:
        """Whether the amount waits for an answer."""
        return bool(self.came or self.went) and not self.swapped


class Locked:
    """By body: the spots whose bets it is part of, and from when."""

    def __init__(self) -> None:
        self._of: dict[str, list[tuple[int, Spot]]] = {}
        self.returned: set[int] = set()
        """seats that are out: their chips are part of no bet any more"""

    def add(self, label: str, spot: Spot, edge: int) -> None:
        """The body lay on a spot when its bet was locked at ``edge``."""
        self._of.setdefault(label, []).append((edge, spot))

    def at(self, label: str, when: int, other_than: Spot | None = None) -> bool:
        """Whether it was part of a locked bet at an instant, of another spot's where one is given."""
        found = self._of.get(label, ())
        return any(edge <= when and spot != other_than and spot[0] not in self.returned for edge, spot in found)

    def ever(self, label: str) -> bool:
        """Whether it was part of a locked bet of this round."""
        return label in self._of


def contains(report_from: int, report_to: int, instant: int) -> bool:
    """Whether a recorded interval holds a true instant."""
    return report_from <= instant <= report_to + TICK_NS


def within(report_from: int, report_to: int, low: int, high: int) -> bool:
    """Whether a recorded interval is no wider than the visits make it."""
    return report_from >= low - SLACK_NS and report_to <= high + SLACK_NS


def at_lock(spot: Spot, lock: int, stays: Stays, visits: Visits, reports: Sequence[Report], findings: Findings) -> Held:
    """Sort the stays around the lock at ``lock``, and judge the doubts that were raised about them."""
    held = Held()
    doubts = [
        report
        for report in reports
        if report.spot == spot and report.kind in DOUBTS and report.earliest <= lock <= report.latest + TICK_NS
    ]
    asked = {uid: report for report in doubts for uid in report.uids}
    for stay in stays.at(spot):
        low_in, high_in = visits.window(spot, stay.came)
        low_out, high_out = visits.window(spot, stay.went) if stay.went < FOREVER else (FOREVER, FOREVER)
        report = asked.get(stay.uid)
        in_doubt = low_in - SLACK_NS <= lock <= high_in + SLACK_NS
        out_doubt = low_out - SLACK_NS <= lock <= high_out + SLACK_NS
        if report is not None and in_doubt and contains(report.earliest, report.latest, stay.came):
            held.came.append(stay)
        elif report is not None and out_doubt and contains(report.earliest, report.latest, stay.went):
            held.went.append(stay)
        elif stay.lies(lock):
            held.counted.append(stay)
    known = {stay.uid for stay in [*held.came, *held.went]}
    for report in doubts:
        strangers = [uid for uid in report.uids if uid not in known]
        if strangers:
            findings.add(WRONG, report.when, f"{report}: no change of {' '.join(strangers)} there is so near the lock")
    held.swapped = any(report.kind == "equal_swap" for report in doubts)
    _amounts(held, doubts, findings)
    return held


def _amounts(held: Held, doubts: Sequence[Report], findings: Findings) -> None:
    base = held.cents
    came, went = (sum(stay.value for stay in stays) for stays in (held.came, held.went))
    for report in doubts:
        expected = (base, base) if held.swapped else (base + went, base + came)
        if (report.before, report.after) != expected:
            findings.add(
                WRONG, report.when, f"{report}: it was {expected[0]} cents with what went, {expected[1]} with what came"
            )
        stands = any(stay.came < report.earliest for stay in [*held.counted, *held.went])
        large = max(came, went) >= LARGE_CENTS or (came > 0 and stands)
        if report.kind == "ambiguous" and large:
            findings.add(WRONG, report.when, f"{report}: this change is a large one")
