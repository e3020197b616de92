"""What a journal holds, to be read: records, meters, and how much room is left.

Entry point: :class:`Records`, which :class:`sabot.journal.journal.Journal` extends. Reading goes on while records are
appended, and changes nothing.
"""

from ..wire import meters
from ..wire.records import whole
from . import layout, opening
from .errors import JournalError
from .layout import Head
from .ring import Ring

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .layout import Storage


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
        return bytes(opening.read_record(self._storage, self._ring, sequence))

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
            record = opening.read_record(self._storage, self._ring, number)
            if not whole(record, len(record)):
                return number
        return 0
