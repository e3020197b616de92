"""The cable pulled at each step of a commissioning: the same command, typed again, commissions the board."""

from typing import Any

import pytest

from sabot_host.errors import Exit
from sabot_host.flash.file_copy import BoardFiles
from tests.flash.conftest import Desk
from tests.flash.house import COMMISSIONED, on_board
from tests.sampled import sampled

STEPS = {"put": 4, "move": 8, "remove_folder": 1, "sync": 1}
"""How often a commissioning calls each: four files, each moved from ``.new`` and then into its place."""
IN_PLACE = ("remove_folder", "sync")  # the configuration lies in its place already: the table starts
QUICK = [("put", 2)]
ALL = [(call, nth + 1) for call, times in STEPS.items() for nth in range(times)]


@pytest.mark.parametrize(("call", "nth"), sampled(ALL, QUICK))
def test_a_cable_pulled_while_provisioning_leaves_a_board_that_the_same_command_commissions(
    fresh: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, call: str, nth: int
) -> None:
    board = fresh.bus.boards[0]
    done = dict.fromkeys(STEPS, 0)
    armed = True

    def counted(name: str) -> Any:
        plain = getattr(BoardFiles, name)

        def step(self: BoardFiles, *words: Any) -> Any:
            done[name] += 1
            if armed and (name, done[name]) == (call, nth):
                board.unplug()
            return plain(self, *words)

        return step

    for name in STEPS:
        monkeypatch.setattr(BoardFiles, name, counted(name))
    assert fresh.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "[port-gone]" in capsys.readouterr().err
    assert done[call] == nth
    armed = False
    done.update(dict.fromkeys(STEPS, 0))
    board.plug()
    fresh.bus.settle()
    if call in IN_PLACE:
        assert fresh.run("status") == Exit.OK
    else:
        assert fresh.run("provision", "house.toml", "--yes") == Exit.OK
        assert done == STEPS  # no step is left out here
    assert on_board(board) == COMMISSIONED
