"""The mouth from which cards leave, one by one or in packets: its reader, the exit beam and the gate.

Entry points: :class:`Gate` (the dispense lock), :class:`Mouth` (what ``shoe.Shoe`` and ``shuffler.Shuffler`` share).

The beam's edges are time-stamped by interrupt and told at once, because one may lock a bet (67.36). While a card may
come, the field is on and one inventory follows the other.
"""

import asyncio
import time

from micropython import const

from sabot.wire.codes import UNSTEADY

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNREAD = -1
BLOCKED = const(0)  # level of the beam's line with a card in it
RING = const(16)
_IDLE_MS = const(4)
_RETRY_MS = const(1000)
_LOOK_MS = const(
    10000
)  # how often a reader at rest is started anew, so that one that has failed is known before a card


class Gate:
    """The gate solenoid: high lets a card leave."""

    def __init__(self, pin: "Any") -> None:
        self._pin = pin
        self.is_open = False

    def set(self, is_open: bool) -> None:
        """Open or shut the gate. Allocates nothing."""
        self.is_open = is_open
        self._pin.value(1 if is_open else 0)


class Mouth:
    """Listens to the mouth for ever; :meth:`run` is its task.

    ``on_edge(ticks)`` is told of each edge of the beam, by the task's next turn, and allocates nothing. ``reader`` has
    one antenna at the mouth; ``make.field`` and ``make.inventory`` are its driver objects, ``make.fault`` the exception
    they raise; ``single``: one tag at most is expected. What was heard is bound to the edges by :meth:`bind`.
    """

    single = True
    strip: "Any" = None  # of a mouth with optical sensors

    def __init__(
        self,
        reader: "Any",
        make: "Any",
        beam: "Any",
        gate: Gate,
        afi: int,
        on_edge: "Callable[[int], None]",
        on_fault: "Callable[[str], None]",
    ) -> None:
        self.beats = 0
        self.reader = reader
        self.field = make.field
        self._inventory = make.inventory
        self._inventory.listener = self
        self.fault = make.fault
        self.beam = beam
        self._gate = gate
        self._afi = afi
        self._on_edge = on_edge
        self._on_fault = on_fault
        self._edges = [0] * RING  # written by the interrupt alone
        self._put = 0
        self._seen = 0  # edges before this one have been told
        self._got = 0  # ... and bound to their cards
        self.lost_edges = 0
        self._begun = 0  # when the inventory under way began
        self._through = 0  # when the last one that ended began
        self._started = False
        self._starting = False
        self._on = False
        self._switching = False
        self._running = False
        self.told = ""
        self._bouts: "Any" = None  # loaded when the reader fails first
        self._failed = ""  # why, until an inventory has ended, or a reader at rest has been started anew
        self._retry_at = time.ticks_ms()
        self.looked = self._retry_at  # when the reader was last started

    def start(self, trigger: int) -> None:
        """Take the beam's falling edges from now on."""
        self.beam.irq(handler=self.edge, trigger=trigger, hard=True)

    def edge(self, pin: "Any") -> None:
        """A card broke the beam, in interrupt context."""
        following = (self._put + 1) % RING
        if following == self._got:
            self.lost_edges += 1
            return
        self._edges[self._put] = time.ticks_us()
        self._put = following

    def edge_waits(self) -> bool:
        """Whether there is an edge that has not been told yet. Allocates nothing."""
        return self._seen != self._put

    def listening(self) -> bool:
        """Whether the field is on, or to be switched, or an edge has come. Allocates nothing."""
        return self._on or self._switching or self._got != self._put

    def heard(self) -> bool:
        """Whether something in the mouth waits to be bound, so that it must be listened to further."""
        return False

    def listened(self) -> None:
        """An inventory has ended."""

    def bind(self, now: int) -> None:
        """Give every edge that has been told what belongs to it, as soon as that is known, or can no longer be."""

    def waiting(self) -> bool:
        """Whether an edge that has been told is not bound yet."""
        return self._got != self._seen

    def next_edge(self) -> int:
        """The oldest edge that is not bound."""
        return self._edges[self._got]

    def bound(self) -> None:
        """The oldest edge has got what belongs to it."""
        self._got = (self._got + 1) % RING

    def step(self) -> int:
        """One bounded piece of work; returns microseconds until the next. Allocates nothing while cards are read."""
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        self._see()
        try:
            wait = self._listen()
        except self.fault as fault:
            wait = self.failed(fault.code)
        self._see()
        self.bind(time.ticks_us())
        return wait

    def _see(self) -> None:
        while self._seen != self._put:
            edge = self._edges[self._seen]
            self._seen = (self._seen + 1) % RING
            self._on_edge(edge)

    def _listen(self) -> int:
        """Keep the field on and the inventories going while a card may come."""
        if not self._started:
            if not self._starting:
                left = time.ticks_diff(self._retry_at, time.ticks_ms())
                if left > 0:
                    return min(left, _IDLE_MS) * 1000
                self.reader.begin_start()
                self._starting = True
            wait: int = self.reader.step_start()
            if wait >= 0:
                return wait
            self._started = True
            self._starting = False
            self.looked = time.ticks_ms()
            self._works()
        if self._switching:
            wait = self.field.step()
            if wait >= 0:
                return wait
            self._switching = False
        wanted = self._gate.is_open or self._got != self._put or self.heard() or self.beam.value() == BLOCKED
        if self._running:
            wait = self._inventory.step()
            if wait >= 0:
                return wait
            self._running = False
            self._failed = ""
            if self.told:
                self._works()
            self._through = self._begun
            self.listened()
        if wanted != self._on:
            self._on = wanted
            self._switching = True
            if wanted:
                self.field.start_on()
            else:
                self.field.start_off()
            return 0
        if not wanted:
            self._failed = ""
            if time.ticks_diff(time.ticks_ms(), self.looked) >= _LOOK_MS:
                self._started = False
            return _IDLE_MS * 1000
        self._begun = time.ticks_us()
        self._inventory.start(self._afi, self.single)
        self._running = True
        return 0

    def _works(self) -> None:
        """The reader does: it is no fault any more, unless it has failed often of late."""
        if self.told and self._bouts.well(self.told):
            self.told = ""
            self._on_fault("")

    def failed(self, code: str) -> int:
        """The reader has failed: started again at once, and told of when that, or what follows, fails too.

        The code that is told is then that of the start, which knows best what is the matter. It is tried each second.
        One that works again each time is told to be unsteady when it has failed often.
        """
        self._started = False
        self._starting = False
        self._running = False
        self._switching = False
        self._on = False
        if self._bouts is None:
            from sabot.services.bouts import Bouts

            self._bouts = Bouts()
        told = self._bouts.news(self.told, code, not self._failed, self._failed != "")
        self._retry_at = time.ticks_add(time.ticks_ms(), 0 if told in ("", UNSTEADY) else _RETRY_MS)
        if told != self.told:
            self.told = told
            self._on_fault(told)
        self._failed = code
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
