"""PN5180 model: facts of the data sheet that no other test of it looks at, written from the sheet alone.

Numbers stand here as the sheet has them, not by the model's names.
"""

from __future__ import annotations

import pytest

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.core import SimFault
from hwsim.rf.air import AirFrame, Answer
from hwsim.rf.antenna import Antenna
from tests.hwsim.pn5180_bench import MS, US, Bench, uid

TAG = "E0 04 01 08 00 00 12 3A"
GENERAL_ERROR = 1 << 17


def booted() -> Bench:
    bench = Bench()
    bench.reset_n.drive(1)
    bench.run(3 * MS)
    bench.write(0x03, 0x000FFFFF)
    return bench


def causes(bench: Bench) -> int:
    """SYSTEM_STATUS bits 8 PARAMETER, 7 SYNTAX, 6 SEMANTIC, when GENERAL_ERROR (17) is up; both are cleared."""
    found = bench.read(0x24) >> 6 & 7 if bench.irq & GENERAL_ERROR else 0
    bench.write(0x03, GENERAL_ERROR)
    return found


def test_a_timer_counts_down_in_its_own_register() -> None:
    """TIMERx_STATUS: bit 20 runs, bits 19:0 the value; RELOAD has 20 bits; 13.56 MHz without the prescaler."""
    for timer in range(3):
        bench = booted()
        bench.write(0x0B + timer, 0xFFF00000 | 13_560 * 20)
        assert bench.read(0x0B + timer) == 13_560 * 20
        bench.write(0x0E + timer, 1 << 0 | 1 << 6)
        bench.run(10 * MS)
        now = bench.read(0x08 + timer)
        assert now >> 20 == 1 and abs((now & 0xFFFFF) - 13_560 * 10) < 13_560
        assert [bench.read(0x08 + other) for other in range(3) if other != timer] == [0, 0]
        bench.run(10 * MS)
        assert bench.read(0x08 + timer) == 0
        assert bench.irq >> 11 & 7 == 1 << timer
        bench.run(30 * MS)
        bench.write(0x03, 0x000FFFFF)
        bench.run(30 * MS)
        assert bench.irq == 0, "one shot"


def test_timers_start_and_stop_with_the_own_field() -> None:
    """TIMERx_CONFIG: start 7 own field off, 8 own field on; stop 15 own field off, 16 own field on."""
    bench = booted()
    bench.write(0x0B, 0xFFFFF)
    bench.write(0x0C, 0xFFFFF)
    bench.write(0x0E, 1 << 0 | 1 << 8 | 1 << 15)
    bench.write(0x0F, 1 << 0 | 1 << 7 | 1 << 16)
    running = [(0, 0)]
    for command in (0x16, 0x17, 0x16):
        bench.send(command, 0)
        running.append((bench.read(0x08) >> 20, bench.read(0x09) >> 20))
    assert running == [(0, 0), (1, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize(("start", "stop"), [(1 << 10, 1 << 17), (1 << 9, 1 << 18)])
def test_timers_start_and_stop_with_another_readers_field(start: int, stop: int) -> None:
    """TIMERx_CONFIG: start 9 gone, 10 there; stop 17 gone, 18 there. IRQ 7 there, 6 gone; RF_STATUS 16."""
    comes_first = start == 1 << 10
    bench = booted()
    bench.write(0x0D, 0xFFFFF)
    bench.chip.set_external_field(not comes_first)
    bench.write(0x10, 1 << 0 | start | stop)
    bench.write(0x03, 0x000FFFFF)
    bench.chip.set_external_field(comes_first)
    assert bench.irq == (1 << 7 if comes_first else 1 << 6)
    assert bench.read(0x1D) >> 16 & 1 == comes_first
    assert bench.read(0x0A) >> 20 == 1
    bench.chip.set_external_field(not comes_first)
    assert bench.read(0x0A) >> 20 == 0


def test_interrupts_are_told_whether_or_not_they_are_enabled() -> None:
    bench = booted()
    bench.write(0x01, 0)
    assert bench.read(0x01) == 0x000E0000
    bench.write(0x01, 0xFFFFFFFF)
    assert bench.read(0x01) == 0x000FFFFF
    bench.write(0x01, 0)
    bench.send(0x16, 0x00)
    assert bench.irq == 1 << 9


def test_cells_of_the_eeprom() -> None:
    """Version minor first at 10, 12 and 14; IDLE_IRQ on, IRQ active high, no test bus; crystal; 255 cells."""
    bench = booted()
    assert bench.ask(b"\x07\x10\x06", 6)[2:4] == bytes((0x00, 0x04))
    assert bench.ask(b"\x07\x16\x02", 2) == bytes((1, 0))
    assert bench.ask(b"\x07\x1a\x01", 1) == bytes((1,))
    assert bench.ask(b"\x07\x30\x01", 1) == bytes((3,))
    assert len(bench.ask(b"\x07\x00\xff", 255)) == 255
    assert not causes(bench)
    bench.send(0x06, 0xFE, 0x5A)
    assert bench.ask(b"\x07\xfe\x01", 1) == b"\x5a"
    for outside in (b"\x07\xfe\x02", b"\x07\xff\x01", b"\x06\xfe\x00\x00", b"\x06\xff\x00"):
        bench.send(*outside)
        assert causes(bench)
    for cell in (0x2B, 0x30):
        bench.send(0x06, cell, 0)
    with pytest.raises(SimFault):
        bench.send(0x06, 0x2B, 0, 0)


def test_limits_of_the_data_commands() -> None:
    """WRITE_TX_DATA 1..260; SEND_DATA 0..260 and at most 7 valid bits; the transceiver idle is an error of its own."""
    bench = booted()
    bench.send(0x08, *bytes(260))
    assert not causes(bench)
    bench.send(0x08, *bytes(261))
    assert causes(bench)
    bench.send(0x09, 0x00, 0x26)
    assert causes(bench) == 1, "not in WaitTransmit: semantic"
    bench.start()
    bench.transceive()
    bench.send(0x09, 0x08, 0x26)
    assert causes(bench)
    bench.send(0x09, 0x00, *bytes(261))
    assert causes(bench)
    assert bench.read(0x1D) >> 24 & 7 == 1, "nothing was sent"
    bench.send(0x09, 0x00, *bytes(260))
    assert not causes(bench) and bench.read(0x1D) >> 24 & 7 == 2


def test_counts_and_ranges_that_are_refused() -> None:
    bench = booted()
    assert len(bench.ask(b"\x05" + b"\x1e" * 18, 72)) == 72 and not causes(bench)
    bench.send(0x05, *b"\x1e" * 19)
    assert causes(bench)
    bench.send(0x03, *(b"\x17\x01\x00\x00\x00\x00" * 42))
    assert not causes(bench)
    for bad in (b"\x17\x00\x00\x00\x00\x00", b"\x17\x04\x00\x00\x00\x00", b"\x17\x01\x00\x00\x00\x00" * 43):
        bench.send(0x03, *bad)
        assert causes(bench)
    for tx, rx in ((0x1C, 0x9C), (0xFF, 0xFF), (0x00, 0x80)):
        bench.send(0x11, tx, rx)
        assert not causes(bench)
    for tx, rx in ((0x1D, 0x8D), (0x0D, 0x9D), (0x0D, 0x7F), (0x80, 0x8D)):
        bench.send(0x11, tx, rx)
        assert causes(bench)
    bench.send(0x0B, 3, 0, 1, 0)
    assert causes(bench)
    for counter in (0, 2691):
        bench.send(0x0B, 0, 1, *counter.to_bytes(2, "little"))
        assert causes(bench)


def test_what_rf_status_says_of_an_exchange() -> None:
    """26:24 state, 18 CRC_OK, 17 own field, 12 receiver open, 11 transmitting, 10 receiving."""
    bench = Bench([IcodeSlix2(uid(TAG))])
    bench.start()
    assert bench.read(0x1D) >> 10 & 0x1C1FF == 1 << 7, "own field, idle"
    bench.transceive()
    bench.send(0x09, 0x00, 0x26, 0x01, 0x00)
    seen = set()
    for _ in range(200):
        status = bench.read(0x1D)
        seen.add((status >> 24 & 7, status >> 10 & 7, status >> 17 & 1))
        bench.run(20 * US)
    assert seen == {(2, 0b010, 1), (3, 0, 1), (4, 0b100, 1), (5, 0b101, 1), (1, 0, 1)}
    assert bench.read(0x1D) >> 18 & 1 == 1
    assert bench.read(0x13) == 10, "the CRC is checked and removed"
    bench.antenna.air_fault = lambda tag, answer: bytes((answer[0] ^ 4,)) + answer[1:]
    status, _ = bench.request(0x26, 0x01, 0x00)
    assert status >> 16 & 7 == 1, "DATA_INTEGRITY_ERROR, and no other"
    assert bench.read(0x1D) >> 18 & 1 == 0


def test_a_read_frame_longer_than_what_came_gives_what_came() -> None:
    """READ_DATA 0A 00, 1..508 bytes; with no reception: no exception."""
    bench = booted()
    bench.ask(b"\x0a\x00", 1)
    bench.ask(b"\x0a\x00", 508)
    assert not causes(bench)


def test_boot_causes_and_what_standby_keeps() -> None:
    """SYSTEM_STATUS: 0 power-on or RESET_N, 1 field, 2 counter, 3 soft reset, 5 prevented. 05, 07, 25 stay."""
    bench = booted()
    assert bench.read(0x24) & 0x3F == 1 << 0
    bench.set_bits(0x00, 1 << 8)
    bench.run(3 * MS)
    assert bench.read(0x24) & 0x3F == 1 << 3
    for address in (0x05, 0x07, 0x25, 0x17):
        bench.write(address, 2)
    bench.send(0x0B, 0x00, 0x02, 0x01, 0x00)
    bench.run(200 * MS)
    bench.chip.set_external_field(True)
    assert bench.busy.level == 1, "it boots"
    bench.run(3 * MS)
    assert bench.read(0x24) & 0x3F == 1 << 1
    assert [bench.read(address) for address in (0x05, 0x07, 0x25, 0x17)] == [2, 2, 2, 0]
    bench.send(0x0B, 0x00, 0x02, 0x01, 0x00)
    assert bench.read(0x24) & 0x3F == 1 << 1 | 1 << 5, "another field is there: it stays awake"
    assert bench.read(0x05) == 2


def test_a_field_does_not_wake_a_chip_that_waits_for_its_counter() -> None:
    bench = booted()
    bench.send(0x0B, 0x00, 0x01, *(100).to_bytes(2, "little"))
    bench.chip.set_external_field(True)
    bench.run(99 * MS)
    assert bench.busy.level == 0
    bench.run(5 * MS)
    assert bench.read(0x24) & 0x3F == 1 << 2


def test_a_radio_configuration_that_cannot_be_programmed_is_told_and_not_kept() -> None:
    """UPDATE_RF_CONFIG writes the EEPROM: its failure is HV_ERROR (18) too."""
    bench = booted()
    before = bench.ask(b"\x14\x0d", 5)
    bench.chip.eeprom_fails = True
    bench.send(0x12, 0x0D, before[0], 1, 2, 3, 4)
    assert bench.irq >> 17 & 3 == 3
    assert bench.ask(b"\x14\x0d", 5) == before


@pytest.mark.parametrize(
    ("register", "value"),
    [(0x1C, 3 << 18), (0x1E, 0xA003), (0x00, 1), (0x11, 0), (0x12, 0), (0x18, 0), (0x19, 0), (0x22, 0), (0x39, 0)],
)
def test_reset_values_of_the_sheet(register: int, value: int) -> None:
    assert booted().read(register) == value


@pytest.mark.parametrize(
    ("number", "preset"), [(0, 0x0000), (1, 0x6363), (2, 0xA671), (3, 0xFFFF), (4, 0x0012), (5, 0xE012), (7, 0x1234)]
)
@pytest.mark.parametrize("inverted", [0, 1])
def test_the_crc_that_is_sent(monkeypatch: pytest.MonkeyPatch, number: int, preset: int, inverted: int) -> None:
    """CRC_TX_CONFIG 0 on, 1 inverted, 5:3 preset, 31:16 the arbitrary one; polynomial 8408, low byte first."""
    heard: list[bytes] = []
    real = Antenna.request

    def note(antenna: Antenna, request: AirFrame, deep: bool) -> list[Answer]:
        heard.append(request.frame)
        return real(antenna, request, deep)

    monkeypatch.setattr(Antenna, "request", note)
    bench = Bench()
    bench.start()
    bench.write(0x19, 1 | inverted << 1 | number << 3 | (preset << 16 if number == 7 else 0))
    bench.request(0x26, 0x01, 0x00)
    crc = preset
    for byte in b"\x26\x01\x00":
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    assert heard == [b"\x26\x01\x00" + (crc ^ 0xFFFF * inverted).to_bytes(2, "little")]
