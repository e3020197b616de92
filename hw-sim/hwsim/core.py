"""Virtual time, event queue and logic lines: the ground every chip model stands on.

Entry points: :class:`Scheduler` (time in nanoseconds and the queue of things to come), :class:`Line` (a digital
net with one driver value and listeners), :class:`SpiDevice` and :class:`I2cDevice` (what a bus expects of a chip),
:class:`SimFault` (misuse that must fail the test loudly), :class:`PowerFailure` (what an event raises to cut the
supply).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Protocol

NS_PER_US = 1_000
NS_PER_MS = 1_000_000
NS_PER_S = 1_000_000_000


class SimFault(Exception):
    """The firmware did something no real part would forgive: an unknown register, a reserved command, a short.

    It is never turned into an answer; it ends the simulation and fails the test.
    """


class PowerFailure(Exception):
    """The supply goes at this very instant: raised by an event, it ends what runs and reaches whoever let time pass."""


class Event:
    """One thing to come. ``cancel()`` makes it a no-op; the queue drops it when its time is reached."""

    __slots__ = ("action", "cancelled")

    def __init__(self, action: Callable[[], None]) -> None:
        self.action = action
        self.cancelled = False

    def cancel(self) -> None:
        """Forget the event; harmless when it has already happened."""
        self.cancelled = True


class Scheduler:
    """Virtual time in integer nanoseconds since power-up of the simulated world, and the queue of events.

    Events at the same instant run in the order in which they were queued, so a run is reproducible.
    """

    def __init__(self) -> None:
        self.now = 0
        self._queue: list[tuple[int, int, Event]] = []  # instant, order of queuing, event
        self._order = 0

    def at(self, when: int, action: Callable[[], None]) -> Event:
        """Run ``action`` at ``when`` (ns). An instant already past means "next": it runs before time moves on."""
        self._order += 1
        event = Event(action)
        heapq.heappush(self._queue, (when if when > self.now else self.now, self._order, event))
        return event

    def after(self, delay: int, action: Callable[[], None]) -> Event:
        """Run ``action`` ``delay`` nanoseconds from now."""
        return self.at(self.now + delay, action)

    def next_time(self) -> int | None:
        """Instant of the next live event, or None when nothing is queued."""
        queue = self._queue
        while queue and queue[0][2].cancelled:
            heapq.heappop(queue)
        return queue[0][0] if queue else None

    def run_until(self, when: int) -> None:
        """Run every event up to and including ``when``, then stand at ``when``. Time never goes back."""
        queue = self._queue
        while queue and queue[0][0] <= when:
            at, _, event = heapq.heappop(queue)
            if event.cancelled:
                continue
            if at > self.now:
                self.now = at
            event.action()
        if when > self.now:
            self.now = when


class Line:
    """A digital net: one level, 0 or 1, and those who listen to its edges.

    ``drive`` is called by the one party that owns the output. Listeners get ``(line, level)`` at the instant of the
    edge (``scheduler.now``), in the order in which they subscribed.
    """

    __slots__ = ("_listeners", "level", "name")

    def __init__(self, name: str, level: int = 0) -> None:
        self.name = name
        self.level = level
        self._listeners: list[Callable[[Line, int], None]] = []

    def drive(self, level: int) -> None:
        """Put the net at ``level``; an edge is reported only when the level changes."""
        level = 1 if level else 0
        if level == self.level:
            return
        self.level = level
        for listener in tuple(self._listeners):
            listener(self, level)

    def listen(self, listener: Callable[[Line, int], None]) -> None:
        """Call ``listener`` at each edge from now on."""
        self._listeners.append(listener)


class SpiDevice(Protocol):
    """A chip on an SPI bus. The fabric has run the scheduler up to the first clock edge before each call."""

    def select(self) -> None:
        """Chip select goes low."""

    def deselect(self) -> None:
        """Chip select goes high."""

    def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
        """Exchange ``len(mosi)`` bytes, each taking ``byte_ns`` nanoseconds; returns as many bytes of MISO.

        Events that fall inside the transfer run when it has ended; a chip that needs the instant of byte ``i`` takes
        ``scheduler.now + i * byte_ns``.
        """


class I2cDevice(Protocol):
    """A chip on an I2C bus, addressed already. ``scheduler.now`` is the instant of the START condition."""

    def write(self, data: bytes) -> int:
        """Take bytes after the address; returns how many were acknowledged (fewer than sent: NACK)."""

    def read(self, count: int) -> bytes:
        """Give ``count`` bytes."""

    def stop(self) -> None:
        """STOP condition: the transaction is over."""
