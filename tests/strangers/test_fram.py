"""adafruit-circuitpython-fram (its SPI class) against the models of the MB85RS family."""

import random

import pytest
from adafruit_fram import FRAM_SPI

from hwsim.chips.mb85rs import PARTS, WRSR, Mb85rs
from hwsim.core import Line
from tests.strangers.bus import World

LARGE = [part for part in PARTS if PARTS[part].large]


def make(world: World, part: str, **options: int) -> tuple[Mb85rs, FRAM_SPI]:
    chip = Mb85rs(world.scheduler, part)
    bus, select = world.spi(chip)
    return chip, FRAM_SPI(bus, select, max_size=PARTS[part].size, **options)


@pytest.mark.parametrize("part", LARGE)
def test_bytes_and_slices(world: World, part: str) -> None:
    chip, driver = make(world, part, baudrate=20_000_000)
    source = random.Random(part)
    expected = bytearray(chip.part.size)
    for _ in range(50):
        data = source.randbytes(source.randint(1, 40))
        at = source.randrange(len(driver) - len(data))
        driver[at : at + len(data)] = data
        expected[at : at + len(data)] = data
        assert driver[at : at + len(data)] == data
    driver[len(driver) - 1] = 0x5A
    expected[-1] = 0x5A
    assert driver[len(driver) - 1] == b"\x5a"
    assert chip.image == expected
    assert not chip.write_enabled
    assert not chip.ignored


def test_no_part_no_driver(world: World) -> None:
    chip = Mb85rs(world.scheduler, "MB85RS4MT")
    chip.power_off()
    bus, select = world.spi(chip)
    with pytest.raises(OSError, match="FRAM SPI device not found"):
        FRAM_SPI(bus, select)


def test_two_address_bytes_are_followed_by_a_stray_one(world: World) -> None:
    """On parts of 64 KB and less the driver sends a fourth byte behind the address.

    A write stores it: everything lands one cell too high and the cell at the address itself becomes zero. Reading is
    shifted in the same way, so the driver does not notice until it writes next to what it wrote before.
    """
    chip, driver = make(world, "MB85RS64V")
    driver[100] = 0xAA
    assert driver[100] == b"\xaa"
    assert chip.image[100:102] == b"\x00\xaa"
    driver[101] = 0xBB
    assert driver[100] == b"\x00"


def test_protection_without_write_enable_is_ignored_by_the_part(world: World) -> None:
    """The driver writes the status register without WREN; its own flag is all that protects."""
    chip, driver = make(world, "MB85RS4MT")
    driver.write_protected = True
    assert [(ignored.opcode, ignored.reason) for ignored in chip.ignored] == [(WRSR, "WEL is 0")]
    assert chip.status == 0
    with pytest.raises(RuntimeError, match="write protected"):
        driver[0] = 1


def test_write_protect_pin_of_the_driver(world: World) -> None:
    chip = Mb85rs(world.scheduler, "MB85RS4MT")
    bus, select = world.spi(chip)
    line = Line("WP", 1)
    driver = FRAM_SPI(bus, select, wp_pin=world.pin(line), max_size=chip.part.size)
    assert line.level == 0
    assert not driver.write_protected
    driver[7] = 7
    assert chip.image[7] == 7
