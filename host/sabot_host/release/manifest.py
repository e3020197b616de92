"""What a release says of itself: version, board, and every file with its hash.

Entry points: :class:`Manifest`, :class:`Entry`, :func:`parse`. One release, one text, which is signed and lies on the
board too. It has a line a file, so that the board reads it line by line:

    sabot-release 2
    version 0.1.0
    board pico2
    architecture armv7emsp
    mpy 6
    micropython v1.29.0
    program micropython.uf2 1234 64-digits-of-sha256     (- where none is joined in)
    file boot.mpy 123 64-digits-of-sha256
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from sabot_host.errors import FileError

FORMAT = 2
_MAGIC = "sabot-release"
_NONE = "-"
_PATH_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_HEXADECIMAL = frozenset("0123456789abcdef")
MOST_FILES = 1000
MOST_BYTES = 4 << 20


@dataclass(frozen=True)
class Entry:
    """One file: its path on the board (or its name in the bundle), its bytes' number and their SHA-256."""

    path: str
    size: int
    sha256: str

    @classmethod
    def of(cls, path: str, data: bytes) -> Entry:
        """The entry of a file's bytes."""
        return cls(path, len(data), hashlib.sha256(data).hexdigest())

    def holds(self, data: bytes) -> bool:
        """Whether ``data`` is what the entry tells."""
        return self.of(self.path, data) == self

    def text(self) -> str:
        """The entry as its line has it."""
        return f"{self.path} {self.size} {self.sha256}"


@dataclass(frozen=True)
class Manifest:
    """One release for one board. ``mpy`` is the version of the compiled files; ``uf2`` is MicroPython's own, if any.

    ``micropython`` is the version of the MicroPython that comes with it, or an empty text.
    """

    version: str
    board: str
    architecture: str
    mpy: int
    micropython: str
    files: tuple[Entry, ...]
    uf2: Entry | None

    @property
    def size(self) -> int:
        """Bytes of all files on the board."""
        return sum(entry.size for entry in self.files)

    def text(self) -> bytes:
        """The manifest as it stands in the bundle and on the board."""
        lines = [
            f"{_MAGIC} {FORMAT}",
            f"version {self.version}",
            f"board {self.board}",
            f"architecture {self.architecture}",
            f"mpy {self.mpy}",
            f"micropython {self.micropython or _NONE}",
            f"program {self.uf2.text() if self.uf2 is not None else _NONE}",
            *(f"file {entry.text()}" for entry in self.files),
        ]
        return "".join(line + "\n" for line in lines).encode()

    @property
    def sha256(self) -> str:
        """The hash that names this release: over the manifest, hence over every file."""
        return hashlib.sha256(self.text()).hexdigest()


def parse(text: bytes, name: str) -> Manifest:
    """Read a manifest; FileError when it is none, or of another format, or names what may not be written."""
    lines = text.decode("ascii", "replace").split("\n")
    magic, _, number = lines[0].partition(" ")
    if magic == _MAGIC and number != str(FORMAT):
        raise FileError(
            "bundle-format",
            f"{name} is a release of format {number[:20]}, this tool reads {FORMAT}",
            "use the sabot tool that came with the release",
        )
    try:
        manifest = _parsed(lines)
        if manifest.text() != text:
            raise ValueError("not as it is written")
    except ValueError as error:
        raise FileError(
            "bundle-manifest", f"{name}: its manifest is damaged ({error})", "get the release again"
        ) from error
    paths = [entry.path for entry in manifest.files]
    if len(set(paths)) != len(paths) or len(paths) > MOST_FILES or manifest.size > MOST_BYTES:
        raise FileError("bundle-manifest", f"{name}: its manifest lists what no board holds", "get the release again")
    return manifest


def _parsed(lines: list[str]) -> Manifest:
    """ValueError names what is wrong."""
    fields = ("version", "board", "architecture", "mpy", "micropython", "program")
    if len(lines) < len(fields) + 1:
        raise ValueError("it ends too early")
    values = [_value(line, field) for line, field in zip(lines[1:], fields, strict=False)]
    version, board, architecture, mpy, micropython, program = values
    return Manifest(
        version=version,
        board=board,
        architecture=architecture,
        mpy=_number(mpy),
        micropython="" if micropython == _NONE else micropython,
        files=tuple(_entry(_value(line, "file")) for line in lines[len(fields) + 1 :] if line),
        uf2=None if program == _NONE else _entry(program),
    )


def _value(line: str, field: str) -> str:
    name, _, value = line.partition(" ")
    if name != field or not value:
        raise ValueError(f"no {field} where one is expected")
    return value


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(f"{text[:20]!r} is no number")
    return int(text)


def _entry(text: str) -> Entry:
    words = text.split(" ")
    if len(words) != 3:
        raise ValueError("a file has path, size and hash")
    path, size, digest = words
    parts = path.split("/")
    if not _PATH_CHARACTERS.issuperset(path) or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path[:80]!r} is no path on a board")
    if len(digest) != 64 or not _HEXADECIMAL.issuperset(digest):
        raise ValueError(f"{path}: no hash")
    return Entry(path, _number(size), digest)
