"""The RFID shoe: which card left, and when.

Entry points: :class:`Gate` (the dispense lock), :class:`Shoe` (reader at the mouth and exit beam; :meth:`Shoe.run` is
its task).

The beam's edge, time-stamped by interrupt, is the instant at which a card leaves: it is told at once, because it may
lock a bet (67.36). The tag heard in the mouth's field around that instant says which card, once an inventory begun
after the edge has told whether it is alone. No edge is left without an answer: after :data:`READ_MS` it is an unread
card. A tag that was heard while the beam was blocked and is gone without an edge of its own has left behind another
card.
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

UNREAD = -1
TWO_CARDS = -3

READ_MS = const(120)  # after the edge, the card is out of the mouth's field and cannot be read any more
_HEARD_US = const(60000)  # before the edge: a tag heard longer ago has gone back in
_GONE_US = const(200000)  # a tag not heard for this long has left the field: the same UID is then a new draw
_BLOCKED = const(0)  # level of the beam's line with a card in it
_RING = const(16)
_IDLE_MS = const(4)
_RETRY_MS = const(1000)


def _same(one: bytearray, other: bytearray) -> bool:
    """Whether two UIDs are the same. Allocates nothing."""
    for index in range(8):
        if one[index] != other[index]:
            return False
    return True


def _copy(source: bytearray, target: bytearray) -> None:
    """Copy a UID without allocation."""
    for index in range(8):
        target[index] = source[index]


class Gate:
    """The gate solenoid: high lets a card leave."""

    def __init__(self, pin: "Any") -> None:
        self._pin = pin
        self.is_open = False

    def set(self, is_open: bool) -> None:
        """Open or shut the gate. Allocates nothing."""
        self.is_open = is_open
        self._pin.value(1 if is_open else 0)


class Shoe:
    """``on_card(code, ticks)`` is told of each card in the order of the edges: 0 to 51, or a negative code.

    ``on_edge(ticks)`` is told of the edge itself, by the task's next turn, and allocates nothing.

    ``reader`` has one antenna at the mouth; ``make.field`` and ``make.inventory`` are its driver objects,
    ``make.fault`` the exception they raise; ``deck`` knows the cards.
    """

    def __init__(
        self,
        reader: "Any",
        make: "Any",
        beam: "Any",
        gate: Gate,
        deck: "Any",
        afi: int,
        on_edge: "Callable[[int], None]",
        on_card: "Callable[[int, int], Any]",
        on_fault: "Callable[[str], None]",
    ) -> None:
        self.beats = 0
        self._reader = reader
        self._field = make.field
        self._inventory = make.inventory
        self._inventory.listener = self
        self._fault = make.fault
        self._beam = beam
        self._gate = gate
        self._deck = deck
        self._afi = afi
        self._on_edge = on_edge
        self._on_card = on_card
        self._on_fault = on_fault
        self._edges = [0] * _RING  # written by the interrupt alone
        self._put = 0
        self._seen = 0  # edges before this one have been told
        self._got = 0  # ... and bound to their cards
        self.lost_edges = 0
        self._uid = bytearray(8)  # the tag in the mouth that waits for its edge
        self._heard = 0
        self._known = False  # there is one
        self._others = 0  # further tags heard beside it
        self._hidden = False  # it was heard while the beam was blocked
        self._left = bytearray(8)  # the tag that was bound last, on its way out of the field
        self._left_heard = 0
        self._leaving = False  # it has been heard not long ago
        self._told_two = False  # what passes until the beam is clear has been told of
        self._begun = 0  # when the inventory under way began
        self._through = 0  # when the last one that ended began
        self._started = False
        self._starting = False
        self._on = False
        self._switching = False
        self._running = False
        self._told = ""
        self._retry_at = time.ticks_ms()

    def start(self, trigger: int) -> None:
        """Take the beam's falling edges from now on."""
        self._beam.irq(handler=self.edge, trigger=trigger, hard=True)

    def edge(self, pin: "Any") -> None:
        """A card broke the beam, in interrupt context."""
        following = (self._put + 1) % _RING
        if following == self._got:
            self.lost_edges += 1
            return
        self._edges[self._put] = time.ticks_us()
        self._put = following

    @property
    def waiting(self) -> bool:
        """Whether there are edges that have not been told yet."""
        return self._seen != self._put

    @property
    def listening(self) -> bool:
        """Whether the mouth's field is on, or is to be."""
        return self._on or self._switching

    def tag(self, uid: bytearray, low: int, high: int) -> None:
        """A card's tag answered in the mouth."""
        if self._leaving and _same(self._left, uid):
            self._left_heard = high
            return
        blocked = self._beam.value() == _BLOCKED
        if self._told_two and blocked:
            return
        if self._known and _same(self._uid, uid):
            self._heard = high
        elif self._known and time.ticks_diff(high, self._heard) < _HEARD_US:
            self._others += 1  # a second card while the first has not left
        else:
            _copy(uid, self._uid)
            self._known = True
            self._others = 0
            self._hidden = False
            self._heard = high
        self._hidden = self._hidden or blocked

    def step(self) -> int:
        """One bounded piece of work; returns microseconds until the next. Allocates nothing while cards are read."""
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        self._see()
        try:
            wait = self._listen()
        except self._fault as fault:
            wait = self._failed(fault.code)
        self._see()
        self.bind(time.ticks_us())
        return wait

    def _see(self) -> None:
        while self._seen != self._put:
            edge = self._edges[self._seen]
            self._seen = (self._seen + 1) % _RING
            self._on_edge(edge)

    def bind(self, now: int) -> None:
        """Give every edge its card, as soon as the card is known or can no longer be."""
        if self._leaving and time.ticks_diff(now, self._left_heard) > _GONE_US:
            self._leaving = False
        while self._got != self._seen:
            edge = self._edges[self._got]
            late = time.ticks_diff(now, edge) > READ_MS * 1000
            if self._known and time.ticks_diff(self._heard, edge) > -_HEARD_US:
                if not late and time.ticks_diff(self._through, edge) < 0:
                    return  # not known yet whether it is alone
                code = TWO_CARDS if self._others else self._deck.card(self._uid)
                _copy(self._uid, self._left)
                self._left_heard = self._heard
                self._leaving = True
                self._known = False
            elif late:
                code = UNREAD
            else:
                return
            self._got = (self._got + 1) % _RING
            self._tell(code, edge)
        if self._told_two and self._beam.value() != _BLOCKED:
            self._told_two = False
        if self._known and time.ticks_diff(now, self._heard) > _GONE_US:
            self._known = False
            if self._hidden:
                self._tell(TWO_CARDS, self._heard)

    def _tell(self, code: int, ticks: int) -> None:
        self._others = 0
        self._told_two = code == TWO_CARDS
        self._on_card(code, ticks)

    def _listen(self) -> int:
        """Keep the field on and the inventories going while a card may come."""
        if not self._started:
            if not self._starting:
                left = time.ticks_diff(self._retry_at, time.ticks_ms())
                if left > 0:
                    return min(left, _IDLE_MS) * 1000
                self._reader.begin_start()
                self._starting = True
            wait: int = self._reader.step_start()
            if wait >= 0:
                return wait
            self._started = True
            self._starting = False
            if self._told:
                self._told = ""
                self._on_fault("")
        if self._switching:
            wait = self._field.step()
            if wait >= 0:
                return wait
            self._switching = False
        wanted = self._gate.is_open or self._got != self._put or self._known or self._beam.value() == _BLOCKED
        if self._running:
            wait = self._inventory.step()
            if wait >= 0:
                return wait
            self._running = False
            self._through = self._begun
        if wanted != self._on:
            self._on = wanted
            self._switching = True
            if wanted:
                self._field.start_on()
            else:
                self._field.start_off()
            return 0
        if not wanted:
            return _IDLE_MS * 1000
        self._begun = time.ticks_us()
        self._inventory.start(self._afi, True)
        self._running = True
        return 0

    def _failed(self, code: str) -> int:
        self._started = False
        self._starting = False
        self._running = False
        self._switching = False
        self._on = False
        self._retry_at = time.ticks_add(time.ticks_ms(), _RETRY_MS if self._told else 0)
        if not self._told:
            self._told = code
            self._on_fault(code)
        return 0

    async def run(self) -> None:
        """The task: listens to the mouth for ever."""
        while True:
            wait = self.step()
            if wait >= 1000:
                await asyncio.sleep_ms(wait // 1000)
            else:
                if wait:
                    time.sleep_us(wait)
                await asyncio.sleep_ms(0)
