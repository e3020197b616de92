"""A simulated table as people stand around it: how time passes there, and what they wait for.

Entry points: :class:`Floor`, :class:`Stuck` (what was waited for in vain).
"""

from __future__ import annotations

from collections.abc import Callable

from hwsim.core import NS_PER_MS
from hwsim.scenario.claims import Entry
from sabot.wire.codes import place
from sabot_host.sim.play import Session

_SLICE_MS = 100
_PATIENCE_MS = 20_000


class Stuck(Exception):
    """The table does not do what people wait for; the text says what they were waiting for."""


class Floor:
    """A table with its host. ``on_slice`` is called every 100 ms of its time."""

    def __init__(self, session: Session, on_slice: Callable[[], None] = lambda: None) -> None:
        self.session = session
        self.table = session.table
        self.stage = session.stage()
        self.on_slice = on_slice

    @property
    def seats(self) -> list[int]:
        """Numbers of the seats, from the dealer's left."""
        return sorted({seat for seat, _ in self.table.spots})

    @property
    def newest(self) -> int:
        """Number of the newest record."""
        entries = self._entries()
        return entries[-1].sequence if entries else 0

    def wait(self, ms: float) -> None:
        """Let time pass."""
        self.until_instant(self.table.now + round(ms * NS_PER_MS))

    def until_instant(self, end: int) -> None:
        """Let time pass until an instant (ns)."""
        while self.table.now < end:
            self.table.run_for(min(_SLICE_MS, (end - self.table.now) / NS_PER_MS))
            self.on_slice()

    def until(self, condition: Callable[[], bool], what: str, patience_ms: int = _PATIENCE_MS) -> None:
        """Let time pass until ``condition()``; Stuck when it does not come."""
        end = self.table.now + patience_ms * NS_PER_MS
        while not self.table.run_while(lambda: not condition(), _SLICE_MS):
            self.on_slice()
            if self.table.now >= end:
                raise Stuck(f"{what} did not come in {patience_ms // 1000} s")

    def _entries(self) -> list[Entry]:
        self.session.witness.look()
        return self.session.witness.entries

    def records(self, name: str, after: int) -> list[Entry]:
        """The records of that name, or irregularities of that kind, behind record ``after``."""
        return [entry for entry in self._entries() if entry.sequence > after and name in (entry.name, entry.family)]

    def record(self, name: str, after: int) -> Entry:
        """Wait for the first of :meth:`records`."""
        self.until(lambda: bool(self.records(name, after)), f"the record '{name}'")
        return self.records(name, after)[0]

    def ended(self, number: int) -> None:
        """Wait until an irregularity has been ended."""

        def found() -> bool:
            return any(entry.fields["id"] == number for entry in self.records("resolved", 0))

        self.until(found, f"the end of irregularity {number}")

    @property
    def state(self) -> str:
        """State of the table, by the records."""
        self.session.witness.look()
        return self.session.witness.state

    def seat_states(self) -> dict[int, str]:
        """State of each seat, by the records."""
        self.session.witness.look()
        return {seat: self.session.witness.model.seat(seat) for seat in self.seats}

    def spot_state(self, seat: int, bet: str) -> str:
        """State of a spot, by the records."""
        self.session.witness.look()
        return self.session.witness.model.spot(place(seat, self.session.bets.index(bet)))
