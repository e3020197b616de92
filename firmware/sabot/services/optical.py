"""The optical shoe: which card left, read from the strip on its face, and when.

Entry points: :class:`Strip` (the two sensors), :class:`CardBeam`, :class:`OpticalShoe`, :func:`why`. Loaded by tables
whose shoe has the sensors.

The beam's edge is the instant at which a card leaves. It comes before the first bar of the strip is read, and the beam
is clear again only when all of it has been (docs/optical-strip.md). So each edge has one answer: a whole codeword, when
the beam is clear behind it; a refusal, when the mouth is empty; or nothing, when the next card breaks the beam.
"""

import time

from micropython import const
from optical_strip.decoder import DIRT, HALF_PULL, NOTHING, PUSHED_IN, STRAY_LIGHT, Decoder
from optical_strip.decoder import PUSHED_BACK as TO_AND_FRO
from optical_strip.decoder import TWO_CARDS as TWO_STRIPS
from optical_strip.ring import EMPTY, LEVEL, SENSOR_B

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
NO_CARD = const(-17)  # the card before it dipped into the mouth once more: none has left

_IDLE_US = const(4000)
_TOUCHED = const(4)  # edges of a card that came no farther than its margin
_SLIVER = const(100)  # edges of a card up to the margin behind its last bar, and of a bar there that A alone has met
_FLASHES = const(4)  # one white pulse in so many that only one sensor saw: light, and no card
_LED = const(2)  # edges of a leading margin
_HELD = const(-10)  # a cause beside those of the decoder
_CAUSES = "no edge|dirt|push-back|half pull|two cards|stray light|lost edge|overflow|pushed in|held"  # from -1 down
_HELD_US = const(10000000)  # a card that stays in the mouth for longer is not waited for: somebody has to look


def why(cause: int) -> str:
    """The words for the journal why a card was refused: ``cause`` of a strip."""
    return "card: " + _CAUSES.split("|")[-1 - cause]


class CardBeam:
    """The exit beam in the place of its pin: a card that slips back and comes on again breaks it once.

    It has slipped back when the beam is clear while both sensors see its leading margin: one that has left is past
    them. It comes on again when they have not seen the mouth empty meanwhile.
    """

    def __init__(self, pin: "Any", ring: "Any", both_edges: int) -> None:
        self._pin = pin
        self._ring = ring
        self._both = both_edges
        self._handler: "Any" = None
        self._kept = 0  # edges of the sensors that there were at the beam's last change
        self._led = False  # they saw a leading margin before the card broke the beam
        self._slipped = False

    def value(self) -> int:
        """Level of the beam's line."""
        level: int = self._pin.value()
        return level

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None:
        """Call ``handler`` when a card breaks the beam; ``trigger`` is the falling edge."""
        self._handler = handler
        self._pin.irq(handler=self._changed, trigger=self._both, hard=hard)

    def _changed(self, pin: "Any") -> None:
        """The beam changed, in interrupt context."""
        since = (self._ring.kept - self._kept) & 0x3FFFFFFF
        self._kept = self._ring.kept
        if pin.value() != BLOCKED:
            self._slipped = self._led and self._ring.white()
            return
        again = self._slipped and since < _TOUCHED
        self._slipped = False
        if not again:
            self._led = since >= _LED
            self._handler(pin)


class Strip:
    """What the sensors say of one card after the other. Allocates nothing, but for the fault.

    ``beam`` tells whether a card is in the mouth. ``on_sensors(code)`` is told when light comes and goes on them and no
    card does, and ``""`` when they read one. ``cause`` is that of the last refusal, for :func:`why`.
    """

    def __init__(self, ring: "Any", beam: "Any", on_sensors: "Callable[[str], None]") -> None:
        self.cause = NOTHING
        self.ring = ring
        self._decoder = Decoder()
        self._beam = beam
        self._on_sensors = on_sensors
        self._lit = False  # told of light
        self._entries = 0  # edges of what is in the mouth
        self._legal = 0  # ... before the first that no card gives
        self._then = EMPTY  # ... and the one after that
        self._back = 0  # times that a narrow gap went by the other way
        self._whites = 0  # times that a sensor came to see white
        self._flashes = 0  # ... and dark again with no edge of the other between
        self._before = EMPTY  # the last edge
        self._dark_at = 0  # the last of them has been seen then
        # A whole codeword, with its card still in the beam: it may have turned back on its last bar.
        self._ended = NOTHING
        self._last = NOTHING
        self._went_in = False  # a card has gone in from outside, and that was told: the last one may come again
        self._out = False  # the last thing that left was a card, and it was read
        self._given_up = False  # what is in the mouth has been told as unread

    def empty(self) -> bool:
        """Whether there is no card in the mouth, as far as beam and sensors see."""
        return self._beam.value() != BLOCKED and bool(self.ring.dark())

    def busy(self) -> bool:
        """Whether a card is being read."""
        return self._decoder.busy()

    def take(self, now: int, in_beam: bool, followed: bool = False) -> int:
        """The next card, with twice AGAIN or without, or what has come instead of one; PENDING when there is none.

        ``in_beam``: its edge has come. A strip that is read without is a card's all the same; but then only a pause
        tells its end from a place where both sensors happen to see bars. ``followed``: so has the next card's.
        """
        while True:
            entry = self.ring.take()
            if entry == EMPTY:
                break
            self._count(entry)
            self._dark_at = now
            code = self._decoder.edge(entry)
            if not self._decoder.refused():
                self._legal = self._entries
            elif self._entries == self._legal + 2:
                self._then = entry
            if code != NOTHING:
                self._forget()
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
        code = self._refused(in_beam)
        self._forget()
        return code

    def _count(self, entry: int) -> None:
        self._entries += 1
        if entry & LEVEL:
            self._whites += 1
            if entry == LEVEL and self._before == SENSOR_B:
                self._back += 1
        elif entry == self._before ^ LEVEL:
            self._flashes += 1
        self._before = entry

    def _forget(self) -> None:
        """What comes from now on is another card's."""
        self._entries = self._legal = self._back = self._whites = self._flashes = 0
        self._before = self._then = EMPTY

    def _refused(self, in_beam: bool) -> int:
        """What it was that is no card, now that the mouth is empty."""
        cause = self._decoder.clear()
        touched = self._entries <= _TOUCHED
        if self._given_up:
            self._given_up = False
            return PENDING
        if not in_beam:
            # On a card each white stretch of one sensor holds an edge of the other, but for dirt. Light has no order.
            if not touched and self._flashes * _FLASHES >= self._whites:
                self._tell(True)
                return PENDING
            if touched or cause == STRAY_LIGHT:
                return PENDING
        elif touched and cause == STRAY_LIGHT and self._out:
            return NO_CARD  # B was the first and the last: it came from outside, and went there
        self.cause = cause
        self._out = False
        if cause == PUSHED_IN:
            self._went_in = True
        if cause in (HALF_PULL, PUSHED_IN):
            return PUSHED_BACK
        # A second card's bars come in order to their end; where it comes to light within a bar, A is on the next one
        # before B has met what is left of that. A card that turned on its last bars gives neither, or just a few bars.
        if cause == TWO_STRIPS:
            if self._legal == self._entries - 1:
                return TWO_CARDS
            self.cause = TO_AND_FRO
        elif cause in (TO_AND_FRO, DIRT) and self._legal == _SLIVER and self._then == SENSOR_B and not self._back:
            self.cause = TWO_STRIPS
            return TWO_CARDS
        self._went_in = False  # it may have been this one: the next of its face is told
        return UNREAD

    def _tell(self, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self._on_sensors("light" if lit else "")

    def answer(self, now: int, edge: int, followed: bool) -> int:
        """What has left with the oldest edge; ``followed``: the next card has broken the beam already."""
        code = self.take(now, True, followed)
        if code != PENDING:
            return code
        # A whole codeword waits for the beam, which may have become clear since it was asked.
        reading = self._decoder.busy() or self._ended != NOTHING or not self.empty()
        if not followed:
            if time.ticks_diff(now, edge) <= (_HELD_US if reading else READ_MS * 1000):
                return PENDING
            self._given_up = reading
        self.cause = _HELD if reading else NOTHING
        self._out = False
        return UNREAD

    def _read(self, code: int) -> int:
        again = self._went_in and code == self._last
        self._went_in = False
        self._last = code
        self._out = True
        if self._given_up:
            self._given_up = False
            return PENDING
        self._tell(False)
        return code + 2 * AGAIN if again else code


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
    ``on_refused(words)`` is told first why a card is none.
    """

    def __init__(
        self,
        strip: Strip,
        beam: "Any",
        gate: Gate,
        on_edge: "Callable[[int], None]",
        on_card: "Callable[[int, int], Any]",
        on_fault: "Callable[[str], None]",
        on_refused: "Callable[[str], None]",
    ) -> None:
        super().__init__(None, NoReader(), beam, gate, 0, on_edge, on_fault)
        self.strip = strip
        self._on_refused = on_refused
        self._on_card = on_card
        self._blind = False  # the beam has missed a card

    def listening(self) -> bool:
        """Whether a card is on its way. Allocates nothing."""
        return self._got != self._put or self.strip.busy()

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
                code = self.strip.answer(now, self.next_edge(), (self._got + 1) % RING != self._seen)
            else:
                code = self.strip.take(now, False)
                self._see()  # the edge of a card that has passed since
            if code == PENDING:
                return
            if code == NO_CARD:
                self.bound()
                continue
            if code < 0:
                self._on_refused(why(self.strip.cause))
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
