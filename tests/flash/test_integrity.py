"""A program that is not the release's is never played with, and that is shown, recorded, and over when it is mended."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hwsim.usb import filesystem
from sabot.wire.signed import MANIFEST, SIGNATURE
from sabot_host.errors import Exit
from sabot_host.release.signing import development, read_signer
from tests.flash.conftest import Desk
from tests.flash.test_seal import records

UNUSED = "sabot/rules/games/boston.mpy"  # this table plays another game: damaged, it is never run
Damage = Callable[[Path], None]


def flip(path: str, at: int = 100) -> Damage:
    def damage(root: Path) -> None:
        data = bytearray((root / path).read_bytes())
        data[at] ^= 0x10
        (root / path).write_bytes(data)

    return damage


def without(path: str) -> Damage:
    return lambda root: (root / path).unlink()


def with_more(root: Path) -> None:
    (root / "lib" / "more.py").write_text("x = 1\n")


def unsigned(root: Path) -> None:
    (root / MANIFEST).unlink()
    (root / SIGNATURE).unlink()


def signed_by_everybody(root: Path) -> None:
    (root / SIGNATURE).write_bytes(development().sign((root / MANIFEST).read_bytes()))


def another_version(root: Path) -> None:
    """Manifest and file agree, and nobody signed that."""
    shutil.copy(root / "sabot" / "rules" / "games" / "bataille.mpy", root / UNUSED)
    lines = (root / MANIFEST).read_text().splitlines(keepends=True)
    words = next(line for line in lines if "/bataille.mpy" in line).split(" ")
    lines = [line if UNUSED not in line else " ".join(["file", UNUSED, *words[2:]]) for line in lines]
    (root / MANIFEST).write_text("".join(lines))


def on_flash(desk: Desk, change: Damage) -> None:
    """Change the files in the flash of a board, which starts again."""
    board = desk.bus.boards[0]
    board.unplug()
    root = desk.folder / "changed"
    shutil.rmtree(root, ignore_errors=True)
    disk = filesystem.ensure(board.chip, board.flash)
    disk.unpack(root)
    change(root)
    disk.store(root)
    again(desk)


def again(desk: Desk) -> None:
    """The power goes, and comes back."""
    board = desk.bus.boards[0]
    if board.state != "unplugged":
        board.unplug()
    board.plug()
    desk.bus.settle()


def status(desk: Desk, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    capsys.readouterr()
    assert desk.run("status", "--json") == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert isinstance(told, dict)
    return told


def test_a_whole_program_says_who_signed_it_and_proves_it(own: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    told = status(own, capsys)
    assert told["ready"] is True
    assert told["signer"] == read_signer(own.folder / "keys" / "release.pub")
    words = ("attest", "--bundle", "r.sabot", "--keys", "keys")
    assert own.run(*words) == Exit.OK
    assert "holds r.sabot, signed by the key " in capsys.readouterr().out
    assert own.run(*words, "--role", "auditor", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["same"] is True
    # Whoever asks for another release is told no.
    on_flash(own, lambda root: None)
    made = own.folder / "r.sabot"
    other = own.folder / "unsigned.sabot"  # the same files, signed by somebody else
    assert own.run(*(word if word != made.name else other.name for word in words)) == Exit.FINDING
    assert "does NOT hold" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (flip(UNUSED), f"{UNUSED} is damaged"),
        (without(UNUSED), "a file of the release is missing or cannot be read"),
        (with_more, "there is a program file that is not of the release"),
        (flip(MANIFEST), "release.sig is no signature of release.txt"),
        (flip(SIGNATURE, 1000), "release.sig is no signature of release.txt"),
        (without(SIGNATURE), "a file of the release is missing or cannot be read"),
        (another_version, "release.sig is no signature of release.txt"),
        (signed_by_everybody, "the release is signed with another key than the table's"),
    ],
    ids=["bit", "file", "more", "manifest", "signature", "no-signature", "version", "signer"],
)
def test_a_program_that_is_not_the_release_s_is_not_played_with(
    own: Desk, capsys: pytest.CaptureFixture[str], damage: Damage, words: str
) -> None:
    on_flash(own, damage)
    told = status(own, capsys)
    assert told["ready"] is False
    assert told["refused"] == {"code": "integrity", "text": f"{words}; install the release again"}
    if words != f"{UNUSED} is damaged":
        return
    assert own.run("attest", "--bundle", "r.sabot", "--keys", "keys") == Exit.FINDING
    again(own)
    assert status(own, capsys)["ready"] is False
    assert len([line for line in records(own, capsys) if "integrity" in line and UNUSED in line]) == 2
    assert own.run("flash", "--bundle", "r.sabot", "--keys", "keys", "--yes") == Exit.OK
    assert status(own, capsys)["ready"] is True


def test_without_manifest_and_signature_a_table_of_the_house_is_stopped(
    own: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    on_flash(own, unsigned)
    assert status(own, capsys)["refused"] == {
        "code": "integrity",
        "text": "release.txt is missing; install the release again",
    }


def test_what_everybody_can_sign_is_not_sealed(commissioned: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    told = status(commissioned, capsys)
    assert (told["ready"], told["signer"]) == (True, "development")
    assert commissioned.run("seal", "--keys", "keys", "--yes") == Exit.REFUSED
    assert "[link-published-keys]" in capsys.readouterr().err
