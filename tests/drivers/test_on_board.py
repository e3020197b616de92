"""Runs the programs of tests/drivers/on_board on MicroPython: the drivers' hot methods under a locked heap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted(path for path in (HERE / "on_board").glob("*.py") if path.name != "fakes.py")


def micropython() -> str:
    found = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert found, "the MicroPython interpreter is not installed"
    return found


def run(program: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Run a program on the board's interpreter, with the drivers, and what is in `paths`, to import."""
    path = [*map(str, paths), str(HERE.parents[1] / "drivers"), ".frozen"]
    return subprocess.run(
        [micropython(), "-X", "heapsize=448k", program.name],
        cwd=program.parent,
        env={**os.environ, "MICROPYPATH": ":".join(path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(program: Path) -> None:
    result = run(program)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("ok")
