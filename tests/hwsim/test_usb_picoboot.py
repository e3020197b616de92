"""PICOBOOT of both chips: the flash procedure, each check of the boot ROM, recovery, reboot, information."""

import errno
import struct

import pytest
import usb.core

from hwsim.usb import firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import RP2040, RP2350, Chip
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import (
    ENTER_XIP,
    ERASE,
    EXCLUSIVE,
    EXEC,
    EXIT_XIP,
    FLASH,
    GET_INFO,
    OTP_READ,
    OTP_WRITE,
    READ,
    REBOOT,
    REBOOT2,
    SECTOR,
    VECTORIZE,
    WRITE,
    Client,
    device_of,
)

RAM = 0x20000000
OK, UNKNOWN, CMD_LENGTH, TRANSFER_LENGTH, ADDRESS, ALIGNMENT = range(6)
REBOOTING, NOT_PERMITTED, INVALID_ARG, TOO_SMALL, MODIFICATION = 7, 10, 11, 12, 17
BOTH = pytest.mark.parametrize("chip", [RP2040, RP2350], ids=lambda chip: chip.name)


def opened(plug: Plug, chip: Chip) -> tuple[Bus, Board, Client]:
    bus, board = plug(chip)
    return bus, board, Client(bus, board)


def pair(first: int, second: int) -> bytes:
    return struct.pack("<II", first, second)


def refused(client: Client, command: int, arguments: bytes = b"", data: bytes = b"", length: int | None = None) -> int:
    """The status of a command that must end in a stall of both endpoints; the interface is reset afterwards."""
    with pytest.raises(usb.core.USBError) as stalled:
        client.run(command, arguments, data, length)
    assert stalled.value.errno == errno.EPIPE
    for endpoint in (client.out, client.into):
        assert bytes(client.device.ctrl_transfer(0x82, 0, 0, endpoint, 2)) == b"\1\0"
    _, status, sent, in_progress = client.status()
    assert (sent, in_progress) == (command, 0)
    client.reset()
    return status


@BOTH
def test_flash_and_start(plug: Plug, chip: Chip) -> None:
    bus, board, client = opened(plug, chip)
    program = firmware.synthetic(chip)
    client.flash(FLASH, program)
    assert board.flash.read(0, len(program)) == program
    assert (board.flash.erases, board.flash.programs) == (len(program) // SECTOR, len(program) // 256)
    client.reboot(500)
    assert board.state == "bootsel"
    bus.run_for(0.4)
    assert board.state == "bootsel"
    bus.run_for(0.2)
    assert board.state == "starting"
    with pytest.raises(usb.core.USBError) as gone:
        client.status()
    assert gone.value.errno == errno.ENODEV
    bus.run_for(3)
    assert board.state == "running"
    assert (device_of(bus, board).idProduct, device_of(bus, board).serial_number) == (0x0005, board.uid.hex())


@BOTH
def test_a_chip_without_a_program_comes_back_into_the_boot_loader(plug: Plug, chip: Chip) -> None:
    bus, board, client = opened(plug, chip)
    client.reboot(10)
    bus.run_for(2)
    assert board.state == "bootsel"
    assert board.boots == 2


@BOTH
def test_programming_only_clears_bits(plug: Plug, chip: Chip) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    client.write(FLASH, b"\xf0" * 256)
    client.write(FLASH, b"\x3c" * 256)
    assert board.flash.read(0, 256) == b"\x30" * 256
    client.erase(FLASH)
    assert board.flash.read(0, SECTOR) == b"\xff" * SECTOR


@BOTH
def test_a_short_last_page_is_programmed_with_what_was_in_the_buffer(plug: Plug, chip: Chip) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    client.write(FLASH, b"\x11" * 256 + b"\x22" * 10)
    assert board.flash.read(256, 256) == b"\x22" * 10 + b"\x11" * 246


@BOTH
def test_flash_repeats_beyond_its_end(plug: Plug, chip: Chip) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    client.write(FLASH + board.flash.size, b"\x5a" * 256)
    assert client.read(FLASH, 256) == b"\x5a" * 256


@BOTH
@pytest.mark.parametrize(
    ("command", "arguments", "length", "status"),
    [
        (ERASE, pair(FLASH + 256, SECTOR), 0, ALIGNMENT),
        (ERASE, pair(FLASH, 256), 0, ALIGNMENT),
        (ERASE, pair(RAM, SECTOR), 0, ADDRESS),
        (ERASE, pair(FLASH - SECTOR, SECTOR), 0, ADDRESS),
        (WRITE, pair(FLASH + 1, 256), 256, ALIGNMENT),
        (WRITE, pair(FLASH + 128, 128), 128, ALIGNMENT),
        (WRITE, pair(0, 256), 256, ADDRESS),
        (WRITE, pair(0x50000000, 256), 256, ADDRESS),
        (READ, pair(FLASH + 4, 4), 4, ALIGNMENT),
        (READ, pair(0x50000000, 4), 4, ADDRESS),
        (WRITE, pair(FLASH, 512), 256, TRANSFER_LENGTH),
        (READ, pair(FLASH, 512), 256, TRANSFER_LENGTH),
        (ERASE, pair(FLASH, SECTOR), 4, TRANSFER_LENGTH),
        (EXCLUSIVE, b"\1\0", 0, CMD_LENGTH),
        (ERASE, b"\0" * 4, 0, CMD_LENGTH),
        (EXIT_XIP, b"\0", 0, CMD_LENGTH),
        (0x10, b"", 0, UNKNOWN),
        (0x00, b"", 0, UNKNOWN),
        (0x90, b"", 0, UNKNOWN),
    ],
)
def test_what_the_rom_refuses(plug: Plug, chip: Chip, command: int, arguments: bytes, length: int, status: int) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    into = bool(command & 0x80)
    assert refused(client, command, arguments, b"" if into else b"\0" * length, length) == status
    assert board.flash.blank
    client.exclusive()  # after the reset it works again
    client.write(FLASH, b"\0" * 256)
    assert board.flash.read(0, 256) == b"\0" * 256


@pytest.mark.parametrize(("chip", "end"), [(RP2040, 0x11000000), (RP2350, 0x12000000)])
def test_the_window_ends_where_the_rom_says(plug: Plug, chip: Chip, end: int) -> None:
    _, _, client = opened(plug, chip)
    client.exclusive()
    client.erase(end - SECTOR)
    assert len(client.read(end - 256, 256)) == 256
    assert refused(client, ERASE, pair(end, SECTOR)) == ADDRESS
    assert refused(client, READ, pair(end, 256), length=256) == ADDRESS


@BOTH
def test_a_write_fails_at_the_chunk_that_leaves_the_memory(plug: Plug, chip: Chip) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    assert refused(client, WRITE, pair(chip.flash_end - 256, 512), b"\0" * 512) == ADDRESS
    assert board.flash.read(board.flash.size - 256, 256) == b"\0" * 256


@BOTH
def test_ram_at_any_alignment_and_rom_for_reading(plug: Plug, chip: Chip) -> None:
    _, _, client = opened(plug, chip)
    client.write(RAM + 3, b"abcdefg" * 100)
    assert client.read(RAM + 3, 700) == b"abcdefg" * 100
    assert client.read(0x10, 3) == b"Mu" + bytes((chip.rom_kind,))
    assert refused(client, WRITE, pair(0x10, 4), b"abcd") == ADDRESS


@BOTH
def test_no_command(plug: Plug, chip: Chip) -> None:
    _, _, client = opened(plug, chip)
    client.erase(FLASH)
    before = client.status()
    for packet in (b"\0" * 32, struct.pack("<I", 0x431FD10B) + b"\0" * 27):
        client.device.write(client.out, packet, 1000)
        with pytest.raises(usb.core.USBError) as stalled:
            client.device.write(client.out, packet, 1000)
        assert stalled.value.errno == errno.EPIPE
        assert client.status() == before  # that of the command before
        client.reset()
        before = (0, 0, 0, 0)


@BOTH
def test_clearing_the_halt_is_not_enough(plug: Plug, chip: Chip) -> None:
    _, _, client = opened(plug, chip)
    client.exclusive()
    with pytest.raises(usb.core.USBError):
        client.erase(FLASH + 1)
    client.device.clear_halt(client.out)
    client.device.clear_halt(client.into)
    with pytest.raises(usb.core.USBTimeoutError):
        client.erase(FLASH)
    client.reset()
    client.erase(FLASH)


@BOTH
def test_an_error_and_a_reset_end_exclusive_access(plug: Plug, chip: Chip) -> None:
    _, board, client = opened(plug, chip)
    client.exclusive()
    client.reset()
    client.erase(FLASH)
    with pytest.raises(usb.core.USBError):
        client.write(FLASH, b"\0" * 512)
    assert client.status()[1] == 6
    assert board.device is not None


@BOTH
def test_status_tells_token_and_work_in_progress(plug: Plug, chip: Chip) -> None:
    _, _, client = opened(plug, chip)
    client.exclusive()
    client.send(ERASE, pair(FLASH, 4 * SECTOR))
    assert client.status() == (2, OK, ERASE, 1)
    client.device.read(client.into, 1, 3000)
    assert client.status() == (2, OK, ERASE, 0)


@BOTH
def test_an_erase_takes_its_time_and_a_short_time_out_sees_it(plug: Plug, chip: Chip) -> None:
    bus, board, client = opened(plug, chip)
    client.exclusive()
    before = bus.clock.monotonic()
    client.erase(FLASH, 8 * SECTOR)
    assert 0.36 < bus.clock.monotonic() - before < 0.37
    client.send(ERASE, pair(FLASH, 128 * SECTOR))
    with pytest.raises(usb.core.USBTimeoutError):
        client.device.read(client.into, 1, 3000)
    assert client.status()[3] == 1
    client.reset()  # the rest of it is given up
    erased = board.flash.erases
    bus.run_for(10)
    assert board.flash.erases == erased < 8 + 128


@BOTH
def test_other_family_s_commands(plug: Plug, chip: Chip) -> None:
    _, _, client = opened(plug, chip)
    if chip is RP2350:
        assert refused(client, REBOOT, b"\0" * 12) == UNKNOWN
        assert refused(client, EXEC, b"\0" * 4) == UNKNOWN
        assert refused(client, VECTORIZE, b"\0" * 4) == UNKNOWN
    else:
        assert refused(client, REBOOT2, b"\0" * 16) == UNKNOWN
        assert refused(client, GET_INFO, b"\0" * 16, length=16) == UNKNOWN
        assert refused(client, OTP_READ, b"\0" * 5, length=4) == UNKNOWN
        client.run(VECTORIZE, pair(RAM, 0)[:4])


def test_an_rp2040_takes_no_flash_command_while_it_is_mapped(plug: Plug) -> None:
    _, board, client = opened(plug, RP2040)
    client.exclusive()
    client.run(ENTER_XIP)
    client.write(FLASH, b"\0" * 256)
    assert board.flash.blank
    client.run(EXIT_XIP)
    client.write(FLASH, b"\0" * 256)
    assert not board.flash.blank


def test_nothing_is_done_while_it_restarts(plug: Plug) -> None:
    _, _, client = opened(plug, RP2350)
    client.reboot(1000)
    assert refused(client, ERASE, pair(FLASH, SECTOR)) == REBOOTING


def test_unknown_kinds_of_reboot(plug: Plug) -> None:
    _, _, client = opened(plug, RP2350)
    assert refused(client, REBOOT2, struct.pack("<4I", 9, 0, 0, 0)) == NOT_PERMITTED


@pytest.mark.parametrize("kind", [3, 0xD])
def test_code_is_not_run(plug: Plug, kind: int) -> None:
    bus, board, client = opened(plug, RP2350)
    client.run(REBOOT2, struct.pack("<4I", kind, 100, RAM, 256))
    bus.run_for(5)
    assert board.state == "hung"
    assert list(usb.core.find(True, bus.backend())) == []


def test_system_information(plug: Plug) -> None:
    _, board, client = opened(plug, RP2350)
    words = client.info(1, 0x01 | 0x04 | 0x08)
    assert words[:2] == [6, 0x0D]
    assert words[4].to_bytes(4, "big") + words[3].to_bytes(4, "big") == board.uid
    assert words[6] >> 8 & 15 == (board.flash.size // 4096).bit_length() - 1
    assert words[7:] == [0] * 57
    assert client.info(4, 0, 20) == [4, 0, 0, 0, 0]
    assert refused(client, GET_INFO, pair(1, 0x7F) + pair(0, 0), length=32) == TOO_SMALL
    assert refused(client, GET_INFO, pair(9, 0) + pair(0, 0), length=32) == INVALID_ARG
    assert refused(client, GET_INFO, pair(1, 1) + pair(0, 0), length=30) == TRANSFER_LENGTH
    assert refused(client, GET_INFO, pair(1, 1) + pair(0, 0), length=260) == TRANSFER_LENGTH


def test_one_time_memory(plug: Plug) -> None:
    _, _, client = opened(plug, RP2350)
    rows = struct.pack("<HHB", 0x100, 2, 1)
    client.run(OTP_WRITE, rows, b"\x12\x34\0\0")
    assert client.run(OTP_READ, rows, length=4) == b"\x12\x34\0\0"
    assert refused(client, OTP_WRITE, rows, b"\x13\x34\0\0") == MODIFICATION
    raw = struct.pack("<HHB", 0x200, 1, 0)
    client.run(OTP_WRITE, raw, b"\1\0\0\0")
    client.run(OTP_WRITE, raw, b"\2\0\0\0")
    assert client.run(OTP_READ, raw, length=4) == b"\3\0\0\0"
    assert refused(client, OTP_READ, rows, length=8) == TRANSFER_LENGTH
    assert refused(client, OTP_READ, struct.pack("<HHB", 0xFFF, 2, 1), length=4) == ADDRESS
