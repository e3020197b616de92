"""Clock and display drivers against the chip models."""

from __future__ import annotations

from datetime import UTC, datetime

import ds3231
import pytest
import ssd1306

from hwsim.chips.ds3231 import Ds3231
from hwsim.chips.ssd1306 import Ssd1306
from hwsim.core import Line
from sabot.display.screen import Screen
from tests.drivers.adapter import Board, I2c

NS_S = 1_000_000_000
NS_MS = 1_000_000
NOON = int(datetime(2026, 11, 27, 12, 0, 0, tzinfo=UTC).timestamp())


class ClockBench:
    def __init__(self) -> None:
        self.board = Board()
        self.chip = Ds3231(self.board.scheduler, "U4", Line("INT", 1))
        self.driver = ds3231.DS3231(I2c(self.board, {0x68: self.chip}))
        self.wait(1)

    def wait(self, seconds: float) -> None:
        scheduler = self.board.scheduler
        scheduler.run_until(scheduler.now + round(seconds * NS_S))


def test_the_clock_tells_no_time_until_it_is_set_and_then_keeps_it() -> None:
    bench = ClockBench()
    bench.driver.start()
    with pytest.raises(ds3231.ClockFault) as caught:
        bench.driver.seconds()
    assert caught.value.code == "stopped"
    bench.driver.set_seconds(NOON)
    begun = bench.board.scheduler.now
    for seconds in (0.5, 0.6, 59, 3600, 86400 * 40):
        bench.wait(seconds)
        passed = (bench.board.scheduler.now - begun) / NS_S
        # 2 ppm, and the second under way
        assert abs(bench.driver.seconds() - NOON - passed) <= 1 + passed * 2e-6


def test_a_restart_of_the_host_loses_no_time() -> None:
    bench = ClockBench()
    bench.driver.start()
    bench.driver.set_seconds(NOON)
    bench.wait(10)
    again = ds3231.DS3231(I2c(bench.board, {0x68: bench.chip}))
    again.start()
    assert again.seconds() in (NOON + 9, NOON + 10)


def test_temperature_and_ageing_of_the_chip() -> None:
    bench = ClockBench()
    bench.driver.start()
    bench.driver.set_ageing(-12)
    assert bench.driver.ageing() == -12
    bench.wait(70)
    assert -160 <= bench.driver.temperature() <= 340


def test_the_display_shows_what_was_drawn() -> None:
    board = Board()
    chip = Ssd1306(board.scheduler, 64, name="DISP")
    driver = ssd1306.SSD1306(I2c(board, {0x3C: chip}))
    screen = Screen(driver.buffer, driver.touch)
    screen.show(["RIEN NE VA PLUS", "P1 25 $", "", "", "", "", "", "OUI=VALIDE NON=REFUS"])
    driver.start()
    assert not any(any(row) for row in chip.pixels())
    longest = 0
    more = True
    while more:
        begun = board.scheduler.now
        more = driver.step()
        longest = max(longest, board.scheduler.now - begun)
    assert longest < 3 * NS_MS
    assert picture(chip) == expected(driver.buffer)
    screen.line(1, "P1 ÉÇŒ $")
    while driver.step():
        pass
    assert picture(chip) == expected(driver.buffer)
    driver.renew()
    while driver.step():
        pass
    assert picture(chip) == expected(driver.buffer)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_display_that_is_started_or_renewed_in_the_middle_shows_all(steps: int) -> None:
    """Its supply has dropped between a window and its dots; and one that is started again is lit again."""
    board = Board()
    chip = Ssd1306(board.scheduler, 64, name="DISP")
    driver = ssd1306.SSD1306(I2c(board, {0x3C: chip}))
    screen = Screen(driver.buffer, driver.touch)
    screen.show(["RIEN NE VA PLUS", *[""] * 7])
    for begin in (driver.start, driver.renew, driver.start):
        begin()
        while driver.step():
            pass
        assert picture(chip) == expected(driver.buffer)
        screen.line(1, "P1 25 $")
        for _ in range(steps):
            driver.step()
        chip.power_cycle()


def picture(chip: Ssd1306) -> list[list[int]]:
    return [[1 if dot else 0 for dot in row] for row in chip.pixels()]


def expected(buffer: bytearray) -> list[list[int]]:
    return [[buffer[row // 8 * 128 + column] >> row % 8 & 1 for column in range(128)] for row in range(64)]
