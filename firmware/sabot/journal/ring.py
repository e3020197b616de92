"""Where the records lie: a ring in which none is split at the end, an index of every 32nd, and what may be freed.

It also knows which segments there are in flash: closed pieces of it, which ``segment`` reads and writes.

Entry point: :class:`Ring`: :meth:`~Ring.place` (where the next record goes), :meth:`~Ring.took` and :meth:`~Ring.free`
(change the head after an append), :meth:`~Ring.locate` (where a record lies).

A record that does not fit before the ring's end goes to its start; the head's ``wrap`` remembers where the others
ended. Room for one more record of any length is freed right after each append, never by the append that needs it: the
bytes under a new body then belong to no record, whenever the power goes.
"""

import struct

from ..wire.records import MAX_RECORD, OVERHEAD, TAG_SIZE
from .errors import JournalError
from .layout import RING, Head

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
    from collections.abc import Callable

    from .layout import File, Files, Storage
    from .segment import Reader

_STEP = const(32)  # records from one entry of the index to the next
_SHIFT = const(5)
_START = "<HBI"  # a record's length, code and sequence


# Bytes of the longest segment: eight blocks of 4,096, of which littlefs takes 44 to find its way from one to the next.
SEGMENT = const(32724)


class Ring:
    """The records between ``head.oldest`` and ``head.last``, and at most ``most`` segments of up to ``longest`` bytes.

    ``flash`` is None where there is none for them, else its files; ``open`` opens one. ``firsts`` are the first records
    of all segments, oldest first; ``stored`` is the newest record in any; ``waiting`` says how many hold a record that
    the host has not acknowledged. ``table`` and ``key_id`` say whose journal it is.
    """

    def __init__(
        self,
        storage: "Storage",
        head: Head,
        flash: "Files | None" = None,
        open: "Callable[[str, str], File] | None" = None,
        most: int = 0,
    ) -> None:
        self._storage = storage
        self.head = head
        self.capacity = storage.size - RING
        self._entries = self.capacity // (_STEP * OVERHEAD) + 2
        self._index = bytearray(3 * self._entries)
        self._start = bytearray(7)
        self._cursor = 0  # sequence and offset of the record behind the one found last, for reading on
        self._cursor_at = 0
        self.flash = flash
        self.open = open
        self.most = most
        self.longest = min(SEGMENT, self.capacity // 4)
        self.due = self.capacity // 4  # bytes that are nowhere else, from which on the next segment is written
        self.firsts: list[int] = []
        self.stored = 0
        self.waiting = 0
        self.table = b""
        self.key_id = b""
        self.reader: Reader | None = None

    def place(self, size: int) -> int:
        """Offset for a record of ``size`` bytes, -1 when there is no room. Allocates nothing."""
        head = self.head
        end = head.tail + size
        if head.wrap:
            return head.tail if end <= head.oldest_at else -1
        if end <= self.capacity:
            return head.tail
        return 0 if size <= head.oldest_at else -1

    def took(self, at: int, size: int) -> None:
        """Count a record of ``size`` bytes at ``at``, as :meth:`place` gave it, as the newest one."""
        head = self.head
        empty = head.oldest > head.last
        if head.safe == head.last:
            head.safe_at = at
        if empty:
            head.oldest_at = at
            head.wrap = 0
        elif at < head.tail:
            head.wrap = head.tail
        head.last += 1
        head.tail = at + size
        self.note(head.last, at)

    def free(self) -> None:
        """Give up records that are safe elsewhere until any record fits, or none is left to give up."""
        head = self.head
        behind = -1  # offset behind the last record given up
        while self.place(MAX_RECORD) < 0 and head.oldest <= head.safe:
            target = (head.oldest | (_STEP - 1)) + 1
            if target <= head.safe + 1 and target <= head.last:
                target_at = self._noted(target)
            else:
                target = head.safe + 1
                target_at = head.safe_at if target <= head.last else head.tail
            behind = target_at
            if target > head.last:
                head.wrap = 0
            elif target_at < head.oldest_at:
                if target_at == 0:
                    behind = head.wrap
                head.wrap = 0
            head.oldest = target
            head.oldest_at = target_at
        if behind >= 0:
            tag = bytearray(TAG_SIZE)
            self._storage.read_into(RING + behind - TAG_SIZE, tag)
            head.before = bytes(tag)

    def used(self) -> int:
        """Bytes of records that are nowhere else, those lost at the ring's end included."""
        head = self.head
        if head.safe == head.last:
            return 0
        if head.wrap and head.safe_at >= head.tail:
            return self.capacity - head.safe_at + head.tail
        return head.tail - head.safe_at

    def locate(self, sequence: int) -> int:
        """Offset of a record from ``oldest`` to ``last``; reads at most 31 lengths. JournalError ``ring``."""
        head = self.head
        number = sequence & ~(_STEP - 1)
        at = 0
        if number > head.oldest:
            at = self._noted(number)
        else:
            number = head.oldest
            at = head.oldest_at
        if number < self._cursor <= sequence:
            number = self._cursor
            at = self._cursor_at
        while number < sequence:
            at = self.behind(at, number)
            number += 1
        self._cursor = sequence
        self._cursor_at = at
        return at

    def size_at(self, at: int, sequence: int) -> int:
        """Length of the record at ``at``, which must be number ``sequence``. JournalError ``ring`` when it is not."""
        self._storage.read_into(RING + at, self._start)
        size, _, found = struct.unpack(_START, self._start)
        limit = self.head.wrap if self.head.wrap and at >= self.head.tail else self.head.tail
        if found != sequence or size < OVERHEAD or size > MAX_RECORD or at + size > limit:
            raise JournalError("ring", sequence)
        return int(size)

    def behind(self, at: int, sequence: int) -> int:
        """Offset behind record ``sequence``, which must lie at ``at``. JournalError ``ring``."""
        end = at + self.size_at(at, sequence)
        return 0 if end == self.head.wrap and at >= self.head.tail else end

    def note(self, sequence: int, at: int) -> None:
        """Keep where a record lies, if 32 divides its number."""
        if not sequence & (_STEP - 1):
            entry = 3 * ((sequence >> _SHIFT) % self._entries)
            self._index[entry] = at & 0xFF
            self._index[entry + 1] = at >> 8 & 0xFF
            self._index[entry + 2] = at >> 16

    def _noted(self, sequence: int) -> int:
        entry = 3 * ((sequence >> _SHIFT) % self._entries)
        return self._index[entry] | self._index[entry + 1] << 8 | self._index[entry + 2] << 16
