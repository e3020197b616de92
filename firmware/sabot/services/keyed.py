"""HMAC-SHA-256 (RFC 2104) on MicroPython, which has no ``hmac`` module.

Entry points: :func:`hmac_sha256`, :func:`same` (comparison that does not tell where two tags differ).
"""

import hashlib

_BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC of ``message`` under ``key`` (any length; longer than 64 bytes is hashed first): 32 bytes."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    inner = bytearray(_BLOCK)
    outer = bytearray(_BLOCK)
    for index in range(_BLOCK):
        byte = key[index] if index < len(key) else 0
        inner[index] = byte ^ 0x36
        outer[index] = byte ^ 0x5C
    digest = hashlib.sha256(inner)
    digest.update(message)
    result = hashlib.sha256(outer)
    result.update(digest.digest())
    return result.digest()


def same(one: bytes, other: bytes) -> bool:
    """Whether two tags are equal, in a time that depends on their length alone."""
    if len(one) != len(other):
        return False
    difference = 0
    for index in range(len(one)):
        difference |= one[index] ^ other[index]
    return difference == 0
