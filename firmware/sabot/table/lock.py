"""The locks' hot paths: a durable record of the instant, then red lamps. Entry points: `LockPath`, `SpotsLock`.

Nothing here allocates: it runs while the heap may be full or being collected, and must be done within 10 ms of the key.
What takes longer (seal, confirming scan, questions) is done by the caller afterwards.
"""

from sabot.wire.codes import LAMP_LOCKED
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.core import Core


def put_u32(buffer: bytearray, offset: int, value: int) -> None:
    """Write a whole number below 2**30 as 4 bytes, little endian, without allocation."""
    buffer[offset] = value & 0xFF
    buffer[offset + 1] = (value >> 8) & 0xFF
    buffer[offset + 2] = (value >> 16) & 0xFF
    buffer[offset + 3] = value >> 24


class SpotsLock:
    """The prepared record of one lock, of the bets on `spots`; `name` is the record's."""

    def __init__(self, core: "Core", name: str, spots: bytes) -> None:
        self._core = core
        self.spots = spots
        self.edge = 0  # raw ticks of the lock of the running round
        self._lock = core.ports.journal.prepare(code_of(name), {"spots": len(spots)})
        offsets = self._lock.offsets
        self._round_at = offsets["round"]
        self._edge_at = offsets["edge"]
        self._rows_at = offsets["spots"] + 1
        if "game_hash" in offsets:
            at = offsets["game_hash"]
            self._lock.record[at : at + 8] = core.config.game_hash

    def lock_spots(self, edge: int) -> None:
        """Lock at the raw instant `edge`: record durable, lamps of the spots red, their machines moved.

        A spot that is not open, because its seat is out already, is not locked: it is written with 0.
        """
        core = self._core
        spots = core.spots
        record = self._lock.record
        put_u32(record, self._round_at, core.round)
        core.ports.clock.stamp(record, self._edge_at, edge)
        at = self._rows_at
        for spot in self.spots:
            record[at] = spots.places[spot]
            put_u32(record, at + 1, spots.seen[spot] if spots.machines.can("lock", spot) else 0)
            at += 5
        core.ports.journal.commit(self._lock, core.ports.clock.ticks())
        lamps = core.ports.lamps
        for spot in self.spots:
            if spots.machines.can("lock", spot):
                lamps.spot(spots.places[spot], LAMP_LOCKED)
        lamps.bar(LAMP_LOCKED)
        lamps.show()
        self.edge = edge
        for spot in self.spots:
            if spots.machines.attempt("lock", spot):
                spots.locked[spot] = spots.seen[spot]


class LockPath(SpotsLock):
    """Holds the prepared records of both announcements: the lock of the bets and the close of decisions."""

    def __init__(self, core: "Core") -> None:
        super().__init__(core, "lock", core.spots.announced)
        self._key = core.ports.journal.prepare(code_of("key"), {})
        self._key_offsets = self._key.offsets
        self.opened = bytearray(core.spots.count)  # decision spots that the close locks, set by the caller

    def strike(self, edge: int) -> None:
        """Lock the bets at the raw instant `edge`: record durable, machines moved, lamps red. Allocates nothing."""
        core = self._core
        core.round += 1
        self.lock_spots(edge)
        core.in_round = True
        core.machine.fire("lock")

    def strike_close(self, edge: int, key: int) -> None:
        """Close the decisions at `edge`: the key's record durable, lamps of the opened spots red. Allocates nothing."""
        core = self._core
        record = self._key.record
        record[self._key_offsets["key"]] = key
        record[self._key_offsets["note"]] = 0
        record[self._key_offsets["table_state"]] = core.machine.state()
        core.ports.clock.stamp(record, self._key_offsets["edge"], edge)
        core.ports.journal.commit(self._key, core.ports.clock.ticks())
        lamps = core.ports.lamps
        for spot in range(core.spots.count):
            if self.opened[spot]:
                lamps.spot(core.antenna_place(spot), LAMP_LOCKED)
        lamps.show()
