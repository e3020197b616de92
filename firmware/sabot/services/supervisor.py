"""The supervisor: keeps the critical tasks alive, or puts the table in its safe locked state and says so.

Entry points: :func:`critical` (wraps a task), :class:`Supervisor` (:meth:`Supervisor.run` is its task).

A critical task that ends, raises or stands still leads to the safe state: gate shut, table suspended, fault recorded,
and it stays there until somebody has looked. The watchdog is fed by the supervisor's own task alone: a loop that never
gives way starves it, and the watchdog then resets the controller.
"""

import asyncio
import gc
import time

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

PERIOD_MS = const(50)
STALL_MS = const(2000)  # a critical task without progress for this long is dead
WATCHDOG_MS = const(5000)
_COLLECT_EVERY_MS = const(20000)


async def critical(name: str, body: "Coroutine[Any, Any, None]", on_death: "Callable[[str, str], None]") -> None:
    """Run a task that must never end; tell ``on_death(name, reason)`` if it does, whatever the reason."""
    reason = "ended"
    try:
        await body
    except Exception as error:
        reason = "%s: %s" % (type(error).__name__, error)
    on_death(name, reason)


class Supervisor:
    """``watched`` are objects with ``beats``, a counter that grows while their task lives; ``names`` theirs.

    ``may_collect()`` says whether this is one of the stated windows for a collection (10 ms): no bet can be locked
    and no card dealt. ``on_death(name, reason)`` puts the table in its safe state; ``on_tick(ticks)`` is the table's
    own clock.
    """

    def __init__(
        self,
        watchdog: "Any",
        clock: "Any",
        watched: "tuple[Any, ...]",
        names: "tuple[str, ...]",
        may_collect: "Callable[[], bool]",
        on_death: "Callable[[str, str], None]",
        on_tick: "Callable[[int], None]",
    ) -> None:
        self.dead = ""
        self._watchdog = watchdog
        self._clock = clock
        self._watched = watched
        self._names = names
        self._may_collect = may_collect
        self._on_death = on_death
        self._on_tick = on_tick
        self._beats = [-1] * len(watched)
        self._since = [time.ticks_ms()] * len(watched)
        self._collected = time.ticks_ms()

    def died(self, name: str, reason: str) -> None:
        """A critical task is gone: once, to the safe state."""
        if not self.dead:
            self.dead = name
            self._on_death(name, reason)

    def check(self, now: int) -> None:
        """Look at every critical task, and feed the watchdog: this task lives."""
        for index in range(len(self._watched)):
            beats = self._watched[index].beats
            if beats != self._beats[index]:
                self._beats[index] = beats
                self._since[index] = now
            elif time.ticks_diff(now, self._since[index]) > STALL_MS:
                self.died(self._names[index], "no progress")
        self._watchdog.feed()

    async def run(self) -> None:
        """The task: every 50 ms the clock's overflow, the table's time-outs, the checks, and a collection when due."""
        while True:
            self._clock.tick()
            now = time.ticks_ms()
            self.check(now)
            self._on_tick(time.ticks_us())
            if self._may_collect() and time.ticks_diff(now, self._collected) > _COLLECT_EVERY_MS:
                gc.collect()
                self._collected = time.ticks_ms()
            await asyncio.sleep_ms(PERIOD_MS)
