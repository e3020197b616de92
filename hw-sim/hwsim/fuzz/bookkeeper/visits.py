"""When each antenna was visited: between which instants a change there can be known. Entry point: :class:`Visits`.

A chip that comes at t cannot have been heard before t, and the last visit that could miss it had ended by t. So the
widest interval that a report of this change may give runs from the begin of the last whole visit before t to the end
of the first whole visit after t. A visit during which something else moved there may have been in doubt, and counts
as none. A field that goes off and on again at once, on the same antenna, is a retry within a visit: tags that were told
to be quiet are to be heard again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from itertools import pairwise

from hwsim.core import Scheduler
from hwsim.rf.antenna import Antenna

FOREVER = 1 << 62
RETRY_NS = 2_000_000  # a field that is off for less than this comes on again in the same visit
Spot = tuple[int, str]


class Visits:
    """Follows the fields of all bet antennas."""

    def __init__(self, scheduler: Scheduler, antennas: Mapping[Spot, Antenna]) -> None:
        self._scheduler = scheduler
        self._begun: dict[Spot, list[int]] = {spot: [] for spot in antennas}
        self._ended: dict[Spot, list[int]] = {spot: [] for spot in antennas}
        self._moves: dict[Spot, list[int]] = {spot: [] for spot in antennas}
        for spot, antenna in antennas.items():
            antenna.on_field = self._watch(spot)

    def _watch(self, spot: Spot) -> Callable[[bool], None]:
        begun, ended, scheduler = self._begun[spot], self._ended[spot], self._scheduler

        def field(on: bool) -> None:
            if not on:
                ended.append(scheduler.now)
            elif ended and scheduler.now - ended[-1] < RETRY_NS:
                ended.pop()
            else:
                begun.append(scheduler.now)

        return field

    def moved(self, spot: Spot, when: int) -> None:
        """Something came to a spot, or left it; instants in their order."""
        self._moves[spot].append(when)

    def forget(self, before: int) -> None:
        """Drop what is older than ``before``."""
        for spot in self._begun:
            first = bisect_left(self._begun[spot], before)
            del self._begun[spot][:first]
            del self._ended[spot][:first]
            del self._moves[spot][: bisect_left(self._moves[spot], before)]

    def _whole(self, spot: Spot, index: int) -> bool:
        """Whether the visit has ended and nothing moved there meanwhile."""
        if index >= len(self._ended[spot]):
            return False
        moves = self._moves[spot]
        return bisect_left(moves, self._begun[spot][index]) == bisect_right(moves, self._ended[spot][index])

    def window(self, spot: Spot, when: int) -> tuple[int, int]:
        """The widest interval in which a change at ``when`` can be known to lie."""
        begun, ended = self._begun[spot], self._ended[spot]
        last = bisect_right(ended, when) - 1
        while last >= 0 and not self._whole(spot, last):
            last -= 1
        first = bisect_left(begun, when)
        while first < len(begun) and not self._whole(spot, first):
            first += 1
        low = begun[last] if last >= 0 else 0
        return low, ended[first] if first < len(ended) else FOREVER

    def whole_between(self, spot: Spot, begin: int, end: int) -> int:
        """How many whole visits lie between two instants."""
        first = bisect_left(self._begun[spot], begin)
        count = 0
        while first < len(self._ended[spot]) and self._ended[spot][first] <= end:
            count += self._whole(spot, first)
            first += 1
        return count

    def periods(self) -> list[int]:
        """Nanoseconds from one visit of an antenna to its next, of all that are remembered."""
        return [later - sooner for begun in self._begun.values() for sooner, later in pairwise(begun)]
