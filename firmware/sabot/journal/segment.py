"""A segment's file: how it is read, and how records are moved into one while nothing can be locked or dealt.

Entry points: :func:`read` (a record), :func:`acknowledge`, :func:`moves` (steps that relieve the ring),
:class:`Reader` (an open file). Loaded for the while, and dropped again. A file is its start (START bytes: whose
records, which, where every 32nd lies, CRC-32) and the records, as they stand in the ring.

A segment is written under another name, read back, and named; only then is the ring told that its room may be used
again. Wherever the power goes, each record is in the ring, or in a segment, or in both; its number tells.
"""

import struct

from ..wire.crc import crc32
from ..wire.records import MAX_RECORD, OVERHEAD, TAG_SIZE, identity
from .errors import JournalError
from .kept import read_record

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
    from collections.abc import Callable, Generator

    from .layout import File, Storage
    from .ring import Ring

FOLDER = "/segments/"
START = const(128)
_START = "<4sBBH8s8sII8s"  # magic, version, entries, 0, table, name of the first key, first and last record, tag before
_TABLE_AT = const(40)  # u16 each: where record `first` lies, and each behind it whose number 32 divides; 34 at most
_CHECK_AT = const(124)
_MAGIC = b"SJSG"
_VERSION = const(1)
_SHIFT = const(5)  # of a sequence number: records from one entry of the table to the next
_GROUP = const(31)
_NEW = FOLDER + "new"  # of a segment that is not whole yet
_STEP_BYTES = const(1024)  # one cache of the file system, four pages; the record that fills it may fill another
_READ_BYTES = const(512)
_READS = const(8)  # in a step


class Reader:
    """An open segment: ``first`` and ``last`` are its records, ``before`` is the tag of the record before it.

    JournalError ``segment`` when it is damaged or gone, ``formatted`` when it is one of another journal.
    """

    def __init__(self, ring: "Ring", first: int) -> None:
        self.first = first
        self._start = bytearray(START)
        self._short = bytearray(OVERHEAD)
        self._number = 0  # the record behind the one read last, and where it lies
        self._at = 0
        if ring.open is None:
            raise JournalError("segment", first)
        try:
            self._file = ring.open(FOLDER + str(first), "rb")
            size = self._file.readinto(self._start)
        except OSError:
            raise JournalError("segment", first)
        check = struct.unpack_from("<I", self._start, _CHECK_AT)[0]
        found = struct.unpack_from(_START, self._start, 0)
        self.last: int = found[7]
        self.before: bytes = found[8]
        good = size == START and check == crc32(memoryview(self._start)[:_CHECK_AT])
        if not good or found[:2] != (_MAGIC, _VERSION) or found[6] != first or self.last < first:
            self._file.close()
            raise JournalError("segment", first)
        if found[4:6] != (ring.table, ring.key_id):
            self._file.close()
            raise JournalError("formatted", first)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def read(self, sequence: int) -> bytearray:
        """One of its records, as it stands there; at most 33 short reads.

        JournalError ``segment`` when it cannot be found for the damage.
        """
        try:
            group = (sequence >> _SHIFT) - (self.first >> _SHIFT)
            number = max(sequence & ~_GROUP, self.first)
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
                raise OSError
        except OSError:
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


def acknowledge(ring: "Ring", sequence: int) -> None:
    """Count again how many segments wait for the host, which has acknowledged up to ``sequence``."""
    firsts = ring.firsts
    waiting = 0 if ring.stored <= sequence else len(firsts)
    while waiting > 1 and firsts[1 - waiting] <= sequence + 1:
        waiting -= 1
    ring.waiting = waiting


def _close(ring: "Ring") -> None:
    if ring.reader is not None:
        ring.reader.close()
        ring.reader = None


def read(ring: "Ring", sequence: int) -> bytearray:
    """A record from the oldest in a segment to the newest in one. JournalError ``segment``."""
    number = len(ring.firsts) - 1
    while ring.firsts[number] > sequence:
        number -= 1
    if ring.reader is None or ring.reader.first != ring.firsts[number]:
        _close(ring)
        ring.reader = Reader(ring, ring.firsts[number])
    return ring.reader.read(sequence)


def moves(storage: "Storage", ring: "Ring", moved: "Callable[[int, int], None]") -> "Generator[None, None, None]":
    """Remove segments that the host has acknowledged, then, when it is due, write one that the ring fills.

    In each step the flash holds interrupts off: for one erase and eight pages programmed, or for what littlefs writes
    to name or remove a file. Calls ``moved(0, sequence)`` when all up to ``sequence`` is in ring. JournalError
    ``flash``: the flash does not take it, nothing is lost, and the next one is due a segment's length later.
    """
    flash = ring.flash
    opens = ring.open
    if flash is None or opens is None:
        return
    try:
        while ring.waiting < len(ring.firsts):
            _close(ring)
            flash.remove(FOLDER + str(ring.firsts[0]))
            ring.firsts.pop(0)
            yield
        used = ring.used()
        if used < ring.due or len(ring.firsts) >= ring.most:
            return
        ring.due = used + ring.longest
        head = ring.head
        safe = head.safe
        first = safe + 1
        last, start = _begin(storage, ring)
        if not last:
            return
        file = opens(_NEW, "wb")
        try:
            yield
            check = _add(file, start, 0)
            size = 0
            for number in range(first, last + 1):
                if head.safe != safe:
                    ring.due = ring.capacity // 4
                    return  # the host has come meanwhile; the next segment is written over this file
                record = read_record(storage, ring, number)
                check = _add(file, record, check)
                size += len(record)
                if size >= _STEP_BYTES:
                    size = 0
                    yield
        finally:
            file.close()
        yield
        file = opens(_NEW, "rb")
        try:
            piece = bytearray(_READ_BYTES)
            found = count = 0
            size = file.readinto(piece) or 0
            while size:
                found = crc32(memoryview(piece)[:size], found)
                count += 1
                if not count % _READS:
                    yield
                size = file.readinto(piece) or 0
        finally:
            file.close()
        if found != check:
            raise OSError
        yield
        if head.safe == safe:
            flash.rename(_NEW, FOLDER + str(first))
            ring.firsts.append(first)
            ring.stored = last
            moved(0, last)
        ring.due = ring.capacity // 4
    except OSError:
        raise JournalError("flash")


def _begin(storage: "Storage", ring: "Ring") -> "tuple[int, bytearray]":
    """The last record of the segment to be written, 0 when there is none, and the file's start.

    It takes the oldest records that are nowhere else, as many as fit; at most 33 reads of a length.
    """
    head = ring.head
    first = number = head.safe + 1
    at = head.safe_at
    room = ring.longest - START
    size = 0
    offsets = [START]
    for alone in (_GROUP, 0):  # 32 at a time, whose offsets the ring knows, then one by one
        while number <= head.last:
            behind = (number | alone) + 1
            if behind > head.last + 1:
                break
            its_at = ring.locate(behind) if behind <= head.last else head.tail
            more = its_at - at if its_at >= at else head.wrap - at + its_at
            if size + more > room:
                break
            size += more
            number = behind
            at = its_at
            if not number & _GROUP:
                offsets.append(START + size)
    last = number - 1
    before = head.before if first == head.oldest else bytes(read_record(storage, ring, head.safe)[-TAG_SIZE:])
    start = bytearray(START)
    entries = (last >> _SHIFT) - (first >> _SHIFT) + 1
    struct.pack_into(_START, start, 0, _MAGIC, _VERSION, entries, 0, ring.table, ring.key_id, first, last, before)
    for index in range(min(entries, len(offsets))):
        struct.pack_into("<H", start, _TABLE_AT + 2 * index, offsets[index])
    struct.pack_into("<I", start, _CHECK_AT, crc32(memoryview(start)[:_CHECK_AT]))
    return last if last >= first else 0, start


def _add(file: "File", data: "bytes | bytearray", check: int) -> int:
    """Write all of ``data``; the CRC-32 of everything so far. OSError when it is not all taken."""
    if file.write(data) != len(data):
        raise OSError
    return crc32(data, check)
