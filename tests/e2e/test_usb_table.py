"""From a flashed board to a table: the littlefs in its flash is what the simulated controller runs."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from littlefs import LittleFS

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.compiled import compiled
from hwsim.provisioning import provision, small_table
from hwsim.table import REPOSITORY, SOURCES, STARTERS, SimTable, VirtualCable
from hwsim.usb import filesystem, firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import RP2350, SECTOR
from hwsim.usb.table import TableBoard
from hwsim.world.cards import make_pack
from hwsim.world.uids import UidSource
from sabot import __version__
from sabot_host.errors import SabotError
from sabot_host.flash.file_copy import describe, restart
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.flash.returning import await_silence
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport
from tests.hwsim import picoboot_client

FILE_SYSTEM = 1024 * 1024
BLOCKS = 256
UID = bytes.fromhex("e66164084373532b")


def image(tmp_path: Path, *, commissioned: bool, **extra: str) -> bytes:
    """A littlefs with the compiled firmware, a table's files, and ``extra`` ones."""
    board = tmp_path / "files"
    board.mkdir()
    if commissioned:
        pack = make_pack(lambda uid, afi, memory: IcodeSlix2(uid, afi=afi, memory=memory), UidSource(0), 1)
        provision(board, small_table(), [pack])
    code = compiled(SOURCES, REPOSITORY / "build" / "sim")
    files = {path.relative_to(code).as_posix(): path.read_bytes() for path in code.rglob("*.mpy")}
    files.update((name, (SOURCES[0] / name).read_bytes()) for name in STARTERS)
    files.update((path.name, path.read_bytes()) for path in board.iterdir())
    files.update((f"{name}.py", text.encode()) for name, text in extra.items())
    made = LittleFS(block_size=SECTOR, block_count=BLOCKS, prog_size=256)
    for name, content in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            made.makedirs(folder, exist_ok=True)
        with made.open(name, "wb") as file:
            file.write(content)
    return bytes(made.context.buffer)


def written(bus: Bus, board: Board, files: bytes) -> picoboot_client.Client:
    """Write program and files through the boot loader, which stays."""
    bus.add(board)
    bus.settle()
    tool = picoboot_client.Client(bus, board)
    tool.flash(picoboot_client.FLASH + FILE_SYSTEM, files)
    tool.flash(picoboot_client.FLASH, firmware.synthetic(RP2350))
    return tool


def flashed(bus: Bus, board: Board, files: bytes) -> None:
    """Write program and files through the boot loader, and start."""
    written(bus, board, files).reboot(10)
    bus.run_for(2)


@pytest.fixture
def bus() -> Iterator[Bus]:
    made = Bus()
    yield made
    made.close()


def test_what_was_flashed_plays_in_virtual_time(bus: Bus, tmp_path: Path) -> None:
    board = Board(RP2350, UID, "1-1")
    written(bus, board, image(tmp_path, commissioned=True))
    board.unplug()
    root = filesystem.unpack(board.flash, tmp_path / "board")
    assert (root / "sabot" / "app.mpy").exists()
    table = SimTable(root, code=[root])
    table.start()
    try:
        table.run_for(1500)
        with contextlib.closing(Client(VirtualCable(table))) as client:
            client.open()
            status = client.status()
    finally:
        table.stop()
    assert (status["ready"], status["round"]["state"]) == (True, "closed")


def test_a_flashed_table_answers_on_its_port_and_keeps_what_it_writes(bus: Bus, tmp_path: Path) -> None:
    application = TableBoard(layout={})  # it is as its own configuration says, whoever wrote that last
    board = Board(RP2350, UID, "1-1", application=application)
    flashed(bus, board, image(tmp_path, commissioned=True))
    assert board.state == "running"
    (port,) = bus.session().ports()
    with contextlib.closing(Client(SerialTransport(port.device))) as client:
        first = client.open(20_000)
        assert client.status()["ready"]
    assert application.failure is None
    board.unplug()
    found = filesystem.find(board.flash)
    assert found is not None
    assert "config.json" in found.files()
    assert "provision.json" not in found.files()  # used up by the first start
    board.plug()
    bus.settle()
    with contextlib.closing(Client(SerialTransport(application.port))) as client:
        again = client.open(20_000)
    assert (again.boot, again.unique_id) == (first.boot + 1, board.uid)


def test_an_uncommissioned_board_shows_its_prompt_until_it_has_a_configuration(bus: Bus, tmp_path: Path) -> None:
    application = TableBoard()
    board = Board(RP2350, UID, "1-1", application=application)
    flashed(bus, board, image(tmp_path, commissioned=False))
    with contextlib.closing(SerialTransport(application.port)) as transport:
        repl = RawRepl(transport)
        repl.enter()
        described = describe(repl)
        assert (described.sabot, described.provisioned) == (__version__, False)
        repl.run("f = open('config.json', 'w')\nf.write('{}')\nf.close()")
        restart(repl)
        await_silence(transport)
    bus.settle()
    with contextlib.closing(Client(SerialTransport(application.port))) as client:
        client.open(20_000)
        assert client.status()["refused"]["code"] == "configuration"


def test_the_running_firmware_can_enter_the_boot_loader(bus: Bus, tmp_path: Path) -> None:
    application = TableBoard()
    board = Board(RP2350, UID, "1-1", application=application)
    flashed(bus, board, image(tmp_path, commissioned=True, main="import machine\nmachine.bootloader()\n"))
    with (
        contextlib.suppress(SabotError, OSError),
        contextlib.closing(Client(SerialTransport(application.port))) as client,
    ):
        client.open(3000)
    bus.settle()
    assert board.state == "bootsel"
    assert picoboot_client.Client(bus, board).status() == (0, 0, 0, 0)
