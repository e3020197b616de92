"""`sabot build`: the same sources give the same bytes, and what cannot be built is told."""

import json
import shutil
from pathlib import Path

import pytest

from sabot import __version__
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.flash import uf2
from sabot_host.flash.boards import BOARDS, Board
from sabot_host.release import bundle, image
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
    whole = uf2.read(made.uf2, "sabot.uf2")
    uf2.check_fits(whole, board, "sabot.uf2")
    assert image.read(whole.region(board.filesystem, board.filesystem_bytes), board) == made.files


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
