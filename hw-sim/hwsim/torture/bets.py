"""Bets against bodies: no bet changed after its lock unseen. Entry points: :func:`unseen`, :class:`Bodies`.

What lay on a spot at its lock is what was settled there, and what lay there for long before the settlement lay there at
the lock, unless the journal tells of that spot in the round. Spots that nobody could have heard are not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hwsim.core import NS_PER_MS
from hwsim.fuzz.bookkeeper.course import spot_of
from hwsim.fuzz.bookkeeper.visits import Spot
from hwsim.fuzz.laws.law import Law
from hwsim.scenario.claims import Entry
from hwsim.torture.faults import Disturbed
from hwsim.world.chips import Chip
from hwsim.world.truth import PLACED, REMOVED, Fact

_SETTLED_NS = 2_500 * NS_PER_MS  # what has lain for so long has been heard, has dwelt, and has been told
_BEFORE_NS = 3_000 * NS_PER_MS
_ROUND_IS_OVER = ("round_end", "void", "unlock", "power_on")
_TELLS = ("irregularity", "change", "resolved", "declared", "alert")


class Bodies:
    """Which chips of the house lay on which spot when; ``places`` is a spot's name in the facts."""

    def __init__(self, facts: Iterable[Fact], chips: Mapping[str, Chip], places: Mapping[Spot, str]) -> None:
        self._acts: dict[str, list[Fact]] = {}
        for fact in facts:
            if fact.act in (PLACED, REMOVED):
                self._acts.setdefault(fact.place, []).append(fact)
        self._chips = chips
        self._places = places

    def lying(self, spot: Spot, when: int) -> frozenset[str]:
        """Labels of what lay there; an act at that instant has happened."""
        lying: set[str] = set()
        for fact in self._acts.get(self._places[spot], ()):
            if fact.when > when:
                break
            if fact.act == PLACED:
                lying.add(fact.label)
            else:
                lying.discard(fact.label)
        return frozenset(label for label in lying if label in self._chips)

    def still(self, spot: Spot, begin: int, end: int) -> bool:
        """Whether nothing was moved there in that time."""
        return not any(begin <= fact.when <= end for fact in self._acts.get(self._places[spot], ()))

    def cents(self, labels: Iterable[str]) -> int:
        """What chips are worth together."""
        return sum(self._chips[label].cents for label in labels)


class Round:
    """The locks of one round, and what was told of its spots."""

    def __init__(self) -> None:
        self.edges: dict[str, int] = {}
        self.told: set[Spot] = set()

    def take(self, entry: Entry, law: Law, shift: int) -> None:
        """One record of it."""
        if entry.name in ("lock", "first_card", "decisions"):
            edge = int(entry.fields["edge"]) + shift
            if entry.name == "lock":
                self.edges.update(dict.fromkeys(set(law.laid) - set(law.carded), edge))
            elif entry.name == "first_card":
                self.edges.update(dict.fromkeys(law.carded, edge))
            elif law.opens:
                self.edges[law.opens] = edge
        if entry.family in _TELLS and "bet" in entry.fields:
            self.told.add(spot_of(entry.fields))
        self.told |= {spot_of(row) for row in entry.rows if row.get("flags")}


def unseen(
    entries: Sequence[Entry], law: Law, bodies: Bodies, spots: Iterable[Spot], blind: Sequence[Disturbed], shift: int
) -> Iterator[str | None]:
    """None for each bet that was judged and is right, and what is wrong, in words.

    ``shift`` is added to the instants that records tell: what the controller's counter had wrapped before it started.
    """
    round_ = Round()
    known = set(spots)
    for entry in entries:
        if entry.name in _ROUND_IS_OVER:
            round_ = Round()
        round_.take(entry, law, shift)
        if entry.name != "settlement":
            continue
        for row in entry.rows:
            spot = spot_of(row)
            edge = round_.edges.get(spot[1])
            if not row["stake"] or edge is None or spot not in known or spot in round_.told:
                continue
            if any(one.begin < entry.when and one.end > edge - _BEFORE_NS for one in blind):
                continue
            yield _judged(spot, int(row["stake"]), edge, entry, bodies)


def _judged(spot: Spot, stake: int, edge: int, entry: Entry, bodies: Bodies) -> str | None:
    at_lock = bodies.lying(spot, edge)
    where = f"record {entry.sequence}: seat {spot[0]} {spot[1]}"
    if bodies.cents(at_lock) != stake:
        return f"{where} is settled with {stake} cents, {bodies.cents(at_lock)} lay there at {edge / 1e9:.6f}"
    end = entry.when
    now = bodies.lying(spot, end)
    if now != at_lock and end - _SETTLED_NS > edge and bodies.still(spot, end - _SETTLED_NS, end):
        return (
            f"{where} was {sorted(at_lock)} at its lock and {sorted(now)} long before it is settled, and nobody knows"
        )
    return None
