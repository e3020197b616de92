"""Whose badge is whose at this table. Entry points: :class:`BadgeList`, :func:`entry`, :data:`MOST`.

UID, role and number of each badge, 11 bytes in the heap; no name.
"""

import struct

from micropython import const

from sabot.wire.messages import BADGE, BADGE_BYTES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST = const(250)
_LENGTH_AT = const(3)
_UID_AT = const(4)


def entry(role: int, number: int, uid: bytes) -> bytes:
    """A badge as list and link hold it: role (`codes.ROLES`), number, UID of 4 or 7 bytes."""
    return struct.pack(BADGE, role, number, len(uid), uid)


class BadgeList:
    """``entries``: one after the other, as :func:`entry` makes them; ``keep``: `badge_file.keep`."""

    def __init__(self, entries: bytes, keep: "Callable[[bytes, Callable[[], None]], None]") -> None:
        self.entries = entries
        self._keep = keep

    def find(self, uid: bytes) -> int:
        """Where the badge of that UID stands, -1 when it is not enrolled."""
        for at in range(0, len(self.entries), BADGE_BYTES):
            begin = at + _UID_AT
            if self.entries[at + _LENGTH_AT] == len(uid) and self.entries[begin : begin + len(uid)] == uid:
                return at
        return -1

    def whose(self, at: int) -> "tuple[int, int]":
        """Role and number of the badge at ``at``."""
        role, number = struct.unpack("<BH", self.entries[at : at + _LENGTH_AT])
        return role, number

    def change(self, entries: bytes, record: "Callable[[], None]") -> None:
        """Put ``entries`` in the list's place, recorded by ``record``; OSError as `badge_file.keep`."""
        self._keep(entries, record)
        self.entries = entries
