"""The mouth of a shoe on MicroPython: cards moved past its sensors and its beam by hand, for the scripts beside this.

Entry points: :class:`Bench`; :data:`CLOCK`, :data:`TURN_US`, :data:`SENSOR_B`, :data:`BEAM`. Positions are micrometres
of the card's leading edge beyond sensor A.
"""

from fakes import Clock, Pin, set_time
from optical_strip import encode
from optical_strip.ring import EdgeRing

import sabot.services.mouth as mouth
import sabot.services.optical as optical
import sabot.services.shoe as rfid
from sabot.services.optical import CardBeam, Strip

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SENSOR_B, BEAM = 1350, 3000
SPEED = 500  # mm/s
TURN_US = 4000

CLOCK = Clock((1 << 30) - 500_000)  # the ticks wrap in the middle
set_time(CLOCK, mouth, optical, rfid)


class Line(Pin):
    """An input that interrupts. ``hasty``: it changes as soon as somebody has looked at it."""

    handler: "Any" = None
    hasty = False

    def irq(self, handler: "Any", trigger: int, hard: bool) -> None:
        self.handler = handler

    def value(self, level: "int | None" = None) -> int:
        seen: int = Pin.value(self, level)  # super() would allocate
        if self.hasty:
            self.hasty = False
            self.change()
        return seen

    def change(self) -> None:
        self.level ^= 1
        if self.handler is not None:
            self.handler(self)


class Bench:
    """A shoe's mouth. ``told`` holds what the table was told: cards as (code, number of the edge), edges as ticks."""

    def __init__(self) -> None:
        self.sensors = (Line(), Line())
        self.beam = Line(1)
        self.edges: list[int] = []
        self.cards: list[tuple[int, int]] = []
        self.faults: list[str] = []
        self.refused: list[str] = []
        ring = EdgeRing(*self.sensors)
        ring.start(12)
        self.card_beam = CardBeam(self.beam, ring, 12)
        self.strip = Strip(ring, self.card_beam, self.fault)
        self.gate = mouth.Gate(Pin())
        self.gate.set(True)
        self.shoe: Any = None

    def edge(self, ticks: int) -> None:
        self.edges.append(ticks)

    def card(self, code: int, ticks: int) -> None:
        self.cards.append((code, self.edges.index(ticks)))

    def fault(self, code: str) -> None:
        self.faults.append(code)

    def refuse(self, words: str) -> None:
        self.refused.append(words)

    def move(self, way: "list[tuple[int, Line]]", start: int, end: int) -> None:
        """Move a card from one position to another, with the shoe's turns in between."""
        order = [each for each in way if min(start, end) < each[0] <= max(start, end)]
        order.sort(key=lambda each: each[0])
        if end < start:
            order.reverse()
        at = start
        left = TURN_US
        for place, line in order:
            left = self.let(abs(place - at) * 1000 // SPEED, left)
            at = place
            line.change()
        self.let(abs(end - at) * 1000 // SPEED, left)

    def let(self, us: int, left: int = TURN_US) -> int:
        """Let time pass; returns what is left until the shoe's next turn."""
        while us >= left:
            CLOCK.sleep_us(left)
            us -= left
            left = TURN_US
            self.shoe.step()
        CLOCK.sleep_us(us)
        return left - us

    def way(self, code: int, beam: bool = True) -> "list[tuple[int, Line]]":
        """Where which line changes for a card; a code below 0 is a card without a strip."""
        places = [0, encode.CARD_UM]
        for bar in encode.bars(code) if code >= 0 else ():
            places.extend(bar)
        found = []
        for place in places:
            found.append((place, self.sensors[0]))
            found.append((place + SENSOR_B, self.sensors[1]))
        if beam:
            found.append((BEAM, self.beam))
            found.append((BEAM + encode.CARD_UM, self.beam))
        return found

    def pull(self, code: int, beam: bool = True) -> None:
        self.move(self.way(code, beam), -30000, 90000)
        self.let(50000)

    def expect(self, *cards: "tuple[int, int]") -> None:
        if self.cards != list(cards):
            raise AssertionError("told, expected", self.cards, cards)
