"""Gate of the shoe: a solenoid that lets cards out while its line is high.

Entry point: :class:`Gate` (``open``, ``holds``; ``log`` is the truth).

A spring closes it: without power no card leaves. ``dead``: the plunger has broken off, and no card is held. Limits: the
plunger follows the line at once, or after ``travel_ns``; no coil heating, no bounce.
"""

from __future__ import annotations

from hwsim.core import Event, Line, Scheduler


class Gate:
    """The solenoid. ``log`` holds (ns, open) of each movement; ``travel_ns`` is the plunger's time."""

    def __init__(self, scheduler: Scheduler, line: Line, *, travel_ns: int = 0) -> None:
        self.open = bool(line.level)
        self.dead = False
        self.log: list[tuple[int, bool]] = []
        self._scheduler = scheduler
        self._travel_ns = travel_ns
        self._moving: Event | None = None
        line.listen(self._edge)

    @property
    def holds(self) -> bool:
        """Whether no card can leave."""
        return not self.open and not self.dead

    def _edge(self, _line: Line, level: int) -> None:
        if self._moving is not None:
            self._moving.cancel()
            self._moving = None
        if self._travel_ns:
            self._moving = self._scheduler.after(self._travel_ns, lambda: self._move(bool(level)))
        else:
            self._move(bool(level))

    def _move(self, is_open: bool) -> None:
        self._moving = None
        if is_open != self.open:
            self.open = is_open
            self.log.append((self._scheduler.now, is_open))
