"""A release as one file: a zip archive with the manifest, the board's files and, joined in, MicroPython's UF2.

Entry points: :class:`Bundle`, :func:`read`, :func:`write`. Every byte is checked against the manifest when a bundle is
read. Archives are stored without compression and without times: the same release, the same bytes on every computer.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sabot_host.errors import FileError
from sabot_host.files import BUNDLE_BYTES, read_bytes
from sabot_host.release.manifest import MOST_FILES, Entry, Manifest, parse

MANIFEST = "manifest.json"
FILES = "files/"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that an archive can hold


@dataclass(frozen=True)
class Bundle:
    """A release: its manifest, the files by their path on the board, and the UF2 (no bytes when there is none)."""

    manifest: Manifest
    files: Mapping[str, bytes]
    uf2: bytes


def write(bundle: Bundle) -> bytes:
    """The archive of a bundle."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        _add(archive, MANIFEST, bundle.manifest.text())
        for path in sorted(bundle.files):
            _add(archive, FILES + path, bundle.files[path])
        if bundle.manifest.uf2 is not None:
            _add(archive, bundle.manifest.uf2.path, bundle.uf2)
    return out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.create_system = 3  # whatever system writes it
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, data)


def read(path: Path) -> Bundle:
    """Read and check a bundle. FileError when it is none, or one byte is not as its manifest says."""
    data = read_bytes(path, BUNDLE_BYTES)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _checked(archive, path.name)
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, EOFError, OSError, RuntimeError) as error:
        raise _no_bundle(path.name) from error


def _no_bundle(name: str) -> FileError:
    return FileError("bundle-not-one", f"{name} is no release of Sabot, or is damaged", "get the release again")


def _checked(archive: zipfile.ZipFile, name: str) -> Bundle:
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    members = archive.infolist()
    stored = all(info.compress_type == zipfile.ZIP_STORED for info in members)
    if not stored or len(sizes) != len(members) or len(sizes) > MOST_FILES + 2:
        raise _no_bundle(name)
    manifest = parse(archive.read(MANIFEST), name)
    files = {entry.path: _file(archive, FILES + entry.path, entry, name) for entry in manifest.files}
    uf2 = _file(archive, manifest.uf2.path, manifest.uf2, name) if manifest.uf2 is not None else b""
    expected = {MANIFEST, *(FILES + entry.path for entry in manifest.files)}
    if manifest.uf2 is not None:
        expected.add(manifest.uf2.path)
    for extra in sorted(sizes.keys() - expected):
        raise FileError(
            "bundle-damaged", f"{name} holds {extra}, which its manifest does not name", "get the release again"
        )
    return Bundle(manifest, files, uf2)


def _file(archive: zipfile.ZipFile, member: str, entry: Entry, name: str) -> bytes:
    data = archive.read(member)
    if not entry.holds(data):
        raise FileError("bundle-damaged", f"{name}: {entry.path} is not as its manifest says", "get the release again")
    return data
