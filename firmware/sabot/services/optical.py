"""The optical shoe: which card left, read from the strip on its face, and when.

Entry points: :class:`Strip` (the two sensors), :class:`OpticalShoe`. Loaded by tables whose shoe has the sensors.

The beam's edge is the instant at which a card leaves. It comes before the first bar of the strip is read, and the beam
is clear again only when all of it has been (docs/optical-strip.md). So each edge has one answer: a whole codeword, when
the beam is clear behind it; a refusal, when the mouth is empty; or nothing, when the next card breaks the beam.
"""

import time

from micropython import const
from optical_strip.decoder import HALF_PULL, NOTHING, PUSHED_IN, STRAY_LIGHT, Decoder
from optical_strip.decoder import TWO_CARDS as TWO_STRIPS
from optical_strip.ring import EMPTY

from sabot.services.mouth import BLOCKED, RING, UNREAD, Gate, Mouth
from sabot.services.shoe import AGAIN, READ_MS, TWO_CARDS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PUSHED_BACK = const(-4)
PENDING = const(-16)  # nothing can be said yet

_IDLE_US = const(4000)
_TOUCHED = const(4)  # edges of a card that came no farther than its margin
_HELD_US = const(10000000)  # a card that stays in the mouth for longer is not waited for: somebody has to look


class Strip:
    """What the sensors say of one card after the other. Allocates nothing.

    ``beam`` tells whether a card is in the mouth.
    """

    def __init__(self, ring: "Any", beam: "Any") -> None:
        self._ring = ring
        self._decoder = Decoder()
        self._beam = beam
        self._entries = 0  # edges of what is in the mouth
        self._dark_at = 0  # the last of them has been seen then
        # A whole codeword, with its card still in the beam: it may have turned back on its last bar.
        self._ended = NOTHING
        self._last = NOTHING
        self._went_in = False  # a card has gone in from outside: the last one may come again
        self._given_up = False  # what is in the mouth has been told as unread

    def empty(self) -> bool:
        """Whether there is no card in the mouth, as far as beam and sensors see."""
        return self._beam.value() != BLOCKED and bool(self._ring.dark())

    def busy(self) -> bool:
        """Whether a card is being read."""
        return self._decoder.busy()

    def take(self, now: int, in_beam: bool, followed: bool = False) -> int:
        """The next card, with or without AGAIN, or what has come instead of one; PENDING when there is none.

        ``in_beam``: its edge has come. A strip that is read without is a card's all the same; but then only a pause
        tells its end from a place where both sensors happen to see bars. ``followed``: so has the next card's.
        """
        while True:
            entry = self._ring.take()
            if entry == EMPTY:
                break
            self._entries += 1
            self._dark_at = now
            code = self._decoder.edge(entry)
            if code != NOTHING:
                self._entries = 0
                if not in_beam:
                    return self._read(code)
                before = self._ended
                self._ended = code
                if before != NOTHING:
                    return self._read(before)
        if self._ended != NOTHING:
            if not followed and self._beam.value() == BLOCKED:
                return PENDING
            code = self._ended
            self._ended = NOTHING
            if followed or self._entries <= _TOUCHED:  # no more than the beginning of another card
                return self._read(code)
        if not self._decoder.busy() or not self.empty():
            return PENDING
        if not in_beam and self._entries > _TOUCHED and time.ticks_diff(now, self._dark_at) < READ_MS * 1000:
            return PENDING
        cause = self._decoder.clear()
        touched = self._entries <= _TOUCHED or cause == STRAY_LIGHT
        self._entries = 0
        if self._given_up or (touched and not in_beam):
            self._given_up = False
            return PENDING
        if cause == PUSHED_IN:
            self._went_in = True
        if cause in (HALF_PULL, PUSHED_IN):
            return PUSHED_BACK
        return TWO_CARDS if cause == TWO_STRIPS else UNREAD

    def answer(self, now: int, edge: int, followed: bool) -> int:
        """What has left with the oldest edge; ``followed``: the next card has broken the beam already."""
        code = self.take(now, True, followed)
        if code != PENDING or followed:
            return UNREAD if code == PENDING else code
        reading = self._decoder.busy() or not self.empty()
        if time.ticks_diff(now, edge) <= (_HELD_US if reading else READ_MS * 1000):
            return PENDING
        self._given_up = reading
        return UNREAD

    def _read(self, code: int) -> int:
        again = self._went_in and code == self._last
        self._went_in = False
        self._last = code
        if self._given_up:
            self._given_up = False
            return PENDING
        return code + AGAIN if again else code


class NoReader:
    """In the place of a reader's driver objects, where the mouth has no reader."""

    fault = ()

    def __init__(self) -> None:
        self.field = None
        self.inventory = self
        self.listener: "Any" = None


class OpticalShoe(Mouth):
    """``on_card(code, ticks)`` is told of each card in the order of the edges, as :class:`~sabot.services.shoe.Shoe`.

    A card that breaks no beam is told all the same, with the instant at which it was known, and the beam as a fault.
    """

    def __init__(
        self,
        strip: Strip,
        beam: "Any",
        gate: Gate,
        on_edge: "Callable[[int], None]",
        on_card: "Callable[[int, int], Any]",
        on_fault: "Callable[[str], None]",
    ) -> None:
        super().__init__(None, NoReader(), beam, gate, 0, on_edge, on_fault)
        self._strip = strip
        self._on_card = on_card
        self._blind = False  # the beam has missed a card

    def listening(self) -> bool:
        """Whether a card is on its way. Allocates nothing."""
        return self._got != self._put or self._strip.busy()

    def step(self) -> int:
        """One bounded piece of work; returns microseconds until the next."""
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        self._see()
        self.bind(time.ticks_us())
        return _IDLE_US

    def bind(self, now: int) -> None:
        """Give every edge its answer, as soon as there is one."""
        while True:
            if self.waiting():
                code = self._strip.answer(now, self.next_edge(), (self._got + 1) % RING != self._seen)
            else:
                code = self._strip.take(now, False)
                self._see()  # the edge of a card that has passed since
            if code == PENDING:
                return
            if self.waiting():
                edge = self.next_edge()
                self.bound()
                self._beam_works(True)
                self._on_card(code, edge)
            else:
                self._beam_works(False)
                self._on_edge(now)
                self._on_card(code, now)

    def _beam_works(self, works: bool) -> None:
        if works == self._blind:
            self._blind = not works
            self._on_fault("" if works else "beam")
