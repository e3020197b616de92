"""The way to a PN532 over I2C. Entry points: `I2cLink`, ``ADDRESS``.

What a link offers: ``send(frame, wake)``, which says whether the frame could be handed over; ``poll(size)``, which
fetches what is there, without waiting, and says whether the bus works; ``buffer`` with ``count`` bytes in it;
``drop(n)``; ``flush()``, which forgets what the chip still had to say. ``framed``: a poll brings one frame or nothing;
``silence``: what it means when nothing comes; ``wake_source``: what may end the chip's sleep. Nothing is allocated.
"""

from .frames import BUFFER

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
    from .interfaces import Buffer, I2cBus

ADDRESS = const(0x24)

_STEP = const(8)  # I2C reads are rounded up to it
_READY = const(0x01)
_BUSY = const(0x00)


class I2cLink:
    """A PN532 at ``address`` of ``i2c``, 400 kHz at most. The bus must allow clock stretching."""

    framed = True
    silence = "busy"  # the address was acknowledged: the chip is there
    wake_source = 0x80

    def __init__(self, i2c: "I2cBus", address: int = ADDRESS) -> None:
        self._i2c = i2c
        self._address = address
        self.buffer = bytearray(BUFFER)
        self.count = 0
        self.heard = False  # something other than silence has come since ``flush()``
        self._status = bytearray(1)
        # The chip sends its status byte before each frame, and what is not fetched of a frame is lost.
        raw = bytearray(1 + BUFFER)
        self._raw = raw
        self._views = tuple([memoryview(raw)[: 1 + n * _STEP] for n in range(BUFFER // _STEP + 1)])

    def send(self, frame: "bytes | Buffer", wake: bool) -> bool:
        """Hand a frame over; False when the chip does not acknowledge. ``wake`` is of no matter: the address does."""
        self.count = 0
        try:
            self._i2c.writeto(self._address, frame)
        except OSError:
            return False
        return True

    def poll(self, size: int) -> bool:
        """Fetch the frame that is ready, if any, of at most ``size`` bytes; False when the bus does not work."""
        self.count = 0
        raw = self._raw
        try:
            self._i2c.readfrom_into(self._address, self._status)
            if self._status[0] == _BUSY:
                return True
            self.heard = True
            if self._status[0] != _READY:
                return True  # shifted, or nobody drives the bus
            view = self._views[(min(size, BUFFER) + _STEP - 1) // _STEP]
            self._i2c.readfrom_into(self._address, view)
        except OSError:
            return False
        if raw[0] == _READY:
            count = len(view) - 1
            for i in range(count):
                self.buffer[i] = raw[1 + i]
            self.count = count
        return True

    def drop(self, count: int) -> None:
        """Forget the first bytes of the buffer, and with them the rest: a read holds one frame."""
        self.count = 0

    def flush(self) -> None:
        """Fetch and forget a frame that is ready."""
        self.poll(BUFFER)
        self.count = 0
        self.heard = False
