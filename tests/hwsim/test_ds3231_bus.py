"""The clock's model, bit by bit: a host that vanishes in the middle of a read leaves the data line held."""

import pytest

from hwsim.chips.ds3231 import Ds3231
from hwsim.chips.ds3231_bus import HalfRead
from hwsim.core import Scheduler
from hwsim.nets import Pad, SharedLine


class Wires:
    """SDA and SCL as nets, the chip and a host's two open-drain pins."""

    def __init__(self) -> None:
        self.time = Scheduler()
        self.sda, self.scl = SharedLine(self.time, "SDA"), SharedLine(self.time, "SCL")
        self.host_sda, self.host_scl = Pad(self.sda, "host SDA"), Pad(self.scl, "host SCL")
        self.bus = HalfRead(self.sda.tap("U4"), self.sda, self.scl)
        self.chip = Ds3231(self.time, "U4", bus=self.bus)
        self.chip.set_time(list(bytes.fromhex("00 00 00 01 01 01 26")))

    def clock(self) -> None:
        self.host_scl.drive(0)
        self.host_scl.drive(1)

    def stop(self) -> None:
        self.host_scl.drive(0)
        self.host_sda.drive(0)
        self.host_scl.drive(1)
        self.host_sda.drive(1)


def test_data_line_is_held_and_nothing_is_acknowledged() -> None:
    wires = Wires()
    wires.chip.abandon_read(0x00, 3)
    assert wires.sda.level == 0
    assert wires.chip.write(b"\x00") == 0
    assert wires.chip.read(1) == b""


@pytest.mark.parametrize("clocks", range(8))
def test_clocks_until_the_data_line_is_high_set_it_free(clocks: int) -> None:
    wires = Wires()
    wires.chip.abandon_read(0x00, clocks)
    pulses = 0
    while not wires.host_sda.level:
        wires.clock()
        pulses += 1
    assert pulses <= 9
    wires.stop()
    assert not wires.bus.active
    assert wires.chip.write(b"\x0f") == 1
    assert wires.chip.read(1) == b"\x0c"


def test_nine_clocks_with_the_data_line_up_end_in_no_acknowledge() -> None:
    wires = Wires()
    wires.chip.abandon_read(0x00, 0)
    for _ in range(9):
        wires.clock()
    assert not wires.bus.active


def test_bits_come_in_order_and_a_low_acknowledge_brings_the_next_byte() -> None:
    wires = Wires()
    wires.chip.abandon_read(0x05, 0)  # month 01, then year 26
    bits = [wires.sda.level]
    for clock in range(1, 17):
        wires.host_scl.drive(0)
        wires.host_sda.drive(0 if clock == 8 else 1)  # the host acknowledges the first byte
        bits.append(wires.sda.level)
        wires.host_scl.drive(1)
    assert bits == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0]


def test_power_loss_lets_go() -> None:
    wires = Wires()
    wires.chip.abandon_read(0x00, 0)
    wires.chip.power(supply=False, battery=False)
    assert wires.sda.level == 1
