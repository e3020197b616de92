"""A PN5180 for workshops: it can listen at 53 kbit/s (fast commands of ICODE tags), and send requests of any length.

Entry point: `FastPN5180`. A table in play does not load this module.
"""

from iso15693.reader import INVENTORY_BYTES, ReaderFault, request_us

from . import PN5180, REQUEST_LIMIT
from .registers import LOAD_RF_CONFIG, RF_CONFIG_RX_ISO15693, RF_CONFIG_TX_ISO15693, SEND_DATA

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


_RX_FAST = const(0x8E)  # one sub-carrier, 53 kbit/s
_LONG_LIMIT = const(258)  # bytes of a request: the transmit buffer holds 260, two of them the CRC


class FastPN5180(PN5180):
    """The same, with `listen_fast` and long requests."""

    def begin(self, buf: "bytearray | memoryview", n: int, answer: int = INVENTORY_BYTES, how: int = 0) -> int:
        """Send a request as `PN5180.begin` does; one of 17 to 258 bytes is copied into a frame of its own.

        Raises:
            ReaderFault: ``busy``, or ``length``.
        """
        if n <= REQUEST_LIMIT:
            return super().begin(buf, n, answer, how)
        if n > _LONG_LIMIT:
            raise ReaderFault("length")
        frame = bytearray(2 + n)
        frame[0] = SEND_DATA
        frame[2:] = buf[:n]
        self._answer = answer
        self._slot = False
        arm = self._arm_again if self._eof_only else self._shared.arm
        self._eof_only = False
        return self._transmit(arm, frame, request_us(n))

    def listen_fast(self, on: bool) -> None:
        """Take answers at 53 kbit/s from now on, or at 26 again; requests go out as before. The field stays on.

        Raises:
            ReaderFault: ``busy``.
        """
        receiver = _RX_FAST if on else RF_CONFIG_RX_ISO15693
        self._transport.post(self._shared.idle_and_clear)
        self._transport.post(bytearray((LOAD_RF_CONFIG, RF_CONFIG_TX_ISO15693, receiver)))
        self._eof_only = False
