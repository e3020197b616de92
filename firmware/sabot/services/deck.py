"""Which card a tag is: the pack's list, kept masked in flash, plain only in RAM.

Entry points: :class:`Deck`, :func:`mask` (the byte that hides a card). A card's tag carries nothing but its
UID, so a telephone held to it learns nothing; the list gives ``code XOR mask(key, UID)`` beside each UID.
"""

from binascii import unhexlify

from sabot.services.keyed import hmac_sha256

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ALIEN = -2
CUT = 52
_UID = 8
_CARDS_A_PACK = 52
_MOST_CUTS = 2


def mask(key: bytes, uid: bytes) -> int:
    """The byte that hides the code of the card with this UID, under the controller's own key."""
    return hmac_sha256(key, b"card" + uid)[0]


class Deck:
    """The packs of the table, or those of two decks that take turns. :meth:`card` allocates nothing.

    ``entries`` is the list as stored: [UID in hexadecimal, masked code], with the number of its deck, 0 or 1, where
    there are two, and a cut card or two besides, whose code is ``CUT``. ValueError names a bad one.
    """

    def __init__(self, entries: "list[Any]", key: bytes, packs: int, decks: int = 1) -> None:
        each = packs * _CARDS_A_PACK
        if not isinstance(entries, list) or not 0 <= len(entries) - each * decks <= _MOST_CUTS:
            raise ValueError("a list of %d cards is expected, and at most %d cut cards" % (each * decks, _MOST_CUTS))
        self._each = each
        self._decks = decks
        self._uids = bytearray(len(entries) * _UID)  # those of the first deck, then those of the second
        self._codes = bytearray(len(entries))
        held = [0] * decks
        cuts = len(entries)  # from the end
        times = bytearray(_CARDS_A_PACK * decks)
        for index in range(len(entries)):
            uid, code, deck = self._entry(entries[index], key, decks)
            if code == CUT:
                cuts -= 1
                at = cuts
                often = at < each * decks
            else:
                at = deck * each + held[deck]
                held[deck] += 1
                times[deck * _CARDS_A_PACK + code] += 1
                often = times[deck * _CARDS_A_PACK + code] > packs
            if often or self.card(uid) >= 0:
                raise ValueError("card %d of the list is there too often" % index)
            self._uids[at * _UID : at * _UID + _UID] = uid
            self._codes[at] = code

    @staticmethod
    def _entry(entry: "Any", key: bytes, decks: int) -> "tuple[bytes, int, int]":
        wanted = 2 if decks == 1 else 3
        if not isinstance(entry, list) or len(entry) != wanted:
            raise ValueError("a card is [UID, code%s]" % (", deck" if decks > 1 else ""))
        deck = entry[2] if decks > 1 else 0
        if not isinstance(entry[0], str) or not isinstance(entry[1], int) or deck not in range(decks):
            raise ValueError("a card is [UID, code%s]" % (", deck" if decks > 1 else ""))
        uid = unhexlify(entry[0])
        if len(uid) != _UID:
            raise ValueError("a UID has 8 bytes")
        code = entry[1] ^ mask(key, uid)
        if not 0 <= code <= CUT:
            raise ValueError("a card of the list is none; was it written for another controller?")
        return uid, code, deck

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
