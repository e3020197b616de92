"""Whether the program on the board is the one that was released: every file against the signed manifest.

Entry points: :func:`judged` (at the start), :func:`answer` (when a host asks); :data:`ONLY` they need these modules.
``docs/integrity.md`` says what that proves. Nothing here is needed at rest.
"""

import os
from binascii import hexlify
from hashlib import sha256

from sabot.wire.signed import MANIFEST, SIGNATURE, signer

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ONLY = ("sabot.integrity", "sabot.wire.signed")
_LABEL = b"sabot release"
_PIECE = 1024
_MOST_SIGNATURE = 2048  # bytes: no signature is longer
_FOLDER = 0x4000


def judged(expected: bytes) -> "tuple[bytes, str]":
    """Who signed the program, and what is wrong with it.

    ``expected`` is the fingerprint of the only key that may have signed; without one any may, and a board without
    manifest and signature, as a program that was copied from its sources has none, is signed by nobody. The first is
    empty for nobody, the second for nothing.
    """
    names = os.listdir()
    if MANIFEST not in names and SIGNATURE not in names:
        return b"", MANIFEST + " is missing" if expected else ""
    try:
        manifest = sha256()
        _feed(manifest, MANIFEST)
        with open(SIGNATURE, "rb") as file:
            by = signer(file.read(_MOST_SIGNATURE), manifest.digest())
        if not by:
            return by, SIGNATURE + " is no signature of " + MANIFEST
        if expected and by != expected:
            return by, "the release is signed with another key than the table's"
        count = 0
        with open(MANIFEST, "rb") as listed:
            for line in listed:
                words = line.split()
                if words[0] == b"file":
                    count += 1
                    path = words[1].decode()
                    hashed = sha256()
                    if _feed(hashed, path) != int(words[2]) or hexlify(hashed.digest()) != words[3]:
                        return by, path + " is damaged"
        if _programs("") != count:  # each of the release's is there: any other could be loaded in the place of one
            return by, "there is a program file that is not of the release"
    except OSError:
        return b"", "a file of the release is missing or cannot be read"
    return by, ""


def answer(challenge: bytes, unique_id: bytes) -> bytes:
    """SHA-256 of challenge, board, manifest, signature and every file in the manifest's order; empty without manifest.

    Nobody can tell it beforehand, and whoever has the release can work it out.
    """
    whole = sha256(_LABEL + challenge + unique_id)
    try:
        _feed(whole, MANIFEST)
        _feed(whole, SIGNATURE)
        with open(MANIFEST, "rb") as listed:
            for line in listed:
                words = line.split()
                if words[0] == b"file":
                    _feed(whole, words[1].decode())
    except OSError:
        return b""
    return whole.digest()


def _feed(hashed: "Any", path: str) -> int:
    """Hash a file, piece by piece; its size. OSError when it cannot be read."""
    piece = bytearray(_PIECE)
    view = memoryview(piece)
    size = 0
    with open(path, "rb") as file:
        while True:
            count = file.readinto(piece)
            if not count:
                return size
            hashed.update(view[:count])
            size += count


def _programs(folder: str) -> int:
    """How many program files there are, in all folders."""
    count = 0
    for entry in os.ilistdir(folder or "."):
        name = entry[0]
        if entry[1] & _FOLDER:
            count += _programs(folder + name + "/")
        elif name[-3:] == ".py" or name[-4:] == ".mpy":
            count += 1
    return count
