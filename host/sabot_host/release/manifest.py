"""What a release says of itself: version, board, and every file with its hash.

Entry points: :class:`Manifest`, :class:`Entry`, :func:`parse`. The text is canonical JSON: one release, one text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sabot_host.errors import FileError
from sabot_host.files import json_of

FORMAT = 1
_PATH_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
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


@dataclass(frozen=True)
class Manifest:
    """One release for one board. ``mpy`` is the version of the compiled files; ``uf2`` is there when MicroPython is.

    ``micropython`` is the version of the MicroPython joined in, or an empty text.
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
        """The manifest as it stands in the bundle."""
        values = {"format": FORMAT, **asdict(self)}
        return (json.dumps(values, indent=1, sort_keys=True) + "\n").encode()

    @property
    def sha256(self) -> str:
        """The hash that names this release: over the manifest, hence over every file."""
        return hashlib.sha256(self.text()).hexdigest()


def parse(text: bytes, name: str) -> Manifest:
    """Read a manifest; FileError when it is none, or of another format, or names what may not be written."""
    try:
        values = json_of(text)
        if not isinstance(values, dict):
            raise ValueError("no object")
        if values.get("format") != FORMAT:
            raise FileError(
                "bundle-format",
                f"{name} is a release of format {values.get('format')}, this tool reads {FORMAT}",
                "use the sabot tool that came with the release",
            )
        manifest = Manifest(
            version=_text(values, "version"),
            board=_text(values, "board"),
            architecture=_text(values, "architecture"),
            mpy=_number(values, "mpy"),
            micropython=_text(values, "micropython"),
            files=tuple(_entry(entry) for entry in values["files"]),
            uf2=_entry(values["uf2"]) if values["uf2"] is not None else None,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(
            "bundle-manifest", f"{name}: its manifest is damaged ({error})", "get the release again"
        ) from error
    paths = [entry.path for entry in manifest.files]
    if len(set(paths)) != len(paths) or len(paths) > MOST_FILES or manifest.size > MOST_BYTES:
        raise FileError("bundle-manifest", f"{name}: its manifest lists what no board holds", "get the release again")
    return manifest


def _text(values: Mapping[str, Any], field: str) -> str:
    value = values[field]
    if not isinstance(value, str):
        raise ValueError(f"{field} is no text")
    return value


def _number(values: Mapping[str, Any], field: str) -> int:
    value = values[field]
    if type(value) is not int or value < 0:
        raise ValueError(f"{field} is no number")
    return value


def _entry(values: Mapping[str, Any]) -> Entry:
    path, size, digest = _text(values, "path"), _number(values, "size"), _text(values, "sha256")
    parts = path.split("/")
    if not _PATH_CHARACTERS.issuperset(path) or any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{path!r} is no path on a board")
    if len(digest) != 64:
        raise ValueError(f"{path}: no hash")
    return Entry(path, size, digest)
