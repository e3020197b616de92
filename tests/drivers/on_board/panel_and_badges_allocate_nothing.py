"""Display, clock and badge reader drivers under a locked heap."""

import ds3231
import micropython
import pn532
import ssd1306
from fakes import Clock, set_time
from pn532.i2c import I2cLink
from pn532.uart import UartLink

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    Room = bytearray | memoryview
    Buffer = bytes | Room

ACK = b"\x00\x00\xff\x00\xff\x00"
ANSWERS = (
    (0x14, b"\x00\x00\xff\x02\xfe\xd5\x15\x16\x00"),
    (0x02, b"\x00\x00\xff\x06\xfa\xd5\x03\x32\x01\x06\x07\xe8\x00"),
    (0x32, b"\x00\x00\xff\x02\xfe\xd5\x33\xf8\x00"),
    (0x4A, b"\x00\x00\xff\x0f\xf1\xd5\x4b\x01\x01\x00\x44\x00\x07\x04\xa1\xb2\xc3\xd4\xe5\x80\x40\x00"),
    (0x40, b"\x00\x00\xff\x13\xed\xd5\x41\x00" + bytes(range(16)) + b"\x72\x00"),
    (0x52, b"\x00\x00\xff\x03\xfd\xd5\x53\x00\xd8\x00"),
)


class Bus:
    """I2C with a clock of 19 registers, a display that counts its bytes, and a PN532 that is always ready."""

    def __init__(self) -> None:
        self.registers = bytearray(0x13)
        self.shown = 0
        self.longest = 0
        self.answer = ACK
        self.acknowledged = True

    def writeto(self, address: int, buf: "Buffer") -> None:
        count = len(buf)
        if address == 0x3C:
            self.shown += count
            if count > self.longest:
                self.longest = count
        elif address == 0x68:
            for i in range(1, count):
                self.registers[buf[0] + i - 1] = buf[i]
        elif count > 6:
            self.acknowledged = False
            for pair in ANSWERS:
                if pair[0] == buf[6]:
                    self.answer = pair[1]

    def readfrom_mem_into(self, address: int, register: int, buf: bytearray) -> None:
        for i in range(len(buf)):
            buf[i] = self.registers[register + i]

    def readfrom_into(self, address: int, buf: "Room") -> None:
        buf[0] = 1
        if len(buf) == 1:
            return
        frame = self.answer if self.acknowledged else ACK
        self.acknowledged = True
        for i in range(1, len(buf)):
            buf[i] = frame[i - 1] if i <= len(frame) else 0


class Port:
    """A UART behind which a PN532 has an acknowledgement and an answer ready."""

    def __init__(self) -> None:
        self.waiting = bytearray(64)
        self.count = 0

    def any(self) -> int:
        return self.count

    def write(self, buf: "Buffer") -> None:
        if len(buf) > 6 and buf[0] == 0:
            self.count = 0
            self.queue(ACK)
            for pair in ANSWERS:
                if pair[0] == buf[6]:
                    self.queue(pair[1])

    def queue(self, frame: bytes) -> None:
        for i in range(len(frame)):
            self.waiting[self.count + i] = frame[i]
        self.count += len(frame)

    def readinto(self, buf: "Room", nbytes: int) -> int:
        count = min(nbytes, self.count)
        for i in range(count):
            buf[i] = self.waiting[i]
        for i in range(self.count - count):
            self.waiting[i] = self.waiting[count + i]
        self.count -= count
        return count


def search_and_read(reader: pn532.PN532, clock: Clock) -> None:
    """Find a badge, read its pages, let go of it."""
    for act in range(3):
        if act == 0:
            reader.begin_list()
        elif act == 1:
            reader.begin_read(4)
        else:
            reader.begin_release()
        wait = reader.step()
        while wait >= 0:
            clock.sleep_us(wait)
            wait = reader.step()


clock = Clock(0)
set_time(clock, pn532)
bus = Bus()

display = ssd1306.SSD1306(bus)
display.start()
watch = ds3231.DS3231(bus)
watch.start()
watch.set_seconds(946684800 + 86400)
on_i2c = pn532.PN532(I2cLink(bus))
on_i2c.start()
on_uart = pn532.PN532(UartLink(Port()))
on_uart.start()

before = bus.shown
temperature = -1
micropython.heap_lock()
display.touch_all()
while display.step():
    pass
display.touch(3, 5, 100)
while display.step():
    pass
temperature = watch.temperature()
search_and_read(on_i2c, clock)
search_and_read(on_uart, clock)
micropython.heap_unlock()

assert bus.shown - before > 1024 and bus.longest == 65
assert temperature == 0 and watch.seconds() == 946684800 + 86400
for reader in (on_i2c, on_uart):
    assert reader.found and bytes(reader.uid[:7]) == b"\x04\xa1\xb2\xc3\xd4\xe5\x80"
    assert reader.ok and reader.data == bytes(range(16)) and reader.status == 0
print("ok")
