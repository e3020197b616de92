"""A reader's field, switched on and off in steps that never wait.

Entry point: `Field`. After ``start_on()`` or ``start_off()``, ``step()`` returns microseconds to wait, and -1 when
the field is on (the reader itself holds the first request back until tags are awake), or when it is off and the
antenna may be switched. Nothing is allocated.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import Reader


class Field:
    """The field of ``reader``."""

    def __init__(self, reader: "Reader") -> None:
        self._reader = reader
        self._wait = -1  # before the first look; -1: it has passed
        self._done = True

    def start_on(self) -> None:
        """Begin to switch the field on.

        Raises:
            ReaderFault: ``busy``.
        """
        self._wait = self._reader.rf_on()
        self._done = False

    def start_off(self) -> None:
        """Begin to switch the field off; raises as ``start_on()`` does."""
        self._wait = self._reader.rf_off()
        self._done = False

    def step(self) -> int:
        """Go on; returns microseconds to wait, or -1 when done.

        Raises:
            ReaderFault: ``field`` when the reader refuses or does not confirm in time.
        """
        if self._done:
            return -1
        wait = self._wait
        if wait >= 0:
            self._wait = -1
            return wait
        if not self._reader.rf_ready():
            return self._reader.wait_us
        self._done = True
        return -1
