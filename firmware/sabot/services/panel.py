"""The dealer's keys: the "Rien ne va plus" key on its own line, the fifteen others on the expanders.

Entry points: :class:`AnnouncementKey` (edges time-stamped by interrupt, judged by :meth:`AnnouncementKey.poll`),
:class:`KeyPad` (the expanders' keys), :class:`Panel` (the task that asks both every :data:`_POLL_MS`).

The announcement's instant is the first edge of the press. Edges less than 10 ms apart are one press; a press counts
after 3 ms of steady level; a shorter one is a glitch, recorded, and locks nothing.
"""

import asyncio
import time

from micropython import const

from sabot.wire.codes import KEYS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_POLL_MS = const(2)

_STEADY_US = const(3000)  # a level that holds this long is meant
_ONE_PRESS_US = const(10000)  # edges closer than this belong to one press
_DEBOUNCE_US = const(20000)  # keys of the expanders: tactile switches bounce for 1 to 7 ms
_STUCK_US = const(200000)  # the announcement's level that is not steady for this long is a fault of the key
_LOOK_US = const(500000)  # how often all keys are looked at ...
_HELD = const(20)  # ... and looks in a row that find a key down, or restless, after which it is stuck
_DOWN = const(128)  # beside the number of such looks: this one finds it so too
_RNVP = const(1)  # the announcement's number

_CHECK_US = const(500000)  # how often one of the expanders is looked at, in turn
_UNSEEN = const(4)  # checks of one in a row without an answer after which the keys are given up
_UNTRUE = const(4)  # checks in a row that find their line low, and nobody who pulls it
_LOST = const(100)  # polls without an answer after which the keys are given up

_QUIET = const(0)
_PRESS = const(1)
_GLITCH = const(2)
_STUCK = const(3)

_PRESSED = const(0)  # keys pull their line low


class AnnouncementKey:
    """The "Rien ne va plus" key on ``pin`` (input with pull-up, low = pressed).

    :meth:`edge` is the interrupt handler: it allocates nothing and keeps instants only. :meth:`poll` returns what has
    happened since the last call, at most one event a call, with its instant in :attr:`instant` (raw ticks).
    """

    def __init__(self, pin: "Any") -> None:
        self.instant = 0
        self._pin = pin
        self._level = 1
        self._first = 0  # first edge of the press being judged
        self._last = 0  # the latest edge
        self._edges = 0
        self._judged = 0  # edges already judged
        self._met = False  # the level was steady and low at some time in this press
        self.down = False  # a press has been told and not yet ended
        self._quiet_since = 0  # the edge that ended the last press or glitch
        self._settled = True  # more than _ONE_PRESS_US have passed since then
        self.restless = False  # it has been told that the level does not come to rest
        self.attended = True  # somebody judges the edges; cleared when the table has stopped for good

    def start(self, trigger: int) -> None:
        """Take edges from now on; ``trigger`` is both edges in the port's own coding."""
        self._level = self._pin.value()
        self._pin.irq(handler=self.edge, trigger=trigger, hard=True)

    def edge(self, pin: "Any") -> None:
        """An edge, in interrupt context."""
        now = time.ticks_us()
        if self._edges == self._judged:
            self._first = now
            self._met = False
        elif self._level == _PRESSED and time.ticks_diff(now, self._last) >= _STEADY_US:
            self._met = True  # pressed and let go before the task came to look
        self._level = pin.value()
        self._last = now
        self._edges += 1

    @property
    def waiting(self) -> bool:
        """Whether there are edges that :meth:`poll` will judge soon: others give way to it.

        They do not for edges that nobody judges any more, nor for a contact that does not come to rest.
        """
        return self._edges != self._judged and self.attended and not self.restless

    def poll(self, now: int) -> int:
        """``_QUIET``, ``_PRESS``, ``_GLITCH`` or ``_STUCK``; allocates nothing."""
        edges = self._edges
        if edges == self._judged:
            if not self._settled and time.ticks_diff(now, self._quiet_since) >= _ONE_PRESS_US:
                self._settled = True
            return _QUIET
        first = self._first
        last = self._last
        if time.ticks_diff(now, last) < _STEADY_US:
            if time.ticks_diff(now, first) >= _STUCK_US and not self.restless:
                self.restless = True
                self.instant = first
                return _STUCK
            return _QUIET
        pressed = self._level == _PRESSED
        met = self._met or pressed
        joined = not self._settled and time.ticks_diff(first, self._quiet_since) < _ONE_PRESS_US
        if not (met or joined or self.down) and time.ticks_diff(now, last) < _ONE_PRESS_US:
            return _QUIET  # too short so far, but what comes within 10 ms is the same press
        if edges != self._edges:
            return _QUIET  # an edge came in between: judge it at the next call
        self._judged = edges
        if edges != self._edges:
            self._first = self._last  # one came just now, which the handler took for one of these
        self.restless = False
        if self.down:
            if not pressed:
                self.down = False
                self._quiet_since = last
                self._settled = False
            return _QUIET
        if not pressed:
            self._quiet_since = last
            self._settled = False
        self.down = pressed
        if joined:
            return _QUIET  # the tail of the press before: its release bounced
        self.instant = first
        return _PRESS if met else _GLITCH


class KeyPad:
    """Keys of the expanders, whose drivers raise ``fault``.

    ``keys``: three bytes for each, the expander's number, its bit, and the key's number.
    :meth:`edge` is the handler of the shared interrupt line. :meth:`poll` returns a key number that was pressed since
    the last call, the earliest first, or 0, with its instant in :attr:`instant`; call it until it returns 0.
    ``reporter`` (`faults.Faults`) is told of a line that says nothing true; the keys are heard without it.
    """

    def __init__(self, interrupt: "Any", expanders: "Any", keys: bytes, fault: "Any", reporter: "Any") -> None:
        self.instant = 0
        self.interrupt = interrupt
        self.expanders = expanders
        self.line: "Any" = None  # what is asked in the place of the interrupt line (`bouts.KeyLine`), which is broken
        self._missed = 0  # checks in a row that found the line untrue
        self._reporter = reporter
        self._fault = fault
        self._failed = 0  # polls in a row that found no expander
        self._keys = keys
        self._changes = bytearray(6)  # INTF, INTCAP, GPIO: two ports each
        count = len(keys) // 3
        self._pressed = bytearray(count)  # to be told
        self._pressed_at = [0] * count
        self._down = bytearray(count)
        self._noisy = bytearray(count)  # it has moved less than _DEBOUNCE_US ago: what moves now is its bounce
        self._moved = [0] * count  # raw ticks of its last movement
        self._any_noisy = False
        self._flagged = False
        self._edge = 0  # raw ticks of the latest interrupt, and of the one that is being read
        self._seen = 0
        self._checked = time.ticks_us()
        self._turn = 0
        self._unseen = bytearray(len(expanders))  # checks of each in a row that found nobody

    def start(self, trigger: int) -> None:
        """Take the interrupt line's falling edges from now on, and read what was pressed before."""
        self.interrupt.irq(handler=self.edge, trigger=trigger, hard=True)
        self._flagged = True
        self._edge = time.ticks_us()

    def edge(self, pin: "Any") -> None:
        """The line fell, in interrupt context."""
        if not self._flagged:
            self._edge = time.ticks_us()
        self._flagged = True

    def poll(self, now: int) -> int:
        """Number of a key that was pressed, or 0. Reads the expanders only when their line says so."""
        if self._any_noisy:
            self._quieten(now)
        elif time.ticks_diff(now, self._checked) >= _CHECK_US:
            self._checked = now
            self._check(now)
        if (self.line or self.interrupt).value() == 0 or self._flagged:
            # Kept apart: a bounce during the reading brings the next interrupt, with an instant of its own.
            self._seen = self._edge if self._flagged else now  # or it fell while the line was still low
            self._flagged = False
            self._read()
        first = -1
        for index in range(len(self._pressed)):
            if self._pressed[index]:
                if first < 0 or time.ticks_diff(self._pressed_at[index], self._pressed_at[first]) < 0:
                    first = index
        if first < 0:
            return 0
        self._pressed[first] = 0
        self.instant = self._pressed_at[first]
        return self._keys[3 * first + 2]

    def _read(self) -> None:
        """Ask both expanders; a bus that is disturbed is asked again at the next poll, and not for ever."""
        try:
            for number in range(len(self.expanders)):
                self.expanders[number].read_changes(self._changes)
                self._judge(number)
            self._failed = 0
        except self._fault:
            self._failed += 1
            if self._failed > _LOST:
                raise
            self._edge = self._seen  # what is read then has happened by now
            self._flagged = True

    def _check(self, now: int) -> None:
        """See that an expander has its configuration: without it no key is heard and nothing driven.

        And that their line is true: low when one of them pulls it, and not without.
        """
        turn = self._turn = (self._turn + 1) % len(self.expanders)
        level = self.interrupt.value()
        try:
            if not self.expanders[turn].check():
                self._edge = now
                self._flagged = True  # a key may have gone down meanwhile
            self.expanders[turn].read_changes(self._changes)
            self._unseen[turn] = 0
        except self._fault:
            self._unseen[turn] += 1
            if self._unseen[turn] > _UNSEEN:
                raise
            return
        self._seen = now
        self._judge(turn)
        pulls = self._changes[0] | self._changes[1]
        if self.line or self._flagged or (level == 0) == (pulls != 0):
            self._missed = 0
            return
        self._missed += _UNTRUE if pulls else 1
        if self._missed >= _UNTRUE:
            from sabot.services.bouts import KeyLine

            self.line = KeyLine(self, turn if pulls else 0, pulls != 0, self._reporter.tell)

    def held(self) -> "list[int]":
        """Numbers of the keys that are down now."""
        return [self._keys[3 * index + 2] for index in range(len(self._down)) if self._down[index]]

    def note(self, looks: bytearray) -> None:
        """Add ``_DOWN`` to the number of each key that is down, or has just moved. Allocates nothing."""
        for index in range(len(self._down)):
            if self._down[index] or self._noisy[index]:
                looks[self._keys[3 * index + 2]] |= _DOWN

    def _quieten(self, now: int) -> None:
        """Forget the movements that are over."""
        self._any_noisy = False
        for index in range(len(self._noisy)):
            if self._noisy[index]:
                if time.ticks_diff(now, self._moved[index]) >= _DEBOUNCE_US:
                    self._noisy[index] = 0
                else:
                    self._any_noisy = True

    def _judge(self, number: int) -> None:
        """Compare one expander's ports with what was known; only a key at rest can be pressed, or let go."""
        changes = self._changes
        for index in range(len(self._down)):
            if self._keys[3 * index] != number:
                continue
            pin = self._keys[3 * index + 1]
            port = pin >> 3
            bit = 1 << (pin & 7)
            down = 0 if changes[4 + port] & bit else 1
            flagged = changes[port] & bit
            if not flagged and down == self._down[index]:
                continue
            caught = flagged and not changes[2 + port] & bit  # low when the interrupt came
            if (down or caught) and not self._down[index] and not self._noisy[index]:
                self._pressed_at[index] = self._seen
                self._pressed[index] = 1
            self._down[index] = down
            self._noisy[index] = 1
            self._moved[index] = time.ticks_us()
            self._any_noisy = True


class Panel:
    """Asks the keys and tells the table: ``announce(edge)``, ``glitch(edge)``, ``key(number, ticks)``.

    A key counts once, however long it is down. ``on_restless(edge)`` is told when the announcement's key does not come
    to rest; ``reporter`` (`faults.Faults`) of a key that is down, or restless, for ten seconds, and when it is up.
    """

    def __init__(
        self, announcement: AnnouncementKey, pad: KeyPad, table: "Any", on_restless: "Any", reporter: "Any"
    ) -> None:
        self.beats = 0
        self._announcement = announcement
        self._pad = pad
        self._table = table
        self._on_restless = on_restless
        self._reporter = reporter
        self._looked = time.ticks_us()
        self._looks = bytearray(len(KEYS))  # by number: how many in a row have found it down, or restless

    def turn(self, now: int) -> None:
        """Serve what has happened since the last turn; the announcement goes first.

        Each key may write a record: while an announcement is being judged they come one a turn, so that an arm laid on
        the panel does not hold it up.
        """
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        event = self._announcement.poll(now)
        if event == _PRESS:
            self._table.announce(self._announcement.instant)
        elif event == _GLITCH:
            self._table.glitch(self._announcement.instant)
        elif event == _STUCK:
            self._on_restless(self._announcement.instant)
            self._looks[_RNVP] = _HELD - 1  # and a fault if the next look finds it so
        key = self._pad.poll(now)
        while key:
            self._table.key(key, self._pad.instant)
            key = 0 if self._announcement.waiting else self._pad.poll(now)
        if time.ticks_diff(now, self._looked) >= _LOOK_US:
            self._looked = now
            self._look()

    def _look(self) -> None:
        """Find the keys that do not come up, and those that have."""
        looks = self._looks
        self._pad.note(looks)
        if self._announcement.down or self._announcement.waiting or self._announcement.restless:
            looks[_RNVP] |= _DOWN
        for number in range(len(looks)):
            count = looks[number]
            if not count & _DOWN:
                if count >= _HELD:
                    self._reporter.tell("key", number, "")
                looks[number] = 0
            else:
                count -= _DOWN
                looks[number] = count
                if count < _HELD:
                    looks[number] = count + 1
                    if count + 1 == _HELD:
                        self._reporter.tell("key", number, KEYS[number] + " stuck")

    async def run(self) -> None:
        """The task."""
        while True:
            self.turn(time.ticks_us())
            await asyncio.sleep_ms(_POLL_MS)
