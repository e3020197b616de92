"""Pins, buses and state machines of the simulated board: what they do, and what wrong use raises."""

from pathlib import Path

import pytest

from hwsim import costs
from hwsim.core import Line, Scheduler, SimFault
from hwsim.uart import UartPort
from tests.hwsim.overlay_rig import START_NS, Chip, Rig, play

RAISES = """
    from machine import I2C, PWM, SPI, UART, Pin, Timer
    import rp2
    def attempt(action):
        try:
            print("no error", action())
        except Exception as error:
            print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("SPI(2)", "ValueError SPI(2) doesn't exist"),
        ("SPI(0, sck=Pin(3))", "ValueError bad SCK pin"),
        ("SPI(0, mosi=Pin(4))", "ValueError bad MOSI pin"),
        ("SPI(1, miso=Pin(4))", "ValueError bad MISO pin"),
        ("SPI(0, firstbit=SPI.LSB)", "NotImplementedError LSB"),
        ("SPI(0).write_readinto(bytes(2), bytearray(3))", "ValueError buffers must be the same length"),
        ("I2C(0, sda=Pin(2), scl=Pin(3))", "ValueError bad SCL pin"),
        ("I2C(1, sda=Pin(4), scl=Pin(3))", "ValueError bad SDA pin"),
        ("I2C(3)", "ValueError I2C(3) doesn't exist"),
        ("I2C(0).writeto(0x55, b'x')", "OSError [Errno 5] EIO"),
        ("I2C(0).readfrom(0x55, 1)", "OSError [Errno 5] EIO"),
        ("UART(0, tx=Pin(1))", "ValueError bad TX pin"),
        ("Pin(30)", "ValueError invalid pin"),
        ("Pin('GP99')", "ValueError invalid pin"),
        ("Pin(1, 9)", "ValueError invalid pin mode: 9"),
        ("Pin(1, Pin.IN, 7)", "ValueError invalid pull: 7"),
        ("Pin(1).irq(7)", "ValueError handler must be None or callable"),
        ("PWM(Pin(1)).freq(1)", "ValueError freq out of range"),
        ("Timer(-1, freq=0)", "ValueError invalid freq"),
        ("rp2.StateMachine(12)", "ValueError invalid StateMachine"),
        ("Pin('GP5') is Pin(5)", "no error True"),
    ],
)
def test_wrong_use(tmp_path: Path, use: str, error: str) -> None:
    with Rig(tmp_path, RAISES + f"    attempt(lambda: {use})") as rig:
        rig.fabric.pwm(1, lambda frequency, duty: None)
        assert rig.finish() == [error]


def test_spi_directions(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI
        spi = SPI(0, 10_000_000)
        nss = Pin(5, Pin.OUT, value=1)
        print(spi.read(2))
        nss(0)
        into = bytearray(3)
        spi.write_readinto(b"\\x01\\x02\\x03", into)
        print(into)
        print(spi.read(2, 0x0f))
        spi.write(memoryview(b"abcdef")[1:4])
        spi.write(bytes(5000))
        big = bytearray(5000)
        spi.readinto(big, 0xaa)
        nss(1)
        print(big == bytes([0x55]) * 5000)
        """
    with Rig(tmp_path, program) as rig:
        assert rig.finish() == [r"b'\xff\xff'", r"bytearray(b'\xfe\xfd\xfc')", r"b'\xf0\xf0'", "True"]
        assert rig.chip.frames == [b"\x01\x02\x03", b"\x0f\x0f", b"bcd", bytes(5000), b"\xaa" * 5000]


def test_two_chips_selected_is_a_fault(tmp_path: Path) -> None:
    program = """
        from machine import Pin, SPI
        Pin(5, Pin.OUT, value=0)
        Pin(17, Pin.OUT, value=0)
        SPI(0, 1_000_000).read(1)
        """
    with Rig(tmp_path, program) as rig:
        other = Line("CS2", 1)
        rig.fabric.pin(17, other, "out")
        rig.fabric.spi(0, other, Chip(rig.scheduler))
        with pytest.raises(SimFault, match="2 chips selected"):
            rig.finish()


def test_driving_a_net_that_the_board_drives_is_a_fault(tmp_path: Path) -> None:
    with (
        Rig(tmp_path, "from machine import Pin; Pin(10, Pin.OUT, value=0); time.sleep(1)") as rig,
        pytest.raises(SimFault, match=r"GPIO 10 \(KEY\)"),
    ):
        rig.finish()


def test_pins(tmp_path: Path) -> None:
    program = """
        from machine import Pin
        print(Pin(20, Pin.IN, Pin.PULL_UP).value(), Pin(21, Pin.IN, Pin.PULL_DOWN).value(), Pin(10).value())
        lamp = Pin(11, Pin.IN)
        lamp.value(1)
        print(lamp.value())
        lamp.init(Pin.OUT)
        print(lamp.value())
        lamp.toggle()
        print(lamp(), lamp)
        lamp.init(Pin.IN)
        data = Pin(12, Pin.OPEN_DRAIN, value=1)
        print(data())
        data(0)
        print(data())
        """
    with Rig(tmp_path, program) as rig:
        rig.fabric.pin(12, Line("SDA", 1), "both")
        assert rig.finish() == ["1 0 1", "0", "1", "0 Pin(GPIO11, mode=OUT)", "1", "0"]
    # The latch written while it was an input shows when the pin begins to drive.
    assert [level for _, level in rig.lamp_log] == [1, 0]


class Memory:
    """256 bytes behind a register pointer; refuses a write that reaches address 0xF0."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.cells = bytearray(256)
        self.pointer = 0
        self.log: list[tuple[int, str]] = []

    def write(self, data: bytes) -> int:
        self.log.append((self.scheduler.now, f"write {data.hex()}"))
        self.pointer = data[0]
        for index, byte in enumerate(data[1:]):
            if self.pointer == 0xF0:
                return index + 1
            self.cells[self.pointer] = byte
            self.pointer += 1
        return len(data)

    def read(self, count: int) -> bytes:
        self.log.append((self.scheduler.now, f"read {count}"))
        return bytes(self.cells[self.pointer : self.pointer + count])

    def stop(self) -> None:
        self.log.append((self.scheduler.now, "stop"))


def test_i2c(tmp_path: Path) -> None:
    program = """
        from machine import I2C
        i2c = I2C(1, scl=15, sda=14, freq=400_000)
        print(i2c.scan())
        i2c.writeto_mem(0x50, 0x10, b"hello")
        into = bytearray(5)
        i2c.readfrom_mem_into(0x50, 0x10, into)
        print(into, i2c.readfrom_mem(0x50, 0x11, 2), i2c.writeto(0x50, b"\\x12\\x00"))
        i2c.writevto(0x50, [b"\\x20", b"ab", b"c"])
        i2c.writeto(0x50, b"\\x20", False)
        print(i2c.readfrom(0x50, 3))
        i2c.writeto_mem(0x50, 0x40, bytes(100))
        try:
            i2c.writeto_mem(0x50, 0xEF, b"xy")
        except OSError as error:
            print(error)
        start = time.ticks_us()
        i2c.readfrom_mem_into(0x50, 0x10, into)
        print(time.ticks_diff(time.ticks_us(), start))
        """
    with Rig(tmp_path, program) as rig:
        memory = Memory(rig.scheduler)
        rig.fabric.i2c(1, 0x50, memory)
        lines = rig.finish()
    # Address and register, then address and five bytes, at 2.5 us a clock; two calls.
    wire_us = (2 * 9 + 2 + 6 * 9 + 2) * 5 // 2
    assert lines == [
        "[80]",
        "bytearray(b'hello') b'el' 2",
        "b'abc'",
        "[Errno 5] EIO",
        str(wire_us + 2 * costs.CALL_NS // 1000),
    ]
    reads = [index for index, (_, what) in enumerate(memory.log) if what == "read 3"]
    assert memory.log[reads[0] - 1][1] == "write 20", "no STOP between the two when it was not asked for"


def test_stuck_i2c_bus_times_out(tmp_path: Path) -> None:
    program = """
        from machine import I2C
        i2c = I2C(0, timeout=3_000)
        start = time.ticks_us()
        try:
            i2c.writeto(0x50, b"x")
        except OSError as error:
            print(error.args[0], time.ticks_diff(time.ticks_us(), start))
        """
    with Rig(tmp_path, program) as rig:
        rig.fabric.i2c_buses[0].stuck = True
        assert rig.finish() == [f"110 {3_000 + 2 * costs.CALL_NS // 1000}"]


def test_an_error_of_one_bus_is_none_of_the_next_read(tmp_path: Path) -> None:
    program = """
        from machine import I2C, SPI
        spi = SPI(0, baudrate=1_000_000)
        try:
            I2C(0).writeto(0x55, b"x")
        except OSError as error:
            print(error.args[0])
        into = bytearray(3)
        spi.readinto(into)
        print(into, spi.read(2))
        """
    with Rig(tmp_path, program) as rig:
        assert rig.finish() == ["5", "bytearray(b'\\xff\\xff\\xff') b'\\xff\\xff'"]


class Strip:
    """Takes words from a state machine and notes when."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.scheduler = scheduler
        self.words: list[tuple[int, int]] = []

    def feed(self, words: list[int]) -> None:
        self.words += [(self.scheduler.now, word) for word in words]


STRIP = """
    import rp2
    from machine import Pin
    from array import array
    @rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=24, JOIN)
    def ws2812():
        raise RuntimeError("a program is assembled, never run")
    machine = rp2.StateMachine(4, ws2812, freq=8_000_000, sideset_base=Pin(22))
    machine.active(1)
    def measure(words, shift):
        start = time.ticks_us()
        machine.put(words, shift)
        print(time.ticks_diff(time.ticks_us(), start), machine.tx_fifo())
"""


@pytest.mark.parametrize(("join", "depth"), [("", 4), ("fifo_join=rp2.PIO.JOIN_TX", 8)])
def test_state_machine_takes_words_at_the_parts_rate(tmp_path: Path, join: str, depth: int) -> None:
    """Depth words fit the FIFO and one is being shifted; the rest of put waits for 24 bits of 1.25 us each."""
    program = (
        STRIP.replace("JOIN", join)
        + "    measure(array('I', range(1, 21)), 8)\n    time.sleep_ms(2)\n    measure(7, 8)"
    )
    with Rig(tmp_path, program) as rig:
        strip = Strip(rig.scheduler)
        rig.fabric.pio(22, strip)
        lines = rig.finish()
    wait_us = (20 - depth - 1) * 30
    two_calls_us = 2 * costs.CALL_NS // 1000
    assert lines == [f"{two_calls_us + wait_us} {depth}", f"{two_calls_us} 0"]
    assert [word for _, word in strip.words] == [*range(1, 21), 7]
    gaps = {b - a for (a, _), (b, _) in zip(strip.words[:19], strip.words[1:20], strict=True)}
    assert gaps == {24 * costs.WS2812_BIT_NS}


def test_state_machine_without_a_part_is_a_fault(tmp_path: Path) -> None:
    with Rig(tmp_path, STRIP.replace("JOIN", "")) as rig, pytest.raises(SimFault, match="GPIO 22"):
        rig.finish()


def test_neopixel_is_refused(tmp_path: Path) -> None:
    program = """
        import neopixel
        try:
            neopixel.NeoPixel(None, 8)
        except NotImplementedError as error:
            print(error)
        """
    assert play(tmp_path, program)[0].startswith("neopixel holds interrupts off")


def test_pwm(tmp_path: Path) -> None:
    program = """
        from machine import PWM, Pin
        buzzer = PWM(Pin(21), freq=2000, duty_u16=32768)
        buzzer.freq(440)
        buzzer.duty_ns(100_000)
        print(buzzer.freq(), buzzer.duty_u16(), buzzer.duty_ns())
        buzzer.deinit()
        """
    seen: list[tuple[int, int]] = []
    with Rig(tmp_path, program) as rig:
        rig.fabric.pwm(21, lambda frequency, duty: seen.append((frequency, duty)))
        assert rig.finish() == ["440 2883 99981"]
    assert seen[:4] == [(2000, 32768), (440, 32768), (440, 2883), (0, 0)]


def test_uart(tmp_path: Path) -> None:
    program = """
        import select
        from machine import UART, Pin
        uart = UART(1, 115_200, tx=Pin(4), rx=Pin(5), rxbuf=32, timeout=5)
        poll = select.poll()
        poll.register(uart, select.POLLIN)
        print(uart.read(), poll.poll(10))
        uart.write(b"abc")
        events = poll.poll(100)
        print(events[0][0] is uart, events[0][1], uart.read(3), uart.any())
        uart.write(b"x" * 50)
        time.sleep_ms(20)
        print(uart.any())
        """
    with Rig(tmp_path, program) as rig:
        port = UartPort(rig.scheduler)
        port.on_byte = lambda byte: port.send(bytes([byte ^ 0x20]))
        rig.fabric.uart(1, port)
        assert rig.finish() == ["None []", "True 1 b'ABC' 0", "32"]
        assert port.lost == 18


def test_unconnected_net_reads_its_pull_and_start_is_where_it_says(tmp_path: Path) -> None:
    """The rig's own promise: the first statement of a program runs at START_NS."""
    with Rig(tmp_path, "from machine import Pin\nPin(11, Pin.OUT, value=1)") as rig:
        rig.finish()
        assert rig.lamp_log[0] == (START_NS + costs.CALL_NS, 1)
