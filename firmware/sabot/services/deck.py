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
_UID = 8
_CARDS_A_PACK = 52


def mask(key: bytes, uid: bytes) -> int:
    """The byte that hides the code of the card with this UID, under the controller's own key."""
    return hmac_sha256(key, b"card" + uid)[0]


class Deck:
    """The packs of the table. :meth:`card` allocates nothing.

    ``entries`` is the list as stored: pairs ``[UID in hexadecimal, masked code]``. ValueError names a bad one.
    """

    def __init__(self, entries: "list[Any]", key: bytes, packs: int) -> None:
        if not isinstance(entries, list) or len(entries) != packs * _CARDS_A_PACK:
            raise ValueError("a list of %d cards is expected" % (packs * _CARDS_A_PACK))
        self._uids = bytearray(len(entries) * _UID)
        self._codes = bytearray(len(entries))
        times = bytearray(_CARDS_A_PACK)
        for index in range(len(entries)):
            uid, code = self._entry(entries[index], key)
            times[code] += 1
            if times[code] > packs or self.card(uid) >= 0:
                raise ValueError("card %d of the list is there too often" % index)
            self._uids[index * _UID : index * _UID + _UID] = uid
            self._codes[index] = code

    @staticmethod
    def _entry(entry: "Any", key: bytes) -> "tuple[bytes, int]":
        if not isinstance(entry, list) or len(entry) != 2:
            raise ValueError("a card is [UID, code]")
        if not isinstance(entry[0], str) or not isinstance(entry[1], int):
            raise ValueError("a card is [UID, code]")
        uid = unhexlify(entry[0])
        if len(uid) != _UID:
            raise ValueError("a UID has 8 bytes")
        code = entry[1] ^ mask(key, uid)
        if not 0 <= code < _CARDS_A_PACK:
            raise ValueError("a card of the list is none; was it written for another controller?")
        return uid, code

    def card(self, uid: "bytes | bytearray") -> int:
        """Code of the card, 0 to 51, or ``ALIEN`` when it is not of these packs."""
        uids = self._uids
        for index in range(len(self._codes)):
            at = index * _UID
            if uids[at] == uid[0]:
                for offset in range(1, _UID):
                    if uids[at + offset] != uid[offset]:
                        break
                else:
                    return self._codes[index]
        return ALIEN
