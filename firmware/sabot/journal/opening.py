"""What happens before the first append: provisioning, and picking up after whatever cut the power.

Entry points: :func:`format_storage`, :func:`recover`, :class:`Recovery`; :data:`WORDS`, :func:`meaning`: what can be
wrong. Nothing here loops without a bound, and nothing replaces what is damaged but from its good copy. Needed at the
start only.
"""

import struct

from ..wire import meters
from ..wire.crc import crc32
from ..wire.head import key_id
from ..wire.records import MAX_RECORD, OVERHEAD, TAG_SIZE, chain_tag, identity, whole
from . import layout
from .errors import JournalError, in_words
from .kept import add_to_meters, finish_meters, read_record
from .layout import RING, Head, Superblock
from .ring import Ring
from .segment import FOLDER, Reader, acknowledge

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from .layout import Files, Storage

_ENOENT = 2

# What can be wrong before a record can be appended, each on a line: code, what it means. Play does not start then.
WORDS = """
unformatted the memory holds no journal: the controller was never provisioned
formatted the memory holds a journal already; it is never replaced silently
version the memory holds a journal of another version
size the memory is too small, or of another size than the journal was made for
superblock both copies of the superblock are damaged
head both copies of the head are damaged: the chain cannot be continued
meters the meters are damaged and cannot be added up again from the records
ring a record is damaged; the error's sequence says which, those before it can still be read
segment a record is in a segment that is damaged or gone from the flash; those before it can still be read
"""


class Recovery:
    """What opening the journal found and did."""

    def __init__(self) -> None:
        self.boot = 0  # number of this boot, from 1
        self.records = 0  # records kept in the ring
        self.completed = 0  # sequence of a record whose append was cut and is now complete; 0: none
        self.repaired: list[str] = []  # parts set right from their copy: superblock, head, tag, meters, segment
        self.flash = True  # segments can be read, and written
        self.readable = 0  # the newest record that can be read, whatever else is wrong


def meaning(error: JournalError) -> str:
    """The error in words, with the record that it is about."""
    return in_words(WORDS, error.code, error.sequence) or str(error)


def _zero(storage: "Storage", start: int, end: int) -> None:
    block = bytes(256)
    for address in range(start, end, 256):
        storage.write(address, block[: end - address])


def format_storage(
    storage: "Storage", key: bytes, table: bytes, replace: bool = False, flash: "Files | None" = None
) -> None:
    """Write an empty journal whose first record will be tagged with ``key``; provisioning, once in a table's life.

    Args:
        storage: the memory, all of which is overwritten.
        key: 32 bytes; the auditor keeps a copy, the controller's is gone after the first record.
        table: 8 bytes, the controller's unique id.
        replace: give up a journal that is there; without it JournalError ``formatted``.
        flash: where its segments are; an OSError when they cannot be given up.
    """
    if len(key) != 32 or len(table) != 8:
        raise ValueError("a key has 32 bytes and a table id 8")
    if storage.size < layout.SMALLEST:
        raise JournalError("size")
    if not replace:
        for address in layout.SUPERBLOCKS:
            if _superblock_at(storage, address) != "unformatted":
                raise JournalError("formatted")
        if flash and _firsts(flash):
            raise JournalError("formatted")
    # The superblock is the first to go and the last to come: a cut in between leaves "unformatted".
    _zero(storage, 0, storage.size)
    if flash:
        for first in _firsts(flash):
            flash.remove(FOLDER + str(first))
    head = Head()
    head.key = key
    slot = bytearray(layout.HEAD_SIZE)
    head.pack_into(slot)
    for address in layout.HEADS:
        storage.write(address, slot)
    block = bytearray(layout.METERS_SIZE)
    finish_meters(block, 0)
    for address in layout.METERS:
        storage.write(address, block)
    superblock = Superblock(storage.size, table, key_id(key)).pack()
    for address in layout.SUPERBLOCKS:
        storage.write(address, superblock)


def _rebuild(ring: Ring) -> int:
    """Go from the oldest record to the newest, fill the index, check that each is where it must be.

    Returns the number of records found; JournalError ``ring`` names the first that is not there.
    """
    head = ring.head
    at = head.oldest_at
    for sequence in range(head.oldest, head.last + 1):
        ring.note(sequence, at)
        at = ring.behind(at, sequence)
    if at != head.tail and head.oldest <= head.last:
        raise JournalError("ring", head.last)
    return head.last + 1 - head.oldest


def recover(storage: "Storage", ring: Ring, block: bytearray, recovery: Recovery) -> "tuple[bytearray, int] | None":
    """Fill the ring's head, its index, the segments and the meters' ``block``, and put right what a power cut left.

    The body whose append was cut, and its offset, or None. JournalError as of `Journal.open`.
    """
    head = ring.head
    superblock = _read_superblock(storage, recovery)
    ring.table = superblock.table
    ring.key_id = superblock.key_id
    good, differs = _read_head(storage, head)
    try:
        recovery.records = _rebuild(ring)
        reach = _read_segments(ring, recovery)
        if reach != head.safe:
            # A segment named just before the power went, or one that is of no use while the ring has its records.
            head.safe_at = head.tail if reach == head.last else ring.locate(reach + 1)
            head.safe = reach
        # The start of play reads every record from the one that ended the last round on.
        for sequence in range(max(head.boundary, head.oldest), head.last + 1):
            record = read_record(storage, ring, sequence)
            if not whole(record, len(record)):
                raise JournalError("ring", sequence)
    except JournalError as error:
        recovery.readable = error.sequence - 1
        raise
    _read_meters(storage, ring, block, recovery)
    _mend_tag(storage, ring, recovery)
    if differs:
        slot = bytearray(layout.HEAD_SIZE)
        head.pack_into(slot)
        storage.write(layout.HEADS[1 - good], slot)
        found = bytearray(layout.HEAD_SIZE)
        storage.read_into(layout.HEADS[1 - good], found)
        if found != slot:
            raise JournalError("storage", head.last)
        recovery.repaired.append("head")
    recovery.readable = head.last
    return _pending_body(storage, ring)


def _superblock_at(storage: "Storage", address: int) -> "Superblock | str":
    data = bytearray(layout.SUPERBLOCK_SIZE)
    storage.read_into(address, data)
    return layout.superblock_state(data)


def _read_superblock(storage: "Storage", recovery: Recovery) -> Superblock:
    """The superblock, its damaged copy mended. JournalError ``unformatted version superblock size``."""
    first = _superblock_at(storage, layout.SUPERBLOCKS[0])
    second = _superblock_at(storage, layout.SUPERBLOCKS[1])
    good = first if isinstance(first, Superblock) else second
    if not isinstance(good, Superblock):
        raise JournalError(str(second if first == "unformatted" else first))
    if good.size != storage.size:
        raise JournalError("size")
    for address, found in ((layout.SUPERBLOCKS[0], first), (layout.SUPERBLOCKS[1], second)):
        if not isinstance(found, Superblock):
            storage.write(address, good.pack())
            recovery.repaired.append("superblock")
    return good


def _read_head(storage: "Storage", head: Head) -> "tuple[int, bool]":
    """Fill ``head`` from the newest good slot; its number and whether the other slot differs. JournalError ``head``.

    Slot 0 is always written first, so when it is good it is at least as new as slot 1.
    """
    slots = []
    for address in layout.HEADS:
        slot = bytearray(layout.HEAD_SIZE)
        storage.read_into(address, slot)
        slots.append(slot)
    for number in range(len(slots)):
        if head.unpack(slots[number]) and head.fits(storage.size - RING):
            return number, slots[0] != slots[1]
    raise JournalError("head")


def _firsts(flash: "Files") -> "list[int]":
    """First records of the segments there are, in order; other files are none. The folder is made when it is gone."""
    try:
        names = flash.listdir(FOLDER[:-1])
    except OSError as error:
        if error.errno != _ENOENT:
            raise
        flash.mkdir(FOLDER[:-1])
        names = []
    return sorted([int(name) for name in names if name.isdigit()])


def _read_segments(ring: Ring, recovery: Recovery) -> int:
    """Fill in which segments there are; the record up to which everything is in them, or with the host.

    Those of which the host has everything go, and a damaged one whose records the ring still has. JournalError
    ``segment`` names the first record that is nowhere; those before it can be read. A flash that cannot be read is
    given up when no record is in it alone.
    """
    ring.firsts.clear()
    try:
        if ring.flash:
            return _read_all(ring.flash, ring, recovery)
    except OSError:
        ring.flash = None
        ring.most = 0
        recovery.flash = False
    ring.firsts.clear()
    return _covered(ring.head, ring.head.acknowledged)


def _covered(head: Head, reach: int) -> int:
    """``reach`` when the ring goes on behind it. JournalError ``segment``."""
    if not head.oldest - 1 <= reach <= head.last:
        raise JournalError("segment", min(reach, head.last) + 1)
    return reach


def _read_all(flash: "Files", ring: Ring, recovery: Recovery) -> int:
    head = ring.head
    firsts = _firsts(flash)
    reach = head.acknowledged
    lasts = []  # their last records, 0 of a damaged one
    for first in firsts:
        try:
            reader = Reader(ring, first)
            reader.close()
            lasts.append(reader.last)
        except JournalError as error:
            if error.code != "segment":  # of another journal, whose auditor may want it
                raise JournalError("segment", reach + 1)
            lasts.append(0)
    while firsts and (firsts[1] - 1 if len(firsts) > 1 else lasts[0] or reach + 1) <= reach:
        flash.remove(FOLDER + str(firsts.pop(0)))
        lasts.pop(0)
    # The first may begin before what the host has, the others where the one before ends.
    while firsts and lasts[0] and (firsts[0] == reach + 1 or (firsts[0] <= reach and not ring.firsts)):
        reach = ring.stored = lasts.pop(0)
        ring.firsts.append(firsts.pop(0))
    reach = _covered(head, reach)
    for first in firsts:  # damaged, or behind one that is: the ring has their records
        flash.remove(FOLDER + str(first))
        recovery.repaired.append("segment")
    acknowledge(ring, head.acknowledged)
    return reach


def _meters_at(storage: "Storage", which: int, block: bytearray) -> int:
    """Read a meters block; its last record, -1 when it is damaged."""
    storage.read_into(layout.METERS[which], block)
    through, check = struct.unpack_from("<II", block, meters.SIZE)
    return through if check == crc32(memoryview(block)[:-4]) else -1


def _read_meters(storage: "Storage", ring: Ring, block: bytearray, recovery: Recovery) -> None:
    """Fill ``block`` with the meters after record ``last``; a damaged one is added up again from the older and records.

    JournalError ``meters`` when that cannot be done.
    """
    head = ring.head
    if _meters_at(storage, head.meters, block) >= 0:
        return
    through = _meters_at(storage, 1 - head.meters, block)
    if not head.oldest - 1 <= through <= head.last:
        raise JournalError("meters")
    for sequence in range(through + 1, head.last + 1):
        record = read_record(storage, ring, sequence)
        if not whole(record, len(record)):
            raise JournalError("ring", sequence)
        add_to_meters(block, record)
    finish_meters(block, head.last)
    storage.write(layout.METERS[head.meters], block)
    recovery.repaired.append("meters")


def _mend_tag(storage: "Storage", ring: Ring, recovery: Recovery) -> None:
    """Write the newest record's tag from the head where the power went before it was written."""
    head = ring.head
    if head.oldest > head.last:
        return
    record = read_record(storage, ring, head.last)
    if record[-TAG_SIZE:] != head.tag:
        storage.write(RING + ring.locate(head.last) + len(record) - TAG_SIZE, head.tag)
        recovery.repaired.append("tag")


def _pending_body(storage: "Storage", ring: Ring) -> "tuple[bytearray, int] | None":
    """A body that is whole but has no tag yet, and its offset: the append that the power cut. JournalError ``ring``."""
    head = ring.head
    wanted = head.last + 1
    start = bytearray(2)
    for at in (head.tail, 0):
        if at + OVERHEAD > ring.capacity:
            continue
        storage.read_into(RING + at, start)
        size = start[0] | (start[1] << 8)
        if size < OVERHEAD or size > MAX_RECORD or ring.place(size) != at:
            continue
        record = bytearray(size)
        storage.read_into(RING + at, record)
        marker = bytearray(layout.MARKER_SIZE)
        layout.put_marker(marker, wanted)
        good = whole(record, size) and identity(record)[0] == wanted
        if record[-TAG_SIZE:] == marker:
            if not good:
                raise JournalError("ring", wanted)  # it was whole once: the marker is written last
            return record, at
        # A record that has its tag while no head knows it: the head written with it was damaged since.
        if good and record[-TAG_SIZE:] == chain_tag(head.key, head.tag, record):
            return record, at
    return None
