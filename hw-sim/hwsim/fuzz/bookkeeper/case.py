"""One round under judgement: what the parts of the bookkeeper share. Entry point: :class:`Case`."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from hwsim.fuzz.bookkeeper.course import Course, Report, spot_of
from hwsim.fuzz.bookkeeper.duties import Duty
from hwsim.fuzz.bookkeeper.findings import FALSE, INSTANT, MONEY, Findings
from hwsim.fuzz.bookkeeper.locks import Held, Locked, at_lock
from hwsim.fuzz.bookkeeper.money import Amounts
from hwsim.fuzz.bookkeeper.stays import Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot, Visits
from hwsim.fuzz.diary import Diary
from hwsim.fuzz.laws.law import Hand, Law, Limits
from hwsim.scenario.claims import Entry

EDGE_NS = 60_000  # an interrupt's latency, and one call


class Ruled(NamedTuple):
    """The end of a report."""

    number: int
    word: str
    by: str
    amount: int
    when: int


@dataclass
class Case:
    """Facts, records, and what has been worked out of them so far."""

    law: Law
    limits: Limits
    seats: list[int]
    course: Course
    diary: Diary
    stays: Stays
    visits: Visits
    findings: Findings = field(default_factory=Findings)
    edges: dict[str, int] = field(default_factory=dict)
    """instant at which each bet made before the deal was locked"""
    close: int = FOREVER
    """instant of the close of the decisions"""
    held: dict[Spot, Held] = field(default_factory=dict)
    amounts: Amounts = field(default_factory=Amounts)
    locked: Locked = field(default_factory=Locked)
    live: list[int] = field(default_factory=list)
    out: dict[int, tuple[str, str]] = field(default_factory=dict)
    """seats whose bets go back: kind and article"""
    out_at: dict[int, int] = field(default_factory=dict)
    """since when they do"""
    hands: dict[int, Hand] = field(default_factory=dict)
    dealer: list[str] = field(default_factory=list)
    dealt: int = 0
    """cards of the first deal"""
    served: dict[int, int] = field(default_factory=dict)
    """by seat: when the card that opens its decision broke the beam"""
    duties: list[Duty] = field(default_factory=list)
    wanted: list[tuple[Spot, int, str]] = field(default_factory=list)

    # --- instants -----------------------------------------------------------------------------------------------------

    def true_edge(self, entry: Entry, key: str) -> int:
        """The instant of the press that a record tells of; a finding when it is another."""
        told = int(entry.fields["edge"])
        presses = self.diary.pressed(key, self.course.begin, entry.when)
        if not presses:
            self.findings.add(FALSE, entry.when, f"{entry.name}: nobody pressed {key.upper()}", 3)
            return told
        return self.same(entry, presses[-1], f"the key went down at {presses[-1]} ns")

    def same(self, entry: Entry, true: int, words: str) -> int:
        """The true instant; a finding when the record has another."""
        told = int(entry.fields["edge"])
        if not 0 <= told - true <= EDGE_NS:
            self.findings.add(INSTANT, entry.when, f"{entry.name} has {told} ns, {words}")
        return true

    # --- bets ---------------------------------------------------------------------------------------------------------

    def look(self, spot: Spot, edge: int) -> Held:
        """What lay on a spot at its lock."""
        return at_lock(spot, edge, self.stays, self.visits, self.course.reports, self.findings)

    def lock(self, spot: Spot, held: Held, cents: int | None = None) -> None:
        """A bet is locked; ``cents`` where less counts than lies there."""
        self.held[spot] = held
        self.amounts.lock(spot, held, cents)
        for stay in held.counted + (held.came if held.swapped else []):
            self.locked.add(stay.label, spot, self.edges.get(spot[1], self.close))

    def asked(self, seat: int, when: int) -> bool:
        """Whether the seat has, or may have, the bet that gives a decision, by the rulings before ``when``."""
        spot = (seat, self.law.asks)
        return bool(self.before(spot, when) or self.holds(spot, when))

    def ever_asked(self, seat: int) -> bool:
        """Whether it had it until the close, or was asked about it."""
        held = self.held.get((seat, self.law.asks), Held())
        return bool(held.cents or held.doubted or self.asked(seat, self.close))

    def asked_from(self, seat: int) -> int:
        """When the bet that gives a decision lay there, or was first asked about."""
        spot = (seat, self.law.asks)
        held = self.held.get(spot, Held())
        if held.cents or held.doubted:
            return self.edges[self.law.asks]
        return min((report.when for report in self.course.reports if self.holds(spot, report.when + 1)), default=0)

    def rows(self, entry: Entry, spots: list[Spot]) -> None:
        """The amounts that a record names are those of these spots, and no others."""
        told = {spot_of(row): int(row["amount"]) for row in entry.rows if "amount" in row}
        for spot in spots:
            cents = self.before(spot, entry.when)
            if told.get(spot, 0) != cents:
                words = f"{entry.name}: seat {spot[0]} {spot[1]} {told.get(spot, 0)}, {cents} lay there"
                self.findings.add(MONEY, entry.when, words)
        for spot in told:
            if spot not in spots:
                self.findings.add(MONEY, entry.when, f"{entry.name}: seat {spot[0]} {spot[1]} has no bet")

    # --- reports and their ends ---------------------------------------------------------------------------------------

    def ruled(self) -> list[Ruled]:
        """Ends of reports, in their order."""
        return [
            Ruled(
                int(entry.fields["id"]),
                str(entry.fields["resolution"]),
                str(entry.fields["by"]),
                int(entry.fields["amount"]),
                entry.when,
            )
            for entry in self.course.all("resolved")
        ]

    def report(self, number: int) -> Report | None:
        """The report of that number."""
        return next((report for report in self.course.reports if report.number == number), None)

    def before(self, spot: Spot, when: int) -> int:
        """The bet at a spot with the rulings made before ``when``."""
        amounts = Amounts()
        if spot not in self.held:
            return 0
        amounts.lock(spot, self.held[spot], self.amounts.first[spot])
        for ruled in self.ruled():
            report = self.report(ruled.number)
            if ruled.when < when and report is not None and report.spot == spot and ruled.word in ("valid", "refused"):
                self.rule(amounts, report, ruled)
        return amounts.cents[spot]

    def rule(self, amounts: Amounts, report: Report, ruled: Ruled) -> int:
        """A person has ruled a report; returns the bet at its spot from then on: a settled one is what it was."""
        if ruled.when > self.course.due_at(report.spot):
            return amounts.cents[report.spot]
        if report.kind == "moved" and ruled.word == "refused":
            return amounts.less(report.spot, self._strayed(report))
        return amounts.rule(report, ruled.word)

    def _strayed(self, report: Report) -> int:
        """Cents that the close has counted of the moved chips that a report holds the spot for."""
        expired = [ruled.number for ruled in self.ruled() if ruled.word == "expired" and ruled.when <= report.when]
        asked = self.report(expired[-1]) if expired else None
        held = self.held.get(report.spot, Held())
        return sum(stay.value for stay in held.counted if asked and stay.uid in asked.uids and stay.went > report.when)

    def holds(self, spot: Spot, when: int) -> bool:
        """Whether a report that holds the spot was open at an instant."""
        return any(
            report.spot == spot
            and report.when < when
            and (report.severity >= 2 or report.kind == "ambiguous")
            and not any(ruled.number == report.number and ruled.when < when for ruled in self.ruled())
            for report in self.course.reports
        )

    def _given_up(self, seat: int, until: int) -> list[int]:
        """When ABANDON and the seat's key were pressed."""
        presses = [press for press in self.diary.presses if self.course.begin <= press.when <= until]
        return [
            second.when for first, second in pairwise(presses) if (first.key, second.key) == ("abandon", f"p{seat}")
        ]

    def fold_at(self, seat: int) -> int:
        """When the seat folded: at the key, or at the close."""
        keyed = self._given_up(seat, self.close)
        return keyed[-1] if keyed else self.close

    def half_at(self, seat: int) -> int:
        """When half of the seat's bet was to be taken, where that is done at once; FOREVER when it was not."""
        keyed = self._given_up(seat, self.close)
        deal = self.course.first("deal")
        return max(keyed[0], deal.when) if self.law.at_once and keyed and deal is not None else FOREVER

    def refused(self, seat: int, until: int) -> bool:
        """Whether ABANDON and the seat's key were pressed, an odd number of times where a second press takes back."""
        times = len(self._given_up(seat, until))
        return times > 0 if self.law.at_once else times % 2 == 1
