"""Run Python text on the controller's interpreter. Entry point: `run`."""

import os
import subprocess
from pathlib import Path

from sabot_host.settle_device import find_interpreter

FIRMWARE = Path(__file__).parents[2] / "firmware"


def run(program: str, heap: str = "448k", given: str = "") -> str:
    """What the program prints on MicroPython with the firmware on its path; AssertionError when it fails."""
    done = subprocess.run(
        [str(find_interpreter()), "-X", f"heapsize={heap}", "-c", program],
        env={"MICROPYPATH": f"{FIRMWARE}:.frozen", "PATH": os.defpath},
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
