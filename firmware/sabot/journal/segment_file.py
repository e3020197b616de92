"""A segment's file: its start (START bytes: whose records, which, where every 32nd lies, CRC-32), then the records.

Entry points: :func:`name_of`, :func:`pack_start` and :func:`read_start` (a file's start), :class:`Reader` (its records,
as they stood in the ring). Loaded while segments are found, written or read.
"""

import struct

from ..wire.crc import crc32
from ..wire.records import MAX_RECORD, OVERHEAD, identity
from .errors import JournalError

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """The value itself: CPython has no compile-time constants."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from .layout import File, Files

START = const(128)

_START = "<4sBBH8s8sII8s"  # magic, version, entries, 0, table, name of the first key, first and last record, tag before
_TABLE_AT = const(40)  # u16 each: where record `first` lies, and each behind it whose number 32 divides; 34 at most
_CHECK_AT = const(124)
_MAGIC = b"SJSG"
_VERSION = const(1)
_SHIFT = const(5)  # of a sequence number: records from one entry of the table to the next


def name_of(first: int) -> str:
    """Name of the file whose first record is ``first``."""
    return "%08x" % first


def pack_start(table: bytes, key_id: bytes, first: int, last: int, before: bytes, offsets: "list[int]") -> bytearray:
    """The start of a file: ``before`` is the tag of the record before ``first``, ``offsets`` those of each 32nd."""
    start = bytearray(START)
    struct.pack_into(_START, start, 0, _MAGIC, _VERSION, len(offsets), 0, table, key_id, first, last, before)
    for index in range(len(offsets)):
        struct.pack_into("<H", start, _TABLE_AT + 2 * index, offsets[index])
    struct.pack_into("<I", start, _CHECK_AT, crc32(memoryview(start)[:_CHECK_AT]))
    return start


def read_start(file: "File", start: bytearray, table: bytes, key_id: bytes, first: int) -> "tuple[int, bytes]":
    """Fill ``start`` from a file that is to begin with record ``first``; its last record and the tag before the first.

    The last record is 0 when it is not the whole start of such a file, -1 when it is one of another journal.
    """
    size = file.readinto(start)
    check = struct.unpack_from("<I", start, _CHECK_AT)[0]
    if size != START or check != crc32(memoryview(start)[:_CHECK_AT]):
        return 0, b""
    magic, version, _, _, its_table, its_key, its_first, last, before = struct.unpack_from(_START, start, 0)
    if (magic, version, its_first) != (_MAGIC, _VERSION, first) or last < first:
        return 0, b""
    if (its_table, its_key) != (table, key_id):
        return -1, b""
    return last, before


class Reader:
    """An open segment, whose first record is ``first``; ``before`` is the tag of the record before it.

    JournalError ``segment`` when it is damaged or gone.
    """

    def __init__(self, files: "Files", table: bytes, key_id: bytes, first: int) -> None:
        self.first = first
        self._start = bytearray(START)
        self._short = bytearray(OVERHEAD)
        self._number = 0  # the record behind the one read last, and where it lies
        self._at = 0
        try:
            self._file = files.open(name_of(first), "rb")
            last, self.before = read_start(self._file, self._start, table, key_id, first)
        except OSError:
            raise JournalError("segment", first)
        if last < first:
            self._file.close()
            raise JournalError("segment", first)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def read(self, sequence: int) -> bytearray:
        """One of its records, as it stands there; at most 33 short reads.

        JournalError ``segment`` when it cannot be found for the damage.
        """
        try:
            return self._read(sequence)
        except OSError:
            raise JournalError("segment", sequence)

    def _read(self, sequence: int) -> bytearray:
        group = (sequence >> _SHIFT) - (self.first >> _SHIFT)
        number = max(sequence >> _SHIFT << _SHIFT, self.first)
        at = struct.unpack_from("<H", self._start, _TABLE_AT + 2 * group)[0]
        if number < self._number <= sequence:
            number = self._number
            at = self._at
        size = self._size(at, number)
        while number < sequence:
            at += size
            number += 1
            size = self._size(at, number)
        record = bytearray(size)
        self._file.seek(at)
        if self._file.readinto(record) != size:
            raise JournalError("segment", sequence)
        self._number = sequence + 1
        self._at = at + size
        return record

    def _size(self, at: int, number: int) -> int:
        """Length of record ``number``, which must lie at ``at``."""
        short = self._short
        self._file.seek(at)
        found = self._file.readinto(short)
        size = short[0] | short[1] << 8
        if found != OVERHEAD or size < OVERHEAD or size > MAX_RECORD or identity(short)[0] != number:
            raise JournalError("segment", number)
        return size
