"""The services of the optical shoe, and of the one with a reader besides, on MicroPython."""

from __future__ import annotations

from pathlib import Path

from tests.drivers.test_on_board import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_cards_past_the_sensors() -> None:
    result = run(HERE / "on_board" / "optical_shoes.py", ROOT / "tests/drivers/on_board", ROOT / "firmware")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("ok\n")
