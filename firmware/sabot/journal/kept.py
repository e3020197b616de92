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
    from collections.abc import Callable, Iterator

    from .layout import File, Files, Storage


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
    """The records in one memory, and in at most ``most`` segments in ``flash``, whose files ``open`` opens.

    JournalError ``size`` when the memory is too small for a journal.
    """

    def __init__(
        self,
        storage: "Storage",
        flash: "Files | None" = None,
        open: "Callable[[str, str], File] | None" = None,
        most: int = 0,
    ) -> None:
        if storage.size < layout.SMALLEST:
            raise JournalError("size")
        self._storage = storage
        self._head = Head()
        self._ring = Ring(storage, self._head, flash, open, most)
        self._readable = 0  # the newest record that can be read
        self._block = bytearray(layout.METERS_SIZE)
        self._meters = memoryview(self._block)[: meters.SIZE]

    @property
    def first(self) -> int:
        """Sequence of the oldest record kept; ``last`` + 1 when none is."""
        segments = self._ring
        oldest = self._head.oldest
        goes_on = segments.stored + 1 >= oldest or self._readable < oldest
        return segments.firsts[0] if segments.firsts and goes_on else oldest

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
        return self._ring.table

    @property
    def meters(self) -> memoryview:
        """The meters block (:mod:`sabot.wire.meters`) after record ``last``; not to be changed."""
        return self._meters

    @property
    def capacity(self) -> int:
        """Bytes for records: the ring, and as many segments as there may be."""
        return self._ring.capacity + self._ring.most * self._ring.longest

    @property
    def used(self) -> int:
        """Bytes of it that wait for the host; a segment waits as a whole."""
        return self._ring.used() + self._ring.waiting * self._ring.longest

    @property
    def half(self) -> bool:
        """Whether half the room waits for the host: time to warn."""
        return self.used * 2 >= self.capacity

    @property
    def full(self) -> bool:
        """Whether the ring has only the room to finish the running round: the next one must not be opened."""
        return self._ring.used() + layout.room_to_finish(self._ring.capacity) > self._ring.capacity

    def read(self, sequence: int) -> "bytes | None":
        """A record with its tag, or None when it is not kept. At most 33 reads of the memory, or of a file.

        Damaged contents are returned as they stand, for the auditor to judge; JournalError ``ring`` or ``segment`` when
        the record cannot be found for the damage.
        """
        if sequence < self.first or sequence > self._readable:
            return None
        if sequence < self._head.oldest:
            from .segment import read

            return bytes(read(self._ring, sequence))
        if self._ring.reader:  # whoever read segments has come to their end
            self._ring.reader.close()
            self._ring.reader = None
        return bytes(read_record(self._storage, self._ring, sequence))

    def records_from(self, sequence: int) -> "Iterator[tuple[int, bytes]]":
        """``(sequence, record)`` from ``sequence``, or the oldest kept, to the newest; one read and length each."""
        sequence = max(sequence, self.first)
        record = self.read(sequence)
        while record is not None:
            yield sequence, record
            sequence += 1
            record = self.read(sequence)

    def check(self, sequence: int, count: int) -> int:
        """Judge ``count`` records from ``sequence`` on; the first damaged one, 0 when there is none. For idle times."""
        for number in range(max(sequence, self.first), min(sequence + count, self._readable + 1)):
            record = self.read(number) or b""
            if not whole(record, len(record)):
                return number
        return 0

    @property
    def crowded(self) -> bool:
        """Whether `moves` has something to do: a segment can be given up, or the ring should be relieved."""
        segments = self._ring
        if segments.waiting < len(segments.firsts):
            return True
        return len(segments.firsts) < segments.most and self._ring.used() >= segments.due
