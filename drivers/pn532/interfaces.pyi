"""Types of the buses that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

Buffer = bytearray | memoryview

class I2cBus(Protocol):
    """machine.I2C."""

    def writeto(self, addr: int, buf: bytes | Buffer, /) -> object: ...
    def readfrom_into(self, addr: int, buf: Buffer, /) -> object: ...

class SerialPort(Protocol):
    """machine.UART."""

    def any(self) -> int: ...
    def write(self, buf: bytes | Buffer, /) -> object: ...
    def readinto(self, buf: Buffer, nbytes: int, /) -> int | None: ...

class Link(Protocol):
    """What i2c.I2cLink and uart.UartLink offer."""

    framed: bool
    silence: str
    wake_source: int
    buffer: bytearray
    count: int
    heard: bool

    def send(self, frame: bytes | Buffer, wake: bool, /) -> bool: ...
    def poll(self, size: int, /) -> bool: ...
    def drop(self, count: int, /) -> None: ...
    def flush(self) -> None: ...
