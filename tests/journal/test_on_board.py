"""Runs the journal on MicroPython: the lock's commit under a locked heap, segments on its littlefs, and cuts."""

import os
import subprocess
from pathlib import Path

import pytest

from sabot_host.settle_device import find_interpreter

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "firmware"


@pytest.mark.parametrize("program", ["commit_allocates_nothing.py", "segments_in_flash.py"])
def test_program(program: str) -> None:
    done = subprocess.run(
        [str(find_interpreter()), "-X", "heapsize=448k", program],
        cwd=HERE / "on_board",
        env={"MICROPYPATH": f"{FIRMWARE}:.frozen", "PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("ok")
