"""adafruit-circuitpython-mcp230xx against the model of the MCP23017."""

import digitalio
import pytest
from adafruit_mcp230xx.mcp23017 import MCP23017

from hwsim.chips.mcp23017 import INTCON, IOCON, Mcp23017
from hwsim.core import Line
from hwsim.nets import SharedLine
from tests.strangers.bus import World


class Bench:
    def __init__(self, world: World) -> None:
        self.nets = [SharedLine(world.scheduler, f"net {i}", pull=None) for i in range(16)]
        self.hands = [net.tap("hand") for net in self.nets]
        self.int_a, self.int_b = Line("INTA", 1), Line("INTB", 1)
        self.chip = Mcp23017(world.scheduler, "U2", self.nets, self.int_a, interrupt_b=self.int_b)
        self.driver = MCP23017(world.i2c({0x20: self.chip}))


def test_state_after_its_reset(world: World) -> None:
    bench = Bench(world)
    assert bench.driver.iodir == 0xFFFF
    assert bench.driver.gppu == 0
    assert bench.driver.ipol == 0


def test_open_drain_that_the_driver_means_to_set_is_not_set(world: World) -> None:
    """It assigns to an attribute ``iocon`` that no property stands behind: the register stays as it is."""
    bench = Bench(world)
    assert bench.chip.register(0, IOCON) == 0
    bench.driver.io_control = 0x44
    assert bench.chip.register(0, IOCON) == 0x44


@pytest.mark.parametrize("number", range(16))
def test_output_pin(world: World, number: int) -> None:
    bench = Bench(world)
    pin = bench.driver.get_pin(number)
    pin.switch_to_output(value=True)
    assert bench.nets[number].level == 1
    pin.value = False
    assert bench.nets[number].level == 0
    assert [net.level for net in bench.nets].count(1) == 0


@pytest.mark.parametrize("number", range(16))
def test_input_pin_with_pull_up(world: World, number: int) -> None:
    bench = Bench(world)
    pin = bench.driver.get_pin(number)
    pin.switch_to_input(pull=digitalio.Pull.UP)
    assert pin.value
    bench.hands[number].drive(0)
    assert not pin.value
    pin.invert_polarity = True
    assert pin.value
    assert pin.pull == digitalio.Pull.UP


def test_ports(world: World) -> None:
    bench = Bench(world)
    bench.driver.iodir = 0x0000
    bench.driver.gpio = 0xA55A
    assert [net.level for net in bench.nets] == [0xA55A >> i & 1 for i in range(16)]
    bench.driver.gpiob = 0x0F
    bench.driver.gpioa = 0xF0
    assert bench.driver.gpio == 0x0FF0


def test_interrupt_on_change_and_its_clearing(world: World) -> None:
    bench = Bench(world)
    bench.driver.gppu = 0xFFFF
    bench.driver.interrupt_enable = 0xFFFF
    bench.driver.interrupt_configuration = 0x0000
    bench.driver.io_control = 0x44  # both pins together, open drain
    bench.driver.clear_ints()
    assert (bench.int_a.level, bench.int_b.level) == (1, 1)
    bench.hands[9].drive(0)
    assert (bench.int_a.level, bench.int_b.level) == (0, 0)
    assert bench.driver.int_flag == [9]
    assert bench.driver.int_flaga == []
    bench.hands[9].drive(1)
    assert bench.driver.int_capb[1] == 0  # as it was when it happened
    assert bench.int_a.level == 1
    assert bench.driver.int_flag == []  # what moved in between is lost with INTCAP alone


def test_interrupt_against_a_default_value(world: World) -> None:
    bench = Bench(world)
    bench.driver.gppu = 0xFFFF
    bench.driver.default_value = 0xFFFF
    bench.driver.interrupt_configuration = 0x0001
    bench.driver.interrupt_enable = 0x0001
    assert bench.chip.register(0, INTCON) == 1
    bench.hands[0].drive(0)
    assert bench.driver.int_flaga == [0]
    bench.driver.clear_inta()
    assert bench.int_a.level == 0  # it lasts as long as the level differs
    bench.hands[0].drive(1)
    bench.driver.clear_inta()
    assert bench.int_a.level == 1


def test_pins_that_do_not_exist(world: World) -> None:
    with pytest.raises(ValueError, match="0-15"):
        Bench(world).driver.get_pin(16)
