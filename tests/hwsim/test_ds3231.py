"""The clock's model: registers, the divider, alarms, conversions, and every way in which its time is lost."""

import pytest

from hwsim.chips.ds3231 import CONVERSION_NS, OSCILLATOR_START_NS, Ds3231
from hwsim.chips.ds3231_time import NAMES
from hwsim.core import NS_PER_S, Line, Scheduler, SimFault

BIT = 2_500
DAY = 86_400


class Bench:
    """A clock with a bus that moves time as the fabric does."""

    def __init__(self, **options: object) -> None:
        self.time = Scheduler()
        self.pin = Line("INT/SQW", 1)
        self.began = 0
        self.chip = Ds3231(self.time, "U4", self.pin, **options)  # type: ignore[arg-type]

    def write(self, *data: int) -> int:
        taken = self.chip.write(bytes(data))
        self.time.run_until(self.time.now + (1 + 9 * (1 + len(data))) * BIT)
        self.chip.stop()
        return taken

    def read(self, register: int, count: int = 1) -> bytes:
        self.chip.write(bytes([register]))
        self.time.run_until(self.time.now + 19 * BIT)
        answer = self.chip.read(count)
        self.time.run_until(self.time.now + (1 + 9 * (1 + count)) * BIT)
        self.chip.stop()
        return answer

    def run(self, seconds: float) -> None:
        self.time.run_until(self.time.now + round(seconds * NS_PER_S))

    def set(self, text: str) -> None:
        """Seven registers as hexadecimal, written through the bus; clears OSF."""
        self.began = self.time.now + 28 * BIT  # the acknowledge of the seconds: a second begins
        self.write(0, *bytes.fromhex(text))
        self.write(0x0F, 0x00)


def running(text: str = "00 00 00 01 01 01 26", **options: object) -> Bench:
    bench = Bench(**options)
    bench.run(1)
    bench.set(text)
    return bench


def test_registers_at_the_first_power() -> None:
    bench = Bench()
    assert bench.read(0, 19) == bytes.fromhex("00000001010100 00000000 000000 1C 88 00 00 00")
    assert not bench.chip.trusted


def test_time_does_not_move_before_the_oscillator_swings() -> None:
    bench = Bench()
    bench.time.run_until(OSCILLATOR_START_NS + NS_PER_S - 1)
    assert bench.chip.time[0] == 0
    bench.time.run_until(OSCILLATOR_START_NS + NS_PER_S)
    assert bench.chip.time[0] == 1


@pytest.mark.parametrize("register", [0x13, 0x14, 0xFF])
def test_unknown_register_fails_loudly(register: int) -> None:
    with pytest.raises(SimFault, match=rf"U4: no register {register:02X}, at 0 ns"):
        Bench().write(register)


def test_pointer_wraps_and_stays_behind_the_last_byte() -> None:
    bench = running("56 34 12 05 28 02 26")
    bench.chip.temperature = 25.25
    bench.write(0x0E, 0x3C)
    bench.run(0.3)
    assert bench.read(0x12, 3) == bytes([0x40, 0x56, 0x34])
    assert bench.chip.read(1) == b"\x12"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("59 59 23 07 28 02 26", "00 00 00 01 01 03 26"),
        ("59 59 23 03 28 02 28", "00 00 00 04 29 02 28"),
        ("59 59 23 03 29 02 28", "00 00 00 04 01 03 28"),
        ("59 59 23 03 28 02 00", "00 00 00 04 29 02 00"),  # 00 counts as a leap year
        ("59 59 23 03 30 04 26", "00 00 00 04 01 05 26"),
        ("59 59 23 03 31 12 26", "00 00 00 04 01 01 27"),
        ("59 59 23 03 31 12 99", "00 00 00 04 01 81 00"),  # century
        ("59 59 23 03 31 92 99", "00 00 00 04 01 01 00"),
        ("59 09 09 03 09 09 09", "00 10 09 03 09 09 09"),
        ("59 59 71 03 31 12 26", "00 00 52 04 01 01 27"),  # 11 PM -> 12 AM, next day
        ("59 59 51 03 31 12 26", "00 00 72 03 31 12 26"),  # 11 AM -> 12 PM
        ("59 59 52 03 31 12 26", "00 00 41 03 31 12 26"),  # 12 AM -> 1 AM
        ("59 59 72 03 31 12 26", "00 00 61 03 31 12 26"),  # 12 PM -> 1 PM
        ("59 59 69 03 31 12 26", "00 00 70 03 31 12 26"),
    ],
)
def test_a_second_later(before: str, after: str) -> None:
    bench = running(before)
    bench.run(1)
    assert bench.read(0, 7) == bytes.fromhex(after)


def test_many_days_at_once_are_the_days_one_by_one() -> None:
    far, near = running("30 15 22 01 15 06 98"), running("30 15 22 01 15 06 98")
    far.run(1000 * DAY)
    for _ in range(1000):
        near.run(DAY)
        near.chip.time  # noqa: B018  (bring it up to date)
    assert far.chip.time == near.chip.time == list(bytes.fromhex("30 15 22 07 11 83 01"))


@pytest.mark.parametrize(
    ("register", "values"),
    [
        ("seconds", "60 5A 80"),
        ("minutes", "60 0A 80"),
        ("hours", "24 40 53 80 1A"),  # 40 and 53: 12 h with hour 0 and 13
        ("day", "00 08"),
        ("date", "00 32 1A"),
        ("month", "00 13 8A"),
        ("year", "A0 0F"),
    ],
)
def test_what_is_no_time_is_refused(register: str, values: str) -> None:
    number = NAMES.index(register)
    for value in bytes.fromhex(values):
        with pytest.raises(SimFault, match=rf"U4: {register} {value:02X} is not a time, at \d+ ns"):
            running().write(number, value)


def test_the_30th_of_february_is_refused() -> None:
    with pytest.raises(SimFault, match="date 30 of month 02"):
        running().write(4, 0x30, 0x02)


def test_world_may_leave_anything_in_the_registers() -> None:
    bench = running()
    bench.chip.poke(5, 0x1F)
    assert bench.read(5) == b"\x1f"
    bench.run(2 * DAY)
    assert bench.read(0, 7)[5] != 0  # it counts on; what the part would show is not documented


def at_the_end_of_the_second(bench: Bench, bits_before: int) -> None:
    bench.write(0x00)
    bench.time.run_until(bench.began + NS_PER_S - bits_before * BIT)


def test_time_is_copied_at_start() -> None:
    bench = running("59 59 23 03 31 12 26")
    at_the_end_of_the_second(bench, 5)
    assert bench.chip.read(7) == bytes.fromhex("59 59 23 03 31 12 26")
    bench.run(0.001)
    bench.write(0x00)
    assert bench.chip.read(7) == bytes.fromhex("00 00 00 04 01 01 27")


def test_time_is_copied_again_when_the_pointer_rolls_over() -> None:
    bench = running("59 59 23 03 31 12 26")
    bench.write(0x0F)
    bench.time.run_until(bench.began + NS_PER_S - 5 * BIT)
    assert bench.chip.read(11)[4:] == bytes.fromhex("00 00 00 04 01 01 27")


def test_a_write_of_the_seconds_restarts_the_divider() -> None:
    bench = running()
    bench.run(0.7)
    start = bench.time.now
    bench.write(0x00, 0x30)
    acknowledge = start + 28 * BIT
    bench.time.run_until(acknowledge + NS_PER_S - 1)
    assert bench.chip.time[0] == 0x30
    bench.time.run_until(acknowledge + NS_PER_S)
    assert bench.chip.time[0] == 0x31


def test_a_write_of_the_minutes_does_not() -> None:
    bench = running()
    bench.run(0.7)
    bench.write(0x01, 0x30)
    bench.time.run_until(bench.began + NS_PER_S)
    assert bench.chip.time[:2] == [0x01, 0x30]


def test_rest_written_too_late_meets_a_time_that_went_on() -> None:
    bench = running("58 59 23 03 31 12 26")
    bench.write(0x00, 0x59)
    bench.run(1.1)
    bench.write(0x01, 0x59, 0x23, 0x03, 0x31, 0x12, 0x26)
    assert bench.chip.time == list(bytes.fromhex("00 59 23 03 31 12 26"))  # a minute behind


@pytest.mark.parametrize("ppb", [2_000, -3_500, 20_000])
def test_error_of_the_oscillator(ppb: int) -> None:
    bench = running(ppb=ppb)
    whole = 10**9 * 10**9 * DAY // (10**9 + ppb)  # nanoseconds until a day has been counted
    bench.time.run_until(bench.began + whole - 1)
    assert bench.chip.time[:5] == list(bytes.fromhex("59 59 23 01 01"))
    bench.time.run_until(bench.began + whole + 1)
    assert bench.chip.time[:5] == list(bytes.fromhex("00 00 00 02 02"))


def test_an_error_that_changes_keeps_what_was_counted() -> None:
    bench = running(ppb=0)
    bench.run(DAY)
    bench.chip.set_ppb(1_000_000)
    bench.run(1000)
    assert bench.chip.time[:3] == list(bytes.fromhex("41 16 00"))  # 1001 s after midnight


def test_ageing_counts_from_the_next_conversion_on() -> None:
    bench = running()
    bench.write(0x10, 0x81)  # -127 steps: 12.7 ppm faster
    bench.run(1_000_000)
    assert seconds_of(bench) == 1_000_012
    bench.write(0x10, 0x64)  # +100 steps: 10 ppm slower
    bench.write(0x0E, 0x3C)
    bench.run(1_000_000)
    assert seconds_of(bench) == 2_000_002


def seconds_of(bench: Bench) -> int:
    """Seconds since midnight of 1 January, less than a month away."""
    second, minute, hour, _, date, _, _ = (10 * (byte >> 4) + byte % 16 for byte in bench.chip.time)
    return second + 60 * minute + 3600 * hour + DAY * (date - 1)


# Oscillator stop flag


def test_osf_is_cleared_by_writing_0_only() -> None:
    bench = Bench()
    bench.run(1)
    bench.write(0x0F, 0x88)
    assert bench.read(0x0F)[0] & 0x80
    bench.write(0x0F, 0x08)
    assert bench.read(0x0F) == b"\x08"
    bench.write(0x0F, 0x88)
    assert bench.read(0x0F) == b"\x08"  # and writing 1 sets nothing
    assert bench.chip.trusted


def test_battery_carries_the_time_over_a_power_cut() -> None:
    bench = running("00 00 12 03 31 12 26")
    bench.chip.power(supply=False, battery=True)
    assert bench.read(2) == b"\x12"  # the bus works on the battery too
    bench.run(3600)
    bench.chip.power(supply=True, battery=True)
    assert bench.chip.time[2] == 0x13
    assert bench.chip.trusted


def test_both_gone_is_the_first_power_again() -> None:
    bench = running("00 00 12 03 31 12 26")
    bench.write(0x07, 0x11)
    bench.chip.power(supply=False, battery=False)
    assert bench.write(0x00) == 0
    assert bench.chip.read(1) == b""
    bench.run(5)
    bench.chip.power(supply=True, battery=False)
    assert bench.read(0, 8) == bytes.fromhex("00000001010100 00")
    assert not bench.chip.trusted


def test_no_battery_loses_the_time_with_the_supply() -> None:
    bench = running("00 00 12 03 31 12 26", battery=False)
    assert bench.chip.trusted
    bench.chip.power(supply=False, battery=False)
    bench.chip.power(supply=True, battery=False)
    assert not bench.chip.trusted


def test_eosc_stops_the_clock_on_battery_only() -> None:
    bench = running("00 00 12 03 31 12 26")
    bench.write(0x0E, 0x9C)
    bench.run(10)
    assert bench.chip.time[0] == 0x10
    assert bench.chip.trusted
    bench.chip.power(supply=False, battery=True)
    assert not bench.chip.running
    bench.run(100)
    bench.chip.power(supply=True, battery=True)
    assert bench.chip.time[0] == 0x10
    assert not bench.chip.trusted
    bench.run(2)
    assert bench.chip.running


def test_a_disturbance_sets_the_flag_and_time_goes_on() -> None:
    bench = running()
    bench.chip.disturb()
    bench.run(3)
    assert bench.chip.time[0] == 3
    assert bench.read(0x0F)[0] & 0x80


def test_a_dead_crystal_cannot_be_talked_away() -> None:
    bench = running()
    bench.chip.fail_crystal()
    bench.run(10)
    assert bench.chip.time[0] == 0
    bench.write(0x0F, 0x00)
    assert bench.read(0x0F)[0] & 0x80
    bench.chip.fail_crystal(False)
    bench.run(1)
    bench.write(0x0F, 0x00)
    assert bench.chip.trusted


def test_the_maker_sets_the_clock() -> None:
    bench = Bench()
    bench.chip.set_time(list(bytes.fromhex("00 30 19 06 28 11 26")))
    assert bench.chip.trusted
    bench.run(90)
    assert bench.chip.time == list(bytes.fromhex("30 31 19 06 28 11 26"))
    with pytest.raises(ValueError, match="hours 24 is not a time"):
        bench.chip.set_time(list(bytes.fromhex("00 30 24 06 28 11 26")))


# Temperature


@pytest.mark.parametrize(
    ("celsius", "registers"),
    [(25.25, "1940"), (0.0, "0000"), (-0.25, "FFC0"), (-10.5, "F580"), (70.75, "46C0"), (25.1, "1900")],
)
def test_temperature_of_a_conversion(celsius: float, registers: str) -> None:
    bench = running()
    bench.chip.temperature = celsius
    bench.write(0x0E, 0x3C)
    assert bench.read(0x0E, 2) == b"\x3c\x04"
    bench.time.run_until(bench.time.now + CONVERSION_NS)
    assert bench.read(0x0E, 2) == b"\x1c\x00"
    assert bench.read(0x11, 2) == bytes.fromhex(registers)


def test_temperature_follows_by_itself_every_64_s() -> None:
    bench = running()
    bench.chip.temperature = 30.0
    bench.run(60)
    assert bench.read(0x11) == b"\x19"
    bench.run(5)
    assert bench.read(0x11) == b"\x1e"


def test_temperature_registers_cannot_be_written() -> None:
    bench = running()
    bench.write(0x11, 0x55, 0x55)
    assert bench.read(0x11, 2) == b"\x19\x00"


# Alarms and the pin


@pytest.mark.parametrize(
    ("alarm", "after"),
    [
        ("81 80 80 80", 1),  # every second (alarm registers keep their digits under the mask)
        ("05 80 80 80", 5),
        ("05 01 80 80", 65),
        ("05 01 01 80", 3665),
        ("00 00 00 02", DAY),
        ("00 00 00 43", 2 * DAY),
    ],
)
def test_alarm_1(alarm: str, after: int) -> None:
    bench = running("00 00 00 01 01 01 26")
    bench.write(0x07, *bytes.fromhex(alarm))
    bench.write(0x0E, 0x1D)
    assert bench.pin.level == 1
    bench.time.run_until(bench.began + after * NS_PER_S - 1)
    assert bench.pin.level == 1
    assert bench.chip._status & 1 == 0
    bench.time.run_until(bench.began + after * NS_PER_S)
    assert bench.pin.level == 0
    assert bench.read(0x0F)[0] & 0x03 == 0x01
    bench.write(0x0F, 0x02)  # A1F 0, A2F 1: clears one, keeps the other
    assert bench.pin.level == 1


@pytest.mark.parametrize(("alarm", "after"), [("80 80 80", 60), ("05 80 80", 300), ("00 01 80", 3600)])
def test_alarm_2_has_no_seconds(alarm: str, after: int) -> None:
    bench = running("00 00 00 01 01 01 26")
    bench.write(0x0B, *bytes.fromhex(alarm))
    bench.write(0x0E, 0x1E)
    bench.time.run_until(bench.began + after * NS_PER_S - 1)
    assert bench.pin.level == 1
    bench.time.run_until(bench.began + after * NS_PER_S)
    assert bench.pin.level == 0


def test_alarm_flag_is_set_without_the_interrupt() -> None:
    bench = running()
    bench.write(0x07, 0x05, 0x80, 0x80, 0x80)
    bench.run(10)
    assert bench.read(0x0F)[0] & 1
    assert bench.pin.level == 1
    bench.write(0x0E, 0x1D)
    assert bench.pin.level == 0


def test_alarms_of_the_first_power_never_come() -> None:
    bench = running()
    bench.run(400 * DAY)
    assert bench.read(0x0F)[0] & 3 == 0


@pytest.mark.parametrize(("rate", "hertz"), [(0x00, 1), (0x08, 1024), (0x10, 4096), (0x18, 8192)])
def test_square_wave(rate: int, hertz: int) -> None:
    bench = running()
    bench.write(0x0E, rate)
    bench.time.run_until(bench.began + NS_PER_S)
    falls: list[int] = []
    bench.pin.listen(lambda _line, level: None if level else falls.append(bench.time.now - bench.began - NS_PER_S))
    bench.run(1)
    assert len(falls) == hertz
    assert abs(falls[-1] - NS_PER_S) <= 1


def test_square_wave_on_battery_needs_bbsqw() -> None:
    bench = running()
    bench.write(0x0E, 0x00)
    bench.chip.power(supply=False, battery=True)
    edges: list[int] = []
    bench.pin.listen(lambda _line, level: edges.append(level))
    bench.run(3)
    assert set(edges) <= {1}
    bench.write(0x0E, 0x40)
    bench.run(3)
    assert len(edges) > 4


def test_a_dead_chip_is_not_there() -> None:
    bench = running()
    bench.chip.dead = True
    assert bench.write(0x00) == 0
    assert bench.chip.read(3) == b""
