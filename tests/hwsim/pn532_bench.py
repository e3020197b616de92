"""A PN532 with a badge pad, on either interface, and a host that speaks in frames.

Entry points: :class:`I2cBench`, :class:`UartBench`; :func:`frame` builds what a host sends.
"""

from __future__ import annotations

from typing import Any

from hwsim.chips.pn532_i2c import Pn532I2c
from hwsim.chips.pn532_uart import Pn532Uart
from hwsim.core import NS_PER_MS, NS_PER_US, Line, Scheduler
from hwsim.uart import UartPort
from hwsim.world.badges import BadgePad

BIT = 2_500
ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")
SAM = "14 01 14 01"
FIRMWARE = "02"
FIRMWARE_ANSWER = bytes.fromhex("0000FF06FAD50332010607E800")


def frame(text: str) -> bytes:
    """The normal frame of a command: code and parameters as hexadecimal."""
    body = b"\xd4" + bytes.fromhex(text)
    return b"\x00\x00\xff" + bytes([len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


class Bench:
    """What both interfaces have."""

    def __init__(self) -> None:
        self.time = Scheduler()
        self.pad = BadgePad(self.time)
        self.irq = Line("IRQ", 1)
        self.reset_n = Line("RSTPDN", 1)

    def run(self, ms: float) -> None:
        self.time.run_until(self.time.now + round(ms * NS_PER_MS))


class I2cBench(Bench):
    """``awake``: woken up and configured for use."""

    def __init__(self, *, awake: bool = True, **options: Any) -> None:
        super().__init__()
        self.chip = Pn532I2c(self.time, self.pad, irq=self.irq, reset_n=self.reset_n, **options)
        self.run(2)
        if awake:
            self.write(b"")
            self.run(1)
            self.command(SAM)

    def _wire(self, count: int) -> None:
        self.time.run_until(self.time.now + self.chip.stretch_ns + BIT * (1 + 9 * (1 + count)))
        self.chip.stop()

    def write(self, data: bytes) -> int:
        taken = self.chip.write(data)
        self._wire(len(data))
        return taken

    def read(self, count: int) -> bytes:
        data = self.chip.read(count)
        self._wire(count)
        return data

    def ready(self, ms: float = 100) -> bool:
        """Poll the ready byte every 100 us."""
        end = self.time.now + round(ms * NS_PER_MS)
        while self.read(1) != b"\x01":
            if self.time.now >= end:
                return False
            self.time.run_until(self.time.now + 100 * NS_PER_US)
        return True

    def take(self, ms: float = 100) -> bytes:
        """The frame that comes next, without ready byte, read in its own length; nothing when none comes."""
        if not self.ready(ms):
            return b""
        return self.read(1 + len(self.chip._unread[0]))[1:]

    def command(self, text: str, ms: float = 200) -> bytes:
        """Send a command, check its ACK, return the answer's bytes behind D5; nothing when none comes."""
        assert self.write(frame(text)) == len(frame(text))
        assert self.take() == ACK
        return payload(self.take(ms))


class UartBench(Bench):
    """``awake``: woken up and configured for use."""

    def __init__(self, *, awake: bool = True, **options: Any) -> None:
        super().__init__()
        self.port = UartPort(self.time)
        self.chip = Pn532Uart(self.time, self.pad, self.port, irq=self.irq, reset_n=self.reset_n, **options)
        self.run(2)
        if awake:
            self.send(bytes.fromhex("55 55") + bytes(14))
            self.command(SAM)

    def send(self, data: bytes) -> None:
        """Bytes to the chip; time passes until they are out."""
        self.port.write(data)
        self.time.run_until(self.time.now + len(data) * self.port.byte_ns)

    def received(self, ms: float) -> bytes:
        self.run(ms)
        return self.port.read(self.port.any())

    def command(self, text: str, ms: float = 100) -> bytes:
        """Send a command, check its ACK, return the answer's bytes behind D5; nothing when none comes."""
        self.run(1.5)
        self.send(frame(text))
        data = self.received(ms)
        assert data[:6] == ACK
        return payload(data[6:])


def payload(data: bytes) -> bytes:
    """The bytes behind D5 of a normal or extended frame; the frame's checksums are checked."""
    if not data:
        return b""
    assert data[:3] == b"\x00\x00\xff"
    size, start = data[3], 5
    if data[3:5] == b"\xff\xff":
        size, start = data[5] << 8 | data[6], 8
        assert sum(data[5:8]) & 0xFF == 0
    else:
        assert sum(data[3:5]) & 0xFF == 0
    body = data[start : start + size]
    assert len(data) == start + size + 2
    assert sum(data[start:-1]) & 0xFF == 0
    assert body[0] == 0xD5
    return body[1:]
