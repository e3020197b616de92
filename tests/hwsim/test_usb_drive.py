"""The boot loader's drive: which UF2 blocks it takes, what it does with them, how it and PICOBOOT get on."""

import dataclasses
import errno

import pytest

from hwsim.usb import firmware, uf2
from hwsim.usb.board import Board
from hwsim.usb.bootsel import Bootsel
from hwsim.usb.chips import FAMILY_ABSOLUTE, RP2040, RP2350, Chip
from hwsim.usb.drive import Drive
from hwsim.usb.terminal import MutePort
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import FLASH, SECTOR, Client

BOTH = pytest.mark.parametrize("chip", [RP2040, RP2350], ids=lambda chip: chip.name)
IGNORED_FAMILY, BAD_ADDRESS, WRITE_ERROR, LOCKED = 0x01, 0x20, 0x40, 0x10
ARM = 0xE48BFF59


def drive_of(board: Board) -> Drive:
    assert isinstance(board.device, Bootsel)
    return board.device.drive


def page(at: int, **changes: object) -> bytes:
    """Block ``at`` of two that go into the flash, with some fields changed."""
    block = uf2.Block(uf2.FAMILY, FLASH + 256 * at, at, 2, ARM, bytes((0x30 + at,)) * 256)
    return dataclasses.replace(block, **changes).write()  # type: ignore[arg-type]


@BOTH
def test_a_whole_file_restarts_the_board(plug: Plug, chip: Chip) -> None:
    bus, board = plug(chip)
    bus.application = lambda board: MutePort()
    drive_of(board).copy(firmware.synthetic_uf2(chip, 2 * SECTOR))
    bus.run_for(0.4)
    assert board.state == "bootsel"
    bus.run_for(2)
    assert board.state == "running"
    assert board.flash.read(0, 2 * SECTOR) == firmware.synthetic(chip, 2 * SECTOR)
    assert board.flash.erases == 2


def test_blocks_in_any_order_each_once(plug: Plug) -> None:
    _, board = plug(RP2350)
    board.flash.data[:SECTOR] = b"\0" * SECTOR
    drive = drive_of(board)
    drive.write(page(1))
    drive.write(page(1, data=b"\0" * 256))
    assert drive.progress == (ARM, 1, 2)
    assert board.flash.read(0, 512) == b"\xff" * 256 + b"\x31" * 256
    drive.write(page(0))
    assert board.flash.read(0, 512) == b"\x30" * 256 + b"\x31" * 256


@pytest.mark.parametrize(
    ("changes", "flags"),
    [
        ({"flags": 0}, 0),
        ({"flags": uf2.FAMILY | uf2.NOT_MAIN_FLASH}, 0),
        ({"data": b"\0" * 255}, 0),
        ({"data": b"\0" * 476}, 0),
        ({"family": 0xE48BFF56}, IGNORED_FAMILY),
        ({"family": 0x57755A57}, IGNORED_FAMILY),
        ({"address": FLASH + 128}, BAD_ADDRESS),
        ({"address": 0x08000000}, BAD_ADDRESS),
        ({"number": 2}, 0),
        ({"family": FAMILY_ABSOLUTE, "address": 0x10FFFF00, "flags": uf2.FAMILY | uf2.EXTENSIONS}, 0),
    ],
)
def test_what_is_left_aside(plug: Plug, changes: dict[str, object], flags: int) -> None:
    _, board = plug(RP2350)
    drive = drive_of(board)
    drive.write(page(0, **changes))
    assert board.flash.blank
    assert drive.status == flags
    assert Client(board.bus, board).info(4, 0, 20)[1] == flags


def test_sectors_that_are_no_blocks(plug: Plug) -> None:
    _, board = plug(RP2350)
    drive = drive_of(board)
    good = page(0)
    for at in (0, 4, 508):
        drive.write(good[:at] + b"\0" + good[at + 1 :])
    drive.copy(b"INDEX.HTM".ljust(1000))
    assert board.flash.blank


def test_another_length_or_family_starts_anew(plug: Plug) -> None:
    _, board = plug(RP2350)
    drive = drive_of(board)
    drive.write(page(0))
    drive.write(page(1, count=3))
    assert drive.progress == (ARM, 1, 3)
    assert board.flash.read(0, 256) == b"\xff" * 256  # its first block erased the sector again
    drive.write(page(2, count=3, family=FAMILY_ABSOLUTE))
    assert drive.progress == (FAMILY_ABSOLUTE, 1, 3)


def test_ram_and_flash_do_not_mix(plug: Plug) -> None:
    _, board = plug(RP2350)
    drive = drive_of(board)
    drive.write(page(0, address=0x20000000))
    drive.write(page(1))
    assert drive.status == BAD_ADDRESS
    assert board.flash.blank


def test_exclusive_access_shuts_the_drive(plug: Plug) -> None:
    bus, board = plug(RP2350)
    client = Client(bus, board)
    client.exclusive()
    with pytest.raises(OSError) as locked:
        drive_of(board).write(page(0))
    assert locked.value.errno == errno.EIO
    assert client.info(4, 0, 20)[1] == LOCKED
    client.exclusive(0)
    drive_of(board).write(page(0))
    client.exclusive(2)
    client.exclusive(0)
    with pytest.raises(OSError) as ejected:
        drive_of(board).write(page(1))
    assert ejected.value.errno == errno.ENODEV


def test_picoboot_in_between_spoils_the_file(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.competitor = False
    drive = drive_of(board)
    drive.write(page(0))
    Client(bus, board).erase(FLASH + SECTOR)
    drive.write(page(1))
    assert drive.status == WRITE_ERROR
    assert board.flash.read(256, 256) == b"\xff" * 256


def test_the_file_format() -> None:
    content = uf2.write({FLASH: b"\1" * 300, FLASH + SECTOR: b"\2"}, ARM)
    assert len(content) == 3 * 512
    found = list(uf2.blocks(content))
    assert [(block.address, block.number, block.count) for block in found if block] == [
        (FLASH, 0, 3),
        (FLASH + 256, 1, 3),
        (FLASH + SECTOR, 2, 3),
    ]
    assert [block.data for block in found if block][1:] == [b"\1" * 44 + b"\xff" * 212, b"\2" + b"\xff" * 255]
    assert list(uf2.blocks(b"\0" * 512)) == [None]
