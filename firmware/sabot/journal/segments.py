"""Segments: closed pieces of the ring in files in flash, to be read record by record.

Entry points: :class:`Segments` (which there are; :meth:`Segments.read`), :func:`name_of`, :func:`read_start` and
:func:`pack_start` (a file's start). ``moving`` writes them, ``opening`` finds them again after a start. A file is its
start (START bytes: whose records, which, where every 32nd lies, CRC-32) and the records, as they stand in the ring.
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

# Bytes of the longest segment: eight blocks of 4,096, of which littlefs takes 44 to find its way from one to the next.
SEGMENT = const(32724)
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


def longest(capacity: int) -> int:
    """Bytes of a segment at most, for a ring of ``capacity`` bytes."""
    return min(SEGMENT, capacity // 4)


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
    if file.readinto(start) != START or struct.unpack_from("<I", start, _CHECK_AT)[0] != crc32(
        memoryview(start)[:_CHECK_AT]
    ):
        return 0, b""
    magic, version, _, _, its_table, its_key, its_first, last, before = struct.unpack_from(_START, start, 0)
    if (magic, version, its_first) != (_MAGIC, _VERSION, first):
        return 0, b""
    if (its_table, its_key) != (table, key_id):
        return -1, b""
    return last, before


class Segments:
    """The segments of one journal. ``files`` is None where there is no flash for them.

    ``firsts`` are the first records of all of them, oldest first; ``last`` is the newest record in any.
    """

    def __init__(self, files: "Files | None", most: int) -> None:
        self.files = files
        self.most = most
        self.firsts: list[int] = []
        self.last = 0
        self.waiting = 0  # how many hold a record that the host has not acknowledged
        self.table = b""
        self.key_id = b""
        self._start = bytearray(START)
        self._file: File | None = None
        self._first = 0  # of the file that is open
        self._before = b""
        self._number = 0  # the record behind the one read last, and where it lies
        self._at = 0

    def acknowledged(self, sequence: int) -> None:
        """Count again how many segments wait for the host, which has acknowledged up to ``sequence``."""
        number = 0
        while number < len(self.firsts) and self.end(number) <= sequence:
            number += 1
        self.waiting = len(self.firsts) - number

    def end(self, number: int) -> int:
        """The last record of a segment."""
        return self.firsts[number + 1] - 1 if number + 1 < len(self.firsts) else self.last

    def close(self) -> None:
        """Let go of the file that is open for reading."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def before(self) -> bytes:
        """The tag of the record before the oldest one in a segment. JournalError ``segment``."""
        try:
            return self._open(self.firsts[0])
        except OSError:
            raise JournalError("segment", self.firsts[0])

    def read(self, sequence: int) -> bytearray:
        """A record from the oldest in a segment to ``last``, as it stands there; at most 32 short reads.

        JournalError ``segment`` when it cannot be found for the damage.
        """
        number = len(self.firsts) - 1
        while self.firsts[number] > sequence:
            number -= 1
        try:
            return self._read(self.firsts[number], sequence)
        except OSError:
            self.close()
            raise JournalError("segment", sequence)

    def _open(self, first: int) -> bytes:
        """Open a segment unless it is open; the tag before its first record."""
        if self._file is None or self._first != first:
            self.close()
            if self.files is None:
                raise JournalError("segment", first)
            self._file = self.files.open(name_of(first), "rb")
            self._first = first
            self._number = 0
            last, self._before = read_start(self._file, self._start, self.table, self.key_id, first)
            if last < first:
                raise JournalError("segment", first)
        return self._before

    def _read(self, first: int, sequence: int) -> bytearray:
        self._open(first)
        group = (sequence >> _SHIFT) - (first >> _SHIFT)
        number = max(sequence >> _SHIFT << _SHIFT, first)
        at = struct.unpack_from("<H", self._start, _TABLE_AT + 2 * group)[0]
        if number < self._number <= sequence:
            number = self._number
            at = self._at
        short = bytearray(OVERHEAD)
        size = self._size(at, number, short)
        while number < sequence:
            at += size
            number += 1
            size = self._size(at, number, short)
        record = bytearray(size)
        if self._file is not None:
            self._file.seek(at)
            if self._file.readinto(record) != size:
                raise JournalError("segment", sequence)
        self._number = sequence + 1
        self._at = at + size
        return record

    def _size(self, at: int, number: int, short: bytearray) -> int:
        """Length of record ``number``, which must lie at ``at``."""
        found = 0
        if self._file is not None:
            self._file.seek(at)
            found = self._file.readinto(short) or 0
        size = short[0] | short[1] << 8
        if found != OVERHEAD or size < OVERHEAD or size > MAX_RECORD or identity(short)[0] != number:
            raise JournalError("segment", number)
        return size
