"""Expander, antenna switch, FRAM and LED chain drivers under a locked heap."""

import antenna_switch
import mb85rs
import mcp23017
import micropython
import ws2812
from fakes import Clock, Pin, set_time

LARGEST = 1 << 30


class Registers:
    """I2C with one device of 22 registers that run on."""

    def __init__(self) -> None:
        self.registers = bytearray(22)
        self.transactions = 0

    def writeto(self, address: int, buf: bytearray) -> None:
        self.transactions += 1
        for i in range(1, len(buf)):
            self.registers[buf[0] + i - 1] = buf[i]

    def readfrom_mem_into(self, address: int, register: int, buf: bytearray) -> None:
        self.transactions += 1
        for i in range(len(buf)):
            buf[i] = self.registers[register + i]


class Cells:
    """SPI with 512 KB whose upper part is not there: the address must stay below ``size``."""

    def __init__(self) -> None:
        self.cells = bytearray(4096)
        self.header = bytearray(4)
        self.frames = 0

    def write(self, buf: "bytes | bytearray | memoryview") -> None:
        self.frames += 1
        if len(buf) == 4:
            for i in range(4):
                self.header[i] = buf[i]
        elif len(buf) > 4:
            at = self.header[2] << 8 | self.header[3]
            for i in range(len(buf)):
                self.cells[at + i] = buf[i]
        else:
            for i in range(len(buf)):
                self.header[i] = buf[i]

    def readinto(self, buf: "bytearray | memoryview", fill: int) -> None:
        if self.header[0] == 0x9F:
            buf[0], buf[1], buf[2], buf[3] = 0x04, 0x7F, 0x49, 0x03
            return
        if self.header[0] == 0x05:
            buf[0] = 0
            return
        at = self.header[2] << 8 | self.header[3]
        for i in range(len(buf)):
            buf[i] = self.cells[at + i]


class StateMachine:
    def __init__(self) -> None:
        self.sent = 0
        self.largest = 0

    def put(self, value: int, shift: int) -> None:
        self.sent += 1
        self.largest = max(self.largest, value)


clock = Clock(0)
set_time(clock, mb85rs, ws2812)

bus = Registers()
expander = mcp23017.MCP23017(bus, 0x20)
expander.start(0xFF00, 0xFF00, 0xFF00)
pin = expander.pin(3)
key = expander.pin(8)
changes = bytearray(6)
switch = antenna_switch.ExpanderAntennaSwitch(expander, 0, 3)
pins = antenna_switch.AntennaSwitch((Pin(), Pin(), Pin()))

cells = Cells()
fram = mb85rs.MB85RS(cells, Pin(1))
fram.start()
record = bytearray(b"\x01\x80" * 40)
back = bytearray(80)

machine = StateMachine()
lamps = ws2812.WS2812(machine, 30)

same = different = False
before = bus.transactions
micropython.heap_lock()
pin.value(1)
key.value()
expander.write_port(0xFFFF, 0xAA55)
expander.read_changes(changes)
switch.select(6)
pins.select(5)
fram.write(100, record)
same = fram.verify(100, record)
fram.read_into(100, back)
record[79] ^= 1
different = fram.verify(100, record)
for i in range(30):
    lamps.set(i, 255, 255, 255)
lamps.show()
lamps.set(7, 0, 0, 0)
lamps.show()
micropython.heap_unlock()

assert bus.transactions == before + 5
assert bus.registers[0x14] == 0x56 and bus.registers[0x15] == 0xAA
assert same and not different and back[79] == 0x80
assert machine.sent == 60 and machine.largest < LARGEST
print("ok")
