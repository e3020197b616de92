"""The way to a PN532 over its UART (HSU). Entry point: `UartLink`; what a link offers is told in ``i2c``."""

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
    from .interfaces import Buffer, SerialPort

# HSU: 55 55 and zeros wake the chip and give its oscillator time (2 ms) before the frame
_WAKE = b"\x55\x55\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
_PIECE = const(32)
_PIECES = const(8)  # fetched in one poll at most


class UartLink:
    """A PN532 on ``uart`` (115200 8N1, no time-out, at least 64 bytes of receive buffer)."""

    framed = False
    silence = "absent"
    wake_source = 0x10

    def __init__(self, uart: "SerialPort") -> None:
        self._uart = uart
        self.buffer = bytearray(BUFFER)
        self.count = 0
        self.heard = False
        self._piece = bytearray(_PIECE)

    def send(self, frame: "bytes | Buffer", wake: bool) -> bool:
        """Queue a frame, behind the preamble that wakes a sleeping chip when ``wake``."""
        if wake:
            self._uart.write(_WAKE)
        self._uart.write(frame)
        return True

    def poll(self, size: int) -> bool:
        """Append what has come; when the buffer is full, the oldest bytes go."""
        for _ in range(_PIECES):
            waiting = self._uart.any()
            count = self._uart.readinto(self._piece, min(waiting, _PIECE)) if waiting else 0
            if not count:
                break
            self.heard = True
            if self.count + count > BUFFER:
                self.drop(self.count + count - BUFFER)
            for i in range(count):
                self.buffer[self.count + i] = self._piece[i]
            self.count += count
            if waiting <= _PIECE:
                break
        return True

    def drop(self, count: int) -> None:
        """Forget the first ``count`` bytes of the buffer."""
        left = self.count - count
        for i in range(left):
            self.buffer[i] = self.buffer[count + i]
        self.count = left

    def flush(self) -> None:
        """Forget everything that has come."""
        self.poll(BUFFER)
        self.count = 0
        self.heard = False
