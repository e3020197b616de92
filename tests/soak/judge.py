"""What the table says lies on its spots, judged by what lay there. Entry points: :class:`Judge`, :data:`PATIENCE_NS`.

The firmware may be late: a chip that came or went within :data:`PATIENCE_NS` may be told or not. A chip that has lain
on a spot for longer must be told there (else it is *missed*), and nothing may be told that has not lain there within
that time (else it is *misattributed*), in chips and in cents. It holds for the table's view at every look, and for each
bet of a lock, unless the lock says that it is in doubt.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from hwsim.core import NS_PER_MS
from hwsim.world.truth import PLACED, REMOVED, Fact
from sabot_host.monitor.picture import Picture

PATIENCE_NS = 3000 * NS_PER_MS

Place = tuple[int, str]


class Lying(NamedTuple):
    """A chip on a spot: how much it is worth, when it came, and when it went; ``gone`` 0: it lies there."""

    cents: int
    came: int
    gone: int


class Range(NamedTuple):
    """The least and the most that may be told, in chips and in cents."""

    chips: tuple[int, int]
    cents: tuple[int, int]


def cents_of(label: str) -> int:
    """What a chip is worth by its label, ``25.00#3``; 0 for a card."""
    value, mark, _ = label.partition("#")
    return int(value.replace(".", "")) if mark else 0


class Judge:
    """Judges one table; ``names`` are its spots, by the names of their antennas."""

    def __init__(self, names: dict[str, Place]) -> None:
        self.looks = 0
        self.spots = 0
        """spots judged, over all looks"""
        self.bets = 0
        """bets of locks judged"""
        self.missed: list[str] = []
        self.misattributed: list[str] = []
        self._names = names
        self._lying: dict[Place, dict[bytes, Lying]] = {place: {} for place in names.values()}
        self._left: dict[Place, deque[Lying]] = {place: deque() for place in names.values()}

    def happen(self, facts: Sequence[Fact]) -> None:
        """Learn what has happened, in its order."""
        for fact in facts:
            place = self._names.get(fact.place)
            cents = cents_of(fact.label)
            if place is None or not cents:
                continue
            if fact.act == PLACED:
                self._lying[place][fact.uid] = Lying(cents, fact.when, 0)
            elif fact.act == REMOVED:
                chip = self._lying[place].pop(fact.uid)
                self._left[place].append(chip._replace(gone=fact.when))

    def range_at(self, place: Place, when: int) -> Range:
        """What may be told of a spot at an instant; what left it long before is forgotten."""
        since = when - PATIENCE_NS
        left = self._left[place]
        while left and left[0].gone < since - PATIENCE_NS:
            left.popleft()
        certain, possible = [], []
        for chip in [*self._lying[place].values(), *left]:
            if chip.came <= when and (not chip.gone or chip.gone >= since):
                possible.append(chip.cents)
                if chip.came < since and (not chip.gone or chip.gone > when):
                    certain.append(chip.cents)
        return Range((len(certain), len(possible)), (sum(certain), sum(possible)))

    def look(self, picture: Picture, when: int) -> None:
        """A view of the table that came at ``when``."""
        self.looks += 1
        for spot in picture.spots:
            place = (spot.seat, spot.bet)
            if place in self._lying:
                self.spots += 1
                self._compare(place, when, self.range_at(place, when), spot.chips, spot.seen, "view")

    def bet(self, place: Place, edge: int, cents: int) -> None:
        """A lock at the instant ``edge`` counts ``cents`` there, and is in no doubt of it."""
        self.bets += 1
        allowed = self.range_at(place, edge)
        self._compare(place, edge, allowed, allowed.chips[0], cents, "lock")

    def _compare(self, place: Place, when: int, allowed: Range, chips: int, cents: int, what: str) -> None:
        told = (
            f"{when / 1e9:.3f} s, {what} of seat {place[0]} {place[1]}: {chips} chips, {cents} cents; allowed {allowed}"
        )
        if chips < allowed.chips[0] or cents < allowed.cents[0]:
            self.missed.append(told)
        elif chips > allowed.chips[1] or cents > allowed.cents[1]:
            self.misattributed.append(told)
