"""What a chip is worth: identity of every tag met, from its memory and its MAC.

Entry points: :class:`Chips`, and :class:`Lying`, the chips on one antenna. A chip is known by a small number (its
*handle*) from the moment its UID is first read; its value follows when its memory has been read and its MAC checked
under the casino's key.

Chip format 1, 24 bytes, integers little endian: version, casino id u16, currency, denomination in cents u32, series
u16, 6 zero bytes, then the first 8 bytes of HMAC-SHA-256(casino key, UID + the 16 bytes before).
"""

import struct
from array import array

from sabot.services.keyed import hmac_sha256, same

UNIDENTIFIED = -1
FOREIGN = -2  # not the house's: another casino, another format
BAD_MAC = -3  # claims to be the house's and is not

FORMAT = 1
MEMORY_BYTES = 24
MEMORY_BLOCKS = 6
_UID = 8
_DATA = 16
_MAX_CENTS = (1 << 30) - 1


class Chips:
    """Registry of ``capacity`` chips, 255 at most. Looking one up allocates nothing; :meth:`identify` does."""

    def __init__(self, capacity: int, casino: int, key: bytes) -> None:
        self.capacity = capacity
        self._uids = bytearray(capacity * _UID)
        self._values = array("i", bytes(4 * capacity))
        self._held = bytearray(capacity)  # antennas that hold the chip now
        self._used = bytearray(capacity)
        self._oldest = 0
        self._casino = casino
        self._key = key
        self.count = 0

    def find(self, uid: "bytes | bytearray") -> int:
        """Handle of a UID (8 bytes, least significant first), or -1. Allocates nothing."""
        at = self._uids.find(uid)
        while at >= 0:
            # A match across two neighbouring UIDs is none.
            if not at & 7 and self._used[at >> 3]:
                return at >> 3
            at = self._uids.find(uid, at + 1)
        return -1

    def add(self, uid: "bytes | bytearray") -> int:
        """Handle of a UID met for the first time; the longest-known chip on no antenna makes room. -1 when full."""
        for _ in range(self.capacity):
            handle = self._oldest
            self._oldest = (handle + 1) % self.capacity
            if not self._held[handle]:
                if not self._used[handle]:
                    self._used[handle] = 1
                    self.count += 1
                at = handle * _UID
                for index in range(_UID):
                    self._uids[at + index] = uid[index]
                self._values[handle] = UNIDENTIFIED
                return handle
        return -1

    def hold(self, handle: int) -> None:
        """One more antenna holds the chip."""
        self._held[handle] += 1

    def release(self, handle: int) -> None:
        """One antenna fewer holds the chip; its identity is kept until its place is needed."""
        self._held[handle] -= 1

    def value(self, handle: int) -> int:
        """Cents, or ``UNIDENTIFIED``, ``FOREIGN``, ``BAD_MAC`` (all negative)."""
        return self._values[handle]

    def uid(self, handle: int) -> bytes:
        """The chip's UID, 8 bytes, least significant first."""
        at = handle * _UID
        return bytes(self._uids[at : at + _UID])

    def uid_into(self, handle: int, buffer: bytearray) -> None:
        """Copy the chip's UID into the first 8 bytes of ``buffer``. Allocates nothing."""
        at = handle * _UID
        for index in range(_UID):
            buffer[index] = self._uids[at + index]

    def identify(self, handle: int, memory: "bytes | bytearray") -> int:
        """Judge the 24 bytes of a chip's memory and keep its value; returns what :meth:`value` will return."""
        version, casino, _currency, cents, _series = struct.unpack("<BHBIH", memory[:10])
        if version != FORMAT or casino != self._casino or not 0 < cents <= _MAX_CENTS:
            value = FOREIGN
        elif not same(hmac_sha256(self._key, self.uid(handle) + bytes(memory[:_DATA]))[:8], bytes(memory[_DATA:24])):
            value = BAD_MAC
        else:
            value = cents
        self._values[handle] = value
        return value


class Lying:
    """Handles of up to ``capacity`` chips on one antenna, numbered 0 to ``count`` - 1: the tags that a visit expects.

    The UIDs are those of ``chips``, which holds each of these chips as long as it is here. Allocates nothing.
    """

    def __init__(self, chips: Chips, capacity: int) -> None:
        self.count = 0
        self._chips = chips
        self._handles = bytearray(capacity)

    def handle(self, index: int) -> int:
        """Handle of a chip."""
        return self._handles[index]

    def find(self, uid: "bytes | bytearray") -> int:
        """Number of the chip with this UID, or -1."""
        handle = self._chips.find(uid)
        if handle >= 0:
            for index in range(self.count):
                if self._handles[index] == handle:
                    return index
        return -1

    def holds(self, handle: int) -> bool:
        """Whether the chip is among them."""
        for index in range(self.count):
            if self._handles[index] == handle:
                return True
        return False

    def get_into(self, index: int, buffer: bytearray) -> None:
        """Copy a chip's UID into the first 8 bytes of ``buffer``."""
        self._chips.uid_into(self._handles[index], buffer)

    def add(self, handle: int) -> bool:
        """One chip more, the last; False when there is no room."""
        if self.count == len(self._handles):
            return False
        self._handles[self.count] = handle
        self.count += 1
        self._chips.hold(handle)
        return True

    def remove(self, index: int) -> None:
        """One chip fewer; the last one takes its number."""
        self._chips.release(self._handles[index])
        self.count -= 1
        self._handles[index] = self._handles[self.count]
