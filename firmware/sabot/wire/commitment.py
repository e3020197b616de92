"""What stands in a record for a face-down hand until it is turned up.

Entry points: :func:`commitment` (the 8 bytes of the deal record), :func:`opens` (whether a reveal opens one). The nonce
makes equal hands look different, and keeps anyone from trying all hands against the record.
"""

import hashlib

NONCE_SIZE = 8
SIZE = 8


def commitment(nonce: bytes, cards: "bytes | bytearray") -> bytes:
    """First 8 bytes of SHA-256(nonce, one byte a card in the order of the deal)."""
    digest = hashlib.sha256(nonce)
    digest.update(cards)
    return digest.digest()[:SIZE]


def opens(committed: bytes, nonce: bytes, cards: "bytes | bytearray") -> bool:
    """Whether this nonce and these cards are the hand that was committed to."""
    return commitment(nonce, cards) == committed
