"""Readers that have failed: their seats wait for a person. Entry point: `Readers`.

At a spot whose reader is dead no bet can be confirmed, and nobody would see it change. A seat that plays there is on
hold (`reader_fault`) until its reader has been heard for two seconds, or a supervisor or a technician says what its bet
is; the other seats play on. At a lock the spot is given up at once (decision TRANSIT), not after ten seconds.
Loaded when the first reader fails.
"""

from sabot.table.ticks import since

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.issues import Issue
    from sabot.table.round import Round

_HEARD_US = const(2000000)  # several visits to each antenna: what went while the reader was dead has been told by then


class Readers:
    """Which spots no reader reads, and what follows for their seats."""

    def __init__(self, course: "Round") -> None:
        self._round = course
        self._core = course.core
        self._issues = course.issues
        self._dead = course.core.dead = bytearray(course.core.spots.count)
        self._heard = [0] * course.core.spots.count  # raw ticks of the reader's return
        self._told = bytearray(8)  # seats that have been held in the round `_number`
        self._number = -1

    def told(self, antennas: "tuple[int, ...]", dead: bool) -> None:
        """The reader of these antennas (numbers) is dead, or is heard again."""
        spots = self._core.spots
        for antenna in antennas:
            spot = spots.of_antenna[antenna]
            if spot < 0:  # the discard's
                continue
            for each in (spot, spots.lodger[spot]):
                if each >= 0:
                    self._dead[each] = dead
                    self._heard[each] = self._core.now
        self.tick()

    def tick(self) -> None:
        """Time passes: seats whose reader is dead are held, and let go when it has been heard for long enough."""
        core = self._core
        for issue in list(self._issues.open):
            if issue.kind == "reader_fault" and self._is_back(issue):
                self._issues.close(issue, "cleared", 0, core.spots.locked[issue.spot])
        if not core.in_round:
            return
        if self._number != core.round:
            self._number = core.round
            for seat in range(8):
                self._told[seat] = 0
        for spot in range(core.spots.count):
            if self._dead[spot]:
                self._hold(spot)

    def _is_back(self, issue: "Issue") -> bool:
        spot = issue.spot
        return not self._dead[spot] and since(self._core.now, self._heard[spot]) >= _HEARD_US

    def _hold(self, spot: int) -> None:
        core = self._core
        waits = False
        for confirmation in self._round.confirmations:
            confirmation.give_up(spot, core.now, core.spots.seen[spot] != core.spots.keyed[spot])
            waits = waits or confirmation.judges(spot)
        seat = core.spots.seat(spot)
        if self._told[seat] or waits or not core.is_live(seat) or core.spots.state(spot) != "locked":
            return
        self._told[seat] = 1
        if self._issues.holds_spot(spot):  # given up at the lock: one ruling says what the bet is
            return
        locked = core.spots.locked[spot]
        self._issues.raise_at("reader_fault", spot, locked, locked, (core.now, core.now))
