"""From a blank board to a settled round, by the commands that a technician types."""

import json
from pathlib import Path
from typing import Any

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS, RANKS, SUITS
from hwsim.table import SimTable, VirtualCable
from hwsim.usb import filesystem
from hwsim.usb.table import TableBoard
from sabot import __version__
from sabot_host.errors import Exit
from sabot_host.link.client import Client
from tests.flash.conftest import Desk

HOUSE = """\
house = "Casino <d'essai>"
casino = 514

[defaults]
game = "three_card"
seats = 2
sign_on = "off"
payment_order = "none"
limits = {ante = [500, 50000], pair_plus = [100, 10000]}

[[table]]
table = 12
deck = "deck.csv"
"""


@pytest.fixture
def table_board(desk: Desk) -> TableBoard:
    """The table that is around the board."""
    application = TableBoard()
    desk.bus.application = application
    return application


def prepare(folder: Path, release: bytes) -> None:
    """What a technician brings along: the release, the house's file, the deck's list, the house's key."""
    (folder / "sabot.sabot").write_bytes(release)
    (folder / "house.toml").write_text(HOUSE)
    pack = [card for cards in SimTable(folder / "cards").packs for card in cards]
    lines = [f"{card.uid.hex()},{card.code}\n" for card in pack]
    assert {line.split(",")[1][0] for line in lines} == set(RANKS)
    assert {line.strip()[-1] for line in lines} == set(SUITS)
    (folder / "deck.csv").write_text("".join(lines))
    (folder / "keys").mkdir(mode=0o700)
    key = folder / "keys" / "casino.key"
    key.touch(0o600)
    key.write_text(DEVELOPMENT_KEYS["casino"].hex())


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
