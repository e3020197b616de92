"""Real time: keeps virtual time in step with the wall clock, for a person or a host on a live port.

A computer that is too slow for the table makes a slow table, not one that misses things: time that was lost by more
than 50 ms is forgotten.

Entry points: :class:`RealClock`.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Callable

from hwsim.core import NS_PER_MS, NS_PER_S, Scheduler

LAG_NS = 50 * NS_PER_MS
STEP_NS = 5 * NS_PER_MS
"""Longest stretch the firmware may run on its own, so that what comes from outside is seen soon."""


class RealClock:
    """Paces a scheduler. ``watch`` registers file descriptors whose input ends a wait early."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._selector = selectors.DefaultSelector()
        self._origin = time.monotonic_ns() - scheduler.now
        self._held = True

    def hold(self, held: bool) -> None:
        """Hold the table back to the wall clock from now on, or let it run as fast as it can."""
        self._held = held
        self._origin = time.monotonic_ns() - self._scheduler.now

    def watch(self, descriptor: int, callback: Callable[[], object]) -> None:
        """Call ``callback`` when ``descriptor`` has input, with virtual time moved up to the wall clock."""
        self._selector.register(descriptor, selectors.EVENT_READ, callback)

    def unwatch(self, descriptor: int) -> None:
        """Forget ``descriptor``."""
        self._selector.unregister(descriptor)

    def wall(self) -> int:
        """The wall clock as virtual time (ns)."""
        return time.monotonic_ns() - self._origin

    def run_until(self, goal: int) -> None:
        """Run the world up to ``goal`` when the wall clock gets there, or less far when input has come before."""
        scheduler = self._scheduler
        scheduler.run_until(scheduler.now)
        while scheduler.now < goal:
            event = scheduler.next_time()
            step = goal if event is None or event > goal else event
            ready = self._selector.select(max(0, step - self.wall()) / NS_PER_S if self._held else 0)
            if ready:
                scheduler.run_until(max(scheduler.now, min(step, self.wall())))
                for key, _ in ready:
                    key.data()
                return
            if not self._held or self.wall() >= step:
                scheduler.run_until(step)

    def forget_lag(self) -> None:
        """Let the table go on from where it is when it is more than 50 ms behind; for when the firmware begins to wait.

        Were the time run through instead, the firmware would have looked away for as long.
        """
        lag = self.wall() - self._scheduler.now
        if lag > LAG_NS:
            self._origin += lag
