"""Exit beam of the shoe: a light barrier that a leaving card interrupts.

Entry point: :class:`ExitBeam` (``block``, ``clear``; ``log`` is the truth).

Line low = blocked, as on the table of revision A; other sensors are high when blocked (``blocked_level``). Limits: no
dust, no dimming; an edge is clean.
"""

from __future__ import annotations

from hwsim.core import Line, Scheduler, SimFault


class ExitBeam:
    """The barrier. Several things may block it at once: it is clear again when the last one has left."""

    def __init__(self, scheduler: Scheduler, line: Line, *, blocked_level: int = 0) -> None:
        self.log: list[tuple[int, bool]] = []
        self._scheduler = scheduler
        self._line = line
        self._blockers = 0
        self._blocked_level = 1 if blocked_level else 0
        line.drive(1 - self._blocked_level)

    @property
    def blocked(self) -> bool:
        """Whether something is in the beam now."""
        return self._blockers > 0

    def block(self, at: int) -> None:
        """Something enters the beam at ``at`` (ns)."""
        self._scheduler.at(at, lambda: self._change(1))

    def clear(self, at: int) -> None:
        """Something leaves the beam at ``at`` (ns).

        Raises:
            SimFault: at that instant, when nothing was in it.
        """
        self._scheduler.at(at, lambda: self._change(-1))

    def _change(self, step: int) -> None:
        before = self.blocked
        self._blockers += step
        if self._blockers < 0:
            raise SimFault(f"{self._line.name}: cleared at {self._scheduler.now} ns with nothing in the beam")
        if self.blocked != before:
            self.log.append((self._scheduler.now, self.blocked))
            self._line.drive(self._blocked_level if self.blocked else 1 - self._blocked_level)
