"""The announcement's hot path: a durable record of the instant, then red lamps. Entry point: `LockPath`.

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


class LockPath:
    """Holds the prepared records of both announcements: the lock of the bets and the close of decisions."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self.edge = 0  # raw ticks of the lock of the running round
        journal = core.ports.journal
        self._lock = journal.prepare(code_of("lock"), {"spots": len(core.spots.announced)})
        record, offsets = self._lock.record, self._lock.offsets
        self._round_at = offsets["round"]
        self._edge_at = offsets["edge"]
        self._rows_at = offsets["spots"] + 1
        record[offsets["game_hash"] : offsets["game_hash"] + 8] = core.config.game_hash
        self._key = journal.prepare(code_of("key"), {})
        self._key_offsets = self._key.offsets
        self.opened = bytearray(core.spots.count)  # decision spots that the close locks, set by the caller

    def strike(self, edge: int) -> None:
        """Lock the bets at the raw instant `edge`: record durable, machines moved, lamps red. Allocates nothing."""
        core = self._core
        spots = core.spots
        record = self._lock.record
        core.round += 1
        put_u32(record, self._round_at, core.round)
        core.ports.clock.stamp(record, self._edge_at, edge)
        at = self._rows_at
        for spot in spots.announced:
            record[at] = spots.places[spot]
            put_u32(record, at + 1, spots.seen[spot])
            at += 5
        core.ports.journal.commit(self._lock, core.ports.clock.ticks())
        lamps = core.ports.lamps
        for spot in spots.announced:
            lamps.spot(spots.places[spot], LAMP_LOCKED)
        lamps.bar(LAMP_LOCKED)
        lamps.show()
        self.edge = edge
        core.in_round = True
        core.machine.fire("lock")
        for spot in spots.announced:
            spots.locked[spot] = spots.seen[spot]
            spots.machines[spot].fire("lock")

    def strike_close(self, edge: int, key: int) -> None:
        """Close the decisions at `edge`: the key's record durable, lamps of the opened spots red. Allocates nothing."""
        core = self._core
        record = self._key.record
        record[self._key_offsets["key"]] = key
        record[self._key_offsets["note"]] = 0
        record[self._key_offsets["table_state"]] = core.machine.state
        core.ports.clock.stamp(record, self._key_offsets["edge"], edge)
        core.ports.journal.commit(self._key, core.ports.clock.ticks())
        lamps = core.ports.lamps
        for spot in range(core.spots.count):
            if self.opened[spot]:
                lamps.spot(core.spots.places[spot], LAMP_LOCKED)
        lamps.show()
