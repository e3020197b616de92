"""What a journal holds, to be read: records, meters, and how much room is left.

Entry points: :class:`Records`, which :class:`sabot.journal.journal.Journal` extends; :func:`read_record`,
:func:`add_to_meters` and :func:`finish_meters`. Reading goes on while records are appended, and changes nothing.
"""

import struct

from ..wire import meters
from ..wire.crc import crc32
from ..wire.records import HEADER_SIZE, OVERHEAD, RecordError, identity, unpack_fields, whole
from . import layout
from .errors import JournalError
from .layout import RING, Head
from .ring import Ring

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .layout import Storage


def read_record(storage: "Storage", ring: Ring, sequence: int) -> bytearray:
    """The bytes of a record from ``oldest`` to ``last``, tag included, as they stand in memory."""
    at = ring.locate(sequence)
    record = bytearray(ring.size_at(at, sequence))
    storage.read_into(RING + at, record)
    return record


def add_to_meters(block: bytearray, record: "bytes | bytearray") -> bool:
    """Add a whole record to the meters; whether they changed. JournalError ``ring`` when its fields make no sense."""
    code = record[2]
    if not meters.metered(code):
        return False
    body = bytes(record[HEADER_SIZE : len(record) - OVERHEAD + HEADER_SIZE])
    try:
        return meters.apply(block, code, unpack_fields(code, body))
    except RecordError:
        raise JournalError("ring", identity(record)[0])


def finish_meters(block: bytearray, through: int) -> None:
    """End a block of METERS_SIZE bytes, ``through`` being the last record added, so that it can be written."""
    struct.pack_into("<I", block, meters.SIZE, through)
    struct.pack_into("<I", block, meters.SIZE + 4, crc32(memoryview(block)[:-4]))


class Records:
    """The records in one memory. JournalError ``size`` when the memory is too small for a journal."""

    def __init__(self, storage: "Storage") -> None:
        if storage.size < layout.SMALLEST:
            raise JournalError("size")
        self._storage = storage
        self._head = Head()
        self._ring = Ring(storage, self._head)
        self._readable = 0  # the newest record that can be read
        self._block = bytearray(layout.METERS_SIZE)
        self._meters = memoryview(self._block)[: meters.SIZE]
        self._table = b""
        self._key_id = b""

    @property
    def first(self) -> int:
        """Sequence of the oldest record kept; ``last`` + 1 when none is."""
        return self._head.oldest

    @property
    def last(self) -> int:
        """Sequence of the newest record that has its tag, 0 before the first."""
        return self._readable

    @property
    def acknowledged(self) -> int:
        """The host has every record up to this one."""
        return self._head.acknowledged

    @property
    def boundary(self) -> int:
        """Sequence of the last record that ended a round (round_end or void), 0 before the first."""
        return self._head.boundary

    @property
    def table_id(self) -> bytes:
        """The controller's unique id, as provisioned."""
        return self._table

    @property
    def meters(self) -> memoryview:
        """The meters block (:mod:`sabot.wire.meters`) after record ``last``; not to be changed."""
        return self._meters

    @property
    def capacity(self) -> int:
        """Bytes of the ring."""
        return self._ring.capacity

    @property
    def used(self) -> int:
        """Bytes of the ring that the host has not acknowledged."""
        return self._ring.used()

    @property
    def half(self) -> bool:
        """Whether half the ring waits for the host: time to warn."""
        return self._ring.used() * 2 >= self._ring.capacity

    @property
    def full(self) -> bool:
        """Whether only the room to finish the running round is left: the next one must not be opened."""
        return self._ring.used() + layout.room_to_finish(self._ring.capacity) > self._ring.capacity

    def read(self, sequence: int) -> "bytes | None":
        """A record with its tag, or None when it is not kept. At most 33 reads of the memory.

        Damaged contents are returned as they stand, for the auditor to judge; JournalError ``ring`` when the record
        cannot be found for the damage.
        """
        if sequence < self._head.oldest or sequence > self._readable:
            return None
        return bytes(read_record(self._storage, self._ring, sequence))

    def records_from(self, sequence: int) -> "Iterator[tuple[int, bytes]]":
        """``(sequence, record)`` from ``sequence``, or the oldest kept, to the newest; one read and length each."""
        sequence = max(sequence, self._head.oldest)
        record = self.read(sequence)
        while record is not None:
            yield sequence, record
            sequence += 1
            record = self.read(sequence)

    def check(self, sequence: int, count: int) -> int:
        """Judge ``count`` records from ``sequence`` on; the first damaged one, 0 when there is none. For idle times."""
        for number in range(max(sequence, self._head.oldest), min(sequence + count, self._readable + 1)):
            record = read_record(self._storage, self._ring, number)
            if not whole(record, len(record)):
                return number
        return 0
