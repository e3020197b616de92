"""The controller's flash: what erasing and programming do, and what a cut leaves."""

from __future__ import annotations

import random

import pytest
from littlefs import LittleFS
from littlefs.context import UserContext

from hwsim import costs
from hwsim.chips.qspi_flash import PAGE, SECTOR, SECTORS, Change, QspiFlash, replay, tear
from hwsim.core import Scheduler, SimFault


@pytest.fixture
def flash() -> QspiFlash:
    return QspiFlash(Scheduler(), bytearray(b"\xff" * (SECTOR * SECTORS)), seed=1)


def test_a_new_one_holds_an_empty_file_system() -> None:
    found = QspiFlash(Scheduler())
    system = LittleFS(
        UserContext(buffer=found.image),
        block_size=SECTOR,
        block_count=SECTORS,
        read_size=32,
        prog_size=PAGE,
        mount=False,
    )
    system.mount()
    assert system.listdir("/") == []
    assert QspiFlash(Scheduler()).image is not found.image


def test_programming_clears_bits_and_erasing_sets_them(flash: QspiFlash) -> None:
    assert flash.program(SECTOR, bytes((0xF0,)) * PAGE, 0) == costs.FLASH_PROGRAM_NS[0]
    flash.program(SECTOR, bytes((0x3C,)) * PAGE, 0)
    assert flash.read(SECTOR, PAGE + 1) == bytes((0x30,)) * PAGE + b"\xff"
    flash.slow = True
    assert flash.erase(SECTOR, 0) == costs.FLASH_ERASE_NS[1]
    assert flash.read(SECTOR, PAGE) == b"\xff" * PAGE
    assert (flash.erases, flash.programs) == (1, 2)


@pytest.mark.parametrize("address", [1, PAGE])
def test_only_whole_sectors_and_pages(flash: QspiFlash, address: int) -> None:
    with pytest.raises(SimFault):
        flash.erase(address, 0)
    with pytest.raises(SimFault):
        flash.program(address, bytes(PAGE - 1), 0)
    with pytest.raises(ValueError, match="bytes are wanted"):
        QspiFlash(Scheduler(), bytearray(5))


def test_a_chip_that_fails_is_never_busy_and_keeps_what_it_has(flash: QspiFlash) -> None:
    flash.program(0, bytes(PAGE), 0)
    flash.fail = True
    assert flash.erase(0, 0) == flash.program(PAGE, bytes(PAGE), 0) == 0
    assert flash.read(0, 2 * PAGE) == bytes(PAGE) + b"\xff" * PAGE


def test_whoever_stops_the_controller_is_called_at_the_cut(flash: QspiFlash) -> None:
    scheduler = Scheduler()
    flash = QspiFlash(scheduler, flash.image)
    called: list[int] = []
    flash.cut_after(1, lambda: called.append(scheduler.now))
    flash.program(0, bytes(PAGE), 5)
    scheduler.run_until(5)
    assert called == []
    flash.program(PAGE, bytes(PAGE), 6)
    scheduler.run_until(9)
    assert called == [6]


@pytest.mark.parametrize("torn", [False, True])
def test_a_cut_ends_everything_until_the_power_is_back(flash: QspiFlash, torn: bool) -> None:
    flash.journal = []
    flash.cut_after(1, torn=torn)
    flash.program(0, bytes(PAGE), 5)
    flash.program(PAGE, bytes(PAGE), 6)
    assert not flash.powered
    flash.program(2 * PAGE, bytes(PAGE), 7)
    second = flash.read(PAGE, PAGE)
    assert flash.journal == [Change(5, 0, bytes(PAGE))]
    assert flash.read(0, PAGE) == bytes(PAGE) and flash.read(2 * PAGE, PAGE) == b"\xff" * PAGE
    assert (second != b"\xff" * PAGE) == torn
    flash.power_on()
    flash.program(2 * PAGE, bytes(PAGE), 8)
    assert flash.read(2 * PAGE, PAGE) == bytes(PAGE)


def test_a_torn_operation_changes_only_what_it_was_to_change() -> None:
    chance = random.Random(1)
    for data in (bytes((0x0F,)) * PAGE, None):
        image = bytearray(bytes((0xA5,)) * (3 * SECTOR))
        tear(image, Change(0, SECTOR, data), chance)
        end = SECTOR + (SECTOR if data is None else PAGE)
        assert image[:SECTOR] == bytes((0xA5,)) * SECTOR and image[end:] == bytes((0xA5,)) * (3 * SECTOR - end)
        whole = 0xFF if data is None else 0x05
        assert all(byte & ~(0xA5 | whole) == 0 and byte & 0xA5 & whole == 0xA5 & whole for byte in image[SECTOR:end])
        assert len(set(image[SECTOR:end])) > 2


def test_replay_follows_the_journal(flash: QspiFlash) -> None:
    before = bytes(flash.image)
    flash.journal = []
    flash.program(0, bytes(PAGE), 1)
    flash.program(PAGE, bytes(PAGE), 2)
    flash.erase(0, 3)
    assert replay(before, flash.journal, 3) == flash.image == before
    assert replay(before, flash.journal, 1)[: 2 * PAGE] == bytes(PAGE) + b"\xff" * PAGE
    torn = replay(before, flash.journal, 1, torn=True)
    assert torn[:PAGE] == bytes(PAGE) and torn[PAGE : 2 * PAGE] not in (bytes(PAGE), b"\xff" * PAGE)
    with pytest.raises(ValueError, match="3 operations"):
        replay(before, flash.journal, 3, torn=True)
