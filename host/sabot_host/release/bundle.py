"""A release as one file: a zip archive with the manifest, its signature, the board's files and MicroPython's UF2.

Entry points: :class:`Bundle`, :func:`read`, :func:`write`. When a bundle is read, the manifest is checked against its
signature and every byte against the manifest. Archives are stored without compression and without times: the same
release, the same bytes on every computer.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sabot.wire.signed import ATTEST_LABEL, MANIFEST, SIGNATURE, signer
from sabot_host.errors import FileError
from sabot_host.files import BUNDLE_BYTES, read_bytes
from sabot_host.release.manifest import MOST_FILES, Entry, Manifest, parse

FILES = "files/"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that an archive can hold


@dataclass(frozen=True)
class Bundle:
    """A release: manifest, signature, the files by their path on the board, MicroPython's UF2 (no bytes for none)."""

    manifest: Manifest
    signature: bytes
    files: Mapping[str, bytes]
    uf2: bytes

    @property
    def on_board(self) -> dict[str, bytes]:
        """Everything that lies on the board: the files, and what they are checked against there."""
        return {**self.files, MANIFEST: self.manifest.text(), SIGNATURE: self.signature}

    def attested(self, challenge: bytes, unique_id: bytes) -> bytes:
        """What a board that holds this release, and no other byte, answers to ``challenge``."""
        whole = hashlib.sha256(ATTEST_LABEL + challenge + unique_id + self.manifest.text() + self.signature)
        for entry in self.manifest.files:
            whole.update(self.files[entry.path])
        return whole.digest()

    @property
    def signer(self) -> str:
        """Fingerprint of the key that signed; empty when the signature is none of this manifest."""
        return signer(self.signature, hashlib.sha256(self.manifest.text()).digest()).decode()


def write(bundle: Bundle) -> bytes:
    """The archive of a bundle."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        _add(archive, MANIFEST, bundle.manifest.text())
        _add(archive, SIGNATURE, bundle.signature)
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
    """Read and check a bundle. FileError when it is none, is not signed, or one byte is not as its manifest says."""
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
    if not stored or len(sizes) != len(members) or len(sizes) > MOST_FILES + 3:
        raise _no_bundle(name)
    manifest = parse(archive.read(MANIFEST), name)
    if SIGNATURE not in sizes:
        raise FileError("bundle-unsigned", f"{name} is not signed", "get the release again, from those who made it")
    files = {entry.path: _file(archive, FILES + entry.path, entry, name) for entry in manifest.files}
    uf2 = _file(archive, manifest.uf2.path, manifest.uf2, name) if manifest.uf2 is not None else b""
    expected = {MANIFEST, SIGNATURE, *(FILES + entry.path for entry in manifest.files)}
    if manifest.uf2 is not None:
        expected.add(manifest.uf2.path)
    for extra in sorted(sizes.keys() - expected):
        raise FileError(
            "bundle-damaged", f"{name} holds {extra}, which its manifest does not name", "get the release again"
        )
    bundle = Bundle(manifest, archive.read(SIGNATURE), files, uf2)
    if not bundle.signer:
        raise FileError(
            "bundle-signature",
            f"{name}: its signature is none of its manifest",
            "do not install it; get the release again, from those who made it",
        )
    return bundle


def _file(archive: zipfile.ZipFile, member: str, entry: Entry, name: str) -> bytes:
    data = archive.read(member)
    if not entry.holds(data):
        raise FileError("bundle-damaged", f"{name}: {entry.path} is not as its manifest says", "get the release again")
    return data
