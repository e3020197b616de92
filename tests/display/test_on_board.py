"""Runs the programs of tests/display/on_board on MicroPython, from the sources as they are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.mark.parametrize("program", sorted((HERE / "on_board").glob("*.py")), ids=lambda path: path.stem)
def test_program(program: Path) -> None:
    found = shutil.which("micropython", path=str(Path(sys.executable).parent)) or shutil.which("micropython")
    assert found, "the MicroPython interpreter is not installed"
    result = subprocess.run(
        [found, "-X", "heapsize=448k", program.name],
        cwd=program.parent,
        env={**os.environ, "MICROPYPATH": f"{ROOT / 'firmware'}:{ROOT / 'drivers'}:.frozen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("ok")
