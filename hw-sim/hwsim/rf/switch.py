"""Which antenna a reader is wired to.

Entry points: :class:`RfPort` (what a reader model expects of its antenna socket), :class:`FixedPort` (one antenna, for
good), :class:`AntennaSwitch` (an analogue switch with binary select lines).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hwsim.core import Line, Scheduler
from hwsim.rf.antenna import Antenna


class RfPort(Protocol):
    """A reader's antenna socket."""

    def antenna(self) -> Antenna | None:
        """The antenna wired to the socket now; None: an open end."""

    def attach(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` whenever another antenna is wired to the socket."""


class FixedPort:
    """A socket with one antenna."""

    __slots__ = ("_antenna",)

    def __init__(self, antenna: Antenna | None) -> None:
        self._antenna = antenna

    def antenna(self) -> Antenna | None:
        """The antenna."""
        return self._antenna

    def attach(self, changed: Callable[[], None]) -> None:
        """Nothing to report: the wiring never changes."""


class AntennaSwitch:
    """An RF switch: ``select_lines`` (LSB first) choose one of ``antennas``.

    A position beyond the list, or holding None, is an open end. Lines that move at the same instant (one write to an
    expander port) count as one change; lines moved one after the other pass through every position between.
    """

    __slots__ = ("_antennas", "_changed", "_scheduler", "_select", "_settling", "position")

    def __init__(self, scheduler: Scheduler, select_lines: Sequence[Line], antennas: Sequence[Antenna | None]) -> None:
        if len(antennas) > 1 << len(select_lines):
            raise ValueError(f"{len(select_lines)} select lines cannot reach {len(antennas)} antennas")
        self._scheduler = scheduler
        self._select = tuple(select_lines)
        self._antennas = tuple(antennas)
        self._changed: Callable[[], None] | None = None
        self._settling = False
        self.position = self._read()
        for line in self._select:
            line.listen(self._line_moved)

    def antenna(self) -> Antenna | None:
        """The antenna that the select lines choose."""
        return self._antennas[self.position] if self.position < len(self._antennas) else None

    def attach(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` whenever another position is reached."""
        self._changed = changed

    def _read(self) -> int:
        return sum(line.level << bit for bit, line in enumerate(self._select))

    def _line_moved(self, line: Line, level: int) -> None:
        if not self._settling:
            self._settling = True
            self._scheduler.at(self._scheduler.now, self._settle)

    def _settle(self) -> None:
        self._settling = False
        position = self._read()
        if position != self.position:
            self.position = position
            if self._changed is not None:
                self._changed()
