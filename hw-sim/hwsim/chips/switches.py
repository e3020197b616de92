"""Keys and contacts with real bounce: the dealer's keys, the shoe's lid, the case switch.

Entry points: :class:`Key` (``press``, ``release``, ``glitch``, ``stick``, ``unstick``) and :class:`Contact` (``open``,
``close``); each act returns a :class:`Stroke`, the truth about its edges.

A key's line idles high and is pulled low by a press. On a shared net give the key a tap of it. Bounce comes from a
seed, one pattern a stroke, or as a list. Limits: bounce is a train of clean levels, without slopes or levels between.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hwsim.core import NS_PER_MS, NS_PER_US, Event, Line, Scheduler

KEY_BOUNCE_NS = (1 * NS_PER_MS, 5 * NS_PER_MS)  # usual length of the bounce of a tactile switch
CONTACT_BOUNCE_NS = (5 * NS_PER_MS, 30 * NS_PER_MS)  # a microswitch behind a door
_MIN_EDGE_GAP_NS = 5 * NS_PER_US


class Stroke(NamedTuple):
    """One movement of the contact: instants (ns) of its first edge and of its last one, after which it is steady."""

    first_edge: int
    settled: int


class _Mechanism:
    """A contact that moves between two levels with bounce; base of keys and contacts."""

    def __init__(
        self,
        scheduler: Scheduler,
        line: Line,
        level: int,
        name: str,
        seed: int,
        bounce_range_ns: tuple[int, int],
        bounce_ns: Sequence[int] | None,
    ) -> None:
        self.name = name or line.name
        self._scheduler = scheduler
        self._line = line
        self._seed = seed
        self._bounce_range_ns = bounce_range_ns
        self._bounce_ns = bounce_ns
        self._strokes = 0
        self._mechanical = level
        self._stuck: int | None = None
        self._pending: list[Event] = []
        line.drive(level)

    def _move(self, at: int, level: int, bounce_ns: Sequence[int] | None) -> Stroke:
        """Go to ``level`` at ``at``, then toggle at each offset of the pattern (ns after the first edge)."""
        if at < self._scheduler.now:
            raise ValueError(f"{self.name}: {at} ns is past, it is {self._scheduler.now} ns")
        self._strokes += 1
        given = bounce_ns if bounce_ns is not None else self._bounce_ns
        pattern = self._pattern() if given is None else list(given)
        if len(pattern) % 2:
            raise ValueError(f"{self.name}: a bounce of {len(pattern)} edges ends at the wrong level")
        if any(b <= a for a, b in zip([0, *pattern], pattern, strict=False)):
            raise ValueError(f"{self.name}: bounce offsets must rise from above 0: {pattern}")

        def begin() -> None:
            for event in self._pending:  # a new movement ends the bounce of the one before
                event.cancel()
            self._set(level)
            self._pending = [
                self._scheduler.at(at + offset, self._setter(level ^ (i + 1) & 1)) for i, offset in enumerate(pattern)
            ]

        self._scheduler.at(at, begin)
        return Stroke(at, at + (pattern[-1] if pattern else 0))

    def _pattern(self) -> list[int]:
        """The bounce of this stroke: its length from the range, 1 to 5 pairs of edges inside it."""
        source = random.Random(f"{self._seed}/{self.name}/{self._strokes}")
        length = source.randint(*self._bounce_range_ns)
        edges = 2 * source.randint(1, 5) - 1
        slots = range(1, length // _MIN_EDGE_GAP_NS)
        inner = sorted(source.sample(slots, edges))
        return [slot * _MIN_EDGE_GAP_NS for slot in inner] + [length]

    def _setter(self, level: int) -> Callable[[], None]:
        return lambda: self._set(level)

    def _set(self, level: int) -> None:
        self._mechanical = level
        if self._stuck is None:
            self._line.drive(level)

    def _stick(self, at: int, level: int | None) -> None:
        def act() -> None:
            self._stuck = level
            self._line.drive(self._mechanical if level is None else level)

        self._scheduler.at(at, act)


class Key(_Mechanism):
    """A push button to ground with a pull-up.

    Args:
        scheduler: virtual time.
        line: its net, or a tap of it; goes high at once (not pressed).
        name: for messages and the seed; the line's name by default.
        seed: seed of the bounce, a pattern of its own for each stroke.
        bounce_ns: offsets of the edges after the first one, for every stroke; an even number. Empty = no bounce.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        line: Line,
        *,
        name: str = "",
        seed: int = 0,
        bounce_ns: Sequence[int] | None = None,
    ) -> None:
        super().__init__(scheduler, line, 1, name, seed, KEY_BOUNCE_NS, bounce_ns)

    @property
    def pressed(self) -> bool:
        """Whether the contact is closed at this instant, bounce included."""
        return not self._mechanical

    def press(self, at: int, bounce_ns: Sequence[int] | None = None) -> Stroke:
        """The finger presses at ``at`` (ns)."""
        return self._move(at, 0, bounce_ns)

    def release(self, at: int, bounce_ns: Sequence[int] | None = None) -> Stroke:
        """The finger lets go at ``at`` (ns)."""
        return self._move(at, 1, bounce_ns)

    def tap(self, at: int, hold_ns: int = 120 * NS_PER_MS) -> Stroke:
        """Press at ``at`` and release ``hold_ns`` later. Returns the press."""
        stroke = self.press(at)
        self.release(at + hold_ns)
        return stroke

    def glitch(self, at: int, width_ns: int) -> Stroke:
        """A closed pulse of ``width_ns`` without a press: interference, a knock on the table."""
        if width_ns <= 0:
            raise ValueError(f"{self.name}: a glitch of {width_ns} ns")
        self.press(at, ())
        self.release(at + width_ns, ())
        return Stroke(at, at + width_ns)

    def stick(self, at: int, pressed: bool = True) -> None:
        """The key is stuck from ``at`` (ns) on, closed or open, whatever the finger does."""
        self._stick(at, 0 if pressed else 1)

    def unstick(self, at: int) -> None:
        """The key follows the finger again from ``at`` (ns) on."""
        self._stick(at, None)


class Contact(_Mechanism):
    """A lid or case switch. ``closed`` is its state at power-up, ``closed_level`` its line when closed."""

    def __init__(
        self,
        scheduler: Scheduler,
        line: Line,
        *,
        closed: bool = True,
        closed_level: int = 0,
        name: str = "",
        seed: int = 0,
        bounce_ns: Sequence[int] | None = None,
    ) -> None:
        self._closed_level = 1 if closed_level else 0
        level = self._closed_level if closed else 1 - self._closed_level
        super().__init__(scheduler, line, level, name, seed, CONTACT_BOUNCE_NS, bounce_ns)

    @property
    def closed(self) -> bool:
        """Whether the contact is closed at this instant, bounce included."""
        return self._mechanical == self._closed_level

    def open(self, at: int, bounce_ns: Sequence[int] | None = None) -> Stroke:
        """The lid is opened at ``at`` (ns)."""
        return self._move(at, 1 - self._closed_level, bounce_ns)

    def close(self, at: int, bounce_ns: Sequence[int] | None = None) -> Stroke:
        """The lid is closed at ``at`` (ns)."""
        return self._move(at, self._closed_level, bounce_ns)
