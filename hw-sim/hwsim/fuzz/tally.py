"""What many rounds add up to. Entry points: :class:`Tally`, :func:`upper_bound`, :data:`TOLERANCES`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from hwsim.fuzz.bookkeeper.findings import FALSE, INSTANT, MISSED, MONEY, WRONG, Finding

#: False alarms that operations allow: one in so many rounds, at 60 rounds an hour.
TOLERANCES = {"stops": 7 * 24 * 60, "holds": 480, "prompts": 30, "silent": 24 * 60}
_FALSE = {3: "stops", 2: "holds", 1: "prompts"}
_CONFIDENCE = 0.95
CLEAN_KEYS = 3


@dataclass
class Tally:
    """Counts over rounds; two of them can be added."""

    rounds: int = 0
    seconds: float = 0.0
    keys: int = 0
    clean_rounds: int = 0
    """rounds in which nothing was asked"""
    clean_keys: int = 0
    prompts: int = 0
    """questions with a reason"""
    holds: int = 0
    """seat holds with a reason"""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys((MISSED, WRONG, MONEY, INSTANT), 0))
    false: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*TOLERANCES, "notices"), 0))
    acts: dict[str, int] = field(default_factory=dict)

    def find(self, finding: Finding) -> None:
        """Count one finding."""
        if finding.sort == FALSE:
            self.false[_FALSE.get(finding.severity, "notices")] += 1
            self.false["silent"] += finding.silent
        else:
            self.counts[finding.sort] += 1

    def add(self, other: Tally) -> None:
        """Add another's counts."""
        for name in ("rounds", "seconds", "keys", "clean_rounds", "clean_keys", "prompts", "holds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mine, theirs in ((self.counts, other.counts), (self.false, other.false), (self.acts, other.acts)):
            for name, number in theirs.items():
                mine[name] = mine.get(name, 0) + number

    @property
    def good(self) -> bool:
        """Whether nothing was missed or wrong, and false alarms are within tolerance."""
        within = all(self.false[name] <= self.rounds // one_in for name, one_in in TOLERANCES.items())
        return not any(self.counts.values()) and within and not self.false["notices"]

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "rounds": self.rounds,
            "virtual_seconds": round(self.seconds, 1),
            **{name: bounded(number, self.rounds) for name, number in self.counts.items()},
            "false": {name: bounded(number, self.rounds) for name, number in self.false.items()},
            "keys_a_round": round(self.keys / self.rounds, 2) if self.rounds else 0.0,
            "clean_rounds": self.clean_rounds,
            "keys_a_clean_round": round(self.clean_keys / self.clean_rounds, 2) if self.clean_rounds else 0.0,
            "true_prompts": self.prompts,
            "true_holds": self.holds,
            "acts": dict(sorted(self.acts.items())),
        }

    def lines(self) -> list[str]:
        """For people."""
        wrong = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        lines = [f"{self.rounds} rounds, {self.seconds:.0f} s of the table's time: {wrong}"]
        for name, number in self.false.items():
            bound = upper_bound(number) / self.rounds if self.rounds else 0.0
            allowed = f"; one in {TOLERANCES[name]} is tolerated" if name in TOLERANCES else ""
            lines.append(f"false {name}: {number} in {self.rounds} rounds (95 %: at most {bound:.4f} a round{allowed})")
        if self.rounds:
            clean = (
                f"{self.clean_keys / self.clean_rounds:.1f} in a clean one" if self.clean_rounds else "none was clean"
            )
            lines.append(f"keys: {self.keys / self.rounds:.1f} a round, {clean}")
        lines.append("acts: " + (", ".join(f"{number} {name}" for name, number in sorted(self.acts.items())) or "none"))
        return lines


def bounded(number: int, rounds: int) -> dict[str, object]:
    """``n in N rounds`` with the 95 % upper bound of the rate."""
    return {"n": number, "in": rounds, "upper_95": round(upper_bound(number) / rounds, 6) if rounds else None}


def upper_bound(number: int) -> float:
    """The greatest mean of which ``number`` or fewer events are seen in 5 cases of 100 (Poisson, one-sided)."""

    def chance(mean: float) -> float:
        return sum(math.exp(-mean + n * math.log(mean) - math.lgamma(n + 1)) for n in range(number + 1))

    low, high = 1e-9, 10.0 + 4.0 * number
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chance(middle) > 1 - _CONFIDENCE else (low, middle)
    return high
