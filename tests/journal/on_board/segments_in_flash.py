"""On MicroPython: segments on its own littlefs over flash in memory; cuts at every program and erase of one segment."""

import gc
import os

import vfs
from journal_memory import KEY, TABLE, FakeClock, Memory
from journal_script import live

from sabot.journal.errors import JournalError
from sabot.journal.journal import Journal
from sabot.wire import meters
from sabot.wire.records import parse

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCK = 4096
BLOCKS = 12
MOST = 3
LFS: "Any" = vfs.VfsLfs2  # any object with its three methods is a block device, which the type stubs do not know


class Flash:
    """Block device in memory. `left`: programs and erases until the power goes in the middle of one."""

    def __init__(self, image: "bytearray | None" = None, left: int = 1 << 20) -> None:
        self.image = bytearray(b"\xff" * (BLOCK * BLOCKS)) if image is None else image
        self.left = left
        self.changes = 0

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Read from a block."""
        at = block * BLOCK + offset
        buffer[:] = self.image[at : at + len(buffer)]

    def writeblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        """Program pages."""
        at = block * BLOCK + offset
        for page in range(0, len(buffer), 256):
            count = self._count(256)
            for index in range(page, page + count):
                self.image[at + index] &= buffer[index]

    def ioctl(self, operation: int, argument: int) -> int:
        """Number and size of the blocks; erase one."""
        if operation == 4:
            return BLOCKS
        if operation == 5:
            return BLOCK
        if operation == 6:
            at = argument * BLOCK
            count = self._count(BLOCK)
            self.image[at : at + count] = b"\xff" * count
        return 0

    def _count(self, whole: int) -> int:
        """How many bytes of this operation are done before the power goes."""
        self.changes += 1
        self.left -= 1
        return whole if self.left >= 0 else whole // 2 if self.left == -1 else 0


def mounted(flash: Flash) -> None:
    """Mount a flash in place of the one before."""
    if "segments" in os.listdir("/"):
        vfs.umount("/segments")
    vfs.mount(LFS(flash, progsize=256), "/segments")


def judge(journal: Journal, taken: "dict[int, bytes]", last: int) -> None:
    """Every record is there, once, in order, and the meters are their sum."""
    assert journal.last == last and journal.first == 1
    sums = meters.new()
    expected = 1
    for sequence, record in journal.records_from(1):
        assert sequence == expected and record == taken[sequence], sequence
        found = parse(record)
        meters.apply(sums, found["code"], found["fields"])
        expected += 1
    assert expected == last + 1
    assert sums == bytearray(journal.meters)


memory = Memory(16384)
flash = Flash()
LFS.mkfs(flash, progsize=256)
mounted(flash)
clock = FakeClock(seconds=1790000000)
journal = Journal(memory, clock, os, open, MOST)
journal.format(KEY, TABLE)
journal.open()
while not journal.crowded:
    live(journal, 6, acknowledging=False)
taken = dict(journal.records_from(1))
before, before_flash = bytearray(memory.image), bytearray(flash.image)
changes = flash.changes
done = 0
for _ in journal.moves():
    done += 1
changes = flash.changes - changes
assert done > 3 and changes >= 10, (done, changes)
assert os.listdir("/segments") == ["1"]
judge(journal, taken, journal.last)

cuts = 0
image = flash.image  # there is no room in this heap for many
for left in range(changes + 1):
    image[:] = before_flash
    torn = Flash(image, left)
    mounted(torn)
    there = Journal(Memory(image=before), clock, os, open, MOST)
    there.open()
    steps = there.moves()
    try:
        for _ in steps:
            if torn.left < 0:
                break
        steps.close()
    except (OSError, JournalError) as error:
        # The file system reads back what it writes: with the power gone, what it finds is not that.
        assert torn.left < 0, error
    mounted(Flash(image))
    again = Journal(there._storage, clock, os, open, MOST)
    assert again.open().flash
    judge(again, taken, journal.last)
    while again.crowded:
        for _ in again.moves():
            pass
    judge(again, taken, journal.last)
    again.read(again.last)  # lets go of the last segment's file
    cuts += 1
    gc.collect()
print("ok", cuts, "cuts")
