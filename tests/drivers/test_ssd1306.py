"""The display driver: only what was touched is sent, in short transactions, against a memory written from the sheet."""

from __future__ import annotations

import random

import pytest
import ssd1306
from ssd1306 import DisplayFault

ARGUMENTS = {
    0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1,
}  # fmt: skip
LONGEST_US = 3_000


class Glass:
    """I2C with an SSD1306 in horizontal addressing: its memory, its window and whether it is lit."""

    def __init__(self) -> None:
        self.memory = bytearray(random.Random(1).randbytes(1024))
        self.lit = False
        self.settings: dict[int, tuple[int, ...]] = {}
        self.columns = (0, 127)
        self.pages = (0, 7)
        self.at = (0, 0)
        self.answers = True
        self.sizes: list[int] = []
        self.lit_over: bytes | None = None

    def writeto(self, address: int, buf: bytearray | memoryview) -> None:
        assert address == 0x3C
        if not self.answers:
            raise OSError(5, "EIO")
        self.sizes.append(len(buf))
        assert (1 + len(buf)) * 9 * 2.5 < LONGEST_US
        if buf[0] == 0x40:
            for value in buf[1:]:
                self._store(value)
            return
        assert buf[0] == 0x00
        stream = iter(buf[1:])
        for command in stream:
            values = tuple(next(stream) for _ in range(ARGUMENTS.get(command, 0)))
            self._command(command, values)

    def _command(self, command: int, values: tuple[int, ...]) -> None:
        if command == 0x21:
            self.columns = (values[0], values[1])
        elif command == 0x22:
            self.pages = (values[0], values[1])
        elif command in (0xAE, 0xAF):
            self.lit = command == 0xAF
            if self.lit:
                self.lit_over = bytes(self.memory)
        else:
            self.settings[command] = values
        if command in (0x21, 0x22):
            self.at = (self.columns[0], self.pages[0])

    def _store(self, value: int) -> None:
        column, page = self.at
        self.memory[page * 128 + column] = value
        column += 1
        if column > self.columns[1]:
            column = self.columns[0]
            page = page + 1 if page < self.pages[1] else self.pages[0]
        self.at = (column, page)


def display(rows: int = 64) -> tuple[ssd1306.SSD1306, Glass]:
    glass = Glass()
    return ssd1306.SSD1306(glass, rows=rows), glass


def flush(driver: ssd1306.SSD1306) -> int:
    steps = 0
    while driver.step():
        steps += 1
    return steps


def test_it_is_lit_only_once_its_memory_holds_the_picture() -> None:
    driver, glass = display()
    driver.buffer[:] = bytes(range(256)) * 4
    driver.start()
    assert len(glass.sizes) == 1 and not glass.lit
    assert flush(driver) == 8 * 2 * 2 + 1
    assert glass.lit and glass.lit_over == glass.memory == driver.buffer
    assert not driver.step()


def test_settings_are_those_of_the_sheet() -> None:
    driver, glass = display()
    driver.start()
    assert glass.settings == {
        0x20: (0x00,), 0x40: (), 0xA1: (), 0xA8: (0x3F,), 0xC8: (), 0xD3: (0x00,), 0xDA: (0x12,), 0xD5: (0x80,),
        0xD9: (0xF1,), 0xDB: (0x30,), 0x81: (0xFF,), 0xA4: (), 0xA6: (), 0x8D: (0x14,),
    }  # fmt: skip
    driver.contrast(0x20)
    assert glass.settings[0x81] == (0x20,)
    small, glass = display(32)
    small.start()
    assert glass.settings[0xA8] == (0x1F,) and glass.settings[0xDA] == (0x02,)
    assert len(small.buffer) == 512 and flush(small) == 4 * 2 * 2 + 1
    outside = Glass()
    ssd1306.SSD1306(outside, external_vcc=True).start()
    assert outside.settings[0xD9] == (0x22,) and outside.settings[0x8D] == (0x10,)


def test_only_what_was_touched_is_sent() -> None:
    driver, glass = display()
    driver.start()
    flush(driver)
    glass.sizes.clear()
    driver.buffer[3 * 128 + 20] = 0xAA
    driver.touch(3, 20, 20)
    assert flush(driver) == 2
    assert glass.sizes == [9, 17]
    assert glass.memory == driver.buffer
    glass.sizes.clear()
    for column in (15, 16, 127):
        driver.buffer[column] ^= 0xFF
        driver.touch(0, column, column)
    flush(driver)
    assert glass.sizes == [9, 33, 9, 17]
    assert glass.memory == driver.buffer


@pytest.mark.parametrize("seed", range(20))
def test_any_changes_arrive(seed: int) -> None:
    source = random.Random(seed)
    driver, glass = display()
    driver.start()
    flush(driver)
    for _ in range(40):
        page = source.randrange(8)
        first = source.randrange(128)
        last = min(127, first + source.randrange(40))
        driver.buffer[page * 128 + first : page * 128 + last + 1] = source.randbytes(last - first + 1)
        driver.touch(page, first, last)
        for _ in range(source.randrange(4)):
            driver.step()
    flush(driver)
    assert glass.memory == driver.buffer


@pytest.mark.parametrize("after", range(12))
def test_what_a_fault_kept_from_being_sent_is_sent_later(after: int) -> None:
    driver, glass = display()
    driver.start()
    flush(driver)
    driver.buffer[:] = b"\x5a" * 1024
    driver.touch_all()
    for _ in range(after):
        driver.step()
    glass.answers = False
    for _ in range(2):
        with pytest.raises(DisplayFault) as caught:
            driver.step()
        assert caught.value.code == "absent"
    glass.answers = True
    flush(driver)
    assert glass.memory == driver.buffer


def test_a_display_that_was_reset_under_way_is_renewed_without_going_dark() -> None:
    driver, glass = display()
    driver.start()
    flush(driver)
    glass.memory[:] = random.Random(2).randbytes(1024)
    glass.settings.clear()
    glass.lit = False
    driver.renew()
    assert glass.lit
    flush(driver)
    assert glass.memory == driver.buffer and glass.settings[0x8D] == (0x14,)


def test_an_absent_display_is_told_at_the_start() -> None:
    driver, glass = display()
    glass.answers = False
    with pytest.raises(DisplayFault):
        driver.start()
