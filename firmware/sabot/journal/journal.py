"""The audit journal: records chained by an evolving key, durable when the call that made them returns.

Entry point: :class:`Journal`. Appending takes two steps. :meth:`~Journal.commit` writes the record's body: from then on
it survives any power cut, and it allocates nothing. :meth:`~Journal.seal` adds the tag: meters, one head slot, the tag,
the other head slot, in this order; the last of them overwrites the old key. :meth:`~Journal.append` does both.
"""

import struct

from ..wire import meters
from ..wire.crc import crc16
from ..wire.records import (
    CHECK_SIZE,
    HEADER_SIZE,
    LAST_BOOT,
    MAX_RECORD,
    OVERHEAD,
    TAG_SIZE,
    RecordError,
    chain_tag,
    field_offsets,
    fixed_size,
    identity,
    next_key,
    pack_fields,
)
from . import layout
from .errors import JournalError
from .kept import Records, add_to_meters, finish_meters
from .layout import RING, put_marker
from .stamp import Stamp

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

    from .layout import File, Files, Storage
    from .opening import Recovery
    from .stamp import Clock

_ROUND_ENDS = (0x19, 0x1A)  # void, round_end


class Prepared:
    """A record whose size is known and whose fields the caller fills in, to be committed without allocation.

    ``record`` is the whole record, ``offsets`` says where each field begins in it; the count byte of each list is set.
    It may be committed again and again, once it is sealed.
    """

    def __init__(self, code: int, size: int, offsets: "dict[str, int]") -> None:
        self.record = bytearray(size)
        self.code = code
        self.fields = HEADER_SIZE
        self.offsets = offsets
        struct.pack_into("<HB", self.record, 0, size, code)


class Journal(Records):
    """One journal in one memory.

    Args:
        storage: the memory; `size`, `read_into(address, buf)`, `write(address, buf)`.
        clock: `ticks()`, `monotonic(ticks)`, `stamp(buf, offset, ticks)`, `wall()`.
        flash: the files in flash, for segments: `listdir`, `mkdir`, `remove`, `rename` as of `os`; None: none.
        open: opens one of them, as the built-in function does.
        most: segments that may be there.
    """

    def __init__(
        self,
        storage: "Storage",
        clock: "Clock",
        flash: "Files | None" = None,
        open: "Callable[[str, str], File] | None" = None,
        most: int = 0,
    ) -> None:
        super().__init__(storage, flash, open, most)
        self.dealer = 0  # goes into every record; 0: nobody signed on
        self.boot = 0
        self._clock = clock
        self._stamp = Stamp(clock)
        self._usable = False
        self._head_bytes = bytearray(layout.HEAD_SIZE)
        self._head_check = bytearray(layout.HEAD_SIZE)
        self._marker = bytearray(layout.MARKER_SIZE)
        self._pending: bytearray | None = None
        self._pending_at = 0

    def format(self, key: bytes, table_id: bytes, replace: bool = False) -> None:
        """Provision the memory: :func:`sabot.journal.opening.format_storage`. The journal must be opened after it."""
        from . import opening

        self._usable = False
        opening.format_storage(self._storage, key, table_id, replace, self._ring.flash)

    def open(self) -> "Recovery":
        """Find the newest good head, complete what a power cut left, and say what was done.

        JournalError ``unformatted version size superblock head meters ring segment``: the journal stays shut for
        appends and nothing was changed but copies mended; with ``ring`` and ``segment``, the records before the damaged
        one can be read.
        """
        from . import opening

        self._usable = False
        self._pending = None
        recovery = opening.Recovery()
        head = self._head
        try:
            pending = opening.recover(self._storage, self._ring, self._block, recovery)
        finally:
            self._readable = recovery.readable
        self._usable = True
        self.boot = min(head.boot + 1, LAST_BOOT)
        if pending:
            # It belongs to the boot in which it was committed, which may be one that the head does not know yet.
            self.boot = max(head.boot, identity(pending[0])[1])
            self._pending, self._pending_at = pending
            recovery.completed = self.seal()
            recovery.records += 1
            self.boot = min(self.boot + 1, LAST_BOOT)
        recovery.boot = self.boot
        return recovery

    # Appending

    def append(self, code: int, values: "dict[str, Any]") -> int:
        """Make a record durable and return its sequence number; seals a prepared one first.

        Args:
            code: of :data:`sabot.wire.records`.
            values: its fields by name; lists are sequences of tuples.

        RecordError ``unknown field length`` before anything is written; JournalError ``full storage closed``.
        """
        self.seal()
        fields = pack_fields(code, values)
        size = OVERHEAD + len(fields)
        if size > MAX_RECORD:
            raise RecordError("length", "a record of %d bytes; the most is %d" % (size, MAX_RECORD))
        record = bytearray(size)
        struct.pack_into("<HB", record, 0, size, code)
        record[HEADER_SIZE : HEADER_SIZE + len(fields)] = fields
        self._stamp.refresh()
        self._commit(record, self._clock.ticks())
        return self.seal()

    def prepare(self, code: int, counts: "dict[str, int]") -> Prepared:
        """A record with ``counts[name]`` entries in each list, whose fields are still to be filled in.

        KeyError for a record with fields of variable length, or a list without a count. RecordError ``unknown``.
        """
        size = fixed_size(code, counts)
        if size > MAX_RECORD:
            raise RecordError("length", "a record of %d bytes; the most is %d" % (size, MAX_RECORD))
        prepared = Prepared(code, size, field_offsets(code, counts))
        for name, count in counts.items():
            prepared.record[prepared.offsets[name]] = count
        self._stamp.refresh()
        return prepared

    def commit(self, prepared: Prepared, ticks: int) -> int:
        """Make a prepared record durable and return its sequence number. Allocates nothing.

        ``ticks`` is the raw instant for its header. JournalError ``full unsealed storage closed``. The record may be
        changed again after :meth:`seal`, which must follow before the next commit.
        """
        if self._pending is not None:
            raise JournalError("unsealed", self._head.last + 1)
        return self._commit(prepared.record, ticks)

    def _commit(self, record: bytearray, ticks: int) -> int:
        if not self._usable:
            raise JournalError("closed")
        size = len(record)
        sequence = self._head.last + 1
        at = self._ring.place(size)
        if at < 0:
            raise JournalError("full")
        self._stamp.write(record, ticks, sequence, self.boot, self.dealer)
        end = size - TAG_SIZE - CHECK_SIZE
        check = crc16(record, end)
        record[end] = check & 0xFF
        record[end + 1] = check >> 8
        put_marker(record, sequence)
        self._usable = False
        self._storage.write(RING + at, record)
        # The last bytes written are read back: a memory that is gone or protected ignores writes without a word.
        self._storage.read_into(RING + at + size - TAG_SIZE, self._marker)
        for index in range(TAG_SIZE):
            if self._marker[index] != record[size - TAG_SIZE + index]:
                raise JournalError("storage", sequence)
        self._usable = True
        self._pending = record
        self._pending_at = at
        return sequence

    def seal(self) -> int:
        """Tag the committed record, if there is one, and bring head and meters up to it; the newest sequence."""
        if not self._usable:
            raise JournalError("closed")
        record = self._pending
        head = self._head
        if record is None:
            return head.last
        # Anything that fails from here on leaves memory and head apart: only open() can tell how far it came.
        self._usable = False
        size = len(record)
        at = self._pending_at
        head.tag = chain_tag(head.key, head.tag, record)
        head.key = next_key(head.key)
        head.boot = self.boot
        self._ring.took(at, size)
        if record[2] in _ROUND_ENDS:
            head.boundary = head.last
        if add_to_meters(self._block, record):
            self._write_meters()
        self._ring.free()
        self._write_head(RING + at + size - TAG_SIZE)
        self._pending = None
        self._readable = head.last
        self._usable = True
        return head.last

    def _write_meters(self) -> None:
        head = self._head
        finish_meters(self._block, head.last)
        head.meters = 1 - head.meters
        address = layout.METERS[head.meters]
        self._storage.write(address, self._block)
        end = bytearray(8)
        self._storage.read_into(address + meters.SIZE, end)
        if end != self._block[meters.SIZE :]:
            raise JournalError("storage", head.last)

    def _write_head(self, tag_address: int) -> None:
        """Write one slot, then the newest record's tag (address 0: it has it), then the other slot and its old key."""
        self._head.pack_into(self._head_bytes)
        self._write_slot(0)
        if tag_address:
            self._storage.write(tag_address, self._head.tag)
        self._write_slot(1)

    def _write_slot(self, slot: int) -> None:
        self._storage.write(layout.HEADS[slot], self._head_bytes)
        self._storage.read_into(layout.HEADS[slot], self._head_check)
        if self._head_check != self._head_bytes:
            raise JournalError("storage", self._head.last)

    # The host

    def begun_with(self, key_id: bytes) -> bool:
        """Whether the chain began with the key of this name (:func:`sabot.wire.head.key_id`)."""
        return self._ring.key_id == key_id

    def acknowledge(self, sequence: int, safe: int = 0) -> None:
        """The host has every record up to ``sequence``, and segments have those up to ``safe``; less is no news.

        JournalError ``sequence`` beyond the newest record, ``closed``, ``storage``.
        """
        self.seal()
        head = self._head
        if sequence > head.last:
            raise JournalError("sequence", sequence)
        sequence = max(sequence, head.acknowledged)
        safe = max(sequence, safe, head.safe)
        if safe > head.safe:
            head.safe_at = head.tail if safe == head.last else self._ring.locate(safe + 1)
        elif sequence == head.acknowledged:
            return
        self._usable = False
        head.acknowledged = sequence
        head.safe = safe
        self._ring.free()
        self._write_head(0)
        self._usable = True
        if self._ring.firsts:
            from .segment import acknowledge

            acknowledge(self._ring, sequence)

    def moves(self) -> "Generator[None, None, None]":
        """Steps that relieve the ring: :func:`sabot.journal.segment.moves`. JournalError ``flash``.

        Only where no bet can be locked and no card dealt.
        """
        from .segment import moves

        return moves(self._storage, self._ring, self.acknowledge)

    def head(self, nonce: bytes) -> bytes:
        """What this journal says of all its records, keyed over the host's nonce (:mod:`sabot.wire.head`)."""
        from ..wire.head import build  # no heap for it where nobody pulls

        self.seal()
        head = self._head
        first = self.first
        before = head.before
        if first != head.oldest:
            self.read(first)
            reader = self._ring.reader
            before = reader.before if reader else before
        return build(
            head.key,
            self._ring.table,
            self._ring.key_id,
            head.boot,
            first,
            head.last,
            head.acknowledged,
            head.tag,
            before,
            meters.digest(self._meters),
            nonce,
        )
