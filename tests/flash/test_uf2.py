"""UF2 files: what is written is read, and whatever is wrong with a file is told before anything is erased."""

import struct
from collections.abc import Callable

import pytest

from hwsim.usb import firmware
from hwsim.usb.bootsel import Bootsel
from hwsim.usb.bus import rig
from hwsim.usb.chips import chip
from hwsim.usb.terminal import MutePort
from sabot_host.errors import FileError
from sabot_host.flash import uf2
from sabot_host.flash.boards import FLASH_BASE, board_named
from sabot_host.flash.uf2 import FAMILY_OF, Image

RP2350, RP2040 = FAMILY_OF["RP2350"], FAMILY_OF["RP2040"]


def image(pages: int = 20, family: int = RP2350, start: int = FLASH_BASE) -> Image:
    return Image(family, {start + 256 * number: bytes([number]) * 256 for number in range(pages)})


def field(data: bytes, block: int, offset: int, value: int) -> bytes:
    """The file with one 32-bit field of one block changed."""
    at = 512 * block + offset
    return data[:at] + struct.pack("<I", value) + data[at + 4 :]


def plain(made: uf2.Image) -> bytes:
    """The file without what an RP2350's begins with."""
    return uf2.write(made)[512:]


def test_a_file_is_read_as_it_was_written() -> None:
    data = uf2.write(image())
    assert len(data) == 21 * 512
    assert uf2.read(data, "a.uf2") == uf2.read(data[512:], "a.uf2") == image()


def test_a_block_is_laid_out_as_the_specification_says() -> None:
    block = plain(image(3))[512:1024]
    assert block[:32] == bytes.fromhex("5546320a 57515d9e 00200000 00010010 00010000 01000000 03000000 59ff8be4")
    assert block[32:288] == bytes([1]) * 256
    assert block[288:508] == bytes(220)
    assert block[508:] == bytes.fromhex("306fb10a")


def test_sectors_are_whole_and_what_is_not_written_is_erased() -> None:
    sectors = image(20).sectors()
    assert list(sectors) == [FLASH_BASE, FLASH_BASE + 4096]
    assert sectors[FLASH_BASE + 4096][:1024] == b"".join(bytes([n]) * 256 for n in range(16, 20))
    assert sectors[FLASH_BASE + 4096][1024:] == b"\xff" * 3072


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda data: b"", "uf2-not-one"),
        (lambda data: b"PK\3\4" + data, "uf2-not-one"),
        (lambda data: data[:-100], "uf2-truncated"),
        (lambda data: data[: 512 * 7], "uf2-truncated"),
        (lambda data: data[512:], "uf2-order"),
        (lambda data: data[:512] + data[1024:], "uf2-order"),
        (lambda data: data[512:1024] + data[:512] + data[1024:], "uf2-order"),
        (lambda data: data + data[:512], "uf2-order"),
        (lambda data: field(data, 3, 508, 0), "uf2-damaged"),
        (lambda data: field(data, 3, 0, 0), "uf2-damaged"),
        (lambda data: field(data, 3, 8, 0), "uf2-family"),
        (lambda data: field(data, 3, 8, 0x3000), "uf2-family"),
        (lambda data: field(data, 3, 28, RP2040), "uf2-family"),
        (lambda data: field(data, 3, 12, FLASH_BASE), "uf2-overlap"),
        (lambda data: field(data, 3, 12, FLASH_BASE + 4), "uf2-unfit"),
        (lambda data: field(data, 3, 12, 0x20000000), "uf2-unfit"),
        (lambda data: field(data, 3, 16, 128), "uf2-unfit"),
        (lambda data: field(data, 3, 24, 21), "uf2-order"),
    ],
)
def test_a_file_that_is_not_whole_and_in_order_is_refused(spoil: Callable[[bytes], bytes], code: str) -> None:
    with pytest.raises(FileError) as refusal:
        uf2.read(spoil(plain(image())), "a.uf2")
    assert refusal.value.code == code
    assert "a.uf2" in refusal.value.message


def test_every_block_not_for_the_main_flash_is_left_out() -> None:
    other = field(plain(image(1)), 0, 8, 0x2001)
    assert uf2.read(other + plain(image()), "a.uf2") == image()
    with pytest.raises(FileError):
        uf2.read(other, "a.uf2")


def test_a_file_for_the_rp2350_begins_with_the_block_that_works_around_e10() -> None:
    e10 = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0xA000, 0x10FFFF00, 256, 0, 2, 0xE48BFF57)
    e10 = (e10 + b"\xef" * 256 + struct.pack("<I", 0x9957E304)).ljust(508, b"\0") + struct.pack("<I", 0x0AB16F30)
    assert uf2.write(image()).startswith(e10)
    pico = uf2.write(image(family=RP2040))
    assert len(pico) == 20 * 512
    assert not pico.startswith(e10)


def test_what_is_written_starts_from_the_drive() -> None:
    bus = rig([chip("rp2350")])
    bus.application = lambda board: MutePort()
    bus.settle()
    (board,) = bus.boards
    assert isinstance(board.device, Bootsel)
    program = firmware.synthetic(board.chip, 8192)
    made = uf2.Image(uf2.FAMILY_OF["RP2350"], uf2.paged([(FLASH_BASE, program)]))
    board.device.drive.copy(uf2.write(made))
    bus.run_for(2)
    assert board.state == "running"
    assert board.flash.read(0, len(program)) == program
    bus.close()


def test_another_chips_file_is_refused() -> None:
    with pytest.raises(FileError, match="for RP2040, the board is a RP2350") as refusal:
        uf2.check_fits(image(family=RP2040), board_named("pico2"), "a.uf2")
    assert refusal.value.code == "uf2-family"


def test_an_image_may_fill_the_flash_but_not_more() -> None:
    pico = board_named("pico")
    last = pico.flash_end - 256
    uf2.check_fits(image(1, RP2040, last), pico, "a.uf2")
    with pytest.raises(FileError) as refusal:
        uf2.check_fits(image(2, RP2040, last), pico, "a.uf2")
    assert refusal.value.code == "uf2-too-large"


def test_a_region_is_cut_out_of_the_pages() -> None:
    region = image().region(FLASH_BASE + 128, 512)
    assert region == bytes(128) + bytes([1]) * 256 + bytes([2]) * 128
    assert image(1).region(FLASH_BASE + 4096, 16) == b"\xff" * 16


def test_regions_are_paged_and_the_last_page_is_filled() -> None:
    assert uf2.paged([(FLASH_BASE, b"a" * 300)]) == {
        FLASH_BASE: b"a" * 256,
        FLASH_BASE + 256: b"a" * 44 + b"\xff" * 212,
    }
