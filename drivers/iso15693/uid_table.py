"""A table of tag UIDs that allocates nothing after it was made.

Entry point: `UidTable`. UIDs are 8 bytes, least significant byte first.
"""

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Buffer

_UID = const(8)


class UidTable:
    """Up to ``capacity`` UIDs, numbered 0 .. ``count`` - 1, each at most once."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.count = 0
        self._uids = bytearray(capacity * _UID)

    def clear(self) -> None:
        """Forget all."""
        self.count = 0

    def find(self, uid: "bytes | Buffer") -> int:
        """Return the index of ``uid`` (8 bytes), or -1."""
        uids = self._uids
        end = self.count * _UID
        at = uids.find(uid, 0, end)
        while at >= 0:
            # A match across two neighbouring UIDs is none.
            if not at & 7:
                return at >> 3
            at = uids.find(uid, at + 1, end)
        return -1

    def add(self, uid: "bytes | Buffer") -> int:
        """Return the index of ``uid``, adding it at the end when it is new; -1 when the table is full."""
        index = self.find(uid)
        if index >= 0 or self.count == self.capacity:
            return index
        index = self.count
        at = index * _UID
        for i in range(_UID):
            self._uids[at + i] = uid[i]
        self.count = index + 1
        return index

    def remove(self, index: int) -> None:
        """Remove the UID at ``index``; the last one of the table takes its place (and its index).

        Raises:
            IndexError: when there is none.
        """
        if not 0 <= index < self.count:
            raise IndexError
        self.count -= 1
        source = self.count * _UID
        target = index * _UID
        for i in range(_UID):
            self._uids[target + i] = self._uids[source + i]

    def get_into(self, index: int, buf: bytearray) -> None:
        """Copy the UID at ``index`` into the first 8 bytes of ``buf``.

        Raises:
            IndexError: when there is none.
        """
        if not 0 <= index < self.count:
            raise IndexError
        at = index * _UID
        for i in range(_UID):
            buf[i] = self._uids[at + i]
