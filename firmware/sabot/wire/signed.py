"""Files that prove themselves: a release's signature, and a settings file's check.

A release's signature is RSA with SHA-256, PKCS #1 version 1.5 (RFC 8017, section 8.2), exponent 65537.

Entry points: :func:`signer` (who signed, or nobody), :func:`text` and :func:`fingerprint`; :data:`MANIFEST` and
:data:`SIGNATURE`, the files on the board. The signature's file has two lines of hexadecimal digits: the signer's
modulus and the signature. What the signature has to be is made whole and compared whole, so that nothing in its padding
is left to an interpretation.

A settings file says whether it is whole: its text, then a line with its version and a check. Entry points: :func:`kept`
(the file of a text), :func:`split` (the text of a file), :func:`second` (where its copy lies), :func:`in_force` (which
of the two counts); :data:`SETTINGS` are these files. A file without that line is new: somebody has put it there, and
the controller adds the line at its next start. Damage cannot make one of the other: what is not JSON with the line is
not JSON without it.
"""

from binascii import hexlify, unhexlify
from hashlib import sha256

MANIFEST = "release.txt"
SIGNATURE = "release.sig"
SETTINGS = ("config.json", "keys.json", "deck.json", "badges.json")
ATTEST_LABEL = b"sabot release"
SIZES = (256, 384)  # bytes of a modulus: RSA-2048 and RSA-3072
EXPONENT = 65537
DEVELOPMENT = b"e060b64a663f936fe6439c8dd8043f253c7b8bcdc8d214607cb2bee80ac393f1"
_SHA_256 = b"\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"  # DigestInfo, section 9.2
_LINE = 75  # bytes: a line feed, eight digits, a blank, 64 hexadecimal digits, a line feed
_CHECK = 65  # from the end


def text(modulus: bytes, signature: bytes) -> bytes:
    """The signature's file."""
    return hexlify(modulus) + b"\n" + hexlify(signature) + b"\n"


def fingerprint(modulus: bytes) -> bytes:
    """What names a key: SHA-256 of its modulus, as hexadecimal digits."""
    return hexlify(sha256(modulus).digest())


def signer(data: bytes, digest: bytes) -> bytes:
    """Fingerprint of the key that signed ``digest``, the manifest's SHA-256; empty when ``data`` is no signature of it.

    ``data`` is the signature's file; more than a file of that kind has, is none.
    """
    lines = data.split(b"\n")
    if len(lines) != 3 or lines[2]:
        return b""
    try:
        modulus, signature = unhexlify(lines[0]), unhexlify(lines[1])
    except ValueError:
        return b""
    size = len(modulus)
    if size not in SIZES or len(signature) != size or text(modulus, signature) != data:
        return b""
    n, s = int.from_bytes(modulus, "big"), int.from_bytes(signature, "big")
    if modulus[0] < 128 or not modulus[-1] & 1 or s >= n:
        return b""
    expected = b"\0\1" + b"\xff" * (size - 3 - len(_SHA_256) - len(digest)) + b"\0" + _SHA_256 + digest
    if len(digest) != 32 or pow(s, EXPONENT, n).to_bytes(size, "big") != expected:
        return b""
    return fingerprint(modulus)


def second(path: str) -> str:
    """Where the second copy of a settings file lies."""
    return path[:-4] + "copy"  # for "json"


def kept(version: int, text: bytes) -> bytes:
    """The file of ``text`` in its ``version``, from 1."""
    number = b"%08d" % version
    return text + b"\n" + number + b" " + hexlify(sha256(number + text).digest()) + b"\n"


def split(data: bytes) -> "tuple[int, bytes] | None":
    """Version and text of a file, version 0 for one without the line; None for a damaged one."""
    if len(data) < _LINE or data[-_LINE : 1 - _LINE] != b"\n" or data[-_CHECK - 1 : -_CHECK] != b" ":
        return 0, data
    try:
        found = int(data[1 - _LINE : -_CHECK - 1]), data[:-_LINE]
    except ValueError:
        return None
    return found if found[0] > 0 and kept(found[0], found[1]) == data else None


def in_force(first: "tuple[int, bytes] | None", other: "tuple[int, bytes] | None") -> "bytes | None":
    """The text in force of a file and its copy, as `split` gives them, None for one that is missing or damaged.

    It is that of the highest version, and a new file's before any; a copy is never new. None when neither is whole.
    """
    if other and other[0] and (not first or 0 < first[0] < other[0]):
        return other[1]
    return first[1] if first else None
