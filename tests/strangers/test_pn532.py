"""adafruit-circuitpython-pn532 against the model of the PN532, over I2C and over UART."""

from __future__ import annotations

from typing import Any

import pytest
from adafruit_pn532.i2c import PN532_I2C
from adafruit_pn532.uart import PN532_UART

from hwsim.chips.pn532_i2c import Pn532I2c
from hwsim.chips.pn532_uart import Pn532Uart
from hwsim.core import NS_PER_MS, NS_PER_S, Line, SimFault
from hwsim.uart import UartPort
from hwsim.world.badges import Badge, BadgePad, NtagBadge, PhoneBadge, SmartBadge
from tests.strangers.bus import World

FOUR = bytes.fromhex("DEADBEEF")
SEVEN = bytes.fromhex("04A1B2C3D4E580")


class Bench:
    """The model, the pad, and the stranger's driver, made as its documentation says."""

    def __init__(self, world: World, interface: str, *, reset: bool = True, **options: Any) -> None:
        self.world = world
        self.pad = BadgePad(world.scheduler)
        reset_n = Line("RSTPDN", 1)
        pin = world.pin(reset_n) if reset else None
        self.chip: Pn532I2c | Pn532Uart
        if interface == "i2c":
            options.setdefault("stretches", True)
            self.chip = Pn532I2c(world.scheduler, self.pad, reset_n=reset_n, **options)
            world.run(0.01)
            self.driver = PN532_I2C(world.i2c({0x24: self.chip}), reset=pin)
        else:
            port = UartPort(world.scheduler)
            self.chip = Pn532Uart(world.scheduler, self.pad, port, reset_n=reset_n, **options)
            world.run(0.01)
            self.driver = PN532_UART(world.uart(port), reset=pin)
        self.driver.SAM_configuration()


@pytest.fixture(params=["i2c", "uart"])
def interface(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("reset", [True, False])
def test_firmware_version(world: World, interface: str, reset: bool) -> None:
    assert Bench(world, interface, reset=reset).driver.firmware_version == (0x32, 1, 6, 7)


@pytest.mark.parametrize("badge", [Badge(FOUR), NtagBadge(SEVEN), Badge(SEVEN), SmartBadge(SEVEN), PhoneBadge(1)])
def test_badge_on_the_pad(world: World, interface: str, badge: Badge) -> None:
    bench = Bench(world, interface)
    bench.pad.enter(badge)
    assert bench.driver.read_passive_target(timeout=0.5) == badge.uid


def test_no_badge_then_one(world: World, interface: str) -> None:
    """The search of the first call goes on for ever; the second command ends it."""
    bench = Bench(world, interface)
    assert bench.driver.read_passive_target(timeout=0.5) is None
    assert bench.chip.busy
    bench.pad.enter(Badge(FOUR))
    assert bench.driver.read_passive_target(timeout=0.5) == FOUR


def test_badge_that_comes_while_it_searches(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    bench.pad.show(Badge(FOUR), NS_PER_S, world.scheduler.now + 300 * NS_PER_MS)
    assert bench.driver.read_passive_target(timeout=1) == FOUR


def test_listening_with_irq(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    assert bench.driver.listen_for_passive_target()
    world.run(0.3)
    bench.pad.enter(NtagBadge(SEVEN))
    world.run(0.1)
    assert bench.driver.get_passive_target() == SEVEN


def test_ntag_memory(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    badge = NtagBadge(SEVEN, user=bytes(range(144)))
    bench.pad.enter(badge)
    assert bench.driver.read_passive_target() == SEVEN
    assert bench.driver.ntag2xx_read_block(4) == bytes(range(4))
    assert bench.driver.mifare_classic_read_block(4) == bytes(range(16))
    assert bench.driver.ntag2xx_write_block(5, b"SBOT")
    assert badge.memory[20:24] == b"SBOT"
    assert bench.driver.ntag2xx_read_block(5) == b"SBOT"
    assert bench.driver.ntag2xx_read_block(200) is None


def test_badge_that_leaves(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    badge = NtagBadge(SEVEN)
    bench.pad.enter(badge)
    bench.driver.read_passive_target()
    bench.pad.leave(badge)
    assert bench.driver.ntag2xx_read_block(4) is None


def test_power_down_and_up(world: World, interface: str) -> None:
    bench = Bench(world, interface, reset=False)
    assert bench.driver.power_down()
    assert bench.chip.asleep
    bench.pad.enter(Badge(FOUR))
    assert bench.driver.read_passive_target() == FOUR


def test_power_down_by_the_reset_pin(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    assert bench.driver.power_down()
    bench.pad.enter(Badge(FOUR))
    assert bench.driver.read_passive_target() == FOUR


def test_chip_that_is_not_there(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    bench.chip.dead = True
    with pytest.raises(RuntimeError, match="Failed to detect the PN532"):
        bench.driver.firmware_version  # noqa: B018


def test_damaged_answer_is_refused_by_the_driver(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    bench.chip.line_fault = lambda frame: frame[:-2] + bytes([frame[-2] ^ 1, frame[-1]])
    with pytest.raises(RuntimeError):
        bench.driver.firmware_version  # noqa: B018


def test_first_address_that_is_not_acknowledged(world: World) -> None:
    """The driver asks twice for the device and gives up; a host that is slow enough has woken it in between."""
    with pytest.raises(ValueError, match="No I2C device at address: 0x24"):
        Bench(world, "i2c", stretches=False)
    chip = Pn532I2c(world.scheduler, BadgePad(world.scheduler))
    world.run(0.01)
    driver = PN532_I2C(world.i2c({0x24: chip}, call_ns=NS_PER_MS))
    assert driver.firmware_version == (0x32, 1, 6, 7)


def test_classic_keys_are_not_modelled(world: World, interface: str) -> None:
    bench = Bench(world, interface)
    bench.pad.enter(Badge(FOUR))
    bench.driver.read_passive_target()
    with pytest.raises(SimFault, match="MIFARE Classic is not modelled"):
        bench.driver.mifare_classic_authenticate_block(FOUR, 4, 0x60, b"\xff" * 6)
