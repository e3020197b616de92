"""The list of the cards that belong to a table, kept masked in flash. Entry points: :func:`read`, :func:`mask`.

The list gives ``code XOR mask(key, UID)`` beside each UID. Needed at the start only.
"""

from binascii import unhexlify

from sabot.services.deck import CUT, Deck
from sabot.services.keyed import hmac_sha256

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_UID = 8
_CARDS_A_PACK = 52
_MOST_CUTS = 2


def mask(key: bytes, uid: bytes) -> int:
    """The byte that hides the code of the card with this UID, under the controller's own key."""
    return hmac_sha256(key, b"card" + uid)[0]


def read(entries: "list[Any]", key: bytes, packs: int, decks: int = 1) -> Deck:
    """The deck of a list as stored: [UID in hexadecimal, masked code], with the number of its deck, 0 or 1, of two.

    A cut card or two may be there besides, whose code is ``CUT``. ValueError names a bad entry.
    """
    each = packs * _CARDS_A_PACK
    if not isinstance(entries, list) or not 0 <= len(entries) - each * decks <= _MOST_CUTS:
        raise ValueError("a list of %d cards is expected, and at most %d cut cards" % (each * decks, _MOST_CUTS))
    found = Deck(len(entries), each, decks)
    held = [0] * decks
    cuts = len(entries)  # from the end
    times = bytearray(_CARDS_A_PACK * decks)
    for index in range(len(entries)):
        uid, code, deck = _entry(entries[index], key, decks)
        if code == CUT:
            cuts -= 1
            at = cuts
            often = at < each * decks
        else:
            at = deck * each + held[deck]
            held[deck] += 1
            times[deck * _CARDS_A_PACK + code] += 1
            often = times[deck * _CARDS_A_PACK + code] > packs
        if often or found.card(uid) >= 0:
            raise ValueError("card %d of the list is there too often" % index)
        found.put(at, uid, code)
    return found


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
