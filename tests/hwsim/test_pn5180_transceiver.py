"""PN5180 model, contactless side: state machine, timers, transmission and reception at register level."""

from __future__ import annotations

import pytest

from hwsim.chips import pn5180_map as m
from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import SimFault
from hwsim.rf.air import BIT_HIGH, T1_CYCLES, answer_cycles, cycles_ns, request_cycles
from tests.hwsim.pn5180_bench import MS, US, Bench, uid

TAG = "E0 04 01 08 00 00 12 3A"
ANSWER = bytes.fromhex("00 00 3A 12 00 00 08 01 04 E0")
GENERAL_ERROR = 1 << 17
TIMER1_IRQ = 1 << 12


def ready(*tags: str, tx: int = 0x0D, rx: int = 0x8D) -> Bench:
    bench = Bench([IcodeSlix2(uid(tag)) for tag in tags])
    bench.start(tx, rx)
    return bench


def state(bench: Bench) -> int:
    return bench.read(m.RF_STATUS) >> 24 & 7


def run_to(bench: Bench, instant: int) -> None:
    assert instant >= bench.scheduler.now
    bench.scheduler.run_until(instant)


def inventory(bench: Bench) -> int:
    """Send a 1-slot inventory; returns the instant at which it starts on air."""
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    return bench.scheduler.now


# State machine.


def test_states_of_one_exchange() -> None:
    bench = ready(TAG)
    bench.transceive()
    assert state(bench) == m.WAIT_TRANSMIT
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    start = bench.scheduler.now
    assert state(bench) == m.TRANSMITTING
    eof = start + cycles_ns(request_cycles(5))
    run_to(bench, eof)
    assert state(bench) == m.WAIT_RECEIVE
    run_to(bench, eof + 250 * US)
    assert state(bench) == m.WAIT_FOR_DATA
    run_to(bench, eof + cycles_ns(T1_CYCLES) + 200 * US)
    assert state(bench) == m.RECEIVING
    run_to(bench, eof + 5 * MS)
    assert state(bench) == m.WAIT_TRANSMIT


EOF = cycles_ns(request_cycles(5))
SOF_BEGINS = EOF + cycles_ns(T1_CYCLES)


@pytest.mark.parametrize(
    ("instant", "before", "after"),
    [
        (EOF, 0x0000, 0x0002),
        (SOF_BEGINS + cycles_ns(768) + 18_879, 0x0002, 0x8002),
        (SOF_BEGINS + cycles_ns(4 * BIT_HIGH), 0x8002, 0xC002),
        (SOF_BEGINS + cycles_ns(answer_cycles(12)), 0xC002, 0xC003),
    ],
)
def test_instants_of_the_interrupts(instant: int, before: int, after: int) -> None:
    # A read samples when BUSY falls: two bytes and 20 us after its beginning.
    ahead = 2 * 1143 + 20 * US
    for offset, expected in ((-50, before), (50, after)):
        bench = ready(TAG)
        run_to(bench, inventory(bench) + instant - ahead + offset)
        assert bench.irq == expected


def test_nobody_answers_and_the_machine_waits_for_ever() -> None:
    bench = ready()
    inventory(bench)
    bench.run(10_000 * MS)
    assert state(bench) == m.WAIT_FOR_DATA
    assert bench.irq == 0x0002
    bench.set_bits(m.SYSTEM_CONFIG, 3)
    assert state(bench) == m.WAIT_FOR_DATA
    bench.keep_bits(m.SYSTEM_CONFIG, 0xFFFFFFF8)
    assert state(bench) == m.IDLE


def test_trap_send_data_outside_wait_transmit() -> None:
    bench = ready(TAG)
    inventory(bench)
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    assert bench.irq & GENERAL_ERROR
    assert bench.read(m.SYSTEM_STATUS) & m.SEMANTIC_ERROR
    bench.run(10 * MS)
    assert bench.read(m.RX_STATUS) == 10


def test_without_initiator_the_reader_starts_receiving() -> None:
    bench = ready(TAG)
    bench.write(m.TRANSCEIVE_CONTROL, 0)
    bench.transceive()
    assert state(bench) == m.WAIT_FOR_DATA
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    assert bench.irq & GENERAL_ERROR


def test_idle_breaks_a_transmission_off() -> None:
    bench = ready(TAG)
    inventory(bench)
    bench.run(500 * US)
    bench.keep_bits(m.SYSTEM_CONFIG, 0xFFFFFFF8)
    bench.run(10 * MS)
    assert bench.irq == 0
    assert bench.request(0x26, 1, 0) == (10, ANSWER)


def test_state_change_interrupt() -> None:
    bench = ready()
    bench.write(m.TRANSCEIVE_CONTROL, 1 | 1 << 4 + m.WAIT_FOR_DATA)
    start = inventory(bench)
    run_to(bench, start + cycles_ns(request_cycles(5)) + 150 * US)
    assert not bench.irq & 1 << 5
    bench.run(100 * US)
    assert bench.irq & 1 << 5


def test_sending_without_a_known_protocol_fails_the_test() -> None:
    bench = Bench()
    bench.start(0x00, 0x80)
    bench.write(m.TRANSCEIVE_CONTROL, 1)
    bench.write(m.TX_CONFIG, 0x540)
    bench.transceive()
    with pytest.raises(SimFault, match="00/80"):
        bench.send(0x09, 0x00, 0x26)


def test_guard_time_before_transmission() -> None:
    bench = ready(TAG)
    bench.write(m.TX_WAIT_CONFIG, 100 << 8 | 0x7F)
    start = inventory(bench)
    end = start + cycles_ns(request_cycles(5) + T1_CYCLES + answer_cycles(12))
    run_to(bench, end)
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    assert state(bench) == m.WAIT_TRANSMIT
    run_to(bench, end + cycles_ns(100 * 128))
    assert state(bench) == m.TRANSMITTING


def test_receiver_that_opens_too_late_misses_the_answer() -> None:
    bench = ready(TAG)
    bench.write(m.RX_WAIT_CONFIG, 60 << 8 | 0x7F)  # 566 us
    assert bench.request(0x26, 1, 0) == (0, b"")


# START_SEND.


def test_start_send_inside_a_multiple_write() -> None:
    bench = ready(TAG)
    bench.send(0x08, 0x26, 0x01, 0x00)
    bench.send(
        0x03,
        *(0x03, 1, 0xFF, 0xFF, 0x0F, 0x00),
        *(0x00, 3, 0xF8, 0xFF, 0xFF, 0xFF),
        *(0x00, 2, 0x03, 0x00, 0x00, 0x00),
        *(0x00, 2, 0x08, 0x00, 0x00, 0x00),
    )
    assert state(bench) == m.TRANSMITTING
    assert bench.read(m.SYSTEM_CONFIG) == 3
    assert bench.collect(30 * MS) == (10, ANSWER)


def test_start_send_before_transceive_waits_for_it() -> None:
    bench = ready(TAG)
    bench.keep_bits(m.SYSTEM_CONFIG, 0xFFFFFFF8)
    bench.send(0x08, 0x26, 0x01, 0x00)
    bench.set_bits(m.SYSTEM_CONFIG, 8)
    assert state(bench) == m.IDLE
    bench.set_bits(m.SYSTEM_CONFIG, 3)
    assert state(bench) == m.TRANSMITTING


def test_start_send_without_data_is_refused() -> None:
    bench = ready(TAG)
    bench.transceive()
    bench.set_bits(m.SYSTEM_CONFIG, 8)
    assert bench.irq & GENERAL_ERROR
    assert state(bench) == m.WAIT_TRANSMIT


def test_zero_data_bytes_with_data_enabled_are_refused() -> None:
    bench = ready(TAG)
    bench.transceive()
    bench.send(0x09, 0x00)
    assert bench.irq & GENERAL_ERROR
    assert state(bench) == m.WAIT_TRANSMIT


# Timers.


def arm(bench: Bench, reload: int, config: int) -> None:
    bench.write(m.TIMER0_CONFIG + 1, 0)
    bench.write(m.TIMER0_RELOAD + 1, reload)
    bench.write(m.TIMER0_CONFIG + 1, config)


def test_timer_1_as_receive_timeout() -> None:
    bench = ready()
    arm(bench, 0x34F8, 0x00100801)
    start = inventory(bench)
    eof = start + cycles_ns(request_cycles(5))
    run_to(bench, eof + 100 * US)
    status = bench.read(m.TIMER0_STATUS + 1)
    assert status >> 20 == 1
    elapsed = bench.scheduler.now - eof
    assert abs((0x34F8 - (status & 0xFFFFF)) * 1000 / 13.56 - elapsed) < 40 * US
    run_to(bench, eof + 1 * MS - 40 * US)
    assert not bench.irq & TIMER1_IRQ
    run_to(bench, eof + 1 * MS)
    assert bench.irq & TIMER1_IRQ
    assert bench.read(m.TIMER0_STATUS + 1) == 0


def test_answer_stops_the_timer_after_four_bits() -> None:
    bench = ready(TAG)
    arm(bench, 0x34F8, 0x00100801)
    inventory(bench)
    bench.run(8 * MS)
    assert bench.irq & (TIMER1_IRQ | 1) == 1
    left = bench.read(m.TIMER0_STATUS + 1)
    assert abs(left - (0x34F8 - T1_CYCLES - 8 * BIT_HIGH)) <= 1


def test_timer_shorter_than_the_answer_delay_expires_although_a_tag_answers() -> None:
    bench = ready(TAG)
    arm(bench, 13560 * 3 // 10, 0x00100801)
    inventory(bench)
    bench.run(8 * MS)
    assert bench.irq & (TIMER1_IRQ | 1) == TIMER1_IRQ | 1


@pytest.mark.parametrize(
    ("prescale", "kilohertz"), list(enumerate((6780, 3390, 1695, 847.5, 423.75, 211.9, 105.9, 53)))
)
def test_prescaler(prescale: int, kilohertz: float) -> None:
    bench = ready()
    arm(bench, 53_000, 0x01 | 0x04 | prescale << 3 | 0x40)
    begun = bench.scheduler.now
    run_to(bench, begun + round(53_000 / kilohertz * MS * 0.98))
    assert not bench.irq & TIMER1_IRQ
    run_to(bench, begun + round(53_000 / kilohertz * MS * 1.02))
    assert bench.irq & TIMER1_IRQ


def test_reloading_timer_expires_again() -> None:
    bench = ready()
    arm(bench, 13560, 0x43)
    for _ in range(3):
        bench.run(1 * MS)
        assert bench.irq & TIMER1_IRQ
        bench.write(m.IRQ_CLEAR, 0xFFFFF)


def test_disabled_timer_stops() -> None:
    bench = ready()
    arm(bench, 13560, 0x41)
    bench.write(m.TIMER0_CONFIG + 1, 0)
    bench.run(5 * MS)
    assert not bench.irq & TIMER1_IRQ


# Frames on air.


def test_crc_delivered_when_its_check_is_off() -> None:
    bench = ready(TAG)
    bench.keep_bits(m.CRC_RX_CONFIG, 0xFFFFFFFE)
    assert bench.request(0x26, 1, 0) == (12, ANSWER + bytes.fromhex("3B 15"))


def test_request_without_crc_is_not_answered() -> None:
    bench = ready(TAG)
    bench.keep_bits(m.CRC_TX_CONFIG, 0xFFFFFFFE)
    assert bench.request(0x26, 1, 0) == (0, b"")
    assert bench.request(0x26, 1, 0, 0xF6, 0x0A) == (10, ANSWER)


@pytest.mark.parametrize(
    ("register", "value"),
    [(m.CRC_TX_CONFIG, 0x19), (m.CRC_TX_CONFIG, 0x03), (m.TX_CONFIG, 0x0C40), (m.TX_CONFIG, 0x440)],
)
def test_request_with_a_wrong_crc_parity_or_no_eof_is_not_answered(register: int, value: int) -> None:
    bench = ready(TAG)
    bench.write(register, value)
    assert bench.request(0x26, 1, 0) == (0, b"")


def test_trap_crypto_bit_left_on() -> None:
    bench = ready(TAG)
    bench.set_bits(m.SYSTEM_CONFIG, m.MFC_CRYPTO_ON)
    assert bench.request(0x26, 1, 0) == (0, b"")
    bench.keep_bits(m.SYSTEM_CONFIG, ~m.MFC_CRYPTO_ON & 0xFFFFFFFF)
    assert bench.request(0x26, 1, 0) == (10, ANSWER)


def test_incomplete_last_byte_is_not_answered() -> None:
    bench = ready(TAG)
    bench.transceive()
    bench.send(0x09, 0x04, 0x26, 0x01, 0x00)
    assert bench.collect(10 * MS) == (0, b"")
    assert bench.request(0x26, 1, 0) == (10, ANSWER)


def test_wrong_preset_of_the_receiver_is_a_crc_error() -> None:
    bench = ready(TAG)
    bench.write(m.CRC_RX_CONFIG, 0x03)
    status, _ = bench.request(0x26, 1, 0)
    assert status == 10 | m.RX_DATA_INTEGRITY_ERROR


def test_trap_read_data_without_reception_gives_the_old_buffer() -> None:
    bench = ready(TAG)
    assert bench.request(0x26, 1, 0) == (10, ANSWER)
    bench.antenna.leave(bench.antenna.tags[0])
    assert bench.request(0x26, 1, 0) == (0, b"")
    assert bench.read(m.RX_STATUS) & 0x1FF == 0
    assert bench.ask(b"\x0a\x00", 10) == ANSWER
    assert not bench.irq & GENERAL_ERROR


def test_request_before_the_settling_time_is_not_answered() -> None:
    bench = ready(TAG)
    bench.send(0x17, 0)
    bench.send(0x16, 0)
    inventory(bench)
    assert bench.collect(10 * MS) == (0, b"")
    assert bench.request(0x26, 1, 0) == (10, ANSWER)


def test_low_rate_answer_is_subcarrier_without_a_frame() -> None:
    bench = ready(TAG)
    assert bench.request(0x24, 1, 0) == (0, b"")
    assert bench.irq & 0xC001 == 0x8000


def test_fast_inventory_read_needs_select_and_the_fast_receiver() -> None:
    bench = ready(TAG)
    own = uid(TAG)
    fast = (0x12, 0xA1, 0x04, 0x00, 0x00, 0x01)
    assert bench.request(0x22, 0x25, *own) == (1, b"\0")
    assert bench.request(*fast) == (0, b"")
    bench.run(3 * MS)  # the tag is deaf while it answers unheard
    bench.send(0x11, 0x0D, 0x8E)
    status, data = bench.request(*fast)
    assert (status, data) == (9, bytes(9))
    assert bench.request(0x26, 0xA1, 0x04, 0x00, 0x00, 0x01) == (0, b"")
