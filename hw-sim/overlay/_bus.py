"""``machine.SPI`` and ``machine.I2C`` of the rp2 port over the simulator.

Entry points: :class:`SPI`, :class:`I2C`. Every buffer is bytes, bytearray or a memoryview of either.
Writes to SPI are posted; whatever needs an answer of the chip waits for it.
"""

import _protocol as p
import _sim
from _pin import Pin, gpio_of
from micropython import const

_NS = const(1_000_000_000)
_EIO = const(5)


def check_pin(pin: Pin | int | str, name: str, allowed: tuple[int, ...]) -> int:
    """The GPIO of ``pin``; ValueError when ``name`` of this bus cannot be there."""
    gpio = gpio_of(pin)
    if gpio not in allowed:
        raise ValueError("bad %s pin" % name)
    return gpio


class SPI:
    """SPI master. ``SPI(0, 7_000_000, polarity=0, phase=0, sck=Pin(2), mosi=Pin(3), miso=Pin(4))``."""

    MSB = 1
    LSB = 0

    _SCK = ((2, 6, 18, 22), (10, 14, 26))
    _MOSI = ((3, 7, 19, 23), (11, 15, 27))
    _MISO = ((0, 4, 16, 20), (8, 12, 24, 28))
    _DEFAULT = ((18, 19, 16), (10, 11, 8))

    def __init__(
        self,
        id: int,
        baudrate: int = 1_000_000,
        *,
        polarity: int = 0,
        phase: int = 0,
        bits: int = 8,
        firstbit: int = 1,
        sck: Pin | int | None = None,
        mosi: Pin | int | None = None,
        miso: Pin | int | None = None,
    ) -> None:
        if id not in (0, 1):
            raise ValueError("SPI(%d) doesn't exist" % id)
        default = SPI._DEFAULT[id]
        self._pins = (
            check_pin(default[0] if sck is None else sck, "SCK", SPI._SCK[id]),
            check_pin(default[1] if mosi is None else mosi, "MOSI", SPI._MOSI[id]),
            check_pin(default[2] if miso is None else miso, "MISO", SPI._MISO[id]),
        )
        self._id = id
        self._write = p.SPI_WRITE | id << 8
        self._read = p.SPI_READ | id << 8
        self._both = p.SPI_EXCHANGE | id << 8
        self.baudrate = baudrate
        self.init(baudrate, polarity=polarity, phase=phase, bits=bits, firstbit=firstbit)

    def __repr__(self) -> str:
        return "SPI(%d, baudrate=%d)" % (self._id, self.baudrate)

    def init(
        self, baudrate: int = -1, *, polarity: int = -1, phase: int = -1, bits: int = -1, firstbit: int = -1
    ) -> None:
        """Change the given settings."""
        if firstbit == SPI.LSB:
            raise NotImplementedError("LSB")
        if bits not in (-1, 8):
            raise NotImplementedError("the simulated bus has 8-bit words")
        if baudrate != -1:
            self.baudrate = baudrate
        if polarity != -1:
            self._polarity = 1 if polarity else 0
        if phase != -1:
            self._phase = 1 if phase else 0
        number = self.baudrate | self._polarity << 30 | self._phase << 31
        _sim.post(p.SPI_SETUP | self._id << 8 | number << 16)

    def deinit(self) -> None:
        """Give the pins back."""

    def write(self, buf: bytes | bytearray | memoryview) -> None:
        """Clock out ``buf``; what comes back is dropped."""
        _sim.refuse_in_handler()
        count = len(buf)
        _sim.post_bytes(self._write | count << 16, buf, count, (count * 8 * _NS + self.baudrate - 1) // self.baudrate)

    def readinto(self, buf: bytes | bytearray | memoryview, write: int = 0) -> None:
        """Fill ``buf`` while the byte ``write`` is clocked out."""
        count = len(buf)
        _sim.ask_data(self._read | (count | (write & 0xFF) << 24) << 16, None, 0, buf, count)

    def read(self, nbytes: int, write: int = 0) -> bytes:
        """Return ``nbytes`` bytes, read while the byte ``write`` is clocked out."""
        buf = bytearray(nbytes)
        self.readinto(buf, write)
        return bytes(buf)

    def write_readinto(self, write_buf: bytes | bytearray, read_buf: bytearray) -> None:
        """Clock out ``write_buf`` and fill ``read_buf``, which must be as long."""
        count = len(write_buf)
        if count != len(read_buf):
            raise ValueError("buffers must be the same length")
        _sim.ask_data(self._both | count << 16, write_buf, count, read_buf, count)


class I2C:
    """I2C master. ``I2C(0, scl=Pin(13), sda=Pin(12), freq=400_000, timeout=50_000)``; timeout in microseconds."""

    _SDA = ((0, 4, 8, 12, 16, 20, 24, 28), (2, 6, 10, 14, 18, 22, 26))
    _SCL = ((1, 5, 9, 13, 17, 21, 25, 29), (3, 7, 11, 15, 19, 23, 27))
    _DEFAULT = ((5, 4), (7, 6))

    def __init__(
        self,
        id: int,
        *,
        scl: Pin | int | None = None,
        sda: Pin | int | None = None,
        freq: int = 400_000,
        timeout: int = 50_000,
    ) -> None:
        if id not in (0, 1):
            raise ValueError("I2C(%d) doesn't exist" % id)
        default = I2C._DEFAULT[id]
        check_pin(default[0] if scl is None else scl, "SCL", I2C._SCL[id])
        check_pin(default[1] if sda is None else sda, "SDA", I2C._SDA[id])
        self._id = id
        self._code = p.I2C_TRANSFER | id << 8
        self._memory_address = (bytearray(1), bytearray(2), bytearray(3), bytearray(4))
        self._joined = bytearray(64)
        self._freq = freq
        _sim.post(p.I2C_SETUP | id << 8 | (freq | timeout << 24) << 16)

    def __repr__(self) -> str:
        return "I2C(%d, freq=%d)" % (self._id, self._freq)

    def _transfer(
        self, addr: int, out: bytes | bytearray | None, out_count: int, into: bytearray | memoryview | None, stop: bool
    ) -> int:
        # The value packs address, STOP and both lengths; the answer is the number of bytes acknowledged or -errno.
        in_count = 0 if into is None else len(into)
        number = addr & 0x7F | (0x80 if stop else 0) | out_count << 8 | in_count << 24
        result = _sim.ask_data(self._code | number << 16, out, out_count, into, in_count)
        if result < 0:
            raise OSError(-result)
        return result

    def scan(self) -> list[int]:
        """Addresses that answer, 0x08 to 0x77."""
        found = []
        for addr in range(8, 0x78):
            try:
                self._transfer(addr, None, 0, None, True)
                found.append(addr)
            except OSError as error:
                if error.args[0] != _EIO:
                    raise
        return found

    def writeto(self, addr: int, buf: bytes | bytearray | memoryview, stop: bool = True) -> int:
        """Write ``buf``; returns the bytes acknowledged. OSError EIO when nobody answers, ETIMEDOUT when stuck."""
        return self._transfer(addr, buf, len(buf), None, stop)

    def writevto(self, addr: int, vector: list[bytes], stop: bool = True) -> int:
        """Write the buffers of ``vector`` in one transaction."""
        joined = b"".join(vector)
        return self._transfer(addr, joined, len(joined), None, stop)

    def readfrom_into(self, addr: int, buf: bytes | bytearray | memoryview, stop: bool = True) -> None:
        """Fill ``buf``."""
        self._transfer(addr, None, 0, buf, stop)

    def readfrom(self, addr: int, nbytes: int, stop: bool = True) -> bytes:
        """Return ``nbytes`` bytes."""
        buf = bytearray(nbytes)
        self._transfer(addr, None, 0, buf, stop)
        return bytes(buf)

    def _address(self, memaddr: int, addrsize: int) -> bytearray:
        if addrsize not in (8, 16, 24, 32):
            raise ValueError("invalid addrsize")
        buf = self._memory_address[addrsize // 8 - 1]
        index = len(buf)
        while index:
            index -= 1
            buf[index] = memaddr & 0xFF
            memaddr >>= 8
        return buf

    def writeto_mem(self, addr: int, memaddr: int, buf: bytes | bytearray | memoryview, *, addrsize: int = 8) -> None:
        """Write ``memaddr`` and then ``buf`` in one transaction."""
        head = self._address(memaddr, addrsize)
        start = len(head)
        count = start + len(buf)
        joined = self._joined
        if count > len(joined):
            joined = bytearray(count)
        joined[:start] = head
        joined[start:count] = buf
        self._transfer(addr, joined, count, None, True)

    def readfrom_mem_into(
        self, addr: int, memaddr: int, buf: bytes | bytearray | memoryview, *, addrsize: int = 8
    ) -> None:
        """Write ``memaddr``, start again and fill ``buf``."""
        self._transfer(addr, self._address(memaddr, addrsize), addrsize // 8, buf, True)

    def readfrom_mem(self, addr: int, memaddr: int, nbytes: int, *, addrsize: int = 8) -> bytes:
        """Write ``memaddr``, start again and return ``nbytes`` bytes."""
        buf = bytearray(nbytes)
        self.readfrom_mem_into(addr, memaddr, buf, addrsize=addrsize)
        return bytes(buf)
