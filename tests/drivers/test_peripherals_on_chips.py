"""Port expander, antenna switch, FRAM and LED chain drivers against the chip models."""

from __future__ import annotations

from typing import Any

import antenna_switch
import mb85rs
import mcp23017
import pytest
import ws2812
from mcp23017.line import check_line

from hwsim.chips.mb85rs import Mb85rs
from hwsim.chips.mcp23017 import GPINTEN, GPPU, INTF, IOCON, IODIR, OLAT, Mcp23017
from hwsim.chips.ws2812 import Ws2812Chain
from hwsim.core import Line
from hwsim.nets import SharedLine
from tests.drivers.adapter import Board, I2c, Input, Output

ADDRESS = 0x20
INPUTS = 0x00F0  # GPA4..7 are keys
NS_MS = 1_000_000


class Expander:
    """An MCP23017 with keys on GPA4..7 and a shared interrupt line."""

    def __init__(self) -> None:
        self.board = Board()
        scheduler = self.board.scheduler
        self.nets = [SharedLine(scheduler, f"GP{n}", None) for n in range(16)]
        self.keys = {n: self.nets[n].tap("key") for n in range(4, 8)}
        self.interrupt = SharedLine(scheduler, "INT", 1)
        self.chip = Mcp23017(scheduler, "U1", self.nets, self.interrupt.tap("U1"))
        self.i2c = I2c(self.board, {ADDRESS: self.chip})
        self.driver = mcp23017.MCP23017(self.i2c, ADDRESS)

    def start(self, outputs: int = 0x0100) -> None:
        self.driver.start(INPUTS, INPUTS, INPUTS, outputs)

    def levels(self) -> int:
        return sum(net.level << n for n, net in enumerate(self.nets))


@pytest.mark.parametrize("left_over", [b"", b"\x0a\x80", b"\x0a\xa0", b"\x0a\x22", b"\x04\xff\xff"])
def test_expander_starts_from_any_state_of_its_registers(left_over: bytes) -> None:
    expander = Expander()
    if left_over:
        expander.chip.write(left_over)
        expander.chip.stop()
    expander.start()
    assert expander.levels() == 0x01F0
    expander.driver.write_port(0x0207, 0x0205)
    assert expander.levels() == 0x03F5


def test_outputs_stand_before_they_are_driven_when_only_the_host_was_reset() -> None:
    expander = Expander()
    expander.start(0x8001)
    seen = []
    for net in expander.nets:
        net.listen(lambda line, level: seen.append((line.name, level)))
    again = mcp23017.MCP23017(expander.i2c, ADDRESS)
    again.start(INPUTS, INPUTS, INPUTS, 0x8001)
    assert seen == []


def test_a_fresh_chips_output_that_starts_high_is_never_low() -> None:
    """It is an input with its outside pull-up until then: a reader's reset, or a gate, would feel it."""
    expander = Expander()
    hand = expander.nets[8].tap("pull-up")
    hand.configure(1, push_pull=False, pull_up=True)
    seen: list[int] = []
    expander.nets[8].listen(lambda _line, level: seen.append(level))
    expander.start(0x0100)
    assert expander.nets[8].level == 1 and 0 not in seen


def test_the_interrupt_line_is_open_drain_and_tells_of_both_ports() -> None:
    expander = Expander()
    expander.start()
    assert [expander.chip.register(port, IOCON) for port in (0, 1)] == [0x44, 0x44]


@pytest.mark.parametrize("register", [IODIR, GPINTEN, GPPU, OLAT])
def test_a_register_that_has_lost_its_value_is_given_it_again(register: int) -> None:
    expander = Expander()
    expander.start()
    assert expander.driver.check()
    before = expander.chip.register(0, register)
    expander.chip.write(bytes((2 * register, before ^ 0x08)))
    expander.chip.stop()
    assert not expander.driver.check()
    assert expander.chip.register(0, register) == before and expander.driver.check()


def test_a_chip_that_keeps_nothing_is_told() -> None:
    expander = Expander()
    chip = expander.i2c.devices[ADDRESS]

    class Forgetful:
        """Acknowledges, and reads as after power-up."""

        def write(self, data: bytes) -> int:
            return chip.write(data[:1]) + len(data) - 1

        def read(self, count: int) -> bytes:
            return chip.read(count)

        def stop(self) -> None:
            chip.stop()

    expander.i2c.devices[ADDRESS] = Forgetful()
    with pytest.raises(mcp23017.ExpanderFault) as caught:
        expander.start()
    assert caught.value.code == "config"


def test_expander_pins_cost_one_transaction_each_and_leave_the_others_alone() -> None:
    expander = Expander()
    expander.start()
    pin = expander.driver.pin(3)
    before = expander.i2c.transactions
    pin.value(1)
    assert expander.i2c.transactions == before + 1
    assert expander.levels() == 0x01F8
    assert expander.driver.pin(4).value() == 1
    expander.keys[4].drive(0)
    assert expander.driver.pin(4).value() == 0
    with pytest.raises(ValueError, match="range"):
        expander.driver.pin(16)


def test_a_press_shorter_than_the_reading_interval_is_in_the_changes() -> None:
    expander = Expander()
    expander.start()
    changes = bytearray(6)
    expander.driver.read_changes(changes)
    scheduler = expander.board.scheduler
    assert expander.interrupt.level == 1
    scheduler.run_until(scheduler.now + NS_MS)
    expander.keys[5].drive(0)
    assert expander.interrupt.level == 0
    scheduler.run_until(scheduler.now + NS_MS)
    expander.keys[5].drive(1)
    scheduler.run_until(scheduler.now + NS_MS)
    before = expander.i2c.transactions
    expander.driver.read_changes(changes)
    assert expander.i2c.transactions == before + 1
    assert (changes[0], changes[2] & 0xF0, changes[4] & 0xF0) == (0x20, 0xD0, 0xF0)
    assert expander.interrupt.level == 1


def test_an_expander_that_does_not_answer_is_absent() -> None:
    expander = Expander()
    expander.start()
    expander.i2c.devices.clear()
    with pytest.raises(mcp23017.ExpanderFault) as caught:
        expander.driver.write_port(1, 1)
    assert caught.value.code == "absent"
    # What the driver believes of the outputs is what the chip was last told.
    assert expander.driver.outputs == 0x0100


def test_one_disturbed_transaction_is_made_good() -> None:
    # A spike on the bus would else end the task that asked, and with it the game.
    expander = Expander()
    expander.start()
    changes = bytearray(6)
    chip = expander.i2c.devices[ADDRESS]

    class Disturbed:
        """The chip, whose first transaction from now on is not acknowledged."""

        def __init__(self) -> None:
            self.left = 1

        def write(self, data: bytes) -> int:
            if self.left:
                self.left -= 1
                return 0
            return chip.write(data)

        def read(self, count: int) -> bytes:
            return chip.read(count)

        def stop(self) -> None:
            chip.stop()

    expander.i2c.devices[ADDRESS] = Disturbed()
    expander.driver.write_port(0x0003, 0x0003)
    assert expander.levels() == 0x01F3
    expander.keys[5].drive(0)
    expander.i2c.devices[ADDRESS] = Disturbed()
    expander.driver.read_changes(changes)
    assert changes[4] & 0xF0 == 0xD0
    twice = Disturbed()
    twice.left = 2
    expander.i2c.devices[ADDRESS] = twice
    with pytest.raises(mcp23017.ExpanderFault):
        expander.driver.write_port(0x0003, 0)


def test_the_interrupt_line_is_pulled_and_let_go_of() -> None:
    expander = Expander()
    expander.start(0x0100)
    expander.driver.read_port()
    kept = (*range(INTF + 1), OLAT)
    before = [expander.chip.register(port, register) for register in kept for port in (0, 1)]
    for held in (False, True):
        expander.keys[5].drive(0 if held else 1)
        check_line(expander.driver, Input(expander.board, expander.interrupt))
        assert expander.interrupt.level == 1 and expander.levels() >> 5 & 1 == (not held)
    expander.keys[5].drive(1)
    expander.driver.read_port()
    assert [expander.chip.register(port, register) for register in kept for port in (0, 1)] == before
    expander.keys[5].drive(0)
    assert expander.interrupt.level == 0, "it still tells of keys"


@pytest.mark.parametrize(("wrong", "code"), [("low", "interrupt low"), ("lost", "interrupt lost")])
def test_an_interrupt_line_that_does_not_follow_is_told(wrong: str, code: str) -> None:
    expander = Expander()
    expander.start()
    if wrong == "low":
        expander.interrupt.tap("short").drive(0)
    line = expander.interrupt if wrong == "low" else Line("INT at the host", 1)
    with pytest.raises(mcp23017.ExpanderFault) as caught:
        check_line(expander.driver, Input(expander.board, line))
    assert caught.value.code == code
    assert expander.driver.check(), "the chip has its configuration"


def test_antennas_are_switched_in_one_transaction_by_an_expander() -> None:
    expander = Expander()
    expander.start()
    switch = antenna_switch.ExpanderAntennaSwitch(expander.driver, 9, 3)
    for n in (5, 0, 7):
        before = expander.i2c.transactions
        switch.select(n)
        assert expander.i2c.transactions == before + 1
        assert (expander.levels() >> 9) & 7 == n == switch.selected
        assert expander.levels() & 0x0100
    with pytest.raises(ValueError, match="range"):
        switch.select(8)
    expander.i2c.devices.clear()
    with pytest.raises(mcp23017.ExpanderFault):
        switch.select(1)
    assert switch.selected == -1


def test_lines_that_are_driven_no_more_are_told_once_after_each_choice() -> None:
    expander = Expander()
    expander.start()
    switch = antenna_switch.ExpanderAntennaSwitch(expander.driver, 9, 3)
    switch.select(5)
    switch.check()
    expander.chip.power_cycle()
    before = expander.i2c.transactions
    switch.check()
    assert expander.i2c.transactions == before, "this choice has been seen to hold"
    switch.select(5)
    with pytest.raises(mcp23017.ExpanderFault, match="config"):
        switch.check()
    assert (expander.levels() >> 9) & 7 == 5, "it is driven again"
    switch.select(5)
    switch.check()


def test_antennas_are_switched_by_pins() -> None:
    board = Board()
    lines = [Line(f"S{n}", 0) for n in range(3)]
    switch = antenna_switch.AntennaSwitch(tuple(Output(board, line) for line in lines))
    for n in range(8):
        switch.select(n)
        assert sum(line.level << i for i, line in enumerate(lines)) == n == switch.selected
    with pytest.raises(ValueError, match="range"):
        switch.select(-1)


class Memory:
    """An FRAM on its bus."""

    def __init__(self, part: str = "MB85RS4MT", expected: str | None = None, **options: Any) -> None:
        self.board = Board()
        self.chip = Mb85rs(self.board.scheduler, part, **options)
        self.spi = self.board.spi(20_000_000)
        self.driver = mb85rs.MB85RS(self.spi, self.spi.select(self.chip), expected)
        self.fault = mb85rs.MemoryFault


PARTS = [(name, size) for _, size, name in mb85rs.parts()]


@pytest.mark.parametrize(("part", "size"), PARTS)
def test_every_part_is_known_by_its_identity_and_keeps_what_is_written(part: str, size: int) -> None:
    memory = Memory(part, part)
    memory.driver.start()
    assert memory.driver.size == size
    data = bytes(range(1, 101))
    for address in (0, size // 2 - 50, size - 100):
        memory.driver.write(address, data)
        assert memory.chip.image[address : address + 100] == data
        back = bytearray(100)
        memory.driver.read_into(address, back)
        assert back == data
        assert memory.driver.verify(address, data)
        memory.chip.image[address + 99] ^= 1
        assert not memory.driver.verify(address, data)
    for address, length in ((size - 99, 100), (-1, 1), (size, 1)):
        with pytest.raises(memory.fault) as caught:
            memory.driver.write(address, bytes(length))
        assert caught.value.code == "range"


def test_another_part_in_the_place_of_the_first_is_taken_where_any_is() -> None:
    memory = Memory("MB85RS64V")
    memory.driver.start()
    larger = Mb85rs(memory.board.scheduler, "MB85RS1MT")
    memory.driver._cs = memory.spi.select(larger)
    memory.driver.start()
    assert (memory.driver.part, memory.driver.size) == ("MB85RS1MT", 128 << 10)


def test_each_write_is_one_transaction_that_has_its_own_enable() -> None:
    memory = Memory()
    memory.driver.start()
    memory.chip.journal = []
    memory.driver.write(0x7FF00, b"first")
    memory.driver.write(0x00010, b"second")
    assert [(address, bytes(data)) for _, address, data in memory.chip.journal] == [
        (0x7FF00, b"first"),
        (0x00010, b"second"),
    ]
    assert not memory.chip.write_enabled


def test_a_cut_in_a_write_leaves_the_bytes_before_it_and_verify_says_so() -> None:
    memory = Memory()
    memory.driver.start()
    memory.driver.write(100, bytes(16))
    memory.chip.cut_after(5)
    memory.driver.write(100, b"\x55" * 16)
    memory.chip.power_on()
    memory.driver.start()
    assert memory.chip.image[100:105] == b"\x55" * 5
    assert memory.chip.image[106:116] == bytes(10)
    assert not memory.driver.verify(100, b"\x55" * 16)


def test_a_part_that_sleeps_is_woken() -> None:
    memory = Memory()
    sleep = memory.spi.select(memory.chip)
    sleep.value(0)
    memory.spi.write(b"\xb9")
    sleep.value(1)
    assert memory.chip.asleep
    memory.driver.start()
    memory.driver.write(0, b"awake")
    assert memory.driver.verify(0, b"awake")


def test_block_protection_is_lifted_and_a_locked_status_register_is_a_fault() -> None:
    memory = Memory()
    select = memory.spi.select(memory.chip)
    for frame in (b"\x06", b"\x01\x0c"):
        select.value(0)
        memory.spi.write(frame)
        select.value(1)
    memory.driver.start()
    memory.driver.write(0, b"free")
    assert memory.driver.verify(0, b"free")

    locked = Memory(write_protect_n=Line("WP", 0))
    select = locked.spi.select(locked.chip)
    for frame in (b"\x06", b"\x01\x8c"):
        select.value(0)
        locked.spi.write(frame)
        select.value(1)
    with pytest.raises(locked.fault) as caught:
        locked.driver.start()
    assert caught.value.code == "protected"
    with pytest.raises(locked.fault):
        locked.driver.write(0, b"x")


@pytest.mark.parametrize(("fill", "code"), [(0xFF, "absent"), (0x00, "stuck"), (0x7F, "part")])
def test_no_memory_is_told_from_a_wrong_one(fill: int, code: str) -> None:
    class Dead:
        def select(self) -> None: ...
        def deselect(self) -> None: ...
        def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
            return bytes([fill]) * len(mosi)

    board = Board()
    spi = board.spi(20_000_000)
    with pytest.raises(mb85rs.MemoryFault) as caught:
        mb85rs.MB85RS(spi, spi.select(Dead())).start()
    assert caught.value.code == code


def test_a_part_of_another_maker_is_none_of_ours() -> None:
    class Stranger:
        """Answers RDID with another manufacturer and a product number that is known."""

        def __init__(self) -> None:
            self.asked = b""

        def select(self) -> None:
            self.asked = b""

        def deselect(self) -> None: ...

        def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
            answer = b"\x05\x7f\x03\x02" if self.asked == b"\x9f" else bytes(4)
            self.asked = self.asked or mosi
            return answer[: len(mosi)]

    board = Board()
    spi = board.spi(20_000_000)
    with pytest.raises(mb85rs.MemoryFault) as caught:
        mb85rs.MB85RS(spi, spi.select(Stranger())).start()
    assert caught.value.code == "part"
    assert 0x0302 in [product for product, _, _ in mb85rs.parts()]


def test_another_part_than_the_expected_one_is_refused() -> None:
    memory = Memory("MB85RS64V", "MB85RS4MT")
    with pytest.raises(memory.fault) as caught:
        memory.driver.start()
    assert caught.value.code == "part"


class StateMachine:
    """What rp2 does with put(): 32 bits, the FIFO feeding the chain 24 bits from the top; 4 words deep."""

    def __init__(self, board: Board, chain: Ws2812Chain) -> None:
        self.board = board
        self.chain = chain
        self.words: list[int] = []
        self.values: list[int] = []

    def put(self, value: int, shift: int = 0) -> None:
        self.board.charge()
        self.values.append(value)
        self.words.append((value << shift & 0xFFFFFFFF) >> 8)
        if len(self.words) == self.chain_length:
            self.chain.feed(self.words)
            self.words = []

    chain_length = 0


def test_lamps_show_what_was_set_and_nothing_is_sent_twice() -> None:
    board = Board()
    chain = Ws2812Chain(board.scheduler, 5)
    machine = StateMachine(board, chain)
    machine.chain_length = 5
    lamps = ws2812.WS2812(machine, 5)
    lamps.set(0, 255, 255, 255)
    lamps.set(1, 255, 0, 0)
    lamps.set(4, 1, 2, 3)
    assert lamps.show()
    assert not lamps.show()
    assert max(machine.values) < 1 << 24
    # At once again: the driver owes the chain its latch.
    lamps.set(1, 0, 255, 0)
    assert lamps.show()
    board.scheduler.run_until(board.scheduler.now + NS_MS)
    assert [tuple(pixel) for pixel in chain.pixels] == [(255, 255, 255), (0, 255, 0), (0, 0, 0), (0, 0, 0), (1, 2, 3)]
    lamps.set(1, 0, 255, 0)
    assert not lamps.show()
    for wrong in (-1, 5):
        with pytest.raises(IndexError):
            lamps.set(wrong, 0, 0, 0)
