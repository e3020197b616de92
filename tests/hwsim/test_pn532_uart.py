"""The PN532's model on its UART: the preamble that wakes it, gaps, noise, and stale bytes after a restart."""

import pytest

from hwsim.chips.pn532_commands import Timing
from hwsim.core import NS_PER_MS
from hwsim.world.badges import Badge
from tests.hwsim.pn532_bench import ACK, FIRMWARE_ANSWER, NACK, SAM, UartBench, frame, payload

LIST = "4A 01 00"
FOUR = bytes.fromhex("DEADBEEF")
WAKE = bytes.fromhex("5555")


@pytest.mark.parametrize("preamble", [b"", bytes(30), b"\xaa" * 4, b"\x00\x00\xff"])
def test_frames_are_not_heard_without_the_wake_up(preamble: bytes) -> None:
    bench = UartBench(awake=False)
    bench.send(preamble + frame(SAM))
    assert bench.received(20) == b""
    assert bench.chip.asleep


@pytest.mark.parametrize(("zeros", "heard"), [(0, False), (2, False), (8, True), (14, True)])
def test_wake_up_wants_a_long_preamble(zeros: int, heard: bool) -> None:
    bench = UartBench(awake=False)
    bench.send(WAKE + bytes(zeros) + frame(SAM))
    assert (ACK in bench.received(20)) == heard
    bench.send(frame(SAM))  # the next try is heard in any case
    assert ACK in bench.received(20)


def test_slow_oscillator_wants_more_than_the_preamble() -> None:
    bench = UartBench(awake=False, timing=Timing(oscillator=2 * NS_PER_MS))
    bench.send(WAKE + bytes(8) + frame(SAM))
    assert bench.received(20) == b""
    bench = UartBench(awake=False, timing=Timing(oscillator=2 * NS_PER_MS))
    bench.send(WAKE)
    bench.run(2)
    bench.send(frame(SAM))
    assert bench.received(20).startswith(ACK)


def test_commands_and_answers() -> None:
    bench = UartBench()
    assert bench.command("02") == bytes.fromhex("03 32 01 06 07")
    bench.command("32 05 FF 01 01")
    bench.pad.enter(Badge(FOUR))
    assert bench.command(LIST) == bytes.fromhex("4B 01 01 00 04 08 04 DE AD BE EF")


def test_no_gap_behind_an_answer_loses_the_acknowledge() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(frame("02"))
    while bench.port.any() < len(ACK + FIRMWARE_ANSWER):
        bench.run(0.02)
    bench.send(frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER + FIRMWARE_ANSWER
    assert bench.chip.ignored[-1].reason.startswith("ACK lost")
    bench.run(1)
    bench.send(frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER


def test_abort_and_deafness() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(frame(LIST))
    assert bench.received(30) == ACK
    bench.send(ACK)
    assert not bench.chip.busy
    bench.send(frame("02"))
    assert bench.received(20) == b""
    bench.send(frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER


def test_nack_of_the_host_brings_the_last_answer_again() -> None:
    bench = UartBench()
    bench.command("02")
    bench.send(NACK)
    assert bench.received(20) == FIRMWARE_ANSWER


def test_power_down_and_wake_up() -> None:
    bench = UartBench()
    assert bench.command("16 10") == b"\x17\x00"
    assert bench.chip.asleep
    bench.send(frame("02"))
    assert bench.received(20) == b""
    bench.send(WAKE + bytes(14) + frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER
    bench.run(2)
    assert bench.command("16 80") == b"\x17\x00"  # by I2C only
    bench.send(WAKE + bytes(14) + frame("02"))
    assert bench.received(20) == b""


def test_it_sleeps_a_millisecond_after_the_answer_is_out() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(frame("16 10"))
    while bench.port.any() < len(ACK) + 10:
        bench.run(0.02)
    answered = bench.time.now
    assert payload(bench.received(0)[6:]) == b"\x17\x00"
    while not bench.chip.asleep:
        bench.run(0.02)
    assert 0.9 < (bench.time.now - answered) / NS_PER_MS < 1.1


def test_half_a_frame_swallows_the_next_until_a_frame_is_over() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(frame("40 01 A2 05 00 00 00 00")[:8])
    bench.send(frame("02"))
    assert bench.received(20) == NACK
    bench.send(frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER


def test_stale_bytes_of_an_answer_come_after_a_restart_of_the_host() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(frame("02"))
    while bench.port.any() < 10:
        bench.run(0.02)
    bench.port.read(bench.port.any())  # gone with the host
    assert bench.received(20) == FIRMWARE_ANSWER[4:]


def test_noise_before_a_frame_does_no_harm() -> None:
    bench = UartBench()
    bench.run(2)
    bench.send(b"\x12\x00\x00\x34\xff\x55" + frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER


def test_other_baud_rates_are_noise() -> None:
    bench = UartBench()
    bench.run(2)
    bench.port.setup(9_600, 256)
    bench.send(frame("02"))
    assert bench.received(50) == b""


def test_reset_and_absence() -> None:
    bench = UartBench()
    bench.reset_n.drive(0)
    bench.send(WAKE + bytes(14) + frame("02"))
    assert bench.received(20) == b""
    bench.reset_n.drive(1)
    bench.run(2)
    bench.send(WAKE + bytes(14) + frame("02"))
    assert bench.received(20) == ACK + FIRMWARE_ANSWER
    bench.chip.dead = True
    bench.send(frame("02"))
    assert bench.received(20) == b""


def test_irq_follows_the_frames() -> None:
    bench = UartBench()
    bench.run(2)
    edges: list[int] = []
    bench.irq.listen(lambda _line, level: edges.append(level))
    bench.send(frame("02"))
    bench.run(20)
    assert edges == [0, 1, 0, 1]
