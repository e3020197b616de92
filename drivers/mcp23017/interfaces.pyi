"""Types of the bus that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

class I2cBus(Protocol):
    """machine.I2C."""

    def writeto(self, addr: int, buf: bytearray, /) -> object: ...
    def readfrom_mem_into(self, addr: int, memaddr: int, buf: bytearray, /) -> object: ...

class InputLine(Protocol):
    """machine.Pin as input."""

    def value(self) -> int: ...
