"""What a chip is worth: identity of every tag met, from its memory and its MAC.

Entry points: :class:`Chips`; :class:`Lying`, which of them lie on which antennas; :class:`Expected`, those of one
antenna. A chip is known by a small number (its *handle*) from the moment its UID is first read; its value follows when
its memory has been read and its MAC checked under the casino's key.

Chip format 1, 24 bytes, integers little endian: version, casino id u16, currency, denomination in cents u32, series
u16, 6 zero bytes, then the first 8 bytes of HMAC-SHA-256(casino key, UID + the 16 bytes before).
"""

import struct
from array import array

from sabot.services.keyed import hmac_sha256, same

UNIDENTIFIED = -1
FOREIGN = -2  # not the house's: another casino, another format
BAD_MAC = -3  # claims to be the house's and is not

NOBODY = 255  # no handle, and no antenna

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
        self._held = bytearray(capacity)  # how many hold the chip: antennas, and items of the ledger
        self._oldest = 0
        self._casino = casino
        self._key = key
        self.count = 0  # those with a lower handle are known

    def find(self, uid: "bytes | bytearray") -> int:
        """Handle of a UID (8 bytes, least significant first), or -1. Allocates nothing."""
        at = self._uids.find(uid)
        while at >= 0:
            # A match across two neighbouring UIDs is none.
            if not at & 7 and at >> 3 < self.count:
                return at >> 3
            at = self._uids.find(uid, at + 1)
        return -1

    def add(self, uid: "bytes | bytearray") -> int:
        """Handle of a UID met for the first time; the longest-known chip that nobody holds makes room. -1 when full."""
        for _ in range(self.capacity):
            handle = self._oldest
            self._oldest = (handle + 1) % self.capacity
            if not self._held[handle]:
                if handle == self.count:
                    self.count += 1
                at = handle * _UID
                for index in range(_UID):
                    self._uids[at + index] = uid[index]
                self._values[handle] = UNIDENTIFIED
                return handle
        return -1

    def hold(self, handle: int) -> None:
        """One more antenna, or item of the ledger, holds the chip."""
        self._held[handle] += 1

    def release(self, handle: int) -> None:
        """One fewer holds the chip; its identity is kept until its place is needed and nobody holds it."""
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
    """Which chips of ``chips`` lie on which antennas, ``capacity`` such pairs at most. Allocates nothing.

    ``chips`` holds each chip once for each pair.
    """

    def __init__(self, chips: Chips, capacity: int) -> None:
        self._chips = chips
        self._handles = bytearray([NOBODY] * capacity)
        self._antennas = bytearray([NOBODY] * capacity)
        self._key = bytearray(1)

    def first(self, antenna: int, after: int = -1) -> int:
        """The first pair of an antenna whose number is above ``after``, or -1."""
        self._key[0] = antenna
        return self._antennas.find(self._key, after + 1)

    def find(self, antenna: int, handle: int) -> int:
        """Number of a pair, or -1."""
        at = self.first(antenna)
        while at >= 0 and self._handles[at] != handle:
            at = self.first(antenna, at)
        return at

    def handle(self, at: int) -> int:
        """Handle of the pair's chip."""
        return self._handles[at]

    def add(self, antenna: int, handle: int) -> int:
        """Number of a new pair, or -1 when there is no room."""
        at = self.first(NOBODY)
        if at >= 0:
            self._antennas[at] = antenna
            self._handles[at] = handle
            self._chips.hold(handle)
        return at

    def remove(self, at: int) -> None:
        """The chip lies there no more."""
        self._chips.release(self._handles[at])
        self._antennas[at] = NOBODY
        self._handles[at] = NOBODY


class Expected:
    """The chips of ``lying`` on the antenna that is visited, up to ``capacity``, numbered 0 to ``count`` - 1.

    They are the tags that a visit expects; see ``iso15693.visit``. Allocates nothing.
    """

    def __init__(self, chips: Chips, lying: Lying, capacity: int) -> None:
        self.count = 0
        self._chips = chips
        self._lying = lying
        self._handles = bytearray(capacity)

    def look(self, antenna: int) -> None:
        """Those of an antenna, as they lie there now."""
        lying = self._lying
        self.count = 0
        at = lying.first(antenna)
        while at >= 0:
            self._handles[self.count] = lying.handle(at)
            self.count += 1
            at = lying.first(antenna, at)

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

    def get_into(self, index: int, buffer: bytearray) -> None:
        """Copy a chip's UID into the first 8 bytes of ``buffer``."""
        self._chips.uid_into(self._handles[index], buffer)
