"""A release's file: the same bytes each time, and not one byte changed goes unnoticed."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sabot_host.errors import FileError
from sabot_host.release import bundle
from sabot_host.release.bundle import Bundle
from sabot_host.release.manifest import Entry, Manifest, parse

FILES = {"main.py": b"main", "sabot/__init__.mpy": b"M\x06", "lib/x.mpy": b""}


def made(uf2: bytes = b"uf2") -> Bundle:
    entries = tuple(Entry.of(path, FILES[path]) for path in sorted(FILES))
    joined = Entry.of("sabot.uf2", uf2) if uf2 else None
    return Bundle(Manifest("1.2.3", "pico2", "armv7emsp", 6, "v1.29.0", entries, joined), FILES, uf2)


@pytest.mark.parametrize("uf2", [b"", b"uf2"])
def test_a_bundle_is_read_as_it_was_written(tmp_path: Path, uf2: bytes) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(bundle.write(made(uf2)))
    assert bundle.read(path) == made(uf2)


def test_the_same_release_is_the_same_bytes() -> None:
    backwards = Bundle(made().manifest, dict(reversed(FILES.items())), b"uf2")
    assert bundle.write(made()) == bundle.write(backwards)


def test_each_byte_of_the_archive_counts(tmp_path: Path) -> None:
    """Flip each byte: the bundle is refused, or reads as the same release (times and such of the archive's own)."""
    data = bundle.write(made())
    path = tmp_path / "release.sabot"
    refused = 0
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        try:
            assert bundle.read(path) == made(), at
        except FileError:
            refused += 1
    assert refused > len(data) // 2


@pytest.mark.parametrize("length", [0, 10, 200, -1])
def test_a_truncated_bundle_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(bundle.write(made())[:length])
    with pytest.raises(FileError) as refusal:
        bundle.read(path)
    assert refusal.value.code == "bundle-not-one"


def archive(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made_up:
        for name, data in members.items():
            made_up.writestr(name, data)
    return out.getvalue()


def members() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle.write(made()))) as whole:
        return {name: whole.read(name) for name in whole.namelist()}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"files/main.py": b"evil"}, "bundle-damaged"),
        ({"sabot.uf2": b"evil"}, "bundle-damaged"),
        ({"files/extra.py": b"evil"}, "bundle-damaged"),
        ({"manifest.json": b"{"}, "bundle-manifest"),
        ({"manifest.json": b"[]"}, "bundle-manifest"),
        ({"manifest.json": b'{"format": 2}'}, "bundle-format"),
        ({"manifest.json": b'{"format": 1}'}, "bundle-manifest"),
    ],
)
def test_a_bundle_that_its_manifest_does_not_describe_is_refused(
    tmp_path: Path, change: dict[str, bytes], code: str
) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(archive(members() | change))
    with pytest.raises(FileError) as refusal:
        bundle.read(path)
    assert refusal.value.code == code


def test_a_bundle_without_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(archive({name: data for name, data in members().items() if name != "files/main.py"}))
    with pytest.raises(FileError):
        bundle.read(path)


def _path(value: str) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        values["files"][0]["path"] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _path("../etc/passwd"),
        _path("/main.py"),
        _path("a//b"),
        _path("a\\b"),
        _path("a b"),
        _path(""),
        _path("main.py"),
        lambda values: values.update(mpy="six"),
        lambda values: values.update(files=None),
        lambda values: values["files"][0].update(size=-1),
        lambda values: values["files"][0].update(size=5 << 20),
        lambda values: values["files"][0].update(sha256="00"),
    ],
)
def test_a_manifest_that_names_what_may_not_be_written_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    values = json.loads(made().manifest.text())
    change(values)
    with pytest.raises(FileError) as refusal:
        parse(json.dumps(values).encode(), "release.sabot")
    assert refusal.value.code == "bundle-manifest"


def test_the_hash_of_a_release_is_over_every_file() -> None:
    other = Manifest("1.2.3", "pico2", "armv7emsp", 6, "v1.29.0", (Entry.of("main.py", b"other"),), None)
    assert made().manifest.sha256 != other.sha256
    assert parse(made().manifest.text(), "x").sha256 == made().manifest.sha256
