"""mpremote, MicroPython's own tool, against the emulated board's serial port: files, code, resets, the boot loader."""

import contextlib
import hashlib
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hwsim.usb import filesystem, firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus, rig
from hwsim.usb.chips import RP2350

ROOT = Path(__file__).parents[2]
DRIVERS = sorted(path.parent for path in (ROOT / "drivers").glob("*/package.json"))


@pytest.fixture
def board() -> Iterator[Board]:
    """A Pico 2 with stock MicroPython, at its prompt."""
    bus: Bus = rig([RP2350], real=True, plugged=False)
    (made,) = bus.boards
    program = firmware.synthetic(RP2350)
    made.flash.data[: len(program)] = program
    made.plug()
    bus.settle()
    yield made
    bus.close()


def mpremote(board: Board, *arguments: str) -> str:
    """Run one command; what it printed."""
    assert board.application is not None
    ran = subprocess.run(
        [sys.executable, "-m", "mpremote", "connect", board.application.port, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


@contextlib.contextmanager
def leaving(board: Board) -> Iterator[None]:
    """Wait until the port has gone and the board has come up again: the tool does not."""
    assert board.application is not None
    with open(board.application.port, "rb") as port:
        gone = select.poll()
        gone.register(port, 0)
        yield
        assert gone.poll(20_000)
    board.bus.settle()


def test_files_there_and_back(board: Board, tmp_path: Path) -> None:
    content = bytes(range(256)) * 41  # 41 packets and all bytes, Ctrl-C and Ctrl-D among them
    here = tmp_path / "here.bin"
    here.write_bytes(content)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "inside.py").write_text("x = 1\n")
    mpremote(board, "fs", "cp", str(here), ":there.bin", "+", "fs", "cp", "-r", str(tmp_path / "package"), ":")
    assert hashlib.sha256(content).hexdigest() in mpremote(board, "fs", "sha256sum", "there.bin")
    mpremote(board, "fs", "cp", ":there.bin", str(tmp_path / "back.bin"))
    assert (tmp_path / "back.bin").read_bytes() == content
    assert "inside.py" in mpremote(board, "fs", "tree")
    mpremote(board, "fs", "rm", "there.bin")
    board.unplug()
    found = filesystem.find(board.flash)
    assert found is not None
    assert found.files() == {"package/inside.py": b"x = 1\n"}


def test_code_runs_and_errors_come_back(board: Board, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint(sys.platform, 6 * 7)\n")
    assert mpremote(board, "run", str(script)) == "rp2 42\n"
    assert mpremote(board, "exec", "import machine; print(machine.unique_id().hex())").strip() == board.uid.hex()
    assert mpremote(board, "eval", "__import__('sys').implementation._build") == "RPI_PICO2\n"


def test_a_folder_of_the_host_is_mounted(board: Board, tmp_path: Path) -> None:
    (tmp_path / "from_host.py").write_text("answer = 'over the cable'\n")
    assert "over the cable" in mpremote(
        board, "mount", str(tmp_path), "exec", "import from_host; print(from_host.answer)"
    )


def test_resets(board: Board) -> None:
    mpremote(board, "exec", "with open('boot.py', 'w') as f: f.write('print(1)')")
    mpremote(board, "soft-reset")
    with leaving(board):
        mpremote(board, "reset")
    assert mpremote(board, "fs", "cat", "boot.py") == "print(1)"
    with leaving(board):
        mpremote(board, "bootloader")
    assert board.state == "bootsel"


def test_the_drivers_install_with_mip_as_their_readmes_say(board: Board) -> None:
    """Each by its own line, and then all are there and can be imported; the reader brings what it needs."""
    lines = {}
    for package in DRIVERS:
        said = re.search(r"`mpremote (mip install [^`]+)`", (package / "README.md").read_text(encoding="utf-8"))
        assert said, package
        lines[package.name] = said[1]
    assert mpremote(board, *lines["pn5180"].split(), "+", "exec", "import pn5180; print(pn5180.PN5180)").endswith(
        "'>\n"
    )
    words = " + ".join(line for name, line in lines.items() if name not in ("pn5180", "iso15693")).split()
    names = ", ".join(lines)
    assert mpremote(board, *words, "+", "exec", f"import {names}; print('all')").endswith("all\n")
    board.unplug()
    found = filesystem.find(board.flash)
    assert found is not None
    wanted = {f"lib/{path.parent.name}/{path.name}" for package in DRIVERS for path in package.glob("*.py")}
    wanted = {name for name in wanted if not name.endswith("/manifest.py")}
    assert set(found.files()) == wanted
