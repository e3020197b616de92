"""The RFID shoe: which card left, and when. Entry point: :class:`Shoe` (:meth:`~sabot.services.mouth.Mouth.run`).

The beam's edge is the instant at which a card leaves. The tag heard in the mouth's field around that instant says which
card, once an inventory begun after the edge has told whether it is alone. No edge is left without an answer: after
:data:`READ_MS` it is an unread card, and as soon as a tag is heard that can only be the next card's: the beam is clear
again, or the reader has listened in vain for long. A tag that was heard while the beam was blocked and is gone without
an edge of its own has left behind another card. Of a card that breaks the beam again, the next after itself, that is
said too: it may have been pushed back.
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

TWO_CARDS = -3
AGAIN = const(64)  # added to a card that left the shoe last and does so again

READ_MS = const(120)  # after the edge, the card is out of the mouth's field and cannot be read any more
_HEARD_US = const(60000)  # before the edge: a tag heard longer ago has gone back in
_SLOW_US = const(80000)  # a card that no inventory has heard that began so long after its edge is not heard any more
_GONE_US = const(200000)  # a tag not heard for this long has left the field: the same UID is then a new draw


def _same(one: bytearray, other: bytearray) -> bool:
    """Whether two UIDs are the same. Allocates nothing."""
    for index in range(8):
        if one[index] != other[index]:
            return False
    return True


def _copy(source: bytearray, target: bytearray) -> None:
    """Copy a UID without allocation."""
    for index in range(8):
        target[index] = source[index]


class Shoe(Mouth):
    """``on_card(code, ticks)`` is told of each card in the order of the edges; ``deck`` knows the cards.

    The code is 0 to 51, with :data:`AGAIN` or without, or negative.
    """

    def __init__(
        self,
        reader: "Any",
        make: "Any",
        beam: "Any",
        gate: Gate,
        deck: "Any",
        afi: int,
        on_edge: "Callable[[int], None]",
        on_card: "Callable[[int, int], Any]",
        on_fault: "Callable[[str], None]",
    ) -> None:
        super().__init__(reader, make, beam, gate, afi, on_edge, on_fault)
        self._deck = deck
        self._on_card = on_card
        self._uid = bytearray(8)  # the tag in the mouth that waits for its edge
        self._heard = 0
        self._known = False  # there is one
        self._others = 0  # further tags heard beside it
        self._hidden = False  # it was heard while the beam was blocked
        self._first = 0  # an edge before this instant is that of a card before it
        self._left = bytearray(8)  # the tag that was bound last, on its way out of the field
        self._left_heard = 0
        self._leaving = False  # it has been heard not long ago
        self._told_two = False  # what passes until the beam is clear has been told of

    def tag(self, uid: bytearray, low: int, high: int) -> None:
        """A card's tag answered in the mouth."""
        if self._leaving and _same(self._left, uid):
            self._left_heard = high
            return
        blocked = self.beam.value() == BLOCKED
        if self._told_two and blocked:
            return
        if self._known and _same(self._uid, uid):
            self._heard = high
        elif self._known and time.ticks_diff(high, self._heard) < _HEARD_US:
            self._others += 1  # a second card while the first has not left
        else:
            _copy(uid, self._uid)
            self._known = True
            self._others = 0
            self._hidden = False
            self._heard = high
            self._first = time.ticks_add(self._through, -_SLOW_US) if blocked else high
        self._hidden = self._hidden or blocked

    def heard(self) -> bool:
        """Whether a tag in the mouth waits for its edge."""
        return self._known

    def bind(self, now: int) -> None:
        """Give every edge its card, as soon as the card is known or can no longer be."""
        if self._leaving and time.ticks_diff(now, self._left_heard) > _GONE_US and self.beam.value() != BLOCKED:
            self._leaving = False  # where the beam is blocked it rests there, whether the reader hears it or not
        while self.waiting():
            edge = self.next_edge()
            late = time.ticks_diff(now, edge) > READ_MS * 1000
            mine = self._known and time.ticks_diff(self._first, edge) <= 0
            if mine and time.ticks_diff(self._heard, edge) > -_HEARD_US:
                if not late and time.ticks_diff(self._through, edge) < 0:
                    return  # not known yet whether it is alone
                code = TWO_CARDS if self._others else self._deck.card(self._uid)
                if code >= 0 and _same(self._left, self._uid):
                    code += AGAIN
                _copy(self._uid, self._left)
                self._left_heard = self._heard
                self._leaving = True
                self._known = False
            elif late or mine != self._known:
                code = UNREAD
            else:
                return
            self.bound()
            self._tell(code, edge)
        if self._told_two and self.beam.value() != BLOCKED:
            self._told_two = False
        if self._known and time.ticks_diff(now, self._heard) > _GONE_US:
            self._known = False
            if self._hidden:
                self._tell(TWO_CARDS, self._heard)

    def _tell(self, code: int, ticks: int) -> None:
        self._others = 0
        self._told_two = code == TWO_CARDS
        self._on_card(code, ticks)
