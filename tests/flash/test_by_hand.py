"""A table behind an emulated board, by hand: what is brought along fits it, and typed lines are done at it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hwsim.usb import by_hand, client
from hwsim.usb.__main__ import main
from hwsim.usb.bus import rig
from hwsim.usb.chips import RP2350
from hwsim.usb.table import TableBoard
from sabot_host.errors import Exit
from sabot_host.flash import uf2
from sabot_host.flash.boards import board_named
from sabot_host.provision import deck
from sabot_host.provision.keys import KeyFolder
from tests.flash.conftest import Desk


@pytest.mark.campaign
def test_lines_are_done_at_the_table(
    commissioned: Desk, table_board: TableBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    board = commissioned.bus.boards[0]
    hands = by_hand.Hands(board, table_board)
    table = table_board.table

    def lying() -> int:
        return len(table.felt.lying_on(table.spot(1, "ante")))

    assert hands.do("lay 1 ante 2500\n") == by_hand.DONE
    with table_board.lock:
        assert table.run_while(lambda: lying() == 0, 3000)
    assert hands.do("take 1 ante") == by_hand.DONE
    with table_board.lock:
        assert table.run_while(lambda: lying() == 1, 3000)
    assert hands.do("press oui") == hands.do("draw") == hands.do("shuffle") == by_hand.DONE
    assert hands.do("lay 9 ante 2500") == "no spot ante at seat 9"
    assert hands.do("lay one ante 2500") == "one is no number"
    assert hands.do("press zz").startswith("no key zz; keys are rnvp p1")
    assert hands.do("break reader 0") == hands.do("break shoe reader") == by_hand.DONE
    assert table.hardware.readers[0].dead
    assert "has failed already" in hands.do("break reader 0")
    assert "of them: reader" in hands.do("break reader 3")
    assert hands.do("break reader") == "no part reader: an empty line shows them"
    assert hands.do("mend reader 0") == hands.do("mend shoe reader") == by_hand.DONE
    assert not table.hardware.readers[0].dead
    assert hands.do("") == hands.do("dance") == hands.do("press") == by_hand.HELP
    assert hands.do("bootsel") == by_hand.DONE
    commissioned.bus.settle()
    assert board.state == "bootsel"
    assert hands.do("draw") == "the board is off"
    assert hands.do("plug") == "the cable is in already: bootsel"
    assert hands.do("unplug") == hands.do("plug") == by_hand.DONE
    commissioned.bus.settle()
    assert commissioned.run("status") == Exit.OK
    assert "Table 12" in capsys.readouterr().out


def test_what_is_brought_along_fits_the_table(tmp_path: Path) -> None:
    by_hand.bring(tmp_path, RP2350)
    name = by_hand.MICROPYTHON[RP2350]
    assert name == "RPI_PICO2-v1.29.0.uf2"
    uf2.check_fits(uf2.read((tmp_path / name).read_bytes(), name), board_named("pico2"), name)
    assert len({card.number for card in deck.read(tmp_path / by_hand.CARDS)}) == 52
    assert stat.S_IMODE((tmp_path / by_hand.CASINO_KEY).stat().st_mode) == 0o600
    made = KeyFolder(tmp_path / "keys")
    made.casino()
    assert made.made == []
    with pytest.raises(FileExistsError):
        by_hand.bring(tmp_path, RP2350)


@pytest.mark.campaign
def test_the_cards_of_the_list_are_in_the_shoe(commissioned: Desk, table_board: TableBoard) -> None:
    by_hand.bring(commissioned.folder / "brought", RP2350)
    listed = {card.uid for card in deck.read(commissioned.folder / "brought" / by_hand.CARDS)}
    with table_board.lock:
        assert {card.uid for pack in table_board.table.packs for card in pack} == listed


def test_a_board_with_a_table_is_served(tmp_path: Path) -> None:
    path = tmp_path / "bus"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-m", "hwsim.usb", "--table", "rp2350", "--bring", str(tmp_path / "house"), str(path)]
    with subprocess.Popen(
        words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as served:
        assert served.stdin is not None
        assert served.stdout is not None
        while f"{client.VARIABLE}={path}" not in (line := served.stdout.readline()):
            assert line
        served.stdin.write("draw\n")
        assert served.stdout.readline() == "the board is off\n"
        served.terminate()
        assert served.wait(20) == 0
    assert (tmp_path / "house" / by_hand.MICROPYTHON[RP2350]).exists()
    again = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=20, check=False)
    assert again.returncode == 2
    assert "casino.key" in again.stderr


def test_a_blank_board_has_a_table_around_it_and_none_on_it() -> None:
    bus = rig([RP2350])
    board = bus.boards[0]
    hands = by_hand.Hands(board, TableBoard())
    assert hands.do("press fin") == "the board is off"
    assert hands.do("unplug") == by_hand.DONE
    assert board.state == "unplugged"
    bus.close()


@pytest.mark.parametrize("where", ["missing/bus", "taken", "long" * 40])
def test_where_no_socket_can_be_made_is_told(where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(SystemExit) as ended:
        main(["--board", "rp2350", str(tmp_path / where)])
    assert ended.value.code == 2
    assert f"no socket can be made at {tmp_path / where}: " in capsys.readouterr().err
    assert (tmp_path / "taken").exists()
