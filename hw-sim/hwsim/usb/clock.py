"""Time on the emulated bus: virtual, plus the wall clock where another process is at the other end.

Entry point: :class:`Clock`. Nothing here ever sleeps. Wire time, erasing and programming are *charged*: the clock is
put forward. With ``real`` the time that passes outside is added, so that a host which waits with its own sleep sees a
board come back; without it, time moves by what the bus does and by :meth:`Clock.sleep`, and runs repeat exactly.
"""

from __future__ import annotations

import time

from hwsim.core import NS_PER_S, Scheduler


class Clock:
    """The bus's time and its queue of events (``scheduler``)."""

    def __init__(self, *, real: bool = False) -> None:
        self.scheduler = Scheduler()
        self._last = time.monotonic_ns() if real else None

    def catch_up(self) -> None:
        """Let pass what has passed outside, and run what is due."""
        elapsed = 0
        if self._last is not None:
            now = time.monotonic_ns()
            elapsed, self._last = now - self._last, now
        self.scheduler.run_until(self.scheduler.now + elapsed)

    def charge(self, duration: int) -> None:
        """Let ``duration`` nanoseconds pass."""
        self.scheduler.run_until(self.scheduler.now + duration)

    def wait(self, deadline: int) -> bool:
        """Go to the next event, ``deadline`` (ns) at most; False when that was reached without one."""
        event = self.scheduler.next_time()
        if event is None or event > deadline:
            self.scheduler.run_until(deadline)
            return False
        self.scheduler.run_until(event)
        return True

    def sleep(self, seconds: float) -> None:
        """``time.sleep`` for a client that is given its clock."""
        self.charge(round(seconds * NS_PER_S))

    def monotonic(self) -> float:
        """``time.monotonic`` for a client that is given its clock: seconds since the bus was made."""
        return self.scheduler.now / NS_PER_S
