"""PN5180 model, host side: boot, BUSY, frames, registers, exceptions, EEPROM, standby."""

from __future__ import annotations

import pytest

from hwsim.chips import pn5180_map as m
from hwsim.core import SimFault
from tests.hwsim.pn5180_bench import BYTE_NS, MS, US, Bench

GENERAL_ERROR = 1 << 17


def booted(**options: object) -> Bench:
    bench = Bench(**options)  # type: ignore[arg-type]
    bench.reset_n.drive(1)
    bench.run(2_500_000)
    return bench


def refused(bench: Bench) -> int:
    """SYSTEM_STATUS error causes when GENERAL_ERROR is set, else 0; clears them."""
    causes = bench.read(m.SYSTEM_STATUS) & m.HOST_ERRORS if bench.irq & GENERAL_ERROR else 0
    bench.write(m.IRQ_CLEAR, 0x000FFFFF)
    assert bench.read(m.SYSTEM_STATUS) & m.HOST_ERRORS == 0
    return causes


# Boot and reset.


def test_boot_takes_2500_us_and_ends_with_idle_irq() -> None:
    bench = Bench()
    bench.reset_n.drive(1)
    bench.run(2_499_999)
    assert bench.busy.level == 1
    bench.run(1)
    assert bench.busy.level == 0
    assert bench.irq == 1 << 2
    assert bench.read(m.SYSTEM_STATUS) == m.BOOT_POR


def test_idle_irq_can_be_switched_off_in_the_eeprom() -> None:
    eeprom = m.factory_eeprom()
    eeprom[0x16] = 0
    assert booted(eeprom=bytes(eeprom)).irq == 0


def test_commands_before_idle_irq_are_not_accepted() -> None:
    bench = Bench()
    bench.reset_n.drive(1)
    bench.run(1 * MS)
    assert bench.clock(b"\x00\x05\x01\x00\x00\x00") == b"\xff" * 6
    bench.run(2 * MS)
    assert bench.read(m.PADCONFIG) == 0


def test_chip_in_reset_answers_filler() -> None:
    bench = booted()
    bench.write(m.PADCONFIG, 5)
    bench.reset_n.drive(0)
    assert bench.clock(b"\x07\x12\x02") == b"\xff\xff\xff"
    bench.run(10 * US)
    bench.reset_n.drive(1)
    bench.run(3 * MS)
    assert bench.read(m.PADCONFIG) == 0


@pytest.mark.parametrize(("how", "miso", "busy"), [("low", b"\0", 0), ("high", b"\xff", 0), ("busy", b"\0", 1)])
def test_a_chip_that_has_failed_drives_steady_lines_until_it_is_there_as_new(how: str, miso: bytes, busy: int) -> None:
    bench = booted()
    bench.write(m.PADCONFIG, 5)
    bench.chip.fail(how)
    assert bench.chip.dead
    assert bench.clock(b"\x07\x12\x02") == miso * 3
    bench.run(1 * MS)
    assert bench.busy.level == busy
    bench.chip.fail("")
    bench.run(3 * MS)
    assert (bench.read(m.PADCONFIG), bench.irq) == (0, 1 << 2)


def test_a_chip_whose_busy_wire_is_off_works_on_and_misses_what_comes_while_it_is_busy() -> None:
    bench = booted()
    bench.chip.fail("loose")
    bench.clock(bytes((0x00, m.PADCONFIG, 5, 0, 0, 0)))
    assert bench.busy.level == 0
    assert bench.clock(bytes((0x00, m.PADCONFIG, 6, 0, 0, 0))) == b"\xff" * 6  # the first one is not done
    bench.run(1 * MS)
    bench.clock(bytes((0x04, m.PADCONFIG)))
    bench.run(1 * MS)
    assert bench.clock(b"\xff" * 4) == b"\5\0\0\0"
    bench.run(1 * MS)
    bench.clock(b"\xff\xff")  # an answer that nobody asked for is a command that does not exist
    bench.run(1 * MS)
    bench.chip.fail("")
    bench.run(3 * MS)
    assert (bench.read(m.PADCONFIG), bench.irq) == (0, 1 << 2)


def test_a_chip_that_talks_nonsense_says_the_same_nonsense_again() -> None:
    spoken = []
    for _ in range(2):
        bench = booted()
        bench.chip.fail("nonsense")
        spoken.append(b"".join(bench.clock(bytes(16)) for _ in range(16)))
    assert spoken[0] == spoken[1]
    assert len(set(spoken[0])) > 100
    with pytest.raises(ValueError, match="cannot fail as 'bad'"):
        bench.chip.fail("bad")


def test_a_supply_that_drops_loses_registers_and_boots() -> None:
    bench = booted()
    bench.write(m.PADCONFIG, 5)
    bench.chip.power_cycle()
    assert bench.busy.level == 1
    bench.run(3 * MS)
    assert (bench.read(m.PADCONFIG), bench.read(m.SYSTEM_STATUS)) == (0, m.BOOT_POR)


def test_reset_pulse_must_last_10_us() -> None:
    bench = booted()
    bench.reset_n.drive(0)
    bench.run(9 * US)
    with pytest.raises(SimFault, match="RESET_N"):
        bench.reset_n.drive(1)


def test_soft_reset_restores_registers_and_boots() -> None:
    bench = booted()
    bench.write(m.TX_CONFIG, 0x123)
    bench.set_bits(m.SYSTEM_CONFIG, 1 << 8)
    bench.run(3 * MS)
    assert bench.read(m.TX_CONFIG) == 0
    assert bench.read(m.SYSTEM_STATUS) == m.BOOT_SOFT_RESET
    assert bench.irq == 1 << 2


# BUSY and frames.


def test_busy_rises_with_the_frame_and_falls_after_nss() -> None:
    bench = booted()
    bench.chip.select()
    bench.chip.transfer(b"\x04\x00", BYTE_NS)
    assert bench.busy.level == 1
    bench.run(10 * MS)
    assert bench.busy.level == 1
    bench.chip.deselect()
    bench.run(19_999)
    assert bench.busy.level == 1
    bench.run(1)
    assert bench.busy.level == 0


def test_a_frame_may_be_clocked_in_pieces() -> None:
    bench = booted()
    bench.chip.select()
    bench.chip.transfer(b"\x00", BYTE_NS)
    bench.run(50 * US)
    bench.chip.transfer(b"\x05\x78\x56", BYTE_NS)
    bench.chip.transfer(b"\x34\x12", BYTE_NS)
    bench.chip.deselect()
    bench.wait_idle()
    assert bench.read(m.PADCONFIG) == 0x12345678


@pytest.mark.parametrize("command", [b"\x04\x00", b"\x07\x12\x02", b"\x0a\x00", b"\x05\x02\x13"])
@pytest.mark.parametrize("pause", [0, 100 * US])
def test_trap_both_halves_of_a_read_under_one_nss(command: bytes, pause: int) -> None:
    bench = booted()
    bench.chip.select()
    bench.chip.transfer(command, BYTE_NS)
    bench.run(pause)
    assert bench.chip.transfer(b"\xff" * 4, BYTE_NS) == b"\xff" * 4
    bench.chip.deselect()
    bench.run(1_000 * MS)
    assert bench.busy.level == 1
    bench.clock(b"\x00\x05\x01\x00\x00\x00")
    bench.reset_n.drive(0)
    bench.run(10 * US)
    bench.reset_n.drive(1)
    bench.run(3 * MS)
    assert bench.busy.level == 0
    assert bench.read(m.PADCONFIG) == 0


def test_frame_while_busy_fails_the_test() -> None:
    bench = booted()
    bench.clock(b"\x04\x00")
    bench.chip.select()
    with pytest.raises(SimFault, match="BUSY"):
        bench.chip.transfer(b"\xff" * 4, BYTE_NS)


def test_nss_may_fall_while_busy_when_nothing_is_clocked() -> None:
    bench = booted()
    bench.clock(b"\x04\x00")
    bench.chip.select()
    bench.wait_idle()
    assert bench.chip.transfer(b"\xff" * 4, BYTE_NS) == b"\x01\x00\x00\x00"


def test_new_command_instead_of_the_answer_is_executed_and_loses_it() -> None:
    bench = booted()
    bench.clock(b"\x04\x00")
    bench.wait_idle()
    assert bench.clock(b"\x00\x05\x09\x00\x00\x00") == b"\xff" * 6
    bench.wait_idle()
    assert bench.read(m.PADCONFIG) == 9
    with pytest.raises(SimFault, match="command FF"):
        bench.clock(b"\xff" * 4)


def test_mosi_is_ignored_during_the_answer() -> None:
    bench = booted()
    bench.clock(b"\x07\x12\x02")
    bench.wait_idle()
    assert bench.clock(b"\x00\x00") == b"\x00\x04"


def test_answer_read_past_its_end_gives_filler() -> None:
    bench = booted()
    assert bench.ask(b"\x07\x12\x02", 5) == b"\x00\x04\xff\xff\xff"


def test_answer_may_be_clocked_in_pieces() -> None:
    bench = booted()
    bench.clock(b"\x05\x00\x01")
    bench.wait_idle()
    bench.chip.select()
    assert bench.chip.transfer(b"\xff" * 3, BYTE_NS) == b"\x01\x00\x00"
    assert bench.chip.transfer(b"\xff" * 5, BYTE_NS) == b"\x00\x00\x00\x0e\x00"


@pytest.mark.parametrize("code", [0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x15, 0x18, 0x19, 0x1A, 0x42, 0xFF])
def test_unknown_command_fails_the_test(code: int) -> None:
    bench = booted()
    with pytest.raises(SimFault, match=f"reader at .*command {code:02X}"):
        bench.send(code, 0)


# Registers.

LISTED = [*range(0x06), *range(0x07, 0x2A), 0x36, 0x39]


def test_reset_values() -> None:
    bench = booted()
    values = {address: bench.read(address) for address in LISTED if address != m.AGC_REF_CONFIG}
    assert {address: value for address, value in values.items() if value} == {
        0x00: 0x00000001,
        0x01: 0x000E0000,
        0x02: 0x00000004,
        0x1C: 0x000C0000,
        0x1E: 0x0000A003,
        0x24: 0x00000001,
    }


@pytest.mark.parametrize("address", sorted(set(range(0x100)) - set(LISTED)))
def test_unlisted_register_fails_the_test(address: int) -> None:
    bench = booted()
    with pytest.raises(SimFault, match=f"reader at 2.*register {address:02X}"):
        bench.read(address)
    bench = booted()
    with pytest.raises(SimFault, match=f"register {address:02X}"):
        bench.write(address, 0)
    bench = booted()
    with pytest.raises(SimFault, match=f"register {address:02X}"):
        bench.send(0x03, address, 2, 0, 0, 0, 0)


def test_felica_register_comes_with_firmware_4_1() -> None:
    assert booted(firmware=(4, 1)).read(m.FELICA_EMD_CONTROL) == 0


@pytest.mark.parametrize("address", m.READ_ONLY)
def test_read_only_registers_keep_their_value(address: int) -> None:
    bench = booted()
    before = bench.read(address)
    bench.write(address, 0xFFFFFFFF)
    bench.set_bits(address, 0xFFFFFFFF)
    bench.keep_bits(address, 0)
    assert bench.read(address) == before


def test_masks() -> None:
    bench = booted()
    bench.write(m.TX_CONFIG, 0x0000F0F0)
    bench.set_bits(m.TX_CONFIG, 0x0F)
    bench.keep_bits(m.TX_CONFIG, 0xFFFF0FFF)
    assert bench.read(m.TX_CONFIG) == 0x000000FF


def test_irq_enable_has_three_fixed_bits() -> None:
    bench = booted()
    bench.write(m.IRQ_ENABLE, 0xFFF00003)
    assert bench.read(m.IRQ_ENABLE) == 0x000E0003


def test_irq_clear_is_write_one_to_clear_and_reads_zero() -> None:
    bench = booted()
    bench.write(m.IRQ_CLEAR, 0x000FFFFB)
    assert bench.irq == 0x4
    bench.write(m.IRQ_CLEAR, 0x4)
    assert bench.irq == 0
    assert bench.read(m.IRQ_CLEAR) == 0


def test_irq_status_clears_on_read_when_the_eeprom_says_so() -> None:
    bench = booted()
    bench.send(0x06, 0x1A, 0x03)
    assert (bench.irq, bench.irq) == (0x4, 0)


def test_register_that_a_clone_does_not_keep() -> None:
    bench = booted(unkept_registers=(m.TX_CONFIG,))
    bench.write(m.TX_CONFIG, 0x540)
    assert bench.read(m.TX_CONFIG) == 0


def test_multiple_read_keeps_the_order_asked() -> None:
    bench = booted()
    bench.write(m.PADCONFIG, 0x11223344)
    assert bench.ask(b"\x05\x01\x05\x00", 12).hex() == "00000e00" + "44332211" + "01000000"


def test_multiple_write_stops_at_a_bad_action_without_undoing() -> None:
    bench = booted()
    bench.send(0x03, 0x05, 1, 7, 0, 0, 0, 0x05, 2, 8, 0, 0, 0, 0x05, 4, 0, 0, 0, 0, 0x07, 1, 1, 0, 0, 0)
    assert refused(bench) == m.PARAMETER_ERROR
    assert (bench.read(m.PADCONFIG), bench.read(m.PADOUT)) == (15, 0)


def test_command_7_fails_the_test() -> None:
    bench = booted()
    bench.write(m.SYSTEM_CONFIG, m.COMMAND_KEEP)
    with pytest.raises(SimFault, match="COMMAND 111"):
        bench.set_bits(m.SYSTEM_CONFIG, 3)


def test_lpcd_calibration_is_refused_loudly() -> None:
    with pytest.raises(SimFault, match="LPCD"):
        booted().read(m.AGC_REF_CONFIG)


# Exceptions.


@pytest.mark.parametrize(
    ("frame", "cause"),
    [
        (b"\x04", m.SYNTAX_ERROR),
        (b"\x00\x05\x01", m.SYNTAX_ERROR),
        (b"\x00\x05\x01\x02\x03\x04\x05", m.SYNTAX_ERROR),
        (b"\x03\x05\x01\x00", m.SYNTAX_ERROR),
        (b"\x03" + b"\x05\x01\x00\x00\x00\x00" * 43, m.PARAMETER_ERROR),
        (b"\x05" + bytes(19), m.PARAMETER_ERROR),
        (b"\x06\xfe\x00\x00", m.PARAMETER_ERROR),
        (b"\x06\x40", m.PARAMETER_ERROR),
        (b"\x07\xf0\x10", m.PARAMETER_ERROR),
        (b"\x07\x00\x00", m.PARAMETER_ERROR),
        (b"\x08" + bytes(261), m.PARAMETER_ERROR),
        (b"\x09\x08\x26", m.PARAMETER_ERROR),
        (b"\x09\x00" + bytes(261), m.PARAMETER_ERROR),
        (b"\x09\x00\x26\x01\x00", m.SEMANTIC_ERROR),
        (b"\x0b\x03\x00", m.PARAMETER_ERROR),
        (b"\x0b\x00\x01\x00\x00", m.PARAMETER_ERROR),
        (b"\x11\x1d\x8d", m.PARAMETER_ERROR),
        (b"\x11\x0d\x9d", m.PARAMETER_ERROR),
        (b"\x11\x8d\x0d", m.PARAMETER_ERROR),
        (b"\x13\x40", m.PARAMETER_ERROR),
        (b"\x16\x04", m.PARAMETER_ERROR),
    ],
)
def test_refused_frames(frame: bytes, cause: int) -> None:
    bench = booted()
    bench.clock(frame)
    bench.wait_idle()
    assert refused(bench) == cause


def test_refused_read_has_a_meaningless_answer() -> None:
    bench = booted()
    assert bench.ask(b"\x07\xf0\x10", 4) == b"\xff\xff\xff\xff"
    assert refused(bench) == m.PARAMETER_ERROR


# EEPROM.


@pytest.mark.parametrize(("firmware", "raw"), [((3, 10), "0a03"), ((4, 0), "0004"), ((4, 1), "0104")])
def test_firmware_version(firmware: tuple[int, int], raw: str) -> None:
    assert booted(firmware=firmware).ask(b"\x07\x12\x02", 2).hex() == raw


def test_chip_without_identification() -> None:
    assert booted(eeprom=b"\xff" * 255).ask(b"\x07\x12\x02", 2) == b"\xff\xff"


def test_eeprom_survives_reset() -> None:
    bench = booted()
    bench.send(0x06, 0x34, 0x12, 0x34)
    bench.reset_n.drive(0)
    bench.run(10 * US)
    bench.reset_n.drive(1)
    bench.run(3 * MS)
    assert bench.ask(b"\x07\x34\x02", 2) == b"\x12\x34"


@pytest.mark.parametrize("cell", [0x00, 0x15, 0x2C, 0x2F])
def test_cells_that_must_not_be_touched(cell: int) -> None:
    with pytest.raises(SimFault, match="EEPROM cell"):
        booted().send(0x06, cell, 0)


def test_programming_failure() -> None:
    bench = booted()
    bench.chip.eeprom_fails = True
    bench.send(0x06, 0x34, 0x12)
    assert bench.irq & (1 << 18 | GENERAL_ERROR) == 1 << 18 | GENERAL_ERROR
    assert bench.ask(b"\x07\x34\x01", 1) == b"\0"


def test_rf_configuration_can_be_listed_and_updated() -> None:
    bench = booted()
    size = bench.ask(b"\x13\x0d", 1)[0]
    content = bench.ask(b"\x14\x0d", 5 * size)
    listed = {content[at]: int.from_bytes(content[at + 1 : at + 5], "little") for at in range(0, 5 * size, 5)}
    bench.send(0x11, 0x0D, 0xFF)
    assert {address: bench.read(address) for address in listed} == listed
    bench.send(0x12, 0x0D, m.TX_WAIT_CONFIG, 5, 0, 0, 0)
    assert bench.read(m.TX_WAIT_CONFIG) == 0
    bench.send(0x11, 0x0D, 0xFF)
    assert bench.read(m.TX_WAIT_CONFIG) == 5


# Standby.


def test_standby_ends_with_any_spi_traffic_whose_content_is_lost() -> None:
    bench = booted()
    bench.write(m.PADCONFIG, 3)
    bench.write(m.TX_CONFIG, 3)
    bench.send(0x0B, 0x00, 0x00, 0x01, 0x00)
    bench.run(100 * MS)
    bench.clock(b"\x00\x05\x07\x00\x00\x00")
    assert bench.busy.level == 1
    bench.run(3 * MS)
    assert bench.irq == 1 << 2
    assert (bench.read(m.PADCONFIG), bench.read(m.TX_CONFIG)) == (3, 0)


def test_standby_ends_by_its_counter() -> None:
    bench = booted()
    bench.send(0x0B, 0x00, 0x01, 0x0A, 0x00)
    bench.run(10 * MS)
    assert bench.busy.level == 1
    bench.run(3 * MS)
    assert bench.read(m.SYSTEM_STATUS) == m.BOOT_WAKE_COUNTER


# Field.


def test_field_on_and_off_with_their_interrupts() -> None:
    bench = booted()
    bench.clock(b"\x16\x00")
    bench.run(499_999)
    assert not bench.antenna.field_on
    bench.run(1)
    assert bench.antenna.field_on
    assert bench.irq & 0x300 == 0x200
    assert bench.read(m.RF_STATUS) >> 17 & 1
    bench.write(m.AGC_CONFIG, 0)
    bench.send(0x17, 0)
    assert not bench.antenna.field_on
    assert bench.irq & 0x300 == 0x300
    assert bench.read(m.AGC_CONFIG) == 0xA003


def test_external_field_keeps_the_own_field_off() -> None:
    bench = booted()
    bench.chip.set_external_field(True)
    bench.send(0x16, 0x00)
    assert not bench.antenna.field_on
    assert bench.irq & (1 << 10 | 1 << 9 | 1 << 7) == 1 << 10 | 1 << 7
    assert bench.read(m.RF_STATUS) >> 13 & 7 == 1
    bench.send(0x16, 0x01)
    assert bench.antenna.field_on


def test_reset_drops_the_field() -> None:
    bench = booted()
    bench.send(0x16, 0x00)
    bench.reset_n.drive(0)
    assert not bench.antenna.field_on
