"""pypicoboot, a stranger's PICOBOOT client over pyusb, flashes the emulated chips."""

from collections.abc import Iterator

import picoboot
import pytest
import usb.backend.libusb1
from picoboot import picoboot as internals

from hwsim.usb import firmware
from hwsim.usb.bus import Bus, rig
from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.terminal import MutePort

FLASH = 0x10000000
SECTOR = 4096


class NoMonitor:
    """In place of the thread that looks for devices twice a second."""

    def __init__(self, device: object, cls_callback: object) -> None:
        pass

    def stop(self) -> None:
        """Nothing runs."""


@pytest.fixture(params=[RP2040, RP2350], ids=lambda chip: chip.name)
def bus(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    """A blank board, on the bus that pyusb finds by itself."""
    made = rig([request.param])
    made.application = lambda board: MutePort()
    made.settle()
    backend = made.backend()
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: backend)
    monkeypatch.setattr(internals, "PicoBootMonitor", NoMonitor)
    yield made
    made.close()


def test_it_flashes_and_starts_a_blank_board(bus: Bus) -> None:
    (board,) = bus.boards
    chip: Chip = board.chip
    tool = picoboot.PicoBoot.open()
    assert tool.platform.name == chip.name
    assert tool.memory == board.flash.size
    assert tool.serial_number_str == (chip.fixed_serial or board.uid.hex().upper())
    program = firmware.synthetic(chip, 8 * SECTOR)
    tool.flash_erase(FLASH, len(program))
    tool.flash_write(FLASH, program)
    assert tool.flash_read(FLASH, len(program)) == program
    tool.reboot(100)
    bus.run_for(2)
    assert board.state == "running"
    tool.close()


def test_it_sees_errors_and_recovers(bus: Bus) -> None:
    tool = picoboot.PicoBoot.open()
    with pytest.raises(picoboot.PicoBootError, match="No ACK"):
        tool.flash_erase(0x20000000, SECTOR)
    assert tool.get_command_status()["status"] == 4
    tool.interface_reset()
    tool.exclusive_access()
    tool.flash_erase(FLASH, SECTOR)
    tool.close()


def test_it_reads_the_system_information(bus: Bus) -> None:
    (board,) = bus.boards
    if not board.chip.has_reboot2:
        tool = picoboot.PicoBoot.open()
        with pytest.raises(picoboot.PicoBootError):
            tool.get_info_sys()
        tool.close()
        return
    tool = picoboot.PicoBoot.open()
    words = tool.get_info(1, 0x0F, 64)
    assert len(words) == 64
    assert words[:8] == bytes((8 - 1, 0, 0, 0, 0x0F, 0, 0, 0))
    tool.close()
