"""The amounts of a round, from locks, rulings and cards. Entry points: :class:`Amounts`, :func:`settlement`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.bookkeeper.course import Course, Report
from hwsim.fuzz.bookkeeper.findings import MONEY, Findings
from hwsim.fuzz.bookkeeper.locks import Held
from hwsim.fuzz.bookkeeper.visits import Spot
from hwsim.fuzz.laws.law import Due, Hand, Law

DIFFERENCES = ("late", "capped", "pinched", "withdrawn")


class Amounts:
    """Cents of each bet of the round, from its lock on, ruling after ruling."""

    def __init__(self) -> None:
        self.cents: dict[Spot, int] = {}
        self.first: dict[Spot, int] = {}
        """before any ruling"""
        self._doubts: dict[Spot, Held] = {}

    def lock(self, spot: Spot, held: Held, cents: int | None = None) -> None:
        """A bet is locked; ``cents`` where less counts than lies there."""
        self.cents[spot] = self.first[spot] = held.cents if cents is None else cents
        self._doubts[spot] = held

    def rule(self, report: Report, word: str) -> int:
        """A person has ruled a report; returns the bet from then on."""
        spot = report.spot
        before = self.cents.get(spot, 0)
        held = self._doubts.get(spot, Held())
        after = before
        if report.kind in ("ambiguous", "ambiguous_large"):
            after += sum(stay.value for stay in (held.came if word == "valid" else held.went))
        elif report.kind in DIFFERENCES and word == "valid":
            after += report.after - report.before
        elif report.kind == "relation" and report.severity > 1:
            after = report.after if word == "valid" else 0
        elif report.kind == "play_too_high":
            after = report.after
        self.cents[spot] = after
        return after

    def less(self, spot: Spot, cents: int) -> int:
        """Chips that lie there do not count; returns the bet from then on."""
        self.cents[spot] = self.cents.get(spot, 0) - cents
        return self.cents[spot]


def settlement(
    law: Law, course: Course, hands: Mapping[int, Hand], dealer: Sequence[str], seats: Sequence[int], findings: Findings
) -> None:
    """Every line of the settlement against the law; ``seats`` are those whose bets stood to the end."""
    for seat in seats:
        expected = law.settle(hands[seat], dealer)
        told = {bet: one.due for (at, bet), one in course.settled.items() if at == seat}
        if told != expected:
            when = max((one.when for (at, _), one in course.settled.items() if at == seat), default=course.end)
            hand = hands[seat]
            held = f"{' '.join(hand.cards)} against {' '.join(dealer)}, {hand.decision or 'no decision'}"
            settled = f"settled {_shown(told)}, due {_shown(expected)}"
            findings.add(MONEY, when, f"seat {seat} with {held}, bets {hand.bets}: {settled}")


def _shown(dues: Mapping[str, Due]) -> str:
    return "; ".join(f"{bet} {tuple(due)}" for bet, due in sorted(dues.items())) or "nothing"
