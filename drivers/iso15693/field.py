"""A reader's field, switched on and off in steps that never wait.

Entry point: `Field`. After ``start_on()`` or ``start_off()``, ``step()`` returns microseconds to wait, and -1 when
tags may be addressed, or when the field is off and the antenna may be switched. Nothing is allocated.
"""

import time

from .reader import SETTLE_US

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
    from .interfaces import Reader

_POLL_US = const(100)

_SWITCHING = const(0)
_SETTLING = const(1)
_DONE = const(2)


class Field:
    """The field of ``reader``."""

    def __init__(self, reader: "Reader") -> None:
        self._reader = reader
        self._state = _DONE
        self._on = False
        self._since = 0

    def start_on(self) -> None:
        """Begin to switch the field on; done when tags have had it for 1 ms (ISO/IEC 15693-3)."""
        self._on = True
        self._state = _SWITCHING
        self._reader.rf_on()

    def start_off(self) -> None:
        """Begin to switch the field off; done when the reader confirms that it is off."""
        self._on = False
        self._state = _SWITCHING
        self._reader.rf_off()

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when done.

        Raises:
            ReaderFault: ``field`` when the reader refuses or does not confirm in time.
        """
        if self._state == _SWITCHING:
            if not self._reader.rf_ready():
                return _POLL_US
            if self._on:
                self._state = _SETTLING
                self._since = time.ticks_us()
                return SETTLE_US
            self._state = _DONE
        elif self._state == _SETTLING:
            left = SETTLE_US - time.ticks_diff(time.ticks_us(), self._since)
            if left > 0:
                return left
            self._state = _DONE
        return -1
