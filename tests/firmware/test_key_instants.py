"""When a key was pressed, whatever the bus does, on MicroPython."""

from __future__ import annotations

from pathlib import Path

from tests.drivers.test_on_board import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def test_a_key_is_told_once_and_with_the_instant_of_its_press() -> None:
    """A read that fails brings no instant of an older interrupt, and a press counts once."""
    result = run(HERE / "on_board/key_instants.py", ROOT / "tests/drivers/on_board", ROOT / "firmware")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("ok\n")
