"""The scanner: every reader goes round its antennas, and what it hears becomes presence of chips.

Entry points: :class:`ReaderScan` (one reader: antenna, visit, identification of new chips, in steps that never wait),
:class:`Scanner` (all of them on one SPI bus, as one task; :meth:`Scanner.confirm` puts spots first in line). Antennas
that couple are never on together: a reader goes to another of its antennas meanwhile, or waits.

A visit's intervals are the driver's (``iso15693.visit``): before the request of an answer to after its reading. A chip
that is new is told only when its memory has been read and judged, with the interval in which it was first heard.
"""

import asyncio
import time
from array import array

from micropython import const

from sabot.services.chips import MEMORY_BLOCKS, UNIDENTIFIED, Lying

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPOT_CAPACITY = const(128)  # chips on one antenna
_FRESH_CAPACITY = const(32)  # chips that one visit may identify; the rest follow in the next
_RETRY_MS = const(1000)  # a reader that failed is started again after this
_FAULTS_IN_A_ROW = const(3)  # before the table is told

_CHOOSE = const(0)
_VISIT = const(1)
_IDENTIFY = const(2)
_FIELD_OFF = const(3)
_BROKEN = const(4)
_HELD = const(5)  # in reset
_STARTING = const(6)

_NOWHERE = const(-1)
_BLOCKED_US = const(300)  # another reader's visit lasts some milliseconds


class ReaderScan:
    """One reader and its antennas.

    ``antennas`` are the numbers, in the presence, of the wired ones; ``ports`` their positions on the switch, which has
    ``select(position)``. ``make`` gives the driver objects: ``visit``, ``blocks``, ``field``, and ``fault``, the
    exception they raise. ``on_fault(code)`` is told when the reader fails for good, and with ``""`` when it is back.
    ``discard`` (`discard.Discard`) takes in what lies on its antenna, when that is one of these.
    """

    def __init__(
        self,
        reader: "Any",
        switch: "Any",
        antennas: "tuple[int, ...]",
        ports: "tuple[int, ...]",
        make: "Any",
        presence: "Any",
        chips: "Any",
        on_fault: "Callable[[str], None]",
        discard: "Any" = None,
    ) -> None:
        self.faults = 0
        self.on = _NOWHERE  # antenna whose field may be on
        self.free: "Callable[[int], bool]" = _always  # whether no antenna that couples with this one is on
        self._reader = reader
        self._switch = switch
        self._antennas = antennas
        self._ports = ports
        self._presence = presence
        self._chips = chips
        self._on_fault = on_fault
        self._discard = discard
        self._visit = make.visit
        self._visit.listener = self
        self._afi = self._visit.afi
        self._blocks = make.blocks
        self._field = make.field
        self._fault = make.fault
        self._known = [Lying(chips, _SPOT_CAPACITY) for _ in antennas]
        self._wanted = bytearray(len(antennas))
        self._left = bytearray(len(antennas))  # still to be visited in this round
        self._at = len(antennas) - 1
        self._antenna = antennas[0]
        self._confirming = False
        self._state = _BROKEN
        self._retry_at = time.ticks_ms()
        self._told = ""
        self._in_a_row = 0
        self._gone = bytearray(_SPOT_CAPACITY)
        self._fresh = bytearray(_FRESH_CAPACITY)  # handles to identify
        self._fresh_new = bytearray(_FRESH_CAPACITY)
        self._fresh_low = array("i", bytes(4 * _FRESH_CAPACITY))
        self._fresh_high = array("i", bytes(4 * _FRESH_CAPACITY))
        self._fresh_count = 0
        self._fresh_at = 0
        self._uid = bytearray(8)
        self._clean = True
        self._ended = 0

    def want(self, antenna: int) -> None:
        """Visit this antenna next, with the full mask of each chip known there. Allocates nothing."""
        for index in range(len(self._antennas)):
            if self._antennas[index] == antenna:
                self._wanted[index] = 1

    def step(self) -> int:
        """Do a bounded piece of work; returns the microseconds until the next call makes sense."""
        try:
            if self._state == _VISIT:
                wait: int = self._visit.step()
                return wait if wait >= 0 else self._visited()
            if self._state == _CHOOSE:
                return self._choose()
            if self._state == _IDENTIFY:
                wait = self._blocks.step()
                return wait if wait >= 0 else self._identified()
            if self._state == _FIELD_OFF:
                wait = self._field.step()
                if wait < 0:
                    self._told_of_fresh()
                    self._finish()
                    return 0
                return wait
            return self._restart()
        except self._fault as fault:
            return self._failed(fault.code)

    # --- what the visit hears -----------------------------------------------------------------------------------------

    def begun(self, ticks: int) -> None:
        """The visit begins: the field is about to go on."""
        self._presence.visit_begun(self._antenna, ticks)

    def answered(self, index: int, low: int, high: int) -> None:
        """A known chip answered."""
        handle = self._known[self._at].handle(index)
        self._presence.answered(self._antenna, handle, low, high)
        if self._chips.value(handle) == UNIDENTIFIED:
            self._queue(handle, 0, low, high)

    def stranger(self, uid: bytearray, low: int, high: int) -> None:
        """A chip that was not here before answered."""
        handle = self._chips.find(uid)
        if handle < 0:
            handle = self._chips.add(uid)
        if handle < 0:
            self._clean = False
            return
        self._queue(handle, 1, low, high)

    def silent(self, index: int, first: int, count: int) -> None:
        """A known chip is absent: ``count`` clean non-answers in a row, the first seen at ``first``."""
        self._presence.silent(self._antenna, self._known[self._at].handle(index), first)
        self._gone[index] = 1

    def unknown(self, index: int) -> None:
        """A known chip may be there or not."""
        self._presence.unknown(self._antenna, self._known[self._at].handle(index))

    def finished(self, clean: bool, ticks: int) -> None:
        """The visit is over."""
        self._clean = self._clean and clean
        self._ended = ticks

    # --- the course of a visit ----------------------------------------------------------------------------------------

    def _choose(self) -> int:
        """Begin the next visit: what is wanted first, else round the antennas; past those that must stay off now."""
        at = self._next()
        if at < 0:
            return _BLOCKED_US
        self._at = at
        self._confirming = self._wanted[at] != 0
        self._wanted[at] = 0
        self._left[at] = 0
        self._antenna = self._antennas[at]
        self._clean = True
        self._fresh_count = 0
        self._switch.select(self._ports[at])
        self.on = self._antenna
        discard = self._discard
        if discard is not None:
            here = self._antenna == discard.antenna
            self._visit.listener = discard if here else self
            self._visit.afi = discard.afi if here else self._afi
            if here:
                self._visit.start(discard.known, False)
                self._state = _VISIT
                return 0
        self._visit.start(self._known[at], self._confirming)
        self._state = _VISIT
        return 0

    def _next(self) -> int:
        """Index of the antenna whose turn it is, or -1 when all that are left must stay off now."""
        count = len(self._antennas)
        if not any(self._left):
            for at in range(count):
                self._left[at] = 1
        found = -1
        blocked = False
        for step in range(count):
            at = (self._at + 1 + step) % count
            if self._wanted[at]:
                if self.free(self._antennas[at]):
                    return at
                blocked = True
            elif found < 0 and self._left[at] and self.free(self._antennas[at]):
                found = at
        return -1 if blocked else found

    def _queue(self, handle: int, new: int, low: int, high: int) -> None:
        count = self._fresh_count
        if count == _FRESH_CAPACITY:
            self._clean = False
            return
        self._fresh[count] = handle
        self._fresh_new[count] = new
        self._fresh_low[count] = low
        self._fresh_high[count] = high
        self._fresh_count = count + 1
        self._visit.keep_field = True

    def _visited(self) -> int:
        if self._discard is not None and self._antenna == self._discard.antenna:
            self._discard.over()
            self._well()
            self.on = _NOWHERE
            self._state = _CHOOSE
            return 0
        known = self._known[self._at]
        for index in range(known.count - 1, -1, -1):
            if self._gone[index]:
                self._gone[index] = 0
                known.remove(index)
        self._well()
        if not self._fresh_count:
            self._finish()
            return 0
        self._fresh_at = -1
        return self._next_fresh()

    def _well(self) -> None:
        """A visit has come to its end: the reader works."""
        self._in_a_row = 0
        if self._told:
            self._told = ""
            self._on_fault("")

    def _next_fresh(self) -> int:
        """Read the memory of the next chip whose value is not known; the field is still on."""
        at = self._fresh_at + 1
        while at < self._fresh_count and self._chips.value(self._fresh[at]) != UNIDENTIFIED:
            at += 1
        self._fresh_at = at
        if at < self._fresh_count:
            self._chips.uid_into(self._fresh[at], self._uid)
            self._blocks.start(self._uid, 0, MEMORY_BLOCKS)
            self._state = _IDENTIFY
            return self._blocks.step()  # type: ignore[no-any-return]
        self._field.start_off()
        self._state = _FIELD_OFF
        return self._field.step()  # type: ignore[no-any-return]

    def _identified(self) -> int:
        if self._blocks.ok:
            self._chips.identify(self._fresh[self._fresh_at], self._blocks.data)
        return self._next_fresh()

    def _told_of_fresh(self) -> None:
        """Add the new chips to the antenna's own, and tell the presence when each was first heard."""
        known = self._known[self._at]
        for at in range(self._fresh_count):
            if not self._fresh_new[at]:
                continue
            handle = self._fresh[at]
            if not known.add(handle):
                self._clean = False
                continue
            self._presence.answered(self._antenna, handle, self._fresh_low[at], self._fresh_high[at])

    def _finish(self) -> None:
        self._presence.visit_finished(self._antenna, self._clean, self._ended)
        self.on = _NOWHERE
        self._state = _CHOOSE

    # --- faults -------------------------------------------------------------------------------------------------------

    def _failed(self, code: str) -> int:
        """A fault voids the visit: nothing is concluded from it. The reader is reset, at once the first times."""
        self.faults += 1
        self._in_a_row += 1
        for index in range(_SPOT_CAPACITY):
            self._gone[index] = 0
        if self._confirming:
            self._wanted[self._at] = 1
        if self._in_a_row >= _FAULTS_IN_A_ROW and not self._told:
            self._told = code
            self._on_fault(code)
        if self._state != _HELD:  # else it could not even be reset: that is tried again when the time has come
            self._state = _BROKEN
        self._retry_at = time.ticks_add(time.ticks_ms(), 0 if self._in_a_row < _FAULTS_IN_A_ROW else _RETRY_MS)
        return 0

    def _restart(self) -> int:
        if self._state == _BROKEN:
            self._state = _HELD
            self._reader.begin_start()
            wait: int = self._reader.step_start()  # into reset: its field is off, whatever it did
            self.on = _NOWHERE
            return wait
        if self._state == _HELD:
            left = time.ticks_diff(self._retry_at, time.ticks_ms())
            if left > 0:
                return left * 1000
            self._state = _STARTING
        wait = self._reader.step_start()
        if wait >= 0:
            return wait
        self.on = _NOWHERE
        self._state = _CHOOSE
        return 0


def _always(antenna: int) -> bool:
    """No antenna couples with this one."""
    return True


class Scanner:
    """All readers of the table in turn; the one whose time has come first goes first.

    ``antennas`` are their place bytes; ``couples`` the antennas of other readers that each of them couples with.
    """

    def __init__(
        self, scans: "list[ReaderScan]", antennas: "tuple[int, ...]", couples: "tuple[bytes, ...]" = ()
    ) -> None:
        self._scans = scans
        self._antennas = antennas
        self._couples = couples
        if couples:
            for scan in scans:
                scan.free = self.free
        self._due = [0] * len(scans)
        self.beats = 0  # steps done: the supervisor sees from it that the task lives

    def free(self, antenna: int) -> bool:
        """Whether no antenna that couples with this one is on. Allocates nothing."""
        for scan in self._scans:
            if scan.on >= 0 and scan.on in self._couples[antenna]:
                return False
        return True

    def confirm(self, places: bytes) -> None:
        """Visit the antennas of these spots as soon as may be, probing every chip known there."""
        for antenna in range(len(self._antennas)):
            if self._antennas[antenna] and self._antennas[antenna] in places:
                for scan in self._scans:
                    scan.want(antenna)

    def step(self) -> int:
        """One step of the reader that is due first; returns the microseconds until any reader is due."""
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        now = time.ticks_us()
        first = 0
        for index in range(1, len(self._scans)):
            if time.ticks_diff(self._due[index], self._due[first]) < 0:
                first = index
        left = time.ticks_diff(self._due[first], now)
        if left > 0:
            return left
        wait = self._scans[first].step()
        self._due[first] = time.ticks_add(time.ticks_us(), wait)
        return 0

    async def run(self) -> None:
        """The task: scans for ever, and gives way to the other tasks at every step."""
        for index in range(len(self._due)):
            self._due[index] = time.ticks_us()
        while True:
            wait = self.step()
            if wait >= 1000:
                await asyncio.sleep_ms(wait // 1000)
            else:
                if wait:
                    time.sleep_us(wait)
                await asyncio.sleep_ms(0)
