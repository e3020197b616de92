"""Chips that have been heard and are not told of yet: where, and when first. Entry point: :class:`Newcomers`.

A chip is told of when its value is known. Between its first answer and that, here is what is known of it.
"""

from array import array

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.services.chips import Chips

NOBODY = 255


class Newcomers:
    """Up to ``capacity`` chips of ``chips``, which holds each of them as long as it is here. Allocates nothing."""

    def __init__(self, chips: "Chips", capacity: int) -> None:
        self._chips = chips
        self._handles = bytearray([NOBODY] * capacity)
        self._antennas = bytearray([NOBODY] * capacity)
        self._key = bytearray(1)
        self.low = array("i", bytes(4 * capacity))  # the interval of the first answer, raw ticks
        self.high = array("i", bytes(4 * capacity))

    def first(self, antenna: int, after: int = -1) -> int:
        """The first newcomer on an antenna whose number is above ``after``, or -1."""
        self._key[0] = antenna
        return self._antennas.find(self._key, after + 1)

    def find(self, antenna: int, handle: int) -> int:
        """Number of a newcomer, or -1."""
        at = self.first(antenna)
        while at >= 0 and self._handles[at] != handle:
            at = self.first(antenna, at)
        return at

    def handle(self, at: int) -> int:
        """The newcomer's handle."""
        return self._handles[at]

    def add(self, antenna: int, handle: int, low: int, high: int) -> bool:
        """A chip was heard for the first time on an antenna; False when there is no room."""
        at = self.first(NOBODY)
        if at < 0:
            return False
        self._antennas[at] = antenna
        self._handles[at] = handle
        self.low[at] = low
        self.high[at] = high
        self._chips.hold(handle)
        return True

    def remove(self, at: int) -> None:
        """It is a newcomer no more."""
        self._chips.release(self._handles[at])
        self._antennas[at] = NOBODY
        self._handles[at] = NOBODY
