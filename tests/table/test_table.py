"""Every scenario on CPython, each journal judged; the same ones on MicroPython give the same bytes."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot_host.settle_device import find_interpreter
from tests.table.judge import judge
from tests.table.on_board.rig import Rig
from tests.table.on_board.scenarios import ALL, digest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("scenario", ALL, ids=[scenario.__name__ for scenario in ALL])
def test_scenario(scenario: Callable[[], Rig]) -> None:
    judge(scenario())


def on_micropython(program: str) -> str:
    """What a program of `on_board` prints."""
    done = subprocess.run(
        [str(find_interpreter()), "-X", "heapsize=2m", str(ROOT / "tests/table/on_board" / program)],
        cwd=ROOT,
        env={"MICROPYPATH": f"{ROOT / 'firmware'}:{ROOT}:.frozen", "PATH": os.defpath},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_micropython_writes_the_same_journals() -> None:
    assert on_micropython("scenarios.py").split() == [digest(scenario()) for scenario in ALL]


def test_lock_scan_and_shoe_allocate_nothing() -> None:
    assert on_micropython("heap.py") == "ok\n"
