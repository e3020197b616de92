"""Scripted stand-ins for buses, pins and time that allocate nothing while they are used (MicroPython).

Entry points: `Clock` (a `time` module on a 2**30 wrap), `Pin`, `ReaderBus` (SPI with a PN5180 that answers from a
script: what each poll sees, and the answer to fetch), `set_time`.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WRAP = 1 << 30


class Clock:
    """Virtual microseconds; each reading takes 8 us."""

    def __init__(self, start: int) -> None:
        self.now = start

    def ticks_us(self) -> int:
        self.now = (self.now + 8) & (WRAP - 1)
        return self.now

    def ticks_ms(self) -> int:
        return self.now // 1000

    def ticks_add(self, ticks: int, delta: int) -> int:
        return (ticks + delta) & (WRAP - 1)

    def ticks_diff(self, end: int, start: int) -> int:
        return ((end - start + WRAP // 2) & (WRAP - 1)) - WRAP // 2

    def sleep_us(self, us: int) -> None:
        self.now = (self.now + us) & (WRAP - 1)


class Pin:
    """A pin that keeps its level."""

    def __init__(self, level: int = 0) -> None:
        self.level = level

    def value(self, level: "int | None" = None) -> int:
        if level is not None:
            self.level = level
        return self.level


class ReaderBus:
    """SPI behind which a PN5180 answers. Each poll takes the next of ``script``.

    EMPTY, CRC, SIGN (an answer of flags alone), a UID, or a collision: the bit of the UID, and what came before it.
    """

    EMPTY = 1
    CRC = 4
    SIGN = 5

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.script: list[Any] = []
        self.at = 0
        self.polls = 0
        self.fetched = 0
        self.version = (1, 4)
        self.reload = bytearray(12)
        self.command = bytearray(4)
        self.irq = bytearray(b"\x04\x03\x00\x00")
        self.written = 0

    def write(self, buf: "bytes | bytearray | memoryview") -> None:
        for i in range(min(len(buf), 4)):
            self.command[i] = buf[i]
        if buf[0] == 3 and len(buf) == 25 and buf[7] == 0x0B:
            for i in range(4):
                self.reload[i] = buf[9 + i]
                self.reload[4 + i] = buf[15 + i]
                self.reload[8 + i] = buf[21 + i]
        if buf[0] == 3 and buf[1] == 3:
            self.irq[0] = 0  # IDLE_IRQ is cleared; the field's two are seen whenever one is waited for
        self.written += 1
        self.clock.sleep_us(20)

    def readinto(self, buf: "bytearray | memoryview", fill: int) -> None:
        for i in range(len(buf)):
            buf[i] = 0
        code = self.command[0]
        if code == 7:
            buf[0] = self.version[0]
            buf[1] = self.version[1]
        elif code == 4:
            for i in range(4):
                buf[i] = self.irq[i]
        elif code == 5 and self.command[1] == 1:
            buf[2] = 0x0E
            for i in range(12):
                buf[4 + i] = self.reload[i]
            buf[16] = 0x40
            buf[17] = 0x04
            buf[20] = 1
            buf[24] = buf[28] = 0x1B
        elif code == 5 and self.command[2] == 0x0A:
            for i in range(4):
                buf[i] = self.irq[i]
            buf[5] = 0xF0  # the field came on a moment ago
            buf[6] = 0x1F
        elif code == 5:
            self.polls += 1
            what = self.script[self.at]
            self.at += 1
            if what == self.EMPTY:
                buf[1] = 0x18
            else:
                buf[0] = 1
                buf[1] = 0x50
                if what == self.CRC:
                    buf[6] = 1
                elif what == self.SIGN:
                    buf[4] = 1
                elif isinstance(what, tuple):
                    position = 16 + what[0]
                    buf[6] = 4 | (position & 0x1F) << 3
                    buf[7] = position >> 5
                else:
                    buf[4] = 10
        elif code == 10:
            self.fetched += 1
            uid = self.script[self.at - 1]
            if isinstance(uid, tuple):
                uid = uid[1]
            for i in range(8):
                buf[2 + i] = uid[i]
        self.clock.sleep_us(20)


def set_time(clock: Clock, *modules: "Any") -> None:
    """Let the drivers' modules read ``clock``."""
    for module in modules:
        module.time = clock
