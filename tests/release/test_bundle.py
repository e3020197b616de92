"""A release's file: the same bytes each time, and not one byte changed goes unnoticed."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from sabot_host.errors import FileError
from sabot_host.release import bundle
from sabot_host.release.bundle import Bundle
from sabot_host.release.manifest import Entry, Manifest, parse
from sabot_host.release.signing import development

KEY = development()
FILES = {"main.py": b"main", "sabot/__init__.mpy": b"M\x06", "lib/x.mpy": b""}


def made(uf2: bytes = b"uf2") -> Bundle:
    entries = tuple(Entry.of(path, FILES[path]) for path in sorted(FILES))
    program = Entry.of("micropython.uf2", uf2) if uf2 else None
    manifest = Manifest("1.2.3", "pico2", "armv7emsp", 6, "v1.29.0" if uf2 else "", entries, program)
    return Bundle(manifest, KEY.sign(manifest.text()), FILES, uf2)


@pytest.mark.parametrize("uf2", [b"", b"uf2"])
def test_a_bundle_is_read_as_it_was_written(tmp_path: Path, uf2: bytes) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(bundle.write(made(uf2)))
    assert bundle.read(path) == made(uf2)


def test_the_same_release_is_the_same_bytes() -> None:
    backwards = Bundle(made().manifest, made().signature, dict(reversed(FILES.items())), b"uf2")
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
        ({"micropython.uf2": b"evil"}, "bundle-damaged"),
        ({"files/extra.py": b"evil"}, "bundle-damaged"),
        ({"release.txt": b"{"}, "bundle-manifest"),
        ({"release.txt": b""}, "bundle-manifest"),
        ({"release.txt": b"sabot-release 3\n"}, "bundle-format"),
        ({"release.txt": b"sabot-release 2\n"}, "bundle-manifest"),
        ({"release.txt": made().manifest.text() + b"\n"}, "bundle-manifest"),
        ({"release.txt": made().manifest.text().replace(b"1.2.3", b"1.2.4")}, "bundle-signature"),
        ({"release.sig": b""}, "bundle-signature"),
        ({"release.sig": made(b"").signature}, "bundle-signature"),
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


def test_a_bundle_that_nobody_signed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(archive({name: data for name, data in members().items() if name != "release.sig"}))
    with pytest.raises(FileError) as refusal:
        bundle.read(path)
    assert refusal.value.code == "bundle-unsigned"


def test_a_bundle_without_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "release.sabot"
    path.write_bytes(archive({name: data for name, data in members().items() if name != "files/main.py"}))
    with pytest.raises(FileError):
        bundle.read(path)


LINE = b"file main.py 4 "
DIGEST = hashlib.sha256(b"main").hexdigest().encode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LINE, b"file ../etc/passwd 4 "),
        (LINE, b"file /main.py 4 "),
        (LINE, b"file a//b 4 "),
        (LINE, b"file a\\b 4 "),
        (LINE, b"file a b 4 "),
        (LINE, b"file  4 "),
        (LINE, b"file sabot/__init__.mpy 4 "),  # twice
        (LINE, b"file main.py -1 "),
        (LINE, b"file main.py 04 "),
        (LINE, b"file main.py 5000000 "),
        (LINE, b"folder main.py 4 "),
        (LINE, b"\n" + LINE),
        (DIGEST, b"00"),
        (DIGEST, DIGEST.upper()),
        (b"mpy 6\n", b"mpy six\n"),
        (b"mpy 6\n", b""),
        (b"board pico2\n", b"board \n"),
        (b"board pico2\n", b"board pico\xff\n"),
    ],
)
def test_a_manifest_that_names_what_may_not_be_written_is_refused(old: bytes, new: bytes) -> None:
    text = made().manifest.text()
    assert text.count(old) == 1
    with pytest.raises(FileError) as refusal:
        parse(text.replace(old, new), "release.sabot")
    assert refusal.value.code == "bundle-manifest"


def test_the_hash_of_a_release_is_over_every_file() -> None:
    other = Manifest("1.2.3", "pico2", "armv7emsp", 6, "v1.29.0", (Entry.of("main.py", b"other"),), None)
    assert made().manifest.sha256 != other.sha256
    assert parse(made().manifest.text(), "x").sha256 == made().manifest.sha256
