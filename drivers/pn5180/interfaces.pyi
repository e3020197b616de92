"""Types of the buses and pins that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

class SpiBus(Protocol):
    """machine.SPI, or something that takes its place."""

    def write(self, buf: bytearray | memoryview, /) -> object: ...
    def readinto(self, buf: bytearray | memoryview, write: int, /) -> object: ...

class OutputLine(Protocol):
    """machine.Pin as output, or a pin of a port expander."""

    def value(self, level: int, /) -> object: ...

class InputLine(Protocol):
    """machine.Pin as input."""

    def value(self) -> int: ...
