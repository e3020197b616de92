"""Fujitsu MB85RS FRAM on SPI, 2 KB to 512 KB.

Entry points: `MB85RS`, `MemoryFault`. A byte is stored as it is clocked in: there is no write time, and a power cut
in the middle of a write keeps the bytes before it. Nothing is allocated by ``read_into``, ``write`` and ``verify``.
"""

import time

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Buffer, OutputLine, SpiBus

# Opcodes
_WREN = const(0x06)  # set the write enable latch; every WRITE and WRSR clears it
_RDSR = const(0x05)
_WRSR = const(0x01)
_READ = const(0x03)
_WRITE = const(0x02)
_RDID = const(0x9F)

_STATUS_PROTECTION = const(0x8C)  # WPEN, BP1, BP0
_WAKE_US = const(450)  # CS low to ready after SLEEP, 400 us

_MANUFACTURER = const(0x047F)  # Fujitsu, JEDEC bank 5
_CHUNK = const(32)

# Product id (third and fourth byte of RDID, hexadecimal), kilobytes, name: a line each
_PARTS = """
0101 2 MB85RS16
0302 8 MB85RS64V
2303 8 MB85RS64T
0409 16 MB85RS128B
2403 16 MB85RS128TY
0509 32 MB85RS256B
2503 32 MB85RS256TY
2603 64 MB85RS512T
2703 128 MB85RS1MT
4803 256 MB85RS2MTA
4903 512 MB85RS4MT
"""
_SHORT_ADDRESSES = const(65536)  # bytes of the largest part with addresses of two bytes, others have three


def parts() -> "list[tuple[int, int, str]]":
    """The parts of the family: product id, bytes, name."""
    found = []
    for line in _PARTS.split("\n"):
        if line:
            product, size, name = line.split(" ")
            found.append((int(product, 16), int(size) << 10, name))
    return found


class MemoryFault(Exception):
    """The memory cannot be used as asked.

    ``code``: ``absent`` (the bus reads FF only), ``stuck`` (00 only), ``part`` (unknown, or not the one expected),
    ``protected`` (write protection cannot be lifted), ``range`` (outside the memory, or not started).
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class MB85RS:
    """One FRAM on ``spi`` (mode 0 or 3, 20 MHz) behind ``cs`` (output, high when idle).

    ``part``: the name that ``start()`` must find, one of ``parts()``; None takes any. Then it is the chip's own.
    """

    def __init__(self, spi: "SpiBus", cs: "OutputLine", part: "str | None" = None) -> None:
        self._spi = spi
        self._cs = cs
        self.part = part
        self._expected = part
        self.size = 0  # bytes, once started
        self._wren = bytearray((_WREN,))
        self._header = bytearray(4)  # opcode and address
        self._chunk = bytearray(_CHUNK)

    def start(self) -> None:
        """Identify the part, wake it when it sleeps, and lift its block protection.

        Raises:
            MemoryFault: ``absent``, ``stuck``, ``part`` or ``protected``.
        """
        self.size = 0
        self._cs.value(1)
        identity = bytearray(4)
        self._query(_RDID, identity)
        if identity == b"\xff\xff\xff\xff" or identity == b"\x00\x00\x00\x00":
            # A sleeping part wakes by the fall of CS that it has just seen.
            time.sleep_us(_WAKE_US)
            self._query(_RDID, identity)
        if identity == b"\xff\xff\xff\xff":
            raise MemoryFault("absent")
        if identity == b"\x00\x00\x00\x00":
            raise MemoryFault("stuck")
        if identity[0] << 8 | identity[1] != _MANUFACTURER:
            raise MemoryFault("part")
        product = identity[2] << 8 | identity[3]
        size = 0
        for known, known_size, name in parts():
            if product == known and self._expected in (None, name):
                self.part = name
                self._header = bytearray(3 if known_size <= _SHORT_ADDRESSES else 4)
                size = known_size
        if not size:
            raise MemoryFault("part")
        status = bytearray(1)
        self._query(_RDSR, status)
        if status[0] & _STATUS_PROTECTION:
            self._command(self._wren)
            self._command(bytearray((_WRSR, 0)))
            self._query(_RDSR, status)
            if status[0] & _STATUS_PROTECTION:
                raise MemoryFault("protected")
        self.size = size

    def read_into(self, address: int, buf: "Buffer") -> None:
        """Fill ``buf`` from ``address`` on. Raises MemoryFault: ``range``."""
        self._address(_READ, address, len(buf))
        self._cs.value(0)
        self._spi.write(self._header)
        self._spi.readinto(buf, 0)
        self._cs.value(1)

    def write(self, address: int, buf: "bytes | Buffer") -> None:
        """Store ``buf`` from ``address`` on; it is durable when this returns. Raises MemoryFault: ``range``."""
        self._address(_WRITE, address, len(buf))
        self._command(self._wren)
        self._cs.value(0)
        self._spi.write(self._header)
        self._spi.write(buf)
        self._cs.value(1)

    def verify(self, address: int, buf: "bytes | Buffer") -> bool:
        """Read back and say whether the memory holds ``buf`` from ``address`` on. Raises MemoryFault: ``range``."""
        length = len(buf)
        self._address(_READ, address, length)
        chunk = self._chunk
        same = True
        done = 0
        self._cs.value(0)
        self._spi.write(self._header)
        while same and done < length:
            # The last chunk may read on behind the data; what it finds there is not looked at.
            self._spi.readinto(chunk, 0)
            count = min(_CHUNK, length - done)
            for i in range(count):
                if chunk[i] != buf[done + i]:
                    same = False
                    break
            done += count
        self._cs.value(1)
        return same

    def _address(self, opcode: int, address: int, length: int) -> None:
        if address < 0 or address + length > self.size:
            raise MemoryFault("range")
        header = self._header
        header[0] = opcode
        for i in range(len(header) - 1, 0, -1):
            header[i] = address & 0xFF
            address >>= 8

    def _command(self, frame: bytearray) -> None:
        self._cs.value(0)
        self._spi.write(frame)
        self._cs.value(1)

    def _query(self, opcode: int, into: bytearray) -> None:
        self._cs.value(0)
        self._spi.write(bytearray((opcode,)))
        self._spi.readinto(into, 0)
        self._cs.value(1)
