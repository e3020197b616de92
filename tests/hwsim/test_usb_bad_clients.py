"""Clients that break one rule of PICOBOOT each, and must fail for it; the one that breaks none does not."""

import errno
import struct

import pytest
import usb.core

from hwsim.usb import firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import RP2040, RP2350, Chip
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import ERASE, FLASH, READ, SECTOR, WRITE, Client

BOTH = pytest.mark.parametrize("chip", [RP2040, RP2350], ids=lambda chip: chip.name)
OLD = b"\x0f" * 4 * SECTOR
INTERLEAVED = 6


def used(plug: Plug, chip: Chip, *, acknowledge: bool = True) -> tuple[Bus, Board, Client]:
    """A board whose flash has been written before."""
    bus, board = plug(chip)
    board.flash.data[: len(OLD)] = OLD
    return bus, board, Client(bus, board, acknowledge=acknowledge)


@BOTH
def test_the_good_client(plug: Plug, chip: Chip) -> None:
    bus, board, client = used(plug, chip)
    client.flash(FLASH, firmware.synthetic(chip, 2 * SECTOR))
    client.reboot()
    bus.run_for(3)
    assert board.state == "running"


@BOTH
def test_without_erase_the_old_bits_stay(plug: Plug, chip: Chip) -> None:
    bus, board, client = used(plug, chip)
    program = firmware.synthetic(chip, 2 * SECTOR)
    client.exclusive()
    for at in range(0, len(program), SECTOR):
        client.write(FLASH + at, program[at : at + SECTOR])
    assert client.read(FLASH, SECTOR) == bytes(new & 0x0F for new in program[:SECTOR])
    client.reboot()
    bus.run_for(3)
    assert board.state == "bootsel"


@BOTH
@pytest.mark.parametrize("offset", [1, 16, 128, 255])
def test_without_alignment_nothing_is_written(plug: Plug, chip: Chip, offset: int) -> None:
    _, board, client = used(plug, chip)
    client.exclusive()
    client.erase(FLASH)
    with pytest.raises(usb.core.USBError) as stalled:
        client.write(FLASH + offset, b"\0" * 256)
    assert stalled.value.errno == errno.EPIPE
    assert board.flash.read(0, SECTOR) == b"\xff" * SECTOR


@BOTH
def test_erasing_less_than_a_sector_is_refused(plug: Plug, chip: Chip) -> None:
    _, board, client = used(plug, chip)
    client.exclusive()
    with pytest.raises(usb.core.USBError) as stalled:
        client.erase(FLASH, 256)
    assert stalled.value.errno == errno.EPIPE
    assert board.flash.read(0, len(OLD)) == OLD


@BOTH
def test_without_the_acknowledgement_of_a_write_the_next_command_is_not_taken(plug: Plug, chip: Chip) -> None:
    bus, board, client = used(plug, chip, acknowledge=False)
    before = bus.clock.monotonic()
    client.exclusive()
    with pytest.raises(usb.core.USBTimeoutError):
        client.erase(FLASH)
    assert bus.clock.monotonic() - before >= 3
    assert board.flash.read(0, len(OLD)) == OLD


@BOTH
def test_without_the_acknowledgement_of_a_read_the_next_command_is_swallowed(plug: Plug, chip: Chip) -> None:
    _, board, client = used(plug, chip)
    client.exclusive()
    client.acknowledge = False
    assert client.read(FLASH, 256) == OLD[:256]
    client.send(ERASE, struct.pack("<II", FLASH, SECTOR))
    with pytest.raises(usb.core.USBTimeoutError):
        client.device.read(client.into, 1, 3000)
    assert board.flash.read(0, len(OLD)) == OLD
    assert client.status()[2] == READ


@BOTH
def test_without_exclusive_access_another_program_writes_in_between(plug: Plug, chip: Chip) -> None:
    _, board, client = used(plug, chip)
    client.erase(FLASH)
    with pytest.raises(usb.core.USBError) as stalled:
        client.write(FLASH, b"\x55" * SECTOR)
    assert stalled.value.errno == errno.EPIPE
    assert client.status()[1:3] == (INTERLEAVED, WRITE)
    assert board.flash.read(0, SECTOR) != b"\x55" * SECTOR


@BOTH
def test_without_exclusive_access_single_pages_are_lost(plug: Plug, chip: Chip) -> None:
    _, _, client = used(plug, chip)
    client.erase(FLASH)
    for at in range(0, SECTOR, 256):
        client.write(FLASH + at, b"\x55" * 256)
    assert client.read(FLASH, SECTOR) != b"\x55" * SECTOR


@BOTH
def test_on_a_quiet_host_exclusive_access_is_not_missed(plug: Plug, chip: Chip) -> None:
    _, board, client = used(plug, chip)
    board.competitor = False
    client.erase(FLASH)
    client.write(FLASH, b"\x55" * SECTOR)
    assert client.read(FLASH, SECTOR) == b"\x55" * SECTOR


@BOTH
def test_less_data_than_announced_leaves_it_waiting(plug: Plug, chip: Chip) -> None:
    _, _, client = used(plug, chip)
    client.exclusive()
    client.send(WRITE, struct.pack("<II", FLASH, 512), 512)
    client.device.write(client.out, b"\0" * 256, 1000)
    with pytest.raises(usb.core.USBTimeoutError):
        client.device.read(client.into, 1, 3000)


@BOTH
def test_reading_into_too_small_a_buffer_overflows(plug: Plug, chip: Chip) -> None:
    _, _, client = used(plug, chip)
    client.send(READ, struct.pack("<II", FLASH, 256), 256)
    with pytest.raises(usb.core.USBError) as overflowed:
        client.device.read(client.into, 10, 1000)
    assert overflowed.value.errno == errno.EOVERFLOW


@BOTH
def test_an_image_larger_than_the_flash_overwrites_its_beginning(plug: Plug, chip: Chip) -> None:
    _, board, client = used(plug, chip)
    client.exclusive()
    client.erase(FLASH)
    client.write(FLASH, b"\x11" * SECTOR)
    client.erase(FLASH + board.flash.size)
    client.write(FLASH + board.flash.size, b"\x22" * SECTOR)
    assert client.read(FLASH, SECTOR) == b"\x22" * SECTOR
