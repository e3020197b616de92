"""Whether program and settings on the board are what was put there (``docs/integrity.md``).

Entry points: :func:`checked` (the program at the start: every file against the signed manifest), :func:`answer` (the
same when a host asks), :func:`program_and_deck` (what the journal says of both), :func:`read` (the settings in force,
whichever of two copies is whole and of the highest version), :func:`settings` (both copies alike again); :data:`ONLY`
they need these modules. Nothing here is needed at rest. A file is written beside its place and then takes it, so that
one copy is whole at every instant.
"""

import json
import os
from binascii import hexlify
from hashlib import sha256

from sabot.wire.signed import ATTEST_LABEL, MANIFEST, SETTINGS, SIGNATURE, in_force, kept, second, signer, split

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

ONLY = ("sabot.integrity", "sabot.wire.signed")
_PIECE = 1024
_MOST_SIGNATURE = 2048  # bytes: no signature is longer
_FOLDER = 0x4000
_BESIDE = "settings.new"


def checked(expected: bytes) -> "tuple[bytes, str]":
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
        for words in _listed():
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
    whole = sha256(ATTEST_LABEL + challenge + unique_id)
    try:
        _feed(whole, MANIFEST)
        _feed(whole, SIGNATURE)
        for words in _listed():
            _feed(whole, words[1].decode())
    except OSError:
        return b""
    return whole.digest()


def program_and_deck() -> "tuple[bytes, bytes]":
    """8 bytes each that stand for the release's manifest and the deck's list; zeros for what there is not."""
    try:
        manifest = sha256()
        _feed(manifest, MANIFEST)
        program = manifest.digest()[:8]
    except OSError:
        program = bytes(8)
    listed = in_force(*parts("deck.json"))
    return program, bytes(8) if listed is None else sha256(listed).digest()[:8]


def _listed() -> "Iterator[list[bytes]]":
    """Each line of the manifest that is a file's: "file", path, size, hash."""
    with open(MANIFEST, "rb") as manifest:
        for line in manifest:
            words = line.split()
            if words[0] == b"file":
                yield words


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


def read(path: str) -> "Any":
    """The value in force of a settings file, whichever copy it is from.

    Raises:
        OSError: there is neither the file nor a whole copy of it.
        ValueError: the file is no JSON or not whole, and there is no whole copy.
    """
    first, other = parts(path)
    text = in_force(first, other)
    if text is None:
        with open(path):  # OSError where there is none
            raise ValueError
    return json.loads(text)


def settings(told: "Callable[[str], None]") -> None:
    """Make both copies of every file alike; ``told`` what was not whole, which a new file is no case of."""
    for path in SETTINGS:
        first, other = parts(path)
        if not first and not other:
            continue  # nothing to read, of which the start has its own opinion
        try:
            if first and not first[0]:
                # New. The copy is first: until the file has its line, it stays the newest, whatever the copy says.
                data = kept(other[0] + 1 if other else 1, first[1])
                put(second(path), data)
                put(path, data)
            elif first and (not other or other[0] < first[0]):
                put(second(path), kept(first[0], first[1]))
                told(second(path) + " was not whole: written again from " + path)
            elif other and (not first or first[0] < other[0]):
                put(path, kept(other[0], other[1]))
                told(path + " was not whole: written again from its copy")
        except OSError:
            told(path + " cannot be written in two copies")


def parts(path: str) -> "tuple[tuple[int, bytes] | None, tuple[int, bytes] | None]":
    """Version and text of file and copy; None for what is missing or not whole. A copy is never new."""
    first = _whole(path)
    if first and not first[0]:
        try:
            json.loads(first[1])
        except ValueError:
            first = None
    other = _whole(second(path))
    return first, other if other and other[0] else None


def _whole(path: str) -> "tuple[int, bytes] | None":
    try:
        with open(path, "rb") as file:
            return split(file.read())
    except OSError:
        return None


def put(path: str, data: bytes) -> None:
    """Write a file beside its place, which it then takes."""
    with open(_BESIDE, "wb") as file:
        file.write(data)
    os.rename(_BESIDE, path)
