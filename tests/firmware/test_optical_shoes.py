"""The services of the optical shoe, and of the one with a reader besides, on MicroPython."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.drivers.test_on_board import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.mark.parametrize("script", ["optical_shoes.py", "both_shoes.py"])
def test_cards_past_the_sensors(script: str) -> None:
    scripts = HERE / "on_board"
    result = run(scripts / script, ROOT / "tests/drivers/on_board", scripts, ROOT / "firmware")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("ok\n")
