"""The clock driver: what a DS3231 can hold, honest and not, against a register file written from the fact sheet."""

from __future__ import annotations

from datetime import UTC, datetime

import ds3231
import pytest
from ds3231 import ClockFault


class Registers:
    """I2C with a DS3231's registers. Time does not move unless told to."""

    def __init__(self) -> None:
        self.registers = bytearray(0x13)
        self.registers[0:7] = bytes((0, 0, 0, 1, 1, 1, 0))
        self.registers[0x0E] = 0x1C
        self.registers[0x0F] = 0x88
        self.log: list[tuple[str, int, int]] = []
        self.answers = True
        self.forgets: set[int] = set()
        self.level: int | None = None

    def writeto(self, address: int, buf: bytearray) -> None:
        self._call("write", address, buf[0], len(buf) - 1)
        for i, value in enumerate(buf[1:]):
            register = buf[0] + i
            if register in self.forgets:
                continue
            if register == 0x0F:
                # OSF and the alarm flags can only be cleared, BSY is the chip's own.
                kept = self.registers[0x0F]
                self.registers[0x0F] = kept & value & 0x83 | value & 0x08 | kept & 0x04
            else:
                self.registers[register] = value

    def readfrom_mem_into(self, address: int, register: int, buf: bytearray) -> None:
        self._call("read", address, register, len(buf))
        for i in range(len(buf)):
            buf[i] = self.registers[(register + i) % 0x13] if self.level is None else self.level

    def _call(self, what: str, address: int, register: int, count: int) -> None:
        assert address == 0x68
        if not self.answers:
            raise OSError(5, "EIO")
        self.log.append((what, register, count))


def clock() -> tuple[ds3231.DS3231, Registers]:
    bus = Registers()
    return ds3231.DS3231(bus), bus


def running(*image: int) -> tuple[ds3231.DS3231, Registers]:
    """A clock whose oscillator has not stopped, with seven time registers."""
    driver, bus = clock()
    bus.registers[0x0F] = 0
    bus.registers[0 : len(image)] = bytes(image)
    return driver, bus


def test_a_fresh_chip_runs_on_its_battery_but_tells_no_time() -> None:
    driver, bus = clock()
    driver.start()
    assert bus.registers[0x0E] == 0x04
    assert bus.registers[0x0F] == 0x80  # the flag stays, the 32 kHz output is off
    with pytest.raises(ClockFault) as caught:
        driver.seconds()
    assert caught.value.code == "stopped"


def test_setting_the_time_ends_the_fault_and_one_transaction_reads_time_and_flag() -> None:
    driver, bus = clock()
    driver.start()
    now = int(datetime(2026, 11, 27, 23, 59, 58, tzinfo=UTC).timestamp())
    driver.set_seconds(now)
    assert bytes(bus.registers[0:7]) == bytes((0x58, 0x59, 0x23, 5, 0x27, 0x11, 0x26))
    assert bus.registers[0x0F] == 0
    bus.log.clear()
    assert driver.seconds() == now
    assert bus.log == [("read", 0, 0x13)]


def test_the_time_is_written_before_the_flag_is_cleared() -> None:
    driver, bus = clock()
    driver.start()
    bus.log.clear()
    driver.set_seconds(1_790_000_000)
    assert [entry[:2] for entry in bus.log] == [("write", 0x0E), ("write", 0x00), ("write", 0x0F), ("read", 0x00)]


def test_every_day_of_the_century_survives() -> None:
    driver, bus = clock()
    first = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp())
    for day in range(36525):
        seconds = first + day * 86400 + day * 7919 % 86400
        driver.set_seconds(seconds)
        then = datetime.fromtimestamp(seconds, UTC)
        kept = [int(f"{value:02x}") for value in bus.registers[0:7]]
        expected = [then.second, then.minute, then.hour, then.isoweekday(), then.day, then.month, then.year - 2000]
        assert kept == expected
        assert driver.seconds() == seconds


@pytest.mark.parametrize("wrong", [946_684_799, 4_102_444_800])
def test_only_this_century_can_be_set(wrong: int) -> None:
    driver, bus = clock()
    with pytest.raises(ValueError, match="2099"):
        driver.set_seconds(wrong)
    assert bus.log == []


@pytest.mark.parametrize(
    ("hour", "expected"), [(0x52, 0), (0x41, 1), (0x51, 11), (0x72, 12), (0x61, 13), (0x71, 23), (0x23, 23)]
)
def test_a_clock_left_in_twelve_hour_mode_is_understood(hour: int, expected: int) -> None:
    driver, _ = running(0x00, 0x30, hour, 1, 0x01, 0x01, 0x26)
    assert datetime.fromtimestamp(driver.seconds(), UTC) == datetime(2026, 1, 1, expected, 30, tzinfo=UTC)


ILLOGICAL = [
    *[(0, value) for value in (0x60, 0x5A, 0x80, 0x0F, 0xD9)],
    *[(1, value) for value in (0x60, 0x4B, 0x80)],
    *[(2, value) for value in (0x24, 0x1A, 0x80, 0x40, 0x53, 0x60, 0x2F)],
    *[(3, value) for value in (0x00, 0x08, 0x0A, 0x10)],
    *[(4, value) for value in (0x00, 0x32, 0x1F, 0x40, 0x31)],
    *[(5, value) for value in (0x00, 0x13, 0x0C, 0x20, 0x84, 0x40)],
    *[(6, value) for value in (0x9A, 0xA0, 0x2F)],
]


@pytest.mark.parametrize(("register", "value"), ILLOGICAL)
def test_registers_that_hold_no_time_are_a_fault(register: int, value: int) -> None:
    image = [0x15, 0x30, 0x12, 3, 0x15, 0x04, 0x26]  # April has 30 days
    driver, bus = running(*image)
    assert datetime.fromtimestamp(driver.seconds(), UTC) == datetime(2026, 4, 15, 12, 30, 15, tzinfo=UTC)
    bus.registers[register] = value
    with pytest.raises(ClockFault) as caught:
        driver.seconds()
    assert caught.value.code == "range"


@pytest.mark.parametrize(("year", "good"), [(0x24, True), (0x26, False), (0x00, True), (0x99, False)])
def test_leap_days(year: int, good: bool) -> None:
    driver, _ = running(0, 0, 0, 1, 0x29, 0x02, year)
    if good:
        assert datetime.fromtimestamp(driver.seconds(), UTC).day == 29
        return
    with pytest.raises(ClockFault, match="range"):
        driver.seconds()


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_a_stuck_bus_is_no_time(level: int) -> None:
    driver, bus = running(0, 0, 0, 1, 1, 1, 0x26)
    bus.level = level
    for act in (driver.seconds, driver.temperature, driver.start, driver.ageing):
        with pytest.raises(ClockFault) as caught:
            act()
        assert caught.value.code == "stuck"


def test_a_missing_chip_is_absent() -> None:
    driver, bus = clock()
    bus.answers = False
    for act in (driver.seconds, driver.temperature, driver.start, lambda: driver.set_seconds(1_790_000_000)):
        with pytest.raises(ClockFault) as caught:
            act()
        assert caught.value.code == "absent"


@pytest.mark.parametrize("register", [0x0E, 0x0F])
def test_a_register_that_does_not_keep_its_value_is_told(register: int) -> None:
    driver, bus = clock()
    bus.forgets.add(register)
    with pytest.raises(ClockFault, match="config"):
        driver.start()


def test_a_time_that_was_not_kept_is_never_taken_for_set() -> None:
    driver, bus = clock()
    bus.forgets.update(range(7))
    with pytest.raises(ClockFault, match="config"):
        driver.set_seconds(1_790_000_000)
    driver, bus = clock()
    bus.forgets.add(0x0F)
    with pytest.raises(ClockFault, match="stopped"):
        driver.set_seconds(1_790_000_000)


@pytest.mark.parametrize(
    ("whole", "quarters", "expected"), [(0x19, 0x40, 101), (0x00, 0xC0, 3), (0xFF, 0x40, -3), (0xD8, 0x00, -160)]
)
def test_temperature_in_quarters(whole: int, quarters: int, expected: int) -> None:
    driver, bus = clock()
    bus.registers[0x11:0x13] = bytes((whole, quarters))
    assert driver.temperature() == expected


def test_ageing_is_applied_by_a_conversion_unless_one_runs() -> None:
    driver, bus = clock()
    driver.set_ageing(-7)
    assert bus.registers[0x10] == 0xF9 and driver.ageing() == -7
    assert bus.registers[0x0E] == 0x24
    bus.registers[0x0E] = 0x04
    bus.registers[0x0F] |= 0x04
    driver.set_ageing(127)
    assert driver.ageing() == 127 and bus.registers[0x0E] == 0x04
    with pytest.raises(ValueError, match="127"):
        driver.set_ageing(128)
    bus.forgets.add(0x10)
    with pytest.raises(ClockFault, match="config"):
        driver.set_ageing(0)


@pytest.mark.parametrize("register", range(7))
def test_a_bit_that_must_be_0_is_no_time(register: int) -> None:
    """Second, minute, hour, day, date, month have bits that always read 0; of the year's digits none is above 9."""
    driver, bus = running(0x30, 0x30, 0x10, 0x03, 0x10, 0x10, 0x26)
    assert driver.seconds()
    bus.registers[register] |= 0xA0 if register == 6 else 0x80
    with pytest.raises(ClockFault) as caught:
        driver.seconds()
    assert caught.value.code == "range"
