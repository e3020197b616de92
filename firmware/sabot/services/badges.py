"""The badge reader: looks for a badge four times a second, and tells the table whose it is.

Entry points: :class:`BadgeReader`, whose :meth:`BadgeReader.run` is its task; :func:`entry`, :func:`padded` and
:func:`find`, of the list of badges; :data:`MOST`. A step is two I2C transactions of 1.6 ms at most; none begins while
the announcement's key is being judged, and every other task has its turn between two of them. Between two searches the
field is off. A reader that fails is told of once and started again every five seconds; the table plays on without it.
"""

import asyncio
import time

from micropython import const

from sabot.wire.codes import (
    BADGE_RANDOM,
    BADGE_REFUSED,
    BADGE_SHOWN,
    BADGE_UNKNOWN,
    PROMPTS,
    RESOLUTIONS,
    ROLES,
    clears,
)
from sabot.wire.messages import BADGE_BYTES
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST = const(250)  # badges that may be enrolled
_EVERY_MS = const(250)
_STEP_MS = const(5)  # the chip takes 5 to 15 ms for a card: asked more often it would only cost the scanner time
_KEY_MS = const(2)
_RETRY_MS = const(5000)
_SECOND_TRY_MS = const(500)
_AWAY = const(2)  # searches in vain after which a badge has gone
_MINUTE_MS = const(60000)
_MOST_NOTES = const(10)  # records a minute of badges that are nobody's: they must not fill the journal

_LENGTH_AT = const(3)  # of the UID, in an entry of the list
_UID_AT = const(4)

_DOWN = const(0)
_STARTING = const(1)
_RESTING = const(2)
_SEARCHING = const(3)
_MET = const(4)
_ENDING = const(5)

_SUPERVISOR = ROLES.index("supervisor")
_TECHNICIAN = ROLES.index("technician")
_NOTHING_TO_SAY = "-"  # what has been cleared is no longer shown
_CLEARED = RESOLUTIONS.index("cleared")


def entry(role: int, number: int, uid: bytes) -> bytes:
    """A badge as list and link hold it: role (`codes.ROLES`), number, UID of 4 or 7 bytes."""
    return bytes((role, number & 0xFF, number >> 8)) + padded(uid)


def padded(uid: bytes) -> bytes:
    """A UID of 4 or 7 bytes, or none, as list and link hold it: its length, and 7 bytes."""
    return bytes((len(uid),)) + (uid + bytes(7))[:7]


def find(badges: bytes, uid: bytes) -> int:
    """Where in the list the badge of that UID stands, -1 when it is not enrolled."""
    for at in range(0, len(badges), BADGE_BYTES):
        begin = at + _UID_AT
        if badges[at + _LENGTH_AT] == len(uid) and badges[begin : begin + len(uid)] == uid:
            return at
    return -1


class BadgeReader:
    """Looks for badges with ``reader`` (`pn532.PN532`, or its like), which raises ``fault`` with a ``code``.

    ``badges``: whose badge is whose, each as :func:`entry` makes it; ``keep``: `badge_file.keep`. ``table`` and its
    ``ports`` (``journal``, ``prompt``) are told who came; ``announcement`` is the key whose press must not wait;
    ``on_fault(code)`` is told once, and with ``""`` when the reader is back.
    """

    def __init__(
        self,
        reader: "Any",
        fault: "Any",
        badges: bytes,
        keep: "Callable[[bytes, Callable[[], None]], None]",
        ports: "Any",
        table: "Any",
        announcement: "Any",
        on_fault: "Callable[[str], None]",
    ) -> None:
        self.badges = badges
        self.keep = keep
        self._reader = reader
        self._fault = fault
        self._ports = ports
        self._table = table
        self._announcement = announcement
        self._on_fault = on_fault
        self._phase = _DOWN
        self._uid = bytearray(10)
        self._random = False  # what is held to the reader has another UID each time
        self._length = 0  # of the UID of the badge that is held to the reader; 0: none is
        self._missed = 0
        self._told = False  # that the reader has failed
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
        if self._failed:
            raise self._fault(self._failed)

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
            if self._looked():
                self._phase = _MET
                return _KEY_MS
            return self._end_search()
        if self._phase == _ENDING:
            self._failed = ""
            if self._told:
                self._told = False
                self._on_fault("")
        self._phase = _RESTING
        return _EVERY_MS

    def _end_search(self) -> int:
        self._phase = _ENDING
        self._reader.begin_field(False)
        return _STEP_MS

    def _gone(self, now: int, code: str) -> None:
        """Told when the reader cannot even be started again: a disturbance of the bus is over by then."""
        if self._failed and not self._told:
            self._told = True
            self._on_fault(code)
        self._tried = now if self._failed else time.ticks_add(now, _SECOND_TRY_MS - _RETRY_MS)
        self._failed = code
        self._phase = _DOWN
        self._length = 0

    def _looked(self) -> bool:
        """Whether a badge has come that was not there before; allocates nothing."""
        reader = self._reader
        if not reader.found:
            self._missed += 1
            if self._missed >= _AWAY:
                self._length = 0
            return False
        self._missed = 0
        count = reader.uid_length
        same = count == self._length and reader.random == self._random
        for i in range(count):
            same = same and (reader.random or self._uid[i] == reader.uid[i])
            self._uid[i] = reader.uid[i]
        self._length = count
        self._random = reader.random
        return not same

    # --- whose it is --------------------------------------------------------------------------------------------------

    def _met(self, now: int) -> None:
        """Record who came, and let the table do what follows from it."""
        uid = self.held()
        at = -1 if self._random else find(self.badges, uid)
        if at < 0:
            if self._notes < _MOST_NOTES:
                if not self._notes:
                    self._minute_at = now
                self._notes += 1
                self.record(BADGE_RANDOM if self._random else BADGE_UNKNOWN, 0, 0, b"" if self._random else uid)
            self._say("badge_random" if self._random else "badge_unknown", 0)
            return
        role, number = self.badges[at], self.badges[at + 1] | self.badges[at + 2] << 8
        words = self._signs(role, number) if self.record(BADGE_SHOWN, role, number, uid) else ""
        if not words:
            self.record(BADGE_REFUSED, role, number, uid)
            words = "badge_denied"
        if words != _NOTHING_TO_SAY:
            self._say(words, number)

    def _signs(self, role: int, number: int) -> str:
        """Somebody signs on, or off who has signed on; the prompt that says so, empty when that cannot be."""
        status = self._table.status()
        if role == _TECHNICIAN:
            return self._clear(status["issues"])
        on = number != status["supervisor" if role == _SUPERVISOR else "dealer"]
        if not self._table.sign(role, number, on):
            return ""
        if not on:
            return "badge_off"
        return "badge_sup" if role == _SUPERVISOR else "badge_on"

    def _clear(self, issues: "list[dict[str, Any]]") -> str:
        """The technician has seen to his parts: what only he may clear is cleared."""
        words = ""
        for issue in issues:
            if clears(issue["kind"]) == "T" and self._table.resolve(issue["id"], _CLEARED, 0, _TECHNICIAN):
                words = _NOTHING_TO_SAY
        return words

    def record(self, did: int, role: int, number: int, uid: bytes) -> bool:
        """Record what became of a badge; False where the journal keeps its last room for the running round."""
        journal = self._ports.journal
        if journal.full:
            return False
        journal.append(code_of("badge"), {"did": did, "role": role, "id": number, "badge": uid})
        return True

    def _say(self, prompt: str, number: int) -> None:
        self._ports.prompt(PROMPTS.index(prompt), 0, number)
