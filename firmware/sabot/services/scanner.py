"""The scanner: all readers of the table on one SPI bus, as one task.

Entry point: :class:`Scanner`; :meth:`Scanner.confirm` puts spots first in line. What one reader does is in
``services.reader_scan``.
"""

import asyncio
import time

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.services.reader_scan import ReaderScan

TURN_US = const(3000)  # a turn of the scanner goes on for so long, and its last step; the other tasks wait meanwhile
SHORT_TURN_US = const(800)  # ... while the shoe listens on the same bus
_PATIENCE_US = const(30000)  # some visits: at once others would stand idle for it
_ANTENNA = const(31)
_NOWHERE = const(32)  # as in ``reader_scan``: above all antennas
_REST_US = const(400)  # a reader due sooner than this is waited for: to give way costs half of it


def _turn() -> int:
    """Nobody is in a hurry."""
    return TURN_US


class Scanner:
    """All readers of the table in turn; the one whose time has come first goes first.

    ``antennas`` are their place bytes; ``couples`` the antennas that each of them couples with.
    """

    def __init__(
        self, scans: "list[ReaderScan]", antennas: "tuple[int, ...]", couples: "tuple[bytes, ...]" = ()
    ) -> None:
        self.scans = scans
        self.antennas = antennas
        self._couples = couples
        # Since when each reader waits: ticks, the last five bits the antenna that it waits for; -1 when it does not.
        self._waits = [-1] * len(scans)
        if couples:
            for scan in scans:
                scan.free = self.free
                scan.couples = couples
        self._due = [0] * len(scans)
        self.patience: "Callable[[], int]" = _turn  # microseconds that the other tasks can wait now
        self.beats = 0  # steps done: the supervisor sees from it that the task lives

    def free(self, antenna: int, waits: bool = False) -> bool:
        """Whether an antenna may be visited now: none that couples with it is on, or has waited. Allocates nothing.

        ``waits``: its reader has nothing else to do. The one that has waited longest comes next: else a reader of few
        antennas, which is back at once, would leave no gap to one of many.
        """
        couples = self._couples[antenna]
        notes = self._waits
        own = antenna * len(notes) // len(self.antennas)  # its reader: each has as many numbers
        now = time.ticks_us()
        note = notes[own]
        # Ticks compare for 9 minutes: what comes out negative is a wait in which the reader has died.
        waited = -1 if note < 0 else time.ticks_diff(now, note)
        for other in range(len(notes)):
            scan = self.scans[other]
            if scan.on in couples or (
                notes[other] >= 0
                and notes[other] & _ANTENNA in couples
                and scan.on == _NOWHERE
                and scan.rests()
                and time.ticks_diff(now, notes[other]) > max(waited, _PATIENCE_US)
            ):
                if waits:
                    notes[own] = (now if waited < 0 else note) & ~_ANTENNA | antenna
                return False
        if note & _ANTENNA == antenna:
            notes[own] = -1
        return True

    def confirm(self, places: bytes) -> None:
        """Visit the antennas of these spots as soon as may be, probing every chip known there."""
        for antenna in range(len(self.antennas)):
            if self.antennas[antenna] and self.antennas[antenna] in places:
                for scan in self.scans:
                    scan.want(antenna)

    def step(self) -> int:
        """Steps of the readers that are due, for a bounded time; returns the microseconds until the next is due."""
        due = self._due
        began = now = time.ticks_us()
        while True:
            first = 0
            for index in range(1, len(due)):
                if time.ticks_diff(due[index], due[first]) < 0:
                    first = index
            left = time.ticks_diff(due[first], now)
            if time.ticks_diff(now, began) >= self.patience():
                return left
            if left > 0:
                if left > _REST_US:
                    return left
                time.sleep_us(left)
            wait = self.scans[first].step()
            now = time.ticks_us()
            due[first] = time.ticks_add(now, wait)

    async def run(self) -> None:
        """The task: scans for ever, and gives way to the other tasks at every turn."""
        for index in range(len(self._due)):
            self._due[index] = time.ticks_us()
        while True:
            self.beats = (self.beats + 1) & 0x3FFFFFFF
            wait = self.step()
            await asyncio.sleep_ms(wait // 1000 if wait > 0 else 0)
