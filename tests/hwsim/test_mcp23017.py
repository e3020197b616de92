"""The port expander's model: registers, pointers, pins, and the interrupt logic down to the bit that clears it."""

import pytest

from hwsim.chips.mcp23017 import Mcp23017
from hwsim.core import Line, Scheduler, SimFault
from hwsim.nets import SharedLine, Tap

BIT = 2_500
KEYS_B = 0x0F  # pins of port B used as keys in these tests


class Bench:
    """A chip on plain lines that idle high, with a bus that moves time as the fabric does."""

    def __init__(self, interrupt: Line | None = None, **options: object) -> None:
        self.time = Scheduler()
        self.lines = [Line(f"pin{i}", 1) for i in range(16)]
        self.int_a = interrupt or Line("INTA")
        self.int_b = Line("INTB")
        self.chip = Mcp23017(self.time, "U2", self.lines, self.int_a, interrupt_b=self.int_b, **options)  # type: ignore[arg-type]

    def write(self, *data: int) -> int:
        taken = self.chip.write(bytes(data))
        self.time.run_until(self.time.now + 9 * BIT * (1 + len(data)))
        self.chip.stop()
        return taken

    def read(self, register: int, count: int = 1) -> bytes:
        self.chip.write(bytes([register]))
        self.time.run_until(self.time.now + 18 * BIT)
        answer = self.chip.read(count)
        self.time.run_until(self.time.now + 9 * BIT * (1 + count))
        self.chip.stop()
        return answer


def with_interrupt_on_b(bench: Bench, iocon: int = 0x44) -> None:
    bench.write(0x0A, iocon)
    bench.write(0x05, KEYS_B)


def test_reset_values() -> None:
    assert Bench().read(0x00, 22) == bytes([0xFF, 0xFF] + [0] * 16 + [0xFF, 0xFF, 0, 0])


@pytest.mark.parametrize("register", [0x16, 0x17, 0x1A, 0xFF])
def test_unknown_register_fails_loudly(register: int) -> None:
    bench = Bench()
    with pytest.raises(SimFault, match=rf"U2: no register {register:02X} in BANK 0, at \d+ ns"):
        bench.write(register, 0)


def test_unknown_register_in_bank_1() -> None:
    bench = Bench()
    bench.write(0x0A, 0x80)
    assert bench.read(0x10) == b"\xff"  # IODIRB
    for register in (0x0B, 0x0F, 0x1B, 0x20):
        with pytest.raises(SimFault, match="BANK 1"):
            bench.write(register)


def test_pointer_runs_over_all_registers_and_wraps() -> None:
    bench = Bench()
    bench.write(0x14, 0x12, 0x34, 0x0F, 0xF0)  # OLATA, OLATB, then IODIRA, IODIRB
    assert bench.read(0x14, 4) == bytes([0x12, 0x34, 0x0F, 0xF0])


def test_pointer_stays_for_a_read_without_a_write() -> None:
    bench = Bench()
    bench.write(0x0C, 0x5A)
    bench.write(0x0C)
    assert bench.chip.read(1) == b"\x5a"
    assert bench.chip.read(1) == b"\x00"  # GPPUB


def test_byte_mode_toggles_between_the_pair() -> None:
    bench = Bench()
    bench.write(0x0B, 0x20)  # SEQOP through the second address of IOCON
    bench.write(0x14, 0x01, 0x02, 0x03)
    assert bench.read(0x14, 4) == bytes([0x03, 0x02, 0x03, 0x02])
    bench.write(0x0A, 0xA0)
    bench.write(0x0A, 0x11, 0x22)  # BANK 1: the pointer stands still
    assert bench.chip.register(0, 10) == 0x22


def test_bank_1_separates_the_ports() -> None:
    bench = Bench()
    bench.write(0x0A, 0x80)
    bench.write(0x00, 0xF0)
    bench.write(0x10, 0x0F)
    assert bench.read(0x05) == b"\x80"
    assert bench.read(0x15) == b"\x80"
    bench.write(0x15, 0x00)  # and back through the second copy of IOCON
    assert bench.read(0x00, 2) == bytes([0xF0, 0x0F])


def test_running_past_a_port_in_bank_1_is_refused() -> None:
    bench = Bench()
    bench.write(0x0A, 0x80)
    with pytest.raises(SimFault, match="no register 0B in BANK 1"):
        bench.write(0x0A, 0x00, 0x00)


def test_data_behind_a_change_of_bank_is_refused() -> None:
    with pytest.raises(SimFault, match="pointer undefined"):
        Bench().write(0x0A, 0x80, 0x80)


def test_iocon_is_one_register_without_bit_0() -> None:
    bench = Bench()
    bench.write(0x0B, 0x7F)
    assert bench.read(0x0A) == b"\x7e"
    assert bench.read(0x0B) == b"\x7e"


def test_writing_gpio_writes_the_latch_and_drives_outputs_only() -> None:
    bench = Bench()
    bench.write(0x00, 0xF0)
    bench.write(0x12, 0x55)
    assert bench.read(0x14) == b"\x55"
    assert [line.level for line in bench.lines[:8]] == [1, 0, 1, 0, 1, 1, 1, 1]
    assert bench.read(0x12) == b"\xf5"


def test_outputs_change_at_the_acknowledge_of_their_byte() -> None:
    bench = Bench()
    bench.write(0x00, 0x00, 0x00)
    edges: list[tuple[str, int]] = []
    for line in (bench.lines[0], bench.lines[8]):
        line.listen(lambda line, _level: edges.append((line.name, bench.time.now)))
    start = bench.time.now
    bench.write(0x12, 0x01, 0x01)
    assert edges == [("pin0", start + 27 * BIT), ("pin8", start + 36 * BIT)]


def test_polarity_inverts_what_is_read_not_the_pin() -> None:
    bench = Bench()
    bench.write(0x02, 0x0F)
    bench.lines[0].drive(0)
    assert bench.read(0x12) == b"\xf1"
    assert bench.lines[1].level == 1


def test_capture_holds_the_inverted_level_too() -> None:
    bench = Bench()
    bench.write(0x03, 0x01)
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    assert bench.read(0x11) == b"\xff"


def test_first_event_is_captured_once_until_it_is_read() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[9].drive(0)
    bench.time.run_until(bench.time.now + 1_000_000)
    bench.lines[9].drive(1)
    bench.lines[10].drive(0)
    assert bench.int_a.level == 0
    intf, _, intcap, _, gpio = bench.read(0x0F, 5)
    assert (intf, intcap, gpio) == (0x02, 0xFD, 0xFB)  # the short press is in INTCAP only
    assert bench.int_a.level == 1
    assert bench.read(0x0F) == b"\x00"


def test_clear_comes_at_the_last_bit_of_the_byte() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    bench.chip.write(b"\x11")
    bench.time.run_until(bench.time.now + 18 * BIT)
    start = bench.time.now
    assert bench.chip.read(1) == b"\xfe"
    bench.time.run_until(start + 17 * BIT - 1)
    assert bench.int_a.level == 0
    bench.time.run_until(start + 17 * BIT)
    assert bench.int_a.level == 1


def test_clear_in_a_read_behind_a_repeated_start() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    start = bench.time.now
    bench.chip.write(b"\x11")  # both parts of the transaction at the instant of its START
    bench.chip.read(1)
    bench.chip.stop()
    bench.time.run_until(start + (19 + 17) * BIT - 1)
    assert bench.int_a.level == 0
    bench.time.run_until(start + (19 + 17) * BIT)
    assert bench.int_a.level == 1


def test_reading_intcap_alone_loses_what_happened_meanwhile() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    bench.time.run_until(bench.time.now + 1000)
    bench.lines[9].drive(0)
    assert bench.read(0x11) == b"\xfe"
    bench.time.run_until(bench.time.now + 10_000_000)
    assert bench.int_a.level == 1  # nothing tells of pin 9
    assert bench.read(0x13) == b"\xfc"


def test_edge_during_a_gpio_read_raises_a_new_interrupt() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    start = bench.time.now
    bench.time.at(start + 30 * BIT, lambda: bench.lines[9].drive(0))
    assert bench.read(0x13) == b"\xfe"
    assert bench.int_a.level == 0
    assert bench.read(0x0F, 5)[::4] == bytes([0x02, 0xFC])


def test_new_level_becomes_the_reference() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    for level in (0, 1, 0):
        bench.lines[8].drive(level)
        assert bench.int_a.level == 0
        assert bench.read(0x11) == bytes([0xFE | level])
        assert bench.int_a.level == 1


def test_enabling_takes_the_present_level_as_reference() -> None:
    bench = Bench()
    bench.lines[8].drive(0)
    with_interrupt_on_b(bench)
    assert bench.int_a.level == 1


def test_defval_interrupt_lasts_as_long_as_the_level_differs() -> None:
    bench = Bench()
    bench.write(0x07, KEYS_B)
    bench.write(0x09, KEYS_B)
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    edges: list[int] = []
    bench.int_a.listen(lambda _line, level: edges.append(level))
    for _ in range(3):
        assert bench.read(0x13) == b"\xfe"
    assert (bench.int_a.level, edges) == (0, [])
    bench.lines[8].drive(1)
    assert bench.int_a.level == 0  # latched until it is read
    bench.read(0x13)
    assert (bench.int_a.level, edges) == (1, [1])


def test_defval_differing_when_enabled_interrupts_at_once() -> None:
    bench = Bench()
    bench.write(0x09, 0x01)
    with_interrupt_on_b(bench)
    assert bench.int_a.level == 0
    assert bench.read(0x0F) == b"\x01"


def test_disabled_pins_and_outputs_do_not_interrupt() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[12].drive(0)
    bench.write(0x01, 0xFE)  # pin 8 becomes an output
    bench.write(0x13, 0x01)
    bench.write(0x13, 0x00)
    assert bench.int_a.level == 1


def test_two_edges_of_one_instant_are_one_event() -> None:
    bench = Bench()
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    bench.lines[9].drive(0)
    assert bench.read(0x0F, 3)[::2] == bytes([0x03, 0xFC])


def test_without_mirror_each_port_has_its_own_line() -> None:
    bench = Bench()
    with_interrupt_on_b(bench, iocon=0x00)
    bench.lines[8].drive(0)
    assert (bench.int_a.level, bench.int_b.level) == (1, 0)
    bench.write(0x0A, 0x40)
    assert (bench.int_a.level, bench.int_b.level) == (0, 0)


def test_polarity_of_the_interrupt_and_open_drain_overriding_it() -> None:
    bench = Bench()
    with_interrupt_on_b(bench, iocon=0x42)
    assert bench.int_a.level == 0
    bench.lines[8].drive(0)
    assert bench.int_a.level == 1
    bench.write(0x0A, 0x46)
    assert bench.int_a.level == 0


def test_read_only_registers_forget_what_is_written() -> None:
    bench = Bench()
    bench.write(0x0E, 0xFF, 0xFF, 0xFF, 0xFF)
    assert bench.read(0x0E, 4) == bytes(4)


def test_reset_pin() -> None:
    reset = Line("RESET", 1)
    bench = Bench(reset_n=reset)
    bench.write(0x00, 0x00)
    assert bench.lines[0].level == 0
    reset.drive(0)
    assert bench.lines[0].level == 1  # back to what the net's resistor says
    assert bench.write(0x00, 0x00) == 0
    assert (bench.chip.read(1), bench.chip.acknowledges) == (b"", False)
    reset.drive(1)
    assert bench.read(0x00) == b"\xff"


def test_reset_ends_a_write_under_way() -> None:
    reset = Line("RESET", 1)
    bench = Bench(reset_n=reset)
    bench.chip.write(b"\x00\x00")
    reset.drive(0)
    reset.drive(1)
    bench.time.run_until(1_000_000)
    assert bench.lines[0].level == 1


def test_reset_ends_a_read_under_way() -> None:
    reset = Line("RESET", 1)
    bench = Bench(reset_n=reset)
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    bench.chip.write(b"\x11")
    bench.chip.read(1)
    reset.drive(0)
    reset.drive(1)
    bench.chip.write(b"\x05\x01")
    bench.lines[8].drive(1)
    assert bench.int_b.level == 0
    bench.time.run_until(bench.time.now + 1_000_000)
    assert bench.int_b.level == 0  # the old read clears nothing of the new life


def test_dead_chip_does_not_acknowledge() -> None:
    bench = Bench()
    bench.chip.dead = True
    assert bench.write(0x00, 0x00) == 0
    assert bench.chip.read(2) == b""


def test_dead_chip_drives_nothing_and_interrupts_nobody_and_is_new_afterwards() -> None:
    bench = Bench()
    bench.write(0x14, 0x00)
    bench.write(0x00, 0x7F)  # GPA7 drives low
    with_interrupt_on_b(bench)
    bench.lines[8].drive(0)
    assert bench.lines[7].level == 0 and bench.int_b.level == 0
    bench.chip.dead = True
    assert bench.lines[7].level == 1 and bench.int_b.level == 1
    bench.lines[9].drive(0)
    assert bench.int_b.level == 1
    bench.chip.dead = False
    assert bench.read(0x00, 6) == bytes([0xFF, 0xFF, 0, 0, 0, 0])


def test_bit_7_as_an_input_on_newer_revisions() -> None:
    bench = Bench(bit7_input_fault=True)
    with pytest.raises(SimFault, match="U2: GPB7 moved as an input"):
        bench.lines[15].drive(0)


# Shared nets


def test_two_chips_on_one_interrupt_line() -> None:
    time = Scheduler()
    net = SharedLine(time, "INT")
    chips = []
    keys = []
    for name in ("U2", "U3"):
        lines = [Line(f"{name}.{i}", 1) for i in range(16)]
        chip = Mcp23017(time, name, lines, net.tap(name))
        chip.write(b"\x0a\x44")
        chip.write(b"\x04\xff")
        chips.append(chip)
        keys.append(lines[0])
    for key in keys:
        key.drive(0)
    assert net.level == 0
    for chip, after in zip(chips, (0, 1), strict=True):
        chip.write(b"\x12")
        chip.read(1)
        time.run_until(time.now + 1_000_000)
        assert net.level == after


def test_push_pull_interrupts_on_one_line_are_a_short_circuit() -> None:
    time = Scheduler()
    net = SharedLine(time, "INT")
    lines = [Line(f"{i}", 1) for i in range(16)]
    chip = Mcp23017(time, "U2", lines, net.tap("U2"))
    Mcp23017(time, "U3", [Line(f"{i}", 1) for i in range(16)], net.tap("U3"))
    chip.write(b"\x04\xff")
    with pytest.raises(SimFault, match="INT: short circuit, U3 holds it high and U2 low"):
        lines[0].drive(0)


def key_net() -> tuple[Scheduler, SharedLine, Tap, Mcp23017]:
    time = Scheduler()
    net = SharedLine(time, "KEY", pull=None)
    key = net.tap("finger")
    chip = Mcp23017(time, "U2", [net, *(Line(f"{i}", 1) for i in range(15))])
    return time, net, key, chip


def test_pull_up_lifts_a_released_key() -> None:
    time, net, key, chip = key_net()
    chip.write(b"\x0c\x01")
    time.run_until(1_000_000)
    assert net.level == 1
    key.drive(0)
    assert net.level == 0
    key.drive(1)
    assert net.level == 1


def test_without_pull_up_a_key_seems_stuck() -> None:
    _time, net, key, _chip = key_net()
    key.drive(0)
    key.drive(1)
    assert net.level == 0


def test_output_against_a_pressed_key_is_a_short_circuit() -> None:
    time, _net, key, chip = key_net()
    key.drive(0)
    chip.write(b"\x14\x01")
    chip.write(b"\x00\xfe")
    with pytest.raises(SimFault, match=r"short circuit, U2 GPA0 holds it high and finger low"):
        time.run_until(1_000_000)


def test_output_becoming_an_input_lets_go_of_the_net() -> None:
    time = Scheduler()
    net = SharedLine(time, "RESET_N", pull=0)
    chip = Mcp23017(time, "U2", [net, *(Line(f"{i}", 1) for i in range(15))])
    chip.write(b"\x14\x01")
    chip.write(b"\x00\xfe")
    time.run_until(1_000_000)
    assert net.level == 1
    chip.power_cycle()
    assert net.level == 0


def test_shared_net_is_driven_through_taps_only() -> None:
    with pytest.raises(SimFault, match="without a tap"):
        SharedLine(Scheduler(), "INT").drive(0)
