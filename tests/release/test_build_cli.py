"""`sabot build`: the same sources give the same bytes, and what cannot be built is told."""

import json
import shutil
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

from sabot import __version__
from sabot.wire.signed import DEVELOPMENT
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.flash import uf2
from sabot_host.flash.boards import BOARDS, Board
from sabot_host.release import bundle, image
from sabot_host.release.signing import read_signer
from tests.flash import synthetic

ROOT = Path(__file__).parents[2]


def small_clone(folder: Path) -> Path:
    """The firmware's version and one driver: enough to build, quick to compile."""
    (folder / "firmware" / "sabot").mkdir(parents=True)
    shutil.copy(ROOT / "firmware" / "sabot" / "__init__.py", folder / "firmware" / "sabot")
    for name in ("boot.py", "main.py"):
        (folder / "firmware" / name).write_text("import sabot\n")
    shutil.copytree(ROOT / "drivers" / "ws2812", folder / "drivers" / "ws2812")
    return folder


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_two_builds_give_the_same_bytes(board: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stock = tmp_path / "stock.uf2"
    stock.write_bytes(synthetic.micropython(board))
    for number in (1, 2):
        clone = small_clone(tmp_path / f"clone-{number}")
        words = [
            "--board",
            board.name,
            "--micropython",
            str(stock),
            "--source",
            str(clone),
            "--out",
            str(tmp_path / str(number)),
        ]
        assert main(["build", *words, "--json"]) == Exit.OK
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["release"] == second["release"]
    for name in (f"sabot-{__version__}-{board.name}.sabot", f"sabot-{__version__}-{board.name}.uf2"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()

    made = bundle.read(tmp_path / "1" / f"sabot-{__version__}-{board.name}.sabot")
    manifest = made.manifest
    assert (manifest.version, manifest.board, manifest.mpy) == (__version__, board.name, 6)
    assert manifest.micropython == synthetic.VERSION
    assert sorted(made.files) == ["boot.py", "lib/ws2812/__init__.mpy", "main.py", "sabot/__init__.mpy"]
    assert made.signer == DEVELOPMENT.decode()
    whole = uf2.read((tmp_path / "1" / f"sabot-{__version__}-{board.name}.uf2").read_bytes(), "sabot.uf2")
    uf2.check_fits(whole, board, "sabot.uf2")
    assert image.read(whole.region(board.filesystem, board.filesystem_bytes), board) == made.on_board


def test_without_micropython_there_is_no_uf2(tmp_path: Path) -> None:
    clone = small_clone(tmp_path / "clone")
    assert main(["build", "--source", str(clone), "--out", str(tmp_path / "dist")]) == Exit.OK
    (only,) = (tmp_path / "dist").iterdir()
    assert bundle.read(only).manifest.uf2 is None


def test_what_cannot_be_built_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--source", str(tmp_path), "--out", str(tmp_path / "dist")]) == Exit.FILE
    assert "[build-no-sources]" in capsys.readouterr().err
    clone = small_clone(tmp_path / "clone")
    (clone / "firmware" / "sabot" / "broken.py").write_text("x = = 1\n")
    assert main(["build", "--source", str(clone), "--out", str(tmp_path / "dist")]) == Exit.FILE
    assert "firmware/sabot/broken.py:1: " in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()
    other = tmp_path / "pico.uf2"
    other.write_bytes(synthetic.micropython(BOARDS[1]))
    assert main(["build", "--micropython", str(other), "--out", str(tmp_path / "dist")]) == Exit.FILE
    assert "pico.uf2 is for RP2040, the board is a RP2350 [uf2-family]" in capsys.readouterr().err


def test_a_key_of_one_s_own_signs_and_its_public_part_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clone, out = small_clone(tmp_path / "clone"), tmp_path / "dist"
    for name in ("house", "other"):
        assert main(["build", "--new-key", str(tmp_path / f"{name}.pem")]) == Exit.OK
    assert stat.S_IMODE((tmp_path / "house.pem").stat().st_mode) == 0o600
    assert main(["build", "--new-key", str(tmp_path / "house.pem")]) == Exit.FILE  # never written over
    capsys.readouterr()
    assert main(["build", "--source", str(clone), "--out", str(out), "--key", str(tmp_path / "house.pem")]) == Exit.OK
    assert "signed by the key " in capsys.readouterr().out
    (made,) = out.iterdir()
    assert bundle.read(made).signer == read_signer(tmp_path / "house.pub")
    words = ["flash", "--yes", "--bundle", str(made), "--signer"]
    assert main([*words, str(tmp_path / "other.pub")]) == Exit.FILE
    assert "[bundle-signer]" in capsys.readouterr().err
    assert main([*words, str(tmp_path / "house.pem")]) == Exit.FILE
    assert "[signer-key]" in capsys.readouterr().err
    assert main(["flash", "--yes", "--uf2", str(made), "--signer", str(tmp_path / "house.pub")]) == Exit.USAGE


def test_what_signs_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clone = small_clone(tmp_path / "clone")
    key = tmp_path / "key.pem"

    def refused(private: PrivateKeyTypes | None, secret: bytes | None = None) -> str:
        locked = serialization.BestAvailableEncryption(secret) if secret else serialization.NoEncryption()
        key.touch(0o600)
        key.write_bytes(
            b"key"
            if private is None
            else private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked)
        )
        words = ["build", "--source", str(clone), "--out", str(tmp_path / "dist"), "--key", str(key)]
        assert main(words) == Exit.FILE
        return capsys.readouterr().err

    assert "[signing-key]" in refused(None)
    assert "locked with a pass phrase [signing-key]" in refused(rsa.generate_private_key(65537, 2048), b"secret")
    assert "it has 1024 bits, 2048 or 3072 are read [signing-key-unfit]" in refused(
        rsa.generate_private_key(65537, 1024)
    )
    assert "its exponent is 3" in refused(rsa.generate_private_key(3, 2048))
    assert "it is no RSA key [signing-key-unfit]" in refused(ec.generate_private_key(ec.SECP256R1()))
    key.chmod(0o644)
    assert main(["build", "--source", str(clone), "--key", str(key)]) == Exit.FILE
    assert "[key-file-open]" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()
