"""The badge reader: looks for a badge four times a second, and tells the table whose it is.

Entry point: :class:`BadgeReader`, whose :meth:`BadgeReader.run` is its task; `badge_met` says whose it is. A step is
two I2C transactions of 1.6 ms at most; none begins while the announcement's key is being judged, and every other task
has its turn between two of them. Between two searches the field is off. A reader that fails is told of once and started
again every five seconds, and so is told of one that fails and is back by turns; the table plays on without it.
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
    from typing import Any

_EVERY_MS = const(250)
_STEP_MS = const(5)  # the chip takes 5 to 15 ms for a card: asked more often it would only cost the scanner time
_KEY_MS = const(2)
_RETRY_MS = const(5000)
_SECOND_TRY_MS = const(500)
_FAULT_MS = const(8000)  # of `bouts`: two faults within six seconds are often, and two retries in vain
_AWAY = const(2)  # searches in vain after which a badge has gone
_AGAIN_MS = const(3000)  # found again within this, after another or a fault of the reader, it has not been shown anew
_MINUTE_MS = const(60000)
_MOST_NOTES = const(10)  # records a minute of badges that are nobody's: they must not fill the journal

_DOWN = const(0)
_STARTING = const(1)
_RESTING = const(2)
_SEARCHING = const(3)
_MET = const(4)
_ENDING = const(5)


class BadgeReader:
    """Looks for badges with ``reader`` (`pn532.PN532`, or its like), which raises ``fault`` with a ``code``.

    ``badges``: whose badge is whose, each as `badge_met.entry` makes it. ``table`` and its ``ports`` (``journal``,
    ``prompt``, ``forget``) are told who came; ``announcement`` is the key whose press must not wait;
    ``on_fault(code)`` is told once, or that the reader is unsteady, and with ``""`` when it is well again.
    """

    def __init__(
        self,
        reader: "Any",
        fault: "Any",
        badges: bytes,
        ports: "Any",
        table: "Any",
        announcement: "Any",
        on_fault: "Callable[[str], None]",
    ) -> None:
        self.badges = badges
        self._reader = reader
        self._fault = fault
        self._ports = ports
        self._table = table
        self._announcement = announcement
        self._on_fault = on_fault
        self._phase = _DOWN
        self._uid = bytearray(10)
        self._random = False  # what is held to the reader has another UID each time
        self._other = bytearray(10)  # UID of the one that was held when this one was found, ...
        self._other_length = 0
        self._other_at = 0  # ... and when it was found last
        self._length = 0  # of the UID of the badge that is held to the reader; 0: none is
        self._missed = 0
        self._told = ""  # what the reader has, when it has been told
        self._bouts: "Any" = None  # loaded when the reader fails first
        self._failed = ""  # why, until a search has gone well
        self._notes = 0  # records of this minute
        now = time.ticks_ms()
        self._minute_at = now
        self._tried = time.ticks_add(now, -_RETRY_MS)

    def held(self) -> bytes:
        """UID of the badge that is held to the reader now, empty when none is."""
        return bytes(self._uid[: self._length])

    def check(self) -> None:
        """Raise the fault that the reader has, if it has one: it is asked all the time."""
        code = self._failed or self._told
        if code:
            raise self._fault(code)

    async def run(self) -> None:
        """The task."""
        while True:
            await asyncio.sleep_ms(self.turn(time.ticks_ms()))

    def turn(self, now: int) -> int:
        """One step; returns the milliseconds until the next one. ``now``: ticks_ms."""
        if self._announcement.waiting:
            return _KEY_MS
        if self._notes and time.ticks_diff(now, self._minute_at) >= _MINUTE_MS:
            self._notes = 0
        if self._phase == _MET:
            self._met(now)
            return self._end_search()
        try:
            return self._step(now)
        except self._fault as error:
            self._gone(now, error.code)
            return _STEP_MS

    def _step(self, now: int) -> int:
        if self._phase == _DOWN:
            if time.ticks_diff(now, self._tried) < _RETRY_MS:
                return _EVERY_MS
            self._tried = now
            self._phase = _STARTING
            self._reader.begin_start()
            return _STEP_MS
        if self._phase == _RESTING:
            self._phase = _SEARCHING
            self._reader.begin_list()
        wait: int = self._reader.step()
        if wait >= 0:
            return max(wait // 1000, _STEP_MS)
        if self._phase == _SEARCHING:
            if self._looked(now):
                self._phase = _MET
                return _KEY_MS
            return self._end_search()
        if self._phase == _ENDING:
            self._failed = ""
            if self._told and self._bouts.well(self._told):
                self._told = ""
                self._on_fault("")
        self._phase = _RESTING
        return _EVERY_MS

    def _end_search(self) -> int:
        self._phase = _ENDING
        self._reader.begin_field(False)
        return _STEP_MS

    def _gone(self, now: int, code: str) -> None:
        """Told when the reader cannot even be started again: a disturbance of the bus is over by then. Or often."""
        if self._bouts is None:
            from sabot.services.bouts import Bouts

            self._bouts = Bouts(_FAULT_MS)
        told = self._bouts.news(self._told, code, True, self._failed != "")
        if told != self._told:
            self._told = told
            self._on_fault(told)
        self._tried = now if self._failed else time.ticks_add(now, _SECOND_TRY_MS - _RETRY_MS)
        self._failed = code
        self._phase = _DOWN
        if self._length:  # it is held still, perhaps, when the reader is back
            self._other, self._uid = self._uid, self._other
            self._other_length = 0 if self._random else self._length
            self._other_at = now
            self._length = 0

    def _looked(self, now: int) -> bool:
        """Whether a badge has come that was not there before; allocates nothing."""
        reader = self._reader
        if not reader.found:
            self._missed += 1
            if self._missed >= _AWAY:
                self._length = 0
            return False
        self._missed = 0
        if self._is(self._uid, self._length, self._random):
            return False
        # Of two badges that are held at a time, one at the edge of the field, now the one is found and now the other.
        again = self._is(self._other, self._other_length, False) and time.ticks_diff(now, self._other_at) < _AGAIN_MS
        self._other, self._uid = self._uid, self._other
        self._other_length = 0 if self._random else self._length
        self._other_at = now
        for i in range(reader.uid_length):
            self._uid[i] = reader.uid[i]
        self._length = reader.uid_length
        self._random = reader.random
        return not again

    def _is(self, uid: bytearray, length: int, random: bool) -> bool:
        """Whether the badge that has been found has this UID; of those that have another each time, any is meant."""
        reader = self._reader
        if reader.uid_length != length or reader.random != random:
            return False
        for i in range(length):
            if not random and uid[i] != reader.uid[i]:
                return False
        return True

    def _met(self, now: int) -> None:
        """Somebody holds a badge to the reader: what follows from it is loaded for that alone."""
        from sabot.services.badge_met import met

        uid = b"" if self._random else self.held()
        stranger = met(self._ports, self._table, self.badges, uid, self._notes < _MOST_NOTES)
        self._ports.forget("sabot.services.badge_met")
        if stranger and self._notes < _MOST_NOTES:
            if not self._notes:
                self._minute_at = now
            self._notes += 1
