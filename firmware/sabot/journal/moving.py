"""Moves records from the ring into a segment in flash, a bounded step at a time; gives up segments the host has.

Entry point: :func:`moves`, whose steps belong where no bet can be locked and no card dealt: in each of them the flash
holds interrupts off, for one erase, and eight pages programmed, or for what littlefs writes to name or remove a file.
Loaded for the while, and dropped again.

A segment is written under another name, read back, and named; only then is the ring told that its room may be used
again. Wherever the power goes, each record is in the ring, or in a segment, or in both; its number tells.
"""

from ..wire.crc import crc32
from ..wire.records import TAG_SIZE
from .errors import JournalError
from .kept import read_record
from .segment_file import START, name_of, pack_start
from .segments import longest

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

    from .layout import File, Files, Storage
    from .ring import Ring
    from .segments import Segments

_NEW = "new"  # of a segment that is not whole yet
_STEP_BYTES = const(1024)  # one cache of the file system, four pages; the record that fills it may fill another
_READ_BYTES = const(512)
_READS = const(8)  # in a step


def moves(
    storage: "Storage", ring: "Ring", segments: "Segments", due: bool, moved: "Callable[[int], None]"
) -> "Generator[None, None, None]":
    """Remove segments that the host has acknowledged, then, when ``due``, write one that the ring fills.

    Calls ``moved(sequence)`` when everything up to ``sequence`` is in segments. JournalError ``flash``: the flash does
    not take it, and nothing is lost.
    """
    files = segments.files
    if files is None:
        return
    try:
        while segments.waiting < len(segments.firsts):
            segments.close()
            files.remove(name_of(segments.firsts[0]))
            segments.firsts.pop(0)
            yield
        if due and len(segments.firsts) < segments.most:
            yield from _move(files, storage, ring, segments, moved)
    except OSError:
        raise JournalError("flash")


def _move(
    files: "Files", storage: "Storage", ring: "Ring", segments: "Segments", moved: "Callable[[int], None]"
) -> "Generator[None, None, None]":
    head = ring.head
    safe = head.safe
    first = safe + 1
    last, sizes = ring.piece(longest(ring.capacity) - START)
    if not last:
        return
    before = head.before if first == head.oldest else bytes(read_record(storage, ring, safe)[-TAG_SIZE:])
    offsets = [START]
    for size in sizes:
        offsets.append(START + size)
    start = pack_start(segments.table, segments.key_id, first, last, before, offsets)
    file = files.open(_NEW, "wb")
    try:
        yield
        check = _add(file, start, 0)
        size = 0
        for number in range(first, last + 1):
            if head.safe != safe:
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
    file = files.open(_NEW, "rb")
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
        files.rename(_NEW, name_of(first))
        segments.firsts.append(first)
        segments.last = last
        moved(last)


def _add(file: "File", data: "bytes | bytearray", check: int) -> int:
    """Write all of ``data``; the CRC-32 of everything so far. OSError when it is not all taken."""
    if file.write(data) != len(data):
        raise OSError
    return crc32(data, check)
