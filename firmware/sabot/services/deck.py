"""Which card a tag is: plain only in RAM. Entry point: :class:`Deck`.

A card's tag carries nothing but its UID, so a telephone held to it learns nothing. The list, kept masked in
flash, is read by ``sabot.start``.
"""

ALIEN = -2
CUT = 52
_UID = 8


class Deck:
    """The packs of the table, or those of two decks that take turns. :meth:`card` allocates nothing.

    ``count`` cards in all, those of the first deck, then those of the second, ``each`` of them, then the cut cards.
    """

    def __init__(self, count: int, each: int, decks: int) -> None:
        self._each = each
        self._decks = decks
        self._uids = bytearray(count * _UID)
        self._codes = bytearray(count)

    def put(self, at: int, uid: bytes, code: int) -> None:
        """The card at a place of the list."""
        self._uids[at * _UID : at * _UID + _UID] = uid
        self._codes[at] = code

    def card(self, uid: "bytes | bytearray") -> int:
        """Code of the card, 0 to 51, ``CUT``, or ``ALIEN`` when it is not of these packs."""
        at = self._place(uid)
        return self._codes[at] if at >= 0 else ALIEN

    def deck(self, uid: "bytes | bytearray") -> int:
        """The deck that the card is of, 0 or 1; 0 for one of neither."""
        return min(max(self._place(uid), 0) // self._each, self._decks - 1)

    def _place(self, uid: "bytes | bytearray") -> int:
        uids = self._uids
        for index in range(len(self._codes)):
            at = index * _UID
            if uids[at] == uid[0]:
                for offset in range(1, _UID):
                    if uids[at + offset] != uid[offset]:
                        break
                else:
                    return index
        return -1
