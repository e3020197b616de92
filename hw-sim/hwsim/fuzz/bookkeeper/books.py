"""The bookkeeper: follows the world, and judges each round when it is over. Entry point: :class:`Bookkeeper`."""

from __future__ import annotations

from hwsim.fuzz.bookkeeper import matching, rulings
from hwsim.fuzz.bookkeeper.bets import lock_bets
from hwsim.fuzz.bookkeeper.cards import first_deal, later_deal, shown
from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.course import Course
from hwsim.fuzz.bookkeeper.deciding import decide
from hwsim.fuzz.bookkeeper.findings import FALSE, MISSED, Findings
from hwsim.fuzz.bookkeeper.money import settlement
from hwsim.fuzz.bookkeeper.motions import follow
from hwsim.fuzz.bookkeeper.stays import Stays
from hwsim.fuzz.bookkeeper.visits import Visits
from hwsim.fuzz.floor import Floor

_KEPT_NS = 60_000_000_000


class Bookkeeper:
    """Judges what the journal of ``floor``'s table says. It must be made before the table plays."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        spots = floor.table.spots
        self.visits = Visits(floor.table.scheduler, spots)
        self.stays = Stays(self.visits, {antenna.name: spot for spot, antenna in spots.items()}, floor.bodies.get)
        self.asked = self.prompts = self.holds = 0
        """of the last round: questions and holds together, and each"""
        self._last = 0

    def round(self, number: int, begin: int) -> Findings:
        """Judge the round that began at ``begin`` and is over now."""
        floor = self._floor
        course = self._course(number, begin)
        limits = floor.table.config["limits"]
        case = Case(floor.law, limits, floor.seats, course, floor.diary, self.stays, self.visits)
        _judge(case)
        false = [finding for finding in case.findings if finding.sort == FALSE]
        self.prompts = sum(report.severity == 1 for report in course.reports) - sum(one.severity == 1 for one in false)
        self.holds = sum(report.severity == 2 for report in course.reports) - sum(one.severity == 2 for one in false)
        self.asked = sum(report.severity > 0 for report in course.reports)
        return case.findings

    def _course(self, number: int, begin: int) -> Course:
        facts = self._floor.table.truth.facts
        self.stays.take(facts)
        entries = self._floor.entries(self._last)
        self._last = entries[-1].sequence if entries else self._last
        self.visits.forget(begin - _KEPT_NS)
        self.stays.forget(begin - _KEPT_NS)
        taken = tuple(facts)
        facts.clear()
        return Course(number, begin, self._floor.now, entries, taken)


def _judge(case: Case) -> None:
    course, findings = case.course, case.findings
    lock = course.first("lock")
    if lock is None:
        findings.add(MISSED, course.begin, "no lock was recorded in this round")
        return
    for entry in course.entries:
        if entry.name in ("fault", "void", "unlock") or entry.family == "card_fault":
            findings.add(FALSE, entry.when, f"{entry}: nothing happened to the cards or the parts", 3)
    lock_bets(case, lock)
    first_deal(case)
    rulings.put_out(case)
    decide(case)
    later_deal(case)
    shown(case)
    follow(case)
    matching.match([report for report in course.reports if report.uids], case.duties, case.visits, findings)
    matching.changes(course, case.stays, case.wanted, findings)
    rulings.bare(case)
    rulings.standing(case)
    rulings.rule(case)
    if course.first("void") is None:
        settlement(case.law, course, case.hands, case.dealer, case.live, findings)
