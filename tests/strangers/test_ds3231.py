"""adafruit-circuitpython-ds3231 against the model of the DS3231."""

import time

import adafruit_ds3231
import pytest

from hwsim.chips.ds3231 import Ds3231
from hwsim.core import Line
from tests.strangers.bus import World

NEW_YEARS_EVE = time.struct_time((2026, 12, 31, 23, 59, 58, 3, 365, -1))  # a Thursday


class Bench:
    def __init__(self, world: World) -> None:
        self.world = world
        self.pin = Line("INT", 1)
        self.chip = Ds3231(world.scheduler, interrupt=self.pin)
        world.run(1)
        self.driver = adafruit_ds3231.DS3231(world.i2c({0x68: self.chip}))


def test_time_is_not_to_be_trusted_before_it_is_set(world: World) -> None:
    bench = Bench(world)
    assert bench.driver.lost_power
    bench.driver.datetime = NEW_YEARS_EVE
    assert not bench.driver.lost_power
    assert bench.chip.trusted


def test_time_goes_on_over_the_end_of_the_year(world: World) -> None:
    bench = Bench(world)
    bench.driver.datetime = NEW_YEARS_EVE
    assert bench.driver.datetime[:7] == NEW_YEARS_EVE[:7]
    world.run(5)
    assert bench.driver.datetime[:7] == (2027, 1, 1, 0, 0, 3, 4)


def test_every_day_of_four_years(world: World) -> None:
    bench = Bench(world)
    begin = 1_767_225_600  # 2026-01-01 00:00:00
    bench.driver.datetime = time.gmtime(begin)
    for day in range(1, 4 * 365 + 2):
        world.run(86_400)
        assert bench.driver.datetime[:5] == time.gmtime(begin + 86_400 * day)[:5]
        assert bench.driver.datetime.tm_wday == time.gmtime(begin + 86_400 * day).tm_wday


def test_battery(world: World) -> None:
    bench = Bench(world)
    bench.driver.datetime = NEW_YEARS_EVE
    bench.chip.power(supply=False, battery=True)
    world.run(10)
    bench.chip.power(supply=True, battery=True)
    assert bench.driver.datetime.tm_sec == 8
    assert not bench.driver.lost_power
    bench.chip.power(supply=False, battery=False)
    bench.chip.power(supply=True, battery=False)
    assert bench.driver.lost_power


@pytest.mark.parametrize(
    ("frequency", "when", "after"),
    [
        ("secondly", (0, 0, 0), 1),
        ("minutely", (0, 0, 5), 5),
        ("hourly", (0, 1, 5), 65),
        ("daily", (1, 1, 5), 3_665),
        ("weekly", (1, 1, 5), 90_065),
        ("monthly", (1, 1, 5), 90_065),
    ],
)
def test_alarm_1(world: World, frequency: str, when: tuple[int, int, int], after: int) -> None:
    bench = Bench(world)
    bench.driver.datetime = time.struct_time((2026, 1, 1, 0, 0, 0, 3, 1, -1))
    bench.driver.alarm1 = (time.struct_time((2026, 1, 2, *when, 4, 2, -1)), frequency)
    assert bench.driver.alarm1[1] == frequency
    bench.driver.alarm1_interrupt = True
    bench.driver.alarm1_status = False
    world.run(after - 0.5)
    assert not bench.driver.alarm1_status
    world.run(0.6)
    assert bench.driver.alarm1_status
    assert bench.pin.level == 0
    if frequency != "secondly":
        bench.driver.alarm1_status = False
        assert bench.pin.level == 1


def test_alarm_2(world: World) -> None:
    bench = Bench(world)
    bench.driver.datetime = time.struct_time((2026, 1, 1, 0, 0, 0, 3, 1, -1))
    bench.driver.alarm2 = (time.struct_time((2026, 1, 1, 0, 2, 0, 3, 1, -1)), "hourly")
    world.run(119)
    assert not bench.driver.alarm2_status
    world.run(1)
    assert bench.driver.alarm2_status


def test_temperature(world: World) -> None:
    bench = Bench(world)
    bench.chip.temperature = -3.25
    assert bench.driver.force_temperature_conversion() == -3.25
    bench.chip.temperature = 41.5
    assert bench.driver.temperature == -3.25
    world.run(65)
    assert bench.driver.temperature == 41.5


@pytest.mark.parametrize("steps", [-128, -1, 0, 127])
def test_calibration(world: World, steps: int) -> None:
    bench = Bench(world)
    bench.driver.calibration = steps
    assert bench.driver.calibration == steps
