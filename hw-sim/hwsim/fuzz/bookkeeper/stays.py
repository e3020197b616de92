"""Which body lay on which spot, from when to when. Entry points: :class:`Stays`, :class:`Stay`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot, Visits
from hwsim.world.chips import Chip
from hwsim.world.truth import PLACED, REMOVED, Fact

HOUSE, FOREIGN, FORGED, CLONE = "house", "foreign", "forged", "clone"


@dataclass
class Stay:
    """One body on one spot; instants in ns, ``went`` is FOREVER while it lies there."""

    label: str
    uid: str
    sort: str
    cents: int
    spot: Spot
    came: int
    went: int = FOREVER

    @property
    def value(self) -> int:
        """Cents that it counts for."""
        return self.cents if self.sort in (HOUSE, CLONE) else 0

    def lies(self, when: int) -> bool:
        """Whether it lay there at an instant."""
        return self.came <= when < self.went


def sort_of(label: str) -> str:
    """What kind of body this is, by its maker's mark."""
    for sort in (FOREIGN, FORGED):
        if label.startswith(sort):
            return sort
    return CLONE if label.endswith(CLONE) else HOUSE


class Stays:
    """All stays of chips on bet spots.

    ``spots`` gives the spot by its antenna's name, ``chip_of`` the body by its label.
    """

    def __init__(self, visits: Visits, spots: dict[str, Spot], chip_of: Callable[[str], Chip | None]) -> None:
        self._visits = visits
        self._spots = spots
        self._chip_of = chip_of
        self._of: dict[Spot, list[Stay]] = {spot: [] for spot in spots.values()}
        self._open: dict[tuple[str, Spot], Stay] = {}

    def take(self, facts: Iterable[Fact]) -> None:
        """Enter what happened, in its order."""
        for fact in facts:
            spot = self._spots.get(fact.place)
            if spot is None or fact.act not in (PLACED, REMOVED):
                continue
            chip = self._chip_of(fact.label)
            if chip is None:
                continue  # a card: nobody hears it
            self._visits.moved(spot, fact.when)
            if fact.act == PLACED:
                uid = fact.uid[::-1].hex().upper()
                stay = Stay(fact.label, uid, sort_of(fact.label), chip.cents, spot, fact.when)
                self._of[spot].append(stay)
                self._open[fact.label, spot] = stay
            else:
                self._open.pop((fact.label, spot)).went = fact.when

    def forget(self, before: int) -> None:
        """Drop stays that ended before ``before``."""
        for spot in self._of:
            self._of[spot] = [stay for stay in self._of[spot] if stay.went >= before]

    def at(self, spot: Spot) -> list[Stay]:
        """The stays at a spot, by their begin."""
        return self._of[spot]

    def of(self, label: str) -> list[Stay]:
        """The stays of one body, by their begin."""
        return sorted(
            (stay for stays in self._of.values() for stay in stays if stay.label == label), key=lambda stay: stay.came
        )

    def spots(self) -> list[Spot]:
        """All bet spots."""
        return list(self._of)
