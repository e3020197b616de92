"""``machine.UART`` of the rp2 port over the simulator. Entry point: :class:`UART`.

Loaded by ``machine`` only when a firmware asks for it: the names of a module take room in the interpreter.
"""

import _protocol as p
import _sim
from _bus import check_pin
from _pin import Pin
from micropython import const

_POLL_REQUEST = const(3)
_POLLIN = const(1)
_POLLOUT = const(4)


class UART:
    """A serial port: 8 data bits, no parity, one stop bit, as the boards use it."""

    _TX = ((0, 12, 16, 28), (4, 8, 20, 24))
    _RX = ((1, 13, 17, 29), (5, 9, 21, 25))

    def __init__(
        self,
        id: int,
        baudrate: int = 115_200,
        bits: int = 8,
        parity: int | None = None,
        stop: bool = 1,
        *,
        tx: Pin | int | None = None,
        rx: Pin | int | None = None,
        rxbuf: int = 256,
        timeout: int = 0,
    ) -> None:
        if id not in (0, 1):
            raise ValueError("UART(%d) doesn't exist" % id)
        if bits != 8 or parity is not None or stop != 1:
            raise NotImplementedError("the simulated port is 8N1")
        check_pin(UART._TX[id][0] if tx is None else tx, "TX", UART._TX[id])
        check_pin(UART._RX[id][0] if rx is None else rx, "RX", UART._RX[id])
        self._id = id
        self._timeout_ns = timeout * 1_000_000
        _sim.post(p.UART_SETUP | id << 8 | (baudrate | min(max(rxbuf, 32), 32766) << 24) << 16)

    def any(self) -> int:
        """Bytes waiting to be read."""
        return _sim.ask(p.UART_ANY | self._id << 8)

    def write(self, buf: bytes | bytearray | memoryview) -> int:
        """Queue ``buf`` for sending; returns its length."""
        _sim.post_bytes(p.UART_WRITE | self._id << 8 | len(buf) << 16, buf, len(buf))
        return len(buf)

    def readinto(self, buf: bytes | bytearray | memoryview, nbytes: int = -1) -> int | None:
        """Fill ``buf`` with what has come, waiting up to the timeout; returns the count, None when nothing came."""
        count = len(buf) if nbytes < 0 else min(nbytes, len(buf))
        until = _sim.now + self._timeout_ns
        while self.any() < count and _sim.now < until:
            _sim.sleep_for(100_000)
        count = min(count, self.any())
        if not count:
            return None
        _sim.ask_data(p.UART_READ | self._id << 8 | count << 16, None, 0, buf, count)
        return count

    def read(self, nbytes: int = -1) -> bytes | None:
        """Return up to ``nbytes`` bytes, None when nothing came."""
        buf = bytearray(self.any() if nbytes < 0 else nbytes)
        count = self.readinto(buf)
        return None if count is None else bytes(buf[:count])

    def ioctl(self, request: int, argument: int) -> int:
        """Lets ``select.poll`` wait for this port."""
        if request != _POLL_REQUEST:
            return -1
        ready = argument & _POLLOUT
        if argument & _POLLIN and self.any():
            ready |= _POLLIN
        return ready
