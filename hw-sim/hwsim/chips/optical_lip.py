"""The optical shoe's lip: two reflective sensors on one track, 1.5 modules apart, that a leaving card passes.

Entry points: :class:`OpticalLip` (``thresholds``, ``moved``, ``gone``: whoever moves cards tells it where they are) and
:class:`ReflectiveSensor` (``sensor.log`` is the truth; ``force``, ``flicker``, ``bounce``, ``melt``, ``dead`` its
faults). Written from ``docs/optical-strip.md``.

Line side: high while light comes back (white card), low while none does (a dark bar, or no card); low without a sensor
by the input's pull-down. World side: positions are micrometres along the way out of the middle of a card, counted from
the middle of the mouth's antenna; a profile is where along a card the level changes, as each of the sensors sees it,
dark outside of it. Limits: a level changes where it passes the middle of the spot, at once, and without chatter unless
a fault is set; no temperature, no ageing of the lamps.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence

from hwsim.core import Event, Line, Scheduler

SENSORS = "AB"
PLACES = (7_000, 8_350)  # of A, met first by a card that leaves, and of B
CARD = 63_000
SMALLEST = 250  # what is narrower may be seen or not
_MELTED = 2  # edges: there and back

Profile = tuple[Sequence[int], Sequence[int]]


class ReflectiveSensor:
    """One sensor with its comparator. ``dead``: it, or its wire, is broken, and its line stays low."""

    def __init__(self, scheduler: Scheduler, line: Line) -> None:
        self.log: list[tuple[int, int]] = []
        """Each edge of the line: instant (ns), level behind it."""
        self._scheduler = scheduler
        self._line = line
        self._seen = 0
        self._forced: int | None = None
        self._flips = 0
        self._bounces: list[int] = []
        self._melts = 0
        self._dead = False
        self._end: Event | None = None
        line.drive(0)

    @property
    def level(self) -> int:
        """The line: 1 while light comes back."""
        return self._line.level

    @property
    def dead(self) -> bool:
        """Whether it is broken."""
        return self._dead

    @dead.setter
    def dead(self, dead: bool) -> None:
        self._dead = dead
        self._show()

    def see(self, white: bool) -> None:
        """Light comes back from what is before the sensor, or none does; told at the instant of the change."""
        if white == bool(self._seen):
            return
        self._seen = int(white)
        if self._melts:
            self._melts -= 1
            self._flips ^= 1  # the comparator stays where it was
        self._show()
        if self._bounces:
            width = self._bounces.pop(0)
            for number in (1, 2):
                self._scheduler.after(number * width, self._flip)

    def force(self, at: int, white: bool, for_ns: int) -> None:
        """From ``at`` (ns) on for ``for_ns`` it says white (stray light) or dark (covered), whatever is before it."""

        def begin() -> None:
            if self._end is not None:
                self._end.cancel()
            self._forced = int(white)
            self._show()
            self._end = self._scheduler.after(for_ns, end)

        def end() -> None:
            self._forced = self._end = None
            self._show()

        self._scheduler.at(at, begin)

    def flicker(self, at: int, for_ns: int, every_ns: int, seed: int = 0) -> None:
        """Light flickers on it: pulses of the other level, one somewhere in each ``every_ns``, a tenth of that long."""
        source = random.Random(f"flicker/{seed}")
        length = max(every_ns // 10, 1)
        for begin in range(at, at + for_ns, every_ns):
            first = begin + source.randrange(max(every_ns - length, 1))
            self._scheduler.at(first, self._flip)
            self._scheduler.at(first + length, self._flip)

    def bounce(self, edges: int = 1, width_ns: int = 20_000) -> None:
        """The next ``edges`` edges are reported as three each: there, back and there, ``width_ns`` apart."""
        self._bounces += [width_ns] * edges

    def melt(self) -> None:
        """The next two edges, of one bar or one gap, melt into none."""
        self._melts = _MELTED

    def steady(self) -> None:
        """Forget the bounces and the melting that no edge has met yet."""
        self._bounces.clear()
        if self._melts == _MELTED:  # the second edge of two that melt still does
            self._melts = 0

    def _flip(self) -> None:
        self._flips ^= 1
        self._show()

    def _show(self) -> None:
        level = self._seen ^ self._flips if self._forced is None else self._forced
        level = 0 if self._dead else level
        if level != self._line.level:
            self.log.append((self._scheduler.now, level))
            self._line.drive(level)


class OpticalLip:
    """Both sensors, and the cards over them. Where two cards lie over a sensor it sees the one that left first.

    Args:
        scheduler: virtual time.
        lines: of A and B.
    """

    def __init__(self, scheduler: Scheduler, lines: tuple[Line, Line]) -> None:
        self.sensors = tuple(ReflectiveSensor(scheduler, line) for line in lines)
        self._bodies: dict[int, tuple[Profile, int]] = {}

    @staticmethod
    def thresholds(profile: Profile) -> list[int]:
        """Positions of a card at which a sensor sees something else, in the order of a whole pull."""
        places: set[int] = set()
        for place, changes in zip(PLACES, profile, strict=True):
            places.update(change - CARD // 2 + place for change in (0, *changes, CARD))
        return sorted(places)

    def moved(self, body: int, profile: Profile, position: int) -> None:
        """The card, or packet, known as ``body`` is at ``position`` now; told at its thresholds at least."""
        self._bodies[body] = (profile, position)  # the order stays that in which they came
        self._look()

    def gone(self, body: int) -> None:
        """It is in the shoe again, or in a hand."""
        self._bodies.pop(body, None)
        self._look()

    def _look(self) -> None:
        for number, sensor in enumerate(self.sensors):
            sensor.see(self._white(number))

    def _white(self, number: int) -> bool:
        for profile, position in self._bodies.values():
            at = position + CARD // 2 - PLACES[number]
            if 0 <= at < CARD:
                return bool(bisect_right(profile[number], at) % 2)
        return False
