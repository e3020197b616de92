"""A release's signature: RSA with SHA-256, PKCS #1 version 1.5 (RFC 8017, section 8.2), exponent 65537.

Entry points: :func:`signer` (who signed, or nobody), :func:`text_of` and :func:`fingerprint`; :data:`MANIFEST` and
:data:`SIGNATURE`, the files on the board. The signature's file has two lines of hexadecimal digits: the signer's
modulus and the signature. What the signature has to be is made whole and compared whole, so that nothing in its padding
is left to an interpretation.
"""

from binascii import hexlify, unhexlify
from hashlib import sha256

MANIFEST = "release.txt"
SIGNATURE = "release.sig"
SIZES = (256, 384)  # bytes of a modulus: RSA-2048 and RSA-3072
EXPONENT = 65537
DEVELOPMENT = b"e060b64a663f936fe6439c8dd8043f253c7b8bcdc8d214607cb2bee80ac393f1"
_SHA_256 = b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"  # DigestInfo, section 9.2


def text_of(modulus: bytes, signature: bytes) -> bytes:
    """The signature's file."""
    return hexlify(modulus) + b"\n" + hexlify(signature) + b"\n"


def fingerprint(modulus: bytes) -> bytes:
    """What names a key: SHA-256 of its modulus, as hexadecimal digits."""
    return hexlify(sha256(modulus).digest())


def signer(text: bytes, digest: bytes) -> bytes:
    """Fingerprint of the key that signed ``digest``, the manifest's SHA-256; empty when ``text`` is no signature of it.

    ``text`` is the signature's file; more than a file of that kind has, is none.
    """
    lines = text.split(b"\n")
    if len(lines) != 3 or lines[2]:
        return b""
    try:
        modulus, signature = unhexlify(lines[0]), unhexlify(lines[1])
    except ValueError:
        return b""
    size = len(modulus)
    if size not in SIZES or len(signature) != size or text_of(modulus, signature) != text:
        return b""
    n, s = int.from_bytes(modulus, "big"), int.from_bytes(signature, "big")
    if modulus[0] < 128 or not modulus[-1] & 1 or s >= n:
        return b""
    expected = b"\0\1" + b"\xff" * (size - 3 - len(_SHA_256) - len(digest)) + b"\0" + _SHA_256 + digest
    if len(digest) != 32 or pow(s, EXPONENT, n).to_bytes(size, "big") != expected:
        return b""
    return fingerprint(modulus)
