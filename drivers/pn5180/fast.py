"""A PN5180 that can listen at 53 kbit/s, for the fast commands of ICODE tags. Entry point: `FastPN5180`.

A table in play does not load this module.
"""

from . import PN5180
from .registers import LOAD_RF_CONFIG, RF_CONFIG_RX_ISO15693, RF_CONFIG_TX_ISO15693

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


_RX_FAST = const(0x8E)  # one sub-carrier, 53 kbit/s


class FastPN5180(PN5180):
    """The same, with `listen_fast`."""

    def listen_fast(self, on: bool) -> None:
        """Take answers at 53 kbit/s from now on, or at 26 again; requests go out as before. The field stays on.

        Raises:
            ReaderFault: ``busy``.
        """
        receiver = _RX_FAST if on else RF_CONFIG_RX_ISO15693
        self._transport.post(self._shared.idle_and_clear)
        self._transport.post(bytearray((LOAD_RF_CONFIG, RF_CONFIG_TX_ISO15693, receiver)))
        self._eof_only = False
