"""The PN532's model on I2C: wake-up, ready byte, aborts, power-down, stretching, and answers nobody fetched."""

import pytest

from hwsim.chips.pn532_commands import Timing
from hwsim.chips.pn532_frames import shifted
from hwsim.core import NS_PER_MS, NS_PER_US
from hwsim.world.badges import Badge
from tests.hwsim.pn532_bench import ACK, ERROR, FIRMWARE_ANSWER, NACK, SAM, I2cBench, frame, payload

LIST = "4A 01 00"
FOUR = bytes.fromhex("DEADBEEF")


# Waking up


def test_first_address_wakes_and_is_not_acknowledged() -> None:
    bench = I2cBench(awake=False)
    assert bench.chip.asleep
    assert bench.write(frame("02")) == 0
    assert not bench.chip.asleep
    assert bench.read(1) == b""  # the oscillator is not up yet
    bench.run(0.5)
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")


def test_first_address_may_be_acknowledged_by_holding_the_clock() -> None:
    bench = I2cBench(awake=False, stretches=True, timing=Timing(oscillator=2 * NS_PER_MS))
    assert bench.chip.write(frame("02")) == 9
    assert bench.chip.stretch_ns == 2 * NS_PER_MS
    bench.run(3)
    assert bench.take() == ACK
    assert bench.take() == FIRMWARE_ANSWER
    assert bench.chip.stretch_ns == 0


def test_nothing_wakes_it_while_it_boots() -> None:
    bench = I2cBench(awake=False)
    bench.chip.power_cycle()
    assert bench.write(b"") == 0
    assert bench.chip.asleep


def test_reset_line() -> None:
    bench = I2cBench()
    bench.command("32 01 01")
    bench.write(frame("02"))
    bench.reset_n.drive(0)
    assert bench.write(frame("02")) == 0
    assert bench.read(1) == b""
    assert not bench.pad.field
    bench.reset_n.drive(1)
    bench.run(2)
    assert bench.chip.asleep
    assert bench.write(b"") == 0
    bench.run(1)
    assert bench.read(1) == b"\x00"  # the answer of before the reset is gone
    assert bench.command(SAM) == b"\x15"


def test_dead() -> None:
    bench = I2cBench()
    bench.chip.dead = True
    assert bench.write(frame("02")) == 0
    assert bench.read(7) == b""
    assert not bench.chip.acknowledges


# Ready byte and frames


def test_ready_byte_and_acknowledge() -> None:
    bench = I2cBench()
    assert bench.read(1) == b"\x00"
    assert bench.read(7) == bytes(7)
    bench.write(frame("02"))
    sent = bench.time.now
    assert bench.ready()
    assert 0 < bench.time.now - sent < 15 * NS_PER_MS
    assert bench.read(1) == b"\x01"  # asking does not take it
    assert bench.read(7) == b"\x01" + ACK
    assert bench.ready()
    assert bench.read(20) == b"\x01" + FIRMWARE_ANSWER + bytes(6)
    assert bench.read(1) == b"\x00"


def test_answer_waits_behind_an_acknowledge_that_nobody_fetched() -> None:
    bench = I2cBench()
    bench.write(frame("02"))
    bench.run(50)
    assert bench.take() == ACK
    assert bench.read(1) == b"\x01"
    assert bench.take() == FIRMWARE_ANSWER


def test_reading_less_loses_the_rest() -> None:
    bench = I2cBench()
    bench.write(frame("02"))
    assert bench.take() == ACK
    bench.ready()
    assert bench.read(5) == b"\x01" + FIRMWARE_ANSWER[:4]
    assert bench.read(10) == bytes(10)


def test_nack_of_the_host_brings_the_last_answer_again() -> None:
    bench = I2cBench()
    assert bench.command("02")
    bench.write(NACK)
    assert bench.take() == FIRMWARE_ANSWER
    bench.write(NACK)
    assert bench.take() == FIRMWARE_ANSWER


def test_host_may_acknowledge_an_answer() -> None:
    bench = I2cBench()
    bench.command("02")
    bench.write(ACK)
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")


def test_damaged_command() -> None:
    bench = I2cBench()
    bench.write(frame("02")[:-2] + b"\x00\x00")
    assert bench.take() == NACK
    assert bench.chip.ignored[-1].reason == "data checksum"
    bench = I2cBench(nack_damaged=False)
    bench.write(frame("02")[:-2] + b"\x00\x00")
    assert bench.take() == b""


def test_frame_in_two_transactions_is_no_frame() -> None:
    bench = I2cBench()
    bench.write(frame("02")[:5])
    bench.write(frame("02")[5:])
    assert bench.take() == b""


def test_extended_command_and_answer() -> None:
    bench = I2cBench()
    body = b"\xd4\x00\x00" + bytes(i & 0xFF for i in range(258))
    size = len(body).to_bytes(2, "big")
    bench.write(b"\x00\x00\xff\xff\xff" + size + bytes([-sum(size) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0]))
    assert bench.take() == ACK
    assert bench.ready()
    answer = bench.read(1 + 8 + 261 + 2)[1:]
    assert payload(answer) == b"\x01" + body[2:]


# Aborts


def test_abort_ends_an_endless_search() -> None:
    bench = I2cBench()
    bench.write(frame(LIST))
    assert bench.take() == ACK
    bench.run(100)
    bench.write(ACK)
    assert not bench.chip.busy
    bench.pad.enter(Badge(FOUR))
    assert bench.take(ms=200) == b""


@pytest.mark.parametrize(("wait_ms", "heard"), [(0, False), (0.7, False), (1.1, True)])
def test_command_directly_after_an_abort_is_lost(wait_ms: float, heard: bool) -> None:
    bench = I2cBench()
    bench.write(frame(LIST))
    assert bench.take() == ACK
    bench.write(ACK)
    bench.run(wait_ms)
    bench.write(frame("02"))
    assert bench.take(ms=20) == (ACK if heard else b"")
    if not heard:
        assert bench.chip.ignored[-1].reason == "directly after an abort"
        assert bench.command("02") == bytes.fromhex("03 32 01 06 07")  # once only


def test_abort_drops_an_answer_nobody_fetched() -> None:
    bench = I2cBench()
    bench.write(frame("02"))
    bench.run(20)
    bench.write(ACK)
    assert bench.read(1) == b"\x00"


def test_new_command_ends_the_one_before() -> None:
    bench = I2cBench()
    bench.write(frame(LIST))
    assert bench.take() == ACK
    bench.run(20)
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")
    assert [command[0] for command in bench.chip.received] == [0x14, 0x4A, 0x02]


@pytest.mark.parametrize("cut_us", range(0, 8000, 80))
def test_host_that_starts_again_anywhere_finds_its_way_with_one_abort(cut_us: int) -> None:
    bench = I2cBench()
    bench.command("32 05 FF 01 00")
    bench.pad.enter(Badge(FOUR))
    bench.write(frame(LIST))
    bench.time.run_until(bench.time.now + cut_us * NS_PER_US)
    bench.write(ACK)
    bench.run(1.1)
    assert bench.command(LIST).endswith(FOUR)


# Power-down


def test_power_down_and_wake_up() -> None:
    bench = I2cBench()
    bench.command("32 01 01")
    assert bench.command("16 A0") == b"\x17\x00"
    assert not bench.chip.asleep
    bench.run(1.1)
    assert bench.chip.asleep
    assert not bench.pad.field
    assert bench.write(frame("02")) == 0
    bench.run(1)
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")


def test_wake_source_that_was_not_named_does_not_wake() -> None:
    bench = I2cBench()
    assert bench.command("16 20") == b"\x17\x00"
    bench.run(2)
    for _ in range(5):
        assert bench.write(frame("02")) == 0
        bench.run(1)
    assert bench.chip.asleep
    bench.reset_n.drive(0)
    bench.reset_n.drive(1)
    bench.run(2)
    bench.write(b"")
    bench.run(1)
    assert bench.command(SAM) == b"\x15"


# IRQ, clock, faults


def test_irq_is_low_while_a_frame_waits() -> None:
    bench = I2cBench()
    assert bench.irq.level == 1
    bench.write(frame("02"))
    bench.run(1)
    assert bench.irq.level == 0
    assert bench.take() == ACK
    assert bench.irq.level == 1
    bench.run(2)
    assert bench.irq.level == 0
    bench.take()
    assert bench.irq.level == 1
    bench.command("14 01 14 00")
    bench.write(frame("02"))
    bench.run(5)
    assert bench.irq.level == 1


def test_clock_held_by_force() -> None:
    bench = I2cBench()
    bench.chip.hold_clock_ns = 5 * NS_PER_MS
    bench.chip.read(1)
    assert bench.chip.stretch_ns == 5 * NS_PER_MS


def test_unread_bytes_of_before_come_first() -> None:
    bench = I2cBench()
    bench.write(frame("02"))
    bench.run(1)
    bench.chip.leave_unread(FIRMWARE_ANSWER[7:])
    assert bench.take() == FIRMWARE_ANSWER[7:]
    assert bench.take() == ACK
    bench.chip.leave_unread(FIRMWARE_ANSWER[7:])
    bench.write(ACK)
    bench.run(1.1)
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")


def test_line_fault_sees_every_frame_of_the_chip() -> None:
    bench = I2cBench()
    seen: list[bytes] = []

    def late(frame: bytes) -> bytes:
        seen.append(frame)
        return shifted(frame, 1)

    bench.chip.line_fault = late
    bench.write(frame("02"))
    assert bench.take() == bytes.fromhex("0001FE01FE01")
    assert bench.take() != FIRMWARE_ANSWER
    assert seen == [ACK, FIRMWARE_ANSWER]
    bench.chip.line_fault = lambda frame: b""
    bench.write(frame("02"))
    assert bench.take(ms=50) == b""
    bench.chip.line_fault = None
    bench.write(frame("12"))
    assert bench.take() == ACK
    assert bench.take() == ERROR
