"""adafruit-circuitpython-ssd1306 against the model of the SSD1306: what it draws is what the glass shows."""

from __future__ import annotations

from typing import Any

import adafruit_ssd1306
import pytest

from hwsim.chips.ssd1306 import Ssd1306
from hwsim.core import Line, SimFault
from tests.strangers.bus import World


class Bench:
    def __init__(self, world: World, height: int = 64, *, revision_b: bool = True, **options: Any) -> None:
        reset_n = Line("RES", 1)
        self.chip = Ssd1306(world.scheduler, height, reset_n=reset_n, revision_b=revision_b)
        self.height = height
        self.driver = adafruit_ssd1306.SSD1306_I2C(
            128, height, world.i2c({0x3C: self.chip}), reset=world.pin(reset_n), **options
        )

    def drawn(self) -> list[list[int]]:
        return [[int(self.driver.pixel(x, y)) for x in range(128)] for y in range(self.height)]


@pytest.mark.parametrize("height", [64, 32])
def test_what_is_drawn_is_seen_upright(world: World, height: int) -> None:
    bench = Bench(world, height)
    assert not any(map(any, bench.chip.pixels()))
    bench.driver.rect(3, 5, 40, 20, 1)
    bench.driver.line(0, 0, 127, height - 1, 1)
    bench.driver.pixel(127, 0, 1)
    bench.driver.fill_rect(100, 9, 9, 9, 1)
    bench.driver.show()
    assert bench.chip.pixels() == bench.drawn()
    assert bench.chip.pixels()[0][127] == 1


def test_contrast_invert_power_and_rotation(world: World) -> None:
    bench = Bench(world)
    bench.driver.pixel(0, 0, 1)
    bench.driver.show()
    bench.driver.contrast(17)
    assert bench.chip.contrast == 17
    bench.driver.invert(True)
    assert sum(map(sum, bench.chip.pixels())) == 128 * 64 - 1
    bench.driver.invert(False)
    bench.driver.rotate(False)
    bench.driver.show()
    assert bench.chip.pixels()[63][127] == 1
    bench.driver.poweroff()
    assert not bench.chip.lit
    bench.driver.poweron()  # resets the chip, which then has no charge pump: the driver must be initialised again
    assert not bench.chip.lit
    bench.driver.init_display()
    assert bench.chip.lit


def test_older_part_does_not_know_the_current_reference(world: World) -> None:
    """The driver sends AD 30, which only the newer revision has."""
    with pytest.raises(SimFault, match="command AD is not in the sheet"):
        Bench(world, revision_b=False)


def test_page_addressing_sends_a_mode_that_is_not_in_the_sheet(world: World) -> None:
    """The driver sends 20 10; page addressing is 20 02."""
    with pytest.raises(SimFault, match="parameter 10 of command 20"):
        Bench(world, page_addressing=True)
