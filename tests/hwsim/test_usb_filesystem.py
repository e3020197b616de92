"""What is in the flash: programs that start or do not, file systems found, made and unpacked."""

import struct
from pathlib import Path

import pytest
from littlefs import LittleFS

from hwsim.usb import filesystem, firmware
from hwsim.usb.chips import PAGE, RP2040, RP2350, SECTOR, Chip, chip
from hwsim.usb.flash import FlashMemory

BOTH = pytest.mark.parametrize("kind", [RP2040, RP2350], ids=lambda kind: kind.name)


def image(blocks: int, files: dict[str, bytes]) -> bytes:
    made = LittleFS(block_size=SECTOR, block_count=blocks, prog_size=256)
    for name, content in files.items():
        if "/" in name:
            made.makedirs(name.rpartition("/")[0], exist_ok=True)
        with made.open(name, "wb") as file:
            file.write(content)
    return bytes(made.context.buffer)


@BOTH
def test_programs(kind: Chip) -> None:
    program = firmware.synthetic(kind, 2 * SECTOR, "1.30.0")
    flash = FlashMemory(content=program)
    assert firmware.look(kind, flash) == firmware.Firmware("1.30.0", True)
    flash.data[SECTOR + 5] ^= 1
    assert firmware.look(kind, flash) == firmware.Firmware("1.30.0", False)
    flash.data[:0x200] = b"\xff" * 0x200
    assert firmware.look(kind, flash) is None
    other = RP2040 if kind is RP2350 else RP2350
    assert firmware.look(other, FlashMemory(content=program)) is None


def test_a_program_of_somebody_else_s() -> None:
    start = bytearray(SECTOR)
    struct.pack_into("<5I", start, 0x400, 0xFFFFDED3, 0x10210142, 0x1FF, 0, 0xAB123579)
    assert firmware.look(RP2350, FlashMemory(content=bytes(start))) == firmware.Firmware("1.29.0", True)


@pytest.mark.parametrize("at", [0x100000, 0x180000, 0x3C0000])
def test_a_file_system_is_found_where_it_is(at: int) -> None:
    flash = FlashMemory()
    assert filesystem.find(flash) is None
    flash.data[at : at + 64 * SECTOR] = image(64, {"main.py": b"1", "lib/x/y.mpy": bytes(range(256)) * 40})
    found = filesystem.find(flash)
    assert found is not None
    assert (found.offset, found.blocks) == (at, 64)
    assert found.files() == {"main.py": b"1", "lib/x/y.mpy": bytes(range(256)) * 40}


def test_a_file_system_that_a_newer_littlefs_goes_on_with_is_found() -> None:
    at, blocks = 0x100000, 64
    older = LittleFS(block_size=SECTOR, block_count=blocks, prog_size=256, disk_version=0x20000)
    with older.open("boot.py", "wb") as file:
        file.write(b"old")
    newer = LittleFS(block_size=SECTOR, block_count=blocks, prog_size=256, mount=False)
    newer.context.buffer[:] = older.context.buffer
    newer.mount()
    for turn in range(60):  # a commit takes 256 bytes: both of the root's blocks are written anew
        with newer.open("boot.py", "wb") as file:
            file.write(bytes([turn]) * 8)
    content = bytes(newer.context.buffer)
    # In both blocks the file's name stands between the magic and the superblock's own values.
    assert [content[block * SECTOR + 20 : block * SECTOR + 27] for block in (0, 1)] == [b"boot.py", b"boot.py"]
    flash = FlashMemory()
    flash.data[at : at + len(content)] = content
    found = filesystem.find(flash)
    assert found is not None
    assert (found.offset, found.blocks) == (at, blocks)
    assert found.files() == {"boot.py": bytes([59]) * 8}


def test_a_torn_first_block_is_no_obstacle() -> None:
    flash = FlashMemory()
    start = flash.size - 64 * SECTOR
    files = {"a": b"b", "c/d": bytes(range(256)) * 64}
    flash.data[start:] = image(64, files)
    flash.data[start : start + SECTOR] = b"\xff" * SECTOR
    found = filesystem.find(flash)
    assert found is not None
    assert (found.offset, found.files()) == (start, files)


def test_what_only_looks_like_one_is_passed_over() -> None:
    flash = FlashMemory()
    flash.data[8:16] = b"littlefs"
    flash.data[24:32] = struct.pack("<II", SECTOR, 16)
    flash.data[SECTOR + 8 : SECTOR + 16] = b"littlefs"
    flash.data[SECTOR + 24 : SECTOR + 32] = struct.pack("<II", SECTOR, 1 << 30)
    assert filesystem.find(flash) is None
    with pytest.raises(ValueError, match="no littlefs"):
        filesystem.unpack(flash, Path("nowhere"))
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(("kind", "offset"), [(RP2350, 0x100000), (RP2040, 0x2A0000)])
def test_a_first_start_makes_one(kind: Chip, offset: int) -> None:
    flash = FlashMemory()
    made = filesystem.ensure(kind, flash)
    assert (made.offset, made.files()) == (offset, {})
    again = filesystem.ensure(kind, flash)
    assert again.offset == offset
    with pytest.raises(ValueError, match="no image"):
        made.image = b""


def test_unpacking(tmp_path: Path) -> None:
    flash = FlashMemory()
    flash.data[0x100000 : 0x100000 + 64 * SECTOR] = image(64, {"boot.py": b"1", "sabot/app.mpy": b"M\6\0\x1f"})
    root = filesystem.unpack(flash, tmp_path / "board")
    assert (root / "boot.py").read_bytes() == b"1"
    assert (root / "sabot" / "app.mpy").read_bytes() == b"M\6\0\x1f"


def test_flash_of_no_kind() -> None:
    for size in (0, 5000, 3 * 1024 * 1024):
        with pytest.raises(ValueError, match="power of two"):
            FlashMemory(size)
    with pytest.raises(ValueError, match="do not fit"):
        FlashMemory(65536, bytes(65537))
    with pytest.raises(ValueError, match="whole page"):
        FlashMemory(65536).program(PAGE, b"\0")
    with pytest.raises(ValueError, match="no chip"):
        chip("rp1")
    assert chip("rp2040") is RP2040
