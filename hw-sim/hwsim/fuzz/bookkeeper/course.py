"""One round as its records tell it. Entry points: :class:`Course`, :class:`Report`, :class:`Settled`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot
from hwsim.fuzz.laws.law import Due
from hwsim.scenario.claims import Entry, Row
from hwsim.world.truth import Fact


class Report(NamedTuple):
    """An irregularity at a spot, as it was recorded; ``spot`` is (0, "") for cards."""

    number: int
    kind: str
    severity: int
    spot: Spot
    before: int
    after: int
    earliest: int
    latest: int
    uids: tuple[str, ...]
    when: int
    sequence: int

    def __str__(self) -> str:
        """In words."""
        where = f"seat {self.spot[0]} {self.spot[1]}" if self.spot[0] else "cards"
        return f"'{self.kind}' (severity {self.severity}) at {where}, {self.before} -> {self.after} cents"


class Settled(NamedTuple):
    """A line of a settlement: when it was recorded, and what is due."""

    when: int
    due: Due


def spot_of(row: Row) -> Spot:
    """The spot that a row of a record names."""
    return (int(row["seat"]), str(row["bet"])) if "bet" in row else (0, "")


@dataclass
class Course:
    """The records of one round, sorted. ``begin`` and ``end`` are instants (ns)."""

    number: int
    begin: int
    end: int
    entries: Sequence[Entry]
    facts: Sequence[Fact]
    """what happened in it"""
    reports: list[Report] = field(default_factory=list)
    changes: list[Entry] = field(default_factory=list)
    settled: dict[Spot, Settled] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the records."""
        for entry in self.entries:
            fields = entry.fields
            if entry.family == "irregularity":
                uids = tuple(str(row["uid"]) for row in entry.rows)
                self.reports.append(
                    Report(
                        int(fields["id"]),
                        entry.name,
                        int(fields["severity"]),
                        spot_of(fields),
                        int(fields["before"]),
                        int(fields["after"]),
                        int(fields["earliest"]),
                        int(fields["latest"]),
                        uids,
                        entry.when,
                        entry.sequence,
                    )
                )
            elif entry.name == "change":
                self.changes.append(entry)
            elif entry.name == "settlement":
                for row in entry.rows:
                    due = Due(str(row["result"]), int(row["stake"]), int(row["paid"]), int(row["returned"]))
                    self.settled[spot_of(row)] = Settled(entry.when, due)

    def first(self, name: str) -> Entry | None:
        """The first record of that name."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def all(self, name: str) -> list[Entry]:
        """Every record of that name."""
        return [entry for entry in self.entries if entry.name == name]

    def due_at(self, spot: Spot) -> int:
        """When the bet at a spot was settled; FOREVER when it was not."""
        return self.settled[spot].when if spot in self.settled else FOREVER

    def done_at(self, seat: int) -> int:
        """When the last bet of a seat was settled; FOREVER when none was."""
        return max((one.when for spot, one in self.settled.items() if spot[0] == seat), default=FOREVER)
