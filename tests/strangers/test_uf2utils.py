"""uf2utils, a stranger's library for UF2 files: it reads ours, and the emulated drive takes what it writes."""

from pathlib import Path

import pytest
from littlefs import LittleFS
from uf2utils.family import Family
from uf2utils.file import UF2File

from hwsim.usb import filesystem, firmware
from hwsim.usb.bootsel import Bootsel
from hwsim.usb.bus import rig
from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.terminal import MutePort

FLASH = 0x10000000
SECTOR = 4096
BLOCKS = 32
FILE_SYSTEM = 0x100000


@pytest.mark.parametrize(("chip", "family"), [(RP2040, "RP2040"), (RP2350, "rp2350-arm-s")])
def test_firmware_and_files_in_one_file(chip: Chip, family: str, tmp_path: Path) -> None:
    program = firmware.synthetic(chip, 4 * SECTOR)
    files = LittleFS(block_size=SECTOR, block_count=BLOCKS, prog_size=256)
    with files.open("main.py", "w") as file:
        file.write("print('hello')\n")
    made = UF2File(board_family=Family.byName(family).id)
    made.append_payload(program, FLASH)
    made.append_payload(bytes(files.context.buffer), FLASH + FILE_SYSTEM)
    made.to_file(str(tmp_path / "all.uf2"))
    bus = rig([chip])
    bus.application = lambda board: MutePort()
    bus.settle()
    (board,) = bus.boards
    assert isinstance(board.device, Bootsel)
    board.device.drive.copy((tmp_path / "all.uf2").read_bytes())
    bus.run_for(2)
    assert board.state == "running"
    found = filesystem.find(board.flash)
    assert found is not None
    assert (found.offset, found.files()) == (FILE_SYSTEM, {"main.py": b"print('hello')\n"})
    bus.close()


def test_it_reads_our_files(tmp_path: Path) -> None:
    (tmp_path / "ours.uf2").write_bytes(firmware.synthetic_uf2(RP2350, 2 * SECTOR))
    read = UF2File(str(tmp_path / "ours.uf2"))
    assert read.num_blocks == 2 * SECTOR // 256
    assert read[0].header.board_family == 0xE48BFF59
    assert bytes(read.extract_payload()) == firmware.synthetic(RP2350, 2 * SECTOR)
