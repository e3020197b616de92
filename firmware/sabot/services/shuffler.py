"""A shuffler that deals packets: which cards came together, and when. Entry point: :class:`Shuffler`.

A packet breaks the beam once and lies in the mouth until the dealer takes it. It is read as a set: the inventories
after the edge must find the same tags :data:`_SAME` times in a row, each without a doubtful slot; what is there when
the beam is clear again, or after :data:`_READ_MS`, is all that can be said. Which of two decks a packet is of follows
from its cards. Loaded by tables that deal in packets.
"""

import time

from micropython import const

from sabot.services.mouth import BLOCKED, UNREAD, Gate, Mouth

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_READ_MS = const(1500)  # a packet that has not been read by then will not be
_SAME = const(2)  # inventories that agree
_MOST = const(16)  # cards of a packet; more are a wrong count all the same
_UID = const(8)


class Shuffler(Mouth):
    """``on_packet(codes, deck, ticks)`` is told of each packet: its cards, 0 to 51 or negative, and their deck."""

    single = False

    def __init__(
        self,
        reader: "Any",
        make: "Any",
        beam: "Any",
        gate: Gate,
        deck: "Any",
        afi: int,
        on_edge: "Callable[[int], None]",
        on_packet: "Callable[[list[int], int, int], Any]",
        on_fault: "Callable[[str], None]",
    ) -> None:
        super().__init__(reader, make, beam, gate, afi, on_edge, on_fault)
        self._deck = deck
        self._on_packet = on_packet
        self._uids = bytearray(_MOST * _UID)  # tags of this packet
        self._count = 0
        self._heard = 0  # tags of it in the inventory under way
        self._new = False  # ... one of them for the first time
        self._same = 0  # inventories in a row that found all of them and no other
        self._leaving = False  # a packet that has been told of lies there still

    def tag(self, uid: bytearray, low: int, high: int) -> None:
        """A card's tag answered in the mouth."""
        if self._leaving:
            return
        self._heard += 1
        if self._find(uid) < 0 and self._count < _MOST:
            at = self._count * _UID
            for index in range(_UID):
                self._uids[at + index] = uid[index]
            self._count += 1
            self._new = True

    def _find(self, uid: bytearray) -> int:
        at = self._uids.find(uid)
        while at >= 0:
            # A match across two neighbouring UIDs is none.
            if not at & 7 and at < self._count * _UID:
                return at
            at = self._uids.find(uid, at + 1)
        return -1

    def heard(self) -> bool:
        """Whether a packet lies in the mouth."""
        return self._count > 0 and not self._leaving

    def listened(self) -> None:
        """An inventory has ended: did it find what the one before it has found?"""
        whole = self._inventory.clean and self._heard == self._count and not self._new
        self._same = self._same + 1 if whole and self._count else 0
        self._heard = 0
        self._new = False

    def bind(self, now: int) -> None:
        """Tell of the packet once it is read, or cannot be read any more."""
        clear = self.beam.value() != BLOCKED
        if self.waiting():
            edge = self.next_edge()
            if self._leaving:  # the packet before it has been taken meanwhile
                self._forget()
            late = time.ticks_diff(now, edge) > _READ_MS * 1000
            listened = time.ticks_diff(self._through, edge) > 0
            if not late and not (listened and (clear or self._same >= _SAME)):
                return
            codes = [self._deck.card(self._uids[at : at + _UID]) for at in range(0, self._count * _UID, _UID)]
            deck = self._deck.deck(self._uids[:_UID]) if self._count else 0
            self._leaving = True
            self.bound()
            self._on_packet(codes or [UNREAD], deck, edge)
        elif clear and (self._leaving or self._count):
            self._forget()

    def _forget(self) -> None:
        self._leaving = False
        self._count = 0
        self._same = 0
        self._heard = 0
        self._new = False
