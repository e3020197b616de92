"""One reader goes round its antennas, and what it hears becomes presence of chips.

Entry point: :class:`ReaderScan`: antenna, visit, identification of new chips, in steps that never wait. Antennas that
couple are never on together: a reader goes to another of its antennas meanwhile, or waits.

A visit's intervals are the driver's (``iso15693.visit``): before the request of an answer to after its reading. A chip
that is new is told only when its memory has been read and judged, with the interval in which it was first heard. That
is not done in the visit that hears it first, unless it is to confirm: when many chips come at a time every antenna is
seen once before the first memory is read. Until then no visit to the chip's antenna counts as clean. Nor is a chip told
of here that lies on an antenna that couples with this one, before it has gone there: one of the two has heard its
neighbour's. Nor before each of those antennas has been read since it was heard first. After a second it is told of in
any case: then it is two chips of one UID, or a neighbour cannot be read.
"""

import time

from micropython import const

from sabot.services.chips import MEMORY_BLOCKS, UNIDENTIFIED, Expected
from sabot.table.ticks import LONG_AGO
from sabot.wire.codes import UNSTEADY

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPOT_CAPACITY = const(128)  # chips on one antenna
_FRESH_CAPACITY = const(32)  # chips that one visit may identify; the rest follow in the next
_READS_A_ROUND = const(8)  # ... and one round of a reader: reading a chip's memory takes as long as a visit to two
_RETRY_MS = const(1000)  # a reader that failed is started again after this
_FAULTS_IN_A_ROW = const(3)  # before the table is told

_CHOOSE = const(0)
_VISIT = const(1)
_IDENTIFY = const(2)
_FIELD_OFF = const(3)
_BROKEN = const(4)
_HELD = const(5)  # in reset
_STARTING = const(6)

_NOWHERE = const(32)  # above all antennas, of which there are four times eight
_STRAY_US = const(1000000)  # a field that a hand bends reaches a neighbour's chip for less
_UNHEARD_US = const(10000000)  # as in ``table.confirm``: a chip that did not answer for longer may have been away
_BLOCKED_US = const(300)  # another reader's visit lasts some milliseconds


class ReaderScan:
    """One reader and its antennas.

    ``antennas`` are the numbers, in the presence, of the wired ones; ``ports`` their positions on the switch, which has
    ``select(position)``, and ``check()`` before a change is told. ``make`` gives ``visit``, ``blocks``, ``field``, and
    ``fault``, what they raise. ``on_fault(code)``: the reader has failed for good or is unsteady, ``""``: it is well.
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
        lying: "Any",
        newcomers: "Any",
        on_fault: "Callable[[str], None]",
    ) -> None:
        self.faults = 0
        self.on = _NOWHERE  # antenna whose field may be on
        self.free: "Callable[..., bool]" = _always  # ``Scanner.free``, where antennas couple
        self.couples: "tuple[bytes, ...]" = ()  # antennas that each antenna couples with; empty where none does
        self.reader = reader
        self.switch = switch
        self.antennas = antennas
        self.ports = ports
        self._presence = presence
        self._chips = chips
        self._newcomers = newcomers
        self._on_fault = on_fault
        self._visit = make.visit
        self._visit.listener = self
        self._blocks = make.blocks
        self.field = make.field
        self.fault = make.fault
        self._lying = lying
        self._known = Expected(chips, lying, _SPOT_CAPACITY)  # on the antenna that is visited
        self._wanted = bytearray(len(antennas))
        self._left = bytearray(len(antennas))  # still to be visited in this round
        self._at = len(antennas) - 1
        self._antenna = antennas[0]
        self._confirming = False
        self._state = _BROKEN
        self._retry_at = time.ticks_ms()
        self.told = ""
        self._bouts: "Any" = None  # loaded when the reader fails first
        self._in_a_row = 0
        self._room = 0  # for so many chips more on the antenna
        self._fresh = bytearray(_FRESH_CAPACITY)  # handles to identify in this visit
        self._fresh_count = 0
        self._reads = 0  # chips that may still be identified in this round
        self._fresh_at = 0
        self._uid = bytearray(8)
        self._clean = True
        self._begun = 0  # raw instants of the visit
        self._ended = 0

    def want(self, antenna: int) -> None:
        """Visit this antenna next, with the full mask of each chip known there. Allocates nothing."""
        for index in range(len(self.antennas)):
            if self.antennas[index] == antenna:
                self._wanted[index] = 1

    def rests(self) -> bool:
        """Whether no visit is under way and its reader is ready for one."""
        return self._state == _CHOOSE

    def dead(self) -> bool:
        """Whether the reader has been told to have failed for good."""
        return self.told not in ("", UNSTEADY)

    def step(self) -> int:
        """Do a bounded piece of work; returns the microseconds until the next call makes sense."""
        try:
            if self._state == _CHOOSE:
                wait: int = self._choose()
                if self._state == _CHOOSE:
                    return wait
            if self._state == _VISIT:
                wait = self._visit.step()
                return wait if wait >= 0 else self._visited()
            if self._state == _IDENTIFY:
                wait = self._blocks.step()
                return wait if wait >= 0 else self._identified()
            if self._state == _FIELD_OFF:
                wait = self.field.step()
                if wait < 0:
                    self._finish()
                    return 0
                return wait
            return self._restart()
        except self.fault as fault:
            return self.failed(fault.code)

    # --- what the visit hears -----------------------------------------------------------------------------------------

    def begun(self, ticks: int) -> None:
        """The visit begins: the field is about to go on."""
        self._begun = ticks
        self._presence.visit_begun(self._antenna, ticks)

    def answered(self, index: int, low: int, high: int) -> None:
        """A known chip answered."""
        handle = self._known.handle(index)
        newcomer = self._newcomers.find(self._antenna, handle)
        if newcomer < 0:
            self._presence.answered(self._antenna, handle, low, high)
        else:
            self._newcomers.sure[newcomer] = 1
        self._queue(handle, True)

    def stranger(self, uid: bytearray, low: int, high: int) -> None:
        """A chip that was not here before answered."""
        handle = self._chips.find(uid)
        if handle < 0:
            handle = self._chips.add(uid)
        if handle < 0 or not self._newcomers.heard(self._antenna, handle, low, high):
            self._clean = False
            return
        self._queue(handle, False)

    def silent(self, index: int, first: int, count: int) -> None:
        """A known chip is absent: ``count`` clean non-answers in a row, the first seen at ``first``."""
        self.switch.check()
        handle = self._known.handle(index)
        newcomer = self._newcomers.find(self._antenna, handle)
        if newcomer < 0:
            self._presence.silent(self._antenna, handle, first)
        else:
            self._newcomers.remove(newcomer)
        self._lying.remove(self._lying.find(self._antenna, handle))
        self._room += 1

    def unknown(self, index: int) -> None:
        """A known chip may be there or not."""
        self._presence.unknown(self._antenna, self._known.handle(index))

    def finished(self, clean: bool, ticks: int) -> None:
        """The visit is over."""
        if self._confirming:
            self.switch.check()
        self._clean = self._clean and clean
        self._ended = ticks

    # --- the course of a visit ----------------------------------------------------------------------------------------

    def _choose(self) -> int:
        """Prepare the next visit: what is wanted first, else round the antennas; past those that must stay off now."""
        at = self._next()
        if at < 0:
            return _BLOCKED_US
        self._at = at
        self._confirming = self._wanted[at] != 0
        self._wanted[at] = 0
        self._left[at] = 0
        self._antenna = self.antennas[at]
        self._clean = True
        self._fresh_count = 0
        self.switch.select(self.ports[at])
        self.on = self._antenna
        self._known.look(self._antenna)
        self._room = _SPOT_CAPACITY - self._known.count
        self._visit.start(self._known, self._confirming)
        self._state = _VISIT
        return 0

    def _next(self) -> int:
        """Index of the antenna whose turn it is, or -1 when all that are left must stay off now."""
        count = len(self.antennas)
        if not any(self._left):
            for at in range(count):
                self._left[at] = 1
            self._reads = _READS_A_ROUND
        which = self._wanted
        while True:
            refused = -1
            for step in range(count):
                at = (self._at + 1 + step) % count
                if which[at]:
                    if self.free(self.antennas[at]):
                        return at
                    if refused < 0:
                        refused = at
            if refused >= 0:
                self.free(self.antennas[refused], True)
                return -1
            which = self._left

    def _queue(self, handle: int, known: bool) -> None:
        """Have the chip's memory read when the visit is over, if its value is not known and there is time for it."""
        if self._chips.value(handle) != UNIDENTIFIED or self._is_fresh(handle):
            return
        if not self._confirming:
            if not known or not self._reads:
                return
            self._reads -= 1
        if self._fresh_count < _FRESH_CAPACITY:
            self._fresh[self._fresh_count] = handle
            self._fresh_count += 1
            self._visit.keep_field = True

    def _visited(self) -> int:
        self._in_a_row = 0
        if self.told and self._bouts.well(self.told):
            self.told = ""
            self._on_fault("")
        self._fresh_at = -1
        if self._fresh_count:
            return self._next_fresh()
        self._finish()
        return 0

    def _next_fresh(self) -> int:
        """Read the memory of the next chip whose value is not known; the field is still on."""
        self._fresh_at += 1
        if self._fresh_at < self._fresh_count:
            self._chips.uid_into(self._fresh[self._fresh_at], self._uid)
            self._blocks.start(self._uid, 0, MEMORY_BLOCKS)
            self._state = _IDENTIFY
            return self._blocks.step()  # type: ignore[no-any-return]
        self.field.start_off()
        self._state = _FIELD_OFF
        return self.field.step()  # type: ignore[no-any-return]

    def _identified(self) -> int:
        if self._blocks.ok:
            self._chips.identify(self._fresh[self._fresh_at], self._blocks.data)
        return self._next_fresh()

    def _finish(self) -> None:
        """The field is off: keep the list of who lies here, and tell what has become known of newcomers."""
        lying = self._lying
        newcomers = self._newcomers
        read = self._clean
        at = newcomers.first(self._antenna)
        while at >= 0:
            handle = newcomers.handle(at)
            pair = lying.find(self._antenna, handle)
            sure = newcomers.sure[at]
            newcomers.sure[at] = 0
            if sure and pair < 0 and self._room:
                pair = lying.add(self._antenna, handle)
                self._room -= 1
            elif not sure and pair >= 0 and time.ticks_diff(self._ended, newcomers.high[at]) > _UNHEARD_US:
                lying.remove(pair)
                pair = -1
            if pair < 0:  # no room; heard in a visit that a fault voided, or long ago
                self._clean = self._clean and not sure
                newcomers.remove(at)
            elif not sure or self._is_neighbours(handle, newcomers.high[at]):
                self._clean = False
            elif self._chips.value(handle) != UNIDENTIFIED or self._is_fresh(handle):
                self.switch.check()
                self._presence.answered(self._antenna, handle, newcomers.low[at], newcomers.high[at])
                if time.ticks_diff(self._begun, newcomers.high[at]) > 0:  # and it has answered again
                    self._presence.answered(self._antenna, handle, self._begun, self._ended)
                newcomers.remove(at)
            else:
                self._clean = False
            at = newcomers.first(self._antenna, at)
        self._presence.visit_finished(self._antenna, self._clean, self._ended)
        if not read:
            self._presence.begun[self._antenna] = LONG_AGO
        self._done()

    def _done(self) -> None:
        """The next visit may be chosen."""
        self.on = _NOWHERE
        self._state = _CHOOSE

    def _is_neighbours(self, handle: int, heard: int) -> bool:
        """Whether a chip first heard at the raw instant ``heard`` may be one that lies in a coupled field.

        Nobody knows before the antennas of those fields have been read since.
        """
        if self.couples and time.ticks_diff(self._ended, heard) < _STRAY_US:
            for antenna in self.couples[self._antenna]:
                begun = self._presence.begun[antenna]
                if self._lying.find(antenna, handle) >= 0 or begun < 0 or time.ticks_diff(begun, heard) < 0:
                    return True
        return False

    def _is_fresh(self, handle: int) -> bool:
        """Whether the chip's memory is read in this visit, or tried to be: it is told of in any case then."""
        for at in range(self._fresh_count):
            if self._fresh[at] == handle:
                return True
        return False

    # --- faults -------------------------------------------------------------------------------------------------------

    def failed(self, code: str) -> int:
        """A fault voids the visit: nothing more is concluded from it. The reader is reset, at once the first times."""
        self.faults += 1
        self._in_a_row += 1
        if self._bouts is None:
            from sabot.services.bouts import Bouts

            self._bouts = Bouts()
        self._bouts.failed(self.antennas, self._presence, self._newcomers)
        # Once: where only this antenna fails, the others would not be read any more. The table asks again.
        if self._confirming and self._in_a_row == 1:
            self._wanted[self._at] = 1
        told = self._bouts.news(self.told, code, self._in_a_row == 1, self._in_a_row >= _FAULTS_IN_A_ROW)
        if told != self.told:
            self.told = told
            self._on_fault(told)
        if self.dead():
            self._bouts.remove(self.antennas, self._newcomers, self._lying)
        if self._state != _HELD:  # else it could not even be reset: that is tried again when the time has come
            self._state = _BROKEN
        self._retry_at = time.ticks_add(time.ticks_ms(), 0 if self._in_a_row < _FAULTS_IN_A_ROW else _RETRY_MS)
        return 0

    def _restart(self) -> int:
        if self._state == _BROKEN:
            self._state = _HELD
            self.reader.begin_start()
            wait: int = self.reader.step_start()  # into reset: its field is off, whatever it did
            self.on = _NOWHERE
            return wait
        if self._state == _HELD:
            left = time.ticks_diff(self._retry_at, time.ticks_ms())
            if left > 0:
                return left * 1000
            self._state = _STARTING
        wait = self.reader.step_start()
        if wait >= 0:
            return wait
        self.on = _NOWHERE
        self._state = _CHOOSE
        return 0


def _always(antenna: int, waits: bool = False) -> bool:
    """No antenna couples with this one."""
    return True
