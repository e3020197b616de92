"""From a blank board to a settled round, by the commands that a technician types."""

import json
from typing import Any

import pytest

from hwsim.table import SimTable, VirtualCable
from hwsim.usb import filesystem
from hwsim.usb.table import TableBoard
from sabot import __version__
from sabot_host.errors import Exit
from sabot_host.link.client import Client
from tests.flash.conftest import Desk
from tests.flash.house import HOUSE, on_board, prepare


def play_a_round(table: SimTable) -> dict[str, Any]:
    """One round of seat 1; what the controller says of itself afterwards."""
    table.run_for(1500)
    table.press("fin")
    table.run_for(1500)
    table.place(1, "ante", 2500)
    table.run_for(2500)
    table.shuffle(["As", "Ad", "7c", "Qs", "3c", "2c"])
    table.press("rnvp")
    table.run_for(1500)
    for _ in range(6):
        table.draw()
        table.run_for(1200)
    table.place(1, "play", 2500)
    table.run_for(2000)
    table.press("devoiler")
    table.run_for(2000)
    table.press("fin")
    table.run_for(2000)
    client = Client(VirtualCable(table))
    client.open()
    status = client.status()
    client.close()
    return status


def test_from_a_blank_board_to_a_settled_round(
    desk: Desk, table_board: TableBoard, release: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(desk.folder, release)
    board = desk.bus.boards[0]
    assert desk.run("devices") == Exit.OK
    assert "boot loader RP2350" in capsys.readouterr().out
    assert desk.run("flash", "--bundle", "sabot.sabot", "--yes") == Exit.OK
    assert f"Sabot, not provisioned, micropython 1.29.0, sabot {__version__}" in capsys.readouterr().out
    assert desk.run("provision", "house.toml", "--yes") == Exit.OK
    told = capsys.readouterr()
    assert f"table 12 is commissioned: {table_board.port}, serial number {board.serial}" in told.out
    assert desk.run("status", "--json") == Exit.OK
    status = json.loads(capsys.readouterr().out)
    assert (status["ready"], status["table"], status["unique_id"]) == (True, 12, board.serial)
    assert desk.run("devices", "--json") == Exit.OK
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    assert (device["state"], device["table"], device["serial"]) == ("running", 12, board.serial)

    # The secrets are on the board and in files for their owner's eyes, and nowhere else.
    keys = {path: path.read_text().strip() for path in (desk.folder / "keys").rglob("*.key")}
    assert len(keys) == 7
    assert all(path.stat().st_mode & 0o077 == 0 for path in keys)
    sheet = (desk.folder / "table-12.html").read_text()
    for key in keys.values():
        assert key not in told.out + told.err + sheet
    assert "Casino &lt;d&#x27;essai&gt;" in sheet
    assert board.serial in sheet
    assert __version__ in sheet

    # What was flashed and provisioned plays: here in virtual time, from the flash and the journal memory as they are.
    memory = bytearray(table_board.table.hardware.fram.image)
    board.unplug()
    root = filesystem.unpack(board.flash, desk.folder / "flash")
    assert "provision.json" not in {path.name for path in root.iterdir()}
    table = SimTable(root, code=[root, root / "lib"], image=memory, bare=True, uid=board.uid)
    table.start()
    try:
        status = play_a_round(table)
    finally:
        table.stop()
    assert status["round"]["state"] in ("idle", "betting"), status
    assert status["round"]["round"] == 1


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (
            "seats = 2",
            "seats = 2\ndwell_ms = 9999",
            "dwell_ms is 9999; allowed: a whole number from 0 to 5000 [configuration]",
        ),
        ("seats = 2", "seats = 2\ngate = 'key'", "gate is 'key'; allowed: a field of the configuration"),
        ("ante = [500, 50000]", "ante = [500, 50]", "limits.ante"),
        ('deck = "deck.csv"', 'deck = "half.csv"', "[deck]"),
        (
            'game = "three_card"',
            'game = "crazy_four"',
            "0 of 2 acceptances are in config.json, field accepted [paytable]",
        ),
    ],
)
def test_settings_that_the_firmware_refuses_change_nothing(
    fresh: Desk, capsys: pytest.CaptureFixture[str], old: str, new: str, named: str
) -> None:
    (fresh.folder / "half.csv").write_text("\n".join((fresh.folder / "deck.csv").read_text().splitlines()[:26]))
    text = HOUSE.replace(", pair_plus = [100, 10000]", "") if "crazy" in new else HOUSE
    (fresh.folder / "house.toml").write_text(text.replace(old, new))
    assert fresh.run("provision", "house.toml", "--yes") == Exit.REFUSED
    err = capsys.readouterr().err
    assert named in err
    assert "[provision-refused]" in err
    assert not (fresh.folder / "table-12.html").exists()
    assert on_board(fresh.bus.boards[0]) == set()


@pytest.mark.campaign
def test_what_is_wrong_is_told_before_anybody_is_asked(fresh: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh.run("provision", "house.toml") == Exit.USAGE
    assert "[nobody-to-ask]" in capsys.readouterr().err
    assert fresh.run("status") == Exit.DEVICE
    assert "has Sabot's firmware and no settings yet [board-no-settings]" in capsys.readouterr().err
    (fresh.folder / "deck.csv").write_text("e00401500a1b2c3d,Xs\n")
    assert fresh.run("provision", "house.toml") == Exit.FILE
    assert "[deck-line]" in capsys.readouterr().err
    (fresh.folder / "deck.csv").unlink()
    assert fresh.run("provision", "house.toml") == Exit.FILE
    assert "deck.csv" in capsys.readouterr().err
    assert on_board(fresh.bus.boards[0]) == set()


def test_the_wrong_board_is_refused(fresh: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (fresh.folder / "house.toml").write_text(HOUSE + 'serial = "0011223344556677"\n')
    assert fresh.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "no board 0011223344556677 is attached [board-none]" in capsys.readouterr().err
    port = fresh.bus.session().ports()[0].device
    assert fresh.run("provision", "house.toml", "--yes", "--device", port) == Exit.DEVICE
    assert "[provision-other-board]" in capsys.readouterr().err
    assert on_board(fresh.bus.boards[0]) == set()


def test_a_table_is_not_commissioned_over_another(fresh: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh.run("provision", "house.toml", "--yes") == Exit.OK
    assert fresh.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "is commissioned already, as table 12 [provision-there]" in capsys.readouterr().err


def test_a_board_without_firmware_is_told(desk: Desk, release: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(desk.folder, release)
    assert desk.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "has no firmware of Sabot [provision-no-firmware]" in capsys.readouterr().err
