"""Types of the bus and pin that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

Buffer = bytearray | memoryview

class SpiBus(Protocol):
    """machine.SPI, or something that takes its place."""

    def write(self, buf: bytes | Buffer, /) -> object: ...
    def readinto(self, buf: Buffer, write: int, /) -> object: ...

class OutputLine(Protocol):
    """machine.Pin as output."""

    def value(self, level: int, /) -> object: ...
