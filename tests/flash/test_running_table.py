"""A commissioned table is sent to its boot loader over the link, written, and comes back as the table that it was."""

from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.usb import firmware
from hwsim.usb.table import TableBoard
from sabot_host.errors import Exit, FileError, RefusedError
from sabot_host.flash.boards import board_named
from sabot_host.flash.devices import State, attached, choose
from sabot_host.flash.flasher import enter_boot_loader
from sabot_host.flash.install import install_uf2
from sabot_host.provision.keys import KeyFolder
from sabot_host.release import bundle
from tests.flash import synthetic
from tests.flash.conftest import Desk, Plug, Recorder, VirtualBus
from tests.flash.house import commission


def key_of(number: int) -> bytes:
    assert number == 12
    return DEVELOPMENT_KEYS["technician"]


def made_a_table(bus: VirtualBus, number: int, release: bytes, folder: Path) -> TableBoard:
    """Board ``number`` of the bus is table 12 and runs."""
    board = bus.emulated.boards[number]
    table_board = TableBoard()
    bus.emulated.application = table_board
    board.unplug()
    (folder / "r.sabot").write_bytes(release)
    commission(board, bundle.read(folder / "r.sabot").on_board, folder)
    board.plug()
    bus.emulated.settle()
    assert board.state == "running"
    return table_board


def test_a_table_is_written_by_one_command_and_stays_the_table(
    commissioned: Desk, table_board: TableBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = commissioned
    assert desk.run("flash", "--bundle", "r.sabot", "--yes") == Exit.DEVICE
    assert "is table 12: it goes to its boot loader with the technician's key only [boot-loader-key]" in (
        capsys.readouterr().err
    )
    assert desk.run("flash", "--bundle", "r.sabot", "--yes", "--keys", "keys") == Exit.OK
    told = capsys.readouterr()
    assert "the table's settings are kept: config.json keys.json deck.json" in told.err
    assert f"{table_board.port}: Sabot, " in told.out
    assert desk.run("journal", "pull", "--key-file", "keys/table-12/auditor.key", "j.sabot") == Exit.OK
    capsys.readouterr()
    assert desk.run("journal", "show", "j.sabot") == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "boot_loader" in line and "technician" in line]


@pytest.mark.parametrize("chip", ["RP2040", "RP2350"])
def test_the_right_one_goes_where_boot_loaders_are_told_apart_by_their_place_alone(
    plug: Plug, release: bytes, tmp_path: Path, chip: str
) -> None:
    bus = plug(chip, chip, chip)
    made_a_table(bus, 1, release, tmp_path)
    devices, problems = attached(bus)
    assert problems == []
    table = choose(devices, bus.emulated.boards[1].serial)
    assert (table.state, table.table) == (State.RUNNING, 12)
    loader = enter_boot_loader(bus, table, key_of)
    assert (loader.chip, loader.location) == (chip, bus.emulated.boards[1].port)
    assert [board.state for board in bus.emulated.boards] == ["bootsel"] * 3


def test_a_table_in_play_and_a_wrong_key_are_refused(plug: Plug, release: bytes, tmp_path: Path) -> None:
    bus = plug("RP2350")
    table_board = made_a_table(bus, 0, release, tmp_path)
    table = choose(attached(bus)[0], None)
    with pytest.raises(RefusedError) as wrong:
        enter_boot_loader(bus, table, lambda number: bytes(32))
    assert wrong.value.code == "link-wrong-key"
    with table_board.lock:
        table_board.table.press("fin")
        table_board.table.run_for(1000)
        table_board.table.place(1, "ante", 2500)
        table_board.table.run_for(1500)
    with pytest.raises(RefusedError) as playing:
        enter_boot_loader(bus, table, key_of)
    assert playing.value.code == "boot-loader-in-play"
    assert bus.emulated.boards[0].state == "running"


def test_a_file_that_is_refused_leaves_the_table_as_it_was(plug: Plug, release: bytes, tmp_path: Path) -> None:
    bus = plug("RP2350")
    made_a_table(bus, 0, release, tmp_path)
    flash = bytes(bus.emulated.boards[0].flash.data[: len(firmware.synthetic(bus.emulated.boards[0].chip))])
    table = choose(attached(bus)[0], None)
    other = synthetic.micropython(board_named("pico"))
    with pytest.raises(FileError) as refused:
        install_uf2(bus, table, other, "other.uf2", Recorder(), key_of)
    assert refused.value.code == "uf2-family"
    bus.emulated.run_for(3)
    assert bus.emulated.boards[0].state == "running"
    assert bytes(bus.emulated.boards[0].flash.data[: len(flash)]) == flash
    (back,) = attached(bus)[0]
    assert (back.state, back.table) == (State.RUNNING, 12)


def test_a_key_that_is_not_there_is_named_and_none_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileError) as none:
        KeyFolder(tmp_path).held(7, "technician")
    assert none.value.code == "key-file-none"
    assert list(tmp_path.iterdir()) == []
