"""The map of the journal's memory, and its two small structures: the superblock and the head.

Entry points: the addresses below, :class:`Superblock`, :class:`Head`, :data:`MARKER_SIZE` and :func:`put_marker`.
docs/journal.md has the same map as a table, with the reasons. All integers are little endian.
"""

import struct

from ..wire import meters
from ..wire.crc import crc32
from ..wire.records import MAX_RECORD, OVERHEAD

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
    from typing import Protocol

    class Storage(Protocol):
        """Byte-wise non-volatile memory: what is written is kept at once, in the order of the addresses."""

        size: int

        def read_into(self, address: int, buf: bytearray) -> None:
            """Fill ``buf`` from ``address`` on."""

        def write(self, address: int, buf: "bytes | bytearray") -> None:
            """Write all of ``buf`` from ``address`` on."""

    class File(Protocol):
        """A file of binary data; what is written to a new one is there when it is closed, all of it or none."""

        def seek(self, offset: int) -> int:
            """Go to ``offset``."""

        def readinto(self, buf: bytearray) -> "int | None":
            """Fill ``buf`` as far as the file goes; how many bytes that were."""

        def write(self, buf: "bytes | bytearray") -> "int | None":
            """Add ``buf``; how many bytes of it were taken."""

        def close(self) -> None:
            """What was written is kept from now on."""

    class Files(Protocol):
        """Files in flash; `os` is one. What goes wrong there is an OSError."""

        def listdir(self, folder: str) -> "list[str]":
            """Names of what is in a folder."""

        def mkdir(self, folder: str) -> None:
            """Make a folder."""

        def remove(self, name: str) -> None:
            """Give a file up."""

        def rename(self, name: str, new: str) -> None:
            """Name a file otherwise, at one blow."""


VERSION = 3  # of this map, and of the records in it

SUPERBLOCKS = (0x0000, 0x0040)
HEADS = (0x0080, 0x0100)
METERS = (0x0200, 0x0900)
RING = const(0x1000)
SMALLEST = const(0x2000)  # bytes of the smallest memory that holds a journal

# A meters block in memory: the block, then u32 the sequence of the last record added to it, then its CRC-32.
METERS_SIZE = meters.SIZE + 8

# A body whose record has no tag yet ends with these 8 bytes in the tag's place: its sequence number, then the same
# inverted. They are the last to be written and never the same twice, so a body that ends with them is whole.
MARKER_SIZE = const(8)

_SUPERBLOCK = "<8sBBHII8s8sI"
_SUPERBLOCK_MAGIC = b"SABOTJRN"
SUPERBLOCK_SIZE = 40

_HEAD = "<2sBBIIIIIIIIIH8s8s32sI"
_HEAD_MAGIC = b"JH"
HEAD_SIZE = 94


def put_marker(record: bytearray, sequence: int) -> None:
    """End a body with its marker. Allocates nothing."""
    at = len(record) - MARKER_SIZE
    for index in range(4):
        byte = (sequence >> (8 * index)) & 0xFF
        record[at + index] = byte
        record[at + 4 + index] = byte ^ 0xFF


def room_to_finish(capacity: int) -> int:
    """Bytes of a ring kept for the records that end the running round.

    16 KB on the reference table: the longest clean round of seven seats and four spots takes 2 KB, which leaves 14 KB
    for its irregularities. A memory below 128 KB keeps an eighth; two records' length more cover the ring's end.
    """
    return min(16384, capacity // 8) + 2 * MAX_RECORD


class Superblock:
    """What provisioning wrote once: the size of the memory, whose journal it is, and the name of its first key."""

    def __init__(self, size: int, table: bytes, key_id: bytes) -> None:
        self.size = size
        self.table = table
        self.key_id = key_id

    def pack(self) -> bytes:
        """The block as it stands in memory."""
        body = struct.pack(
            _SUPERBLOCK, _SUPERBLOCK_MAGIC, VERSION, 0, OVERHEAD, self.size, RING, self.table, self.key_id, 0
        )[:-4]
        return body + struct.pack("<I", crc32(body))


def superblock_state(data: "bytes | bytearray") -> "Superblock | str":
    """The superblock, or why there is none: the code of a JournalError."""
    magic, version, _, _, size, _, table, key_id, check = struct.unpack(_SUPERBLOCK, data)
    if check != crc32(data[:-4]):
        return "superblock" if magic == _SUPERBLOCK_MAGIC else "unformatted"
    if magic != _SUPERBLOCK_MAGIC:
        return "unformatted"
    if version != VERSION:
        return "version"
    return Superblock(size, table, key_id)


class Head:
    """Where the journal stands. Both slots hold the same one, except in the middle of an append.

    Offsets count from the ring's start. ``sequence`` of the first record is 1; a journal without records has
    ``last`` 0 and ``oldest`` 1.
    """

    def __init__(self) -> None:
        self.meters = 0  # which meters block is current, 0 or 1
        self.last = 0  # sequence of the newest record with a tag
        self.tail = 0  # offset behind it
        self.oldest = 1  # sequence of the oldest record kept, last + 1 when none is
        self.oldest_at = 0  # its offset
        self.wrap = 0  # offset where the records go on at 0; 0: they do not
        self.acknowledged = 0  # the host has every record up to this one
        self.safe = 0  # up to here the host has the records, or a segment: their room in the ring may be used again
        self.safe_at = 0  # offset of the record behind it
        self.boundary = 0  # sequence of the last round_end or void
        self.boot = 0  # boot number of the newest record
        self.tag = bytes(8)  # tag of the newest record
        self.before = bytes(8)  # tag of the record before the oldest
        self.key = bytes(32)  # key of the record to come

    def pack_into(self, buffer: bytearray) -> None:
        """Write the head to a buffer of HEAD_SIZE bytes."""
        struct.pack_into(
            _HEAD,
            buffer,
            0,
            _HEAD_MAGIC,
            VERSION,
            self.meters,
            self.last,
            self.tail,
            self.oldest,
            self.oldest_at,
            self.wrap,
            self.acknowledged,
            self.safe,
            self.safe_at,
            self.boundary,
            self.boot,
            self.tag,
            self.before,
            self.key,
            0,
        )
        struct.pack_into("<I", buffer, HEAD_SIZE - 4, crc32(memoryview(buffer)[: HEAD_SIZE - 4]))

    def unpack(self, buffer: bytearray) -> bool:
        """Take the head from a slot; False, and nothing usable, when the slot does not hold a good one."""
        parts = struct.unpack(_HEAD, buffer)
        if parts[0] != _HEAD_MAGIC or parts[1] != VERSION or parts[-1] != crc32(memoryview(buffer)[: HEAD_SIZE - 4]):
            return False
        (
            self.meters,
            self.last,
            self.tail,
            self.oldest,
            self.oldest_at,
            self.wrap,
            self.acknowledged,
            self.safe,
            self.safe_at,
            self.boundary,
            self.boot,
            self.tag,
            self.before,
            self.key,
        ) = parts[2:-1]
        return True

    def fits(self, capacity: int) -> bool:
        """Whether the head can be true of a ring of ``capacity`` bytes."""
        offsets = max(self.tail, self.oldest_at, self.wrap, self.safe_at)
        counted = 1 <= self.oldest <= self.safe + 1 and self.acknowledged <= self.safe <= self.last
        return offsets <= capacity and counted and self.boundary <= self.last and self.meters <= 1
