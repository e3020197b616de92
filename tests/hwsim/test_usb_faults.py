"""Arranged faults: the cable at every step, ignored and skipped commands, a flipped bit, shut doors, missing boards."""

import errno

import pytest
import usb.core

from hwsim.usb import firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.faults import PHASES
from hwsim.usb.terminal import MutePort
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import ERASE, FLASH, READ, REBOOT, REBOOT2, SECTOR, WRITE, Client, device_of

BOTH = pytest.mark.parametrize("chip", [RP2040, RP2350], ids=lambda chip: chip.name)
SMALL = 2 * SECTOR


def install(bus: Bus, board: Board, program: bytes) -> Client:
    """Flash and start, as a tool would; the errors of pyusb come through."""
    client = Client(bus, board)
    client.flash(FLASH, program)
    client.reboot(100)
    bus.run_for(3)
    return client


def silent(board: Board) -> MutePort:
    """What runs where only the board's coming up matters."""
    return MutePort()


def test_the_cable_pulled_at_every_step_of_a_flashing(plug: Plug) -> None:
    bus, board = plug(RP2350)
    bus.application = silent
    program = firmware.synthetic(RP2350, SMALL)
    install(bus, board, program)
    steps = board.faults.steps
    assert set(board.faults.passed) == set(PHASES)
    seen = set()
    for step in range(1, steps + 1):
        bus, board = plug(RP2350)
        bus.application = silent
        board.faults.passed.clear()
        board.faults.pull_at_step(step)
        try:
            install(bus, board, program)
        except usb.core.USBError as wrong:
            assert wrong.errno == errno.ENODEV
        if board.faults.pulled_at is None:
            assert step == steps  # one step, the first attachment, was before the counting
            continue
        seen.add(board.faults.pulled_at[0])
        assert board.state == "unplugged"
        assert list(bus.session().devices()) == []
        # Put in again with the button held, the board can always be flashed.
        board.button = True
        board.plug()
        bus.settle()
        board.button = False
        assert board.state == "bootsel"
        install(bus, board, program)
        assert board.state == "running"
    assert seen == set(PHASES)


@BOTH
def test_a_program_with_holes_hangs_and_the_button_helps(plug: Plug, chip: Chip) -> None:
    bus, board = plug(chip)
    board.faults.pull("program", 20)
    with pytest.raises(usb.core.USBError):
        install(bus, board, firmware.synthetic(chip, SMALL))
    board.plug()
    bus.run_for(10)
    assert board.state == "hung"
    assert list(bus.session().devices()) == []
    board.unplug()
    board.button = True
    board.plug()
    bus.settle()
    assert board.state == "bootsel"


def test_written_backwards_a_torn_flashing_stays_in_the_boot_loader(plug: Plug) -> None:
    bus, board = plug(RP2350)
    program = firmware.synthetic(RP2350, SMALL)
    client = Client(bus, board)
    client.flash(FLASH + SECTOR, program[SECTOR:])
    board.unplug()
    board.plug()
    bus.settle()
    assert board.state == "bootsel"


def test_pulled_while_erasing_and_programming_half_of_it_is_done(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.flash.data[:SECTOR] = b"\0" * SECTOR
    board.faults.pull("erase")
    client = Client(bus, board)
    client.exclusive()
    with pytest.raises(usb.core.USBError):
        client.erase(FLASH)
    assert board.flash.read(0, SECTOR) == b"\xff" * 2048 + b"\0" * 2048


@BOTH
@pytest.mark.parametrize("command", [ERASE, WRITE, READ])
def test_an_ignored_command_times_out(plug: Plug, chip: Chip, command: int) -> None:
    bus, board = plug(chip)
    board.faults.ignore(command)
    client = Client(bus, board)
    with pytest.raises(usb.core.USBTimeoutError):
        client.flash(FLASH, firmware.synthetic(chip, SMALL))
    assert client.status()[2:] == (command, 1)
    client.reset()
    client.flash(FLASH, firmware.synthetic(chip, SMALL))


@pytest.mark.parametrize(("chip", "command"), [(RP2350, REBOOT2), (RP2040, REBOOT)])
def test_a_reboot_only_acknowledged_does_not_happen(plug: Plug, chip: Chip, command: int) -> None:
    bus, board = plug(chip)
    board.faults.skip(command)
    client = install(bus, board, firmware.synthetic(chip, SMALL))
    assert board.state == "bootsel"
    client.reboot()
    bus.run_for(3)
    assert board.state == "running"


@pytest.mark.parametrize("command", [ERASE, WRITE])
def test_work_only_acknowledged_is_found_by_reading_back(plug: Plug, command: int) -> None:
    bus, board = plug(RP2350)
    board.flash.data[:SECTOR] = b"\0" * SECTOR
    board.faults.skip(command)
    with pytest.raises(ValueError, match="wrong at 10000000"):
        Client(bus, board).flash(FLASH, firmware.synthetic(RP2350, SMALL))


@pytest.mark.parametrize("command", [ERASE, WRITE, READ])
def test_a_late_answer(plug: Plug, command: int) -> None:
    bus, board = plug(RP2350)
    client = Client(bus, board)
    board.faults.late(command, 2.5)  # within every time-out
    before = bus.clock.monotonic()
    client.flash(FLASH, firmware.synthetic(RP2350, SMALL))
    assert bus.clock.monotonic() - before > 2.5
    board.faults.late(ERASE, 3.5)
    with pytest.raises(usb.core.USBTimeoutError):
        client.erase(FLASH)
    assert client.status()[2:] == (ERASE, 1)
    client.reset()
    client.exclusive()
    client.erase(FLASH)


def test_one_flipped_bit_on_reading_back(plug: Plug) -> None:
    bus, board = plug(RP2350)
    program = firmware.synthetic(RP2350, SMALL)
    board.faults.flip(FLASH + SECTOR + 777, 3)
    client = Client(bus, board)
    with pytest.raises(ValueError, match="wrong at 10001000"):
        client.flash(FLASH, program)
    assert board.flash.read(0, SMALL) == program
    assert client.read(FLASH + SECTOR, SECTOR) == program[SECTOR:]


@pytest.mark.parametrize("number", [errno.EACCES, errno.EBUSY, errno.ENODEV, errno.EIO])
def test_a_device_that_cannot_be_opened(plug: Plug, number: int) -> None:
    bus, board = plug(RP2350)
    board.faults.open_error = number
    device = device_of(bus, board)
    assert device.idProduct == 0x000F  # it is seen all the same
    with pytest.raises(usb.core.USBError) as shut:
        device.get_active_configuration()
    assert shut.value.errno == number


def test_an_interface_that_cannot_be_claimed(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.faults.claim_error = errno.EBUSY
    with pytest.raises(usb.core.USBError) as busy:
        Client(bus, board)
    assert busy.value.errno == errno.EBUSY


def test_a_board_that_never_comes_back(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.faults.missing = True
    install(bus, board, firmware.synthetic(RP2350, SMALL))
    assert board.state == "hung"


def test_a_board_that_takes_three_seconds(plug: Plug) -> None:
    bus, board = plug(RP2350)
    board.attach_ns = 3_000_000_000
    install(bus, board, firmware.synthetic(RP2350, SMALL))
    assert board.state == "starting"
    bus.run_for(0.2)
    assert board.state == "running"


def test_only_phases_can_be_named(plug: Plug) -> None:
    _, board = plug(RP2350)
    with pytest.raises(ValueError, match="no phase"):
        board.faults.pull("lunch")
