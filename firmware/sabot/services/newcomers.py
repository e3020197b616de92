"""Chips that have been heard and are not told of yet: where, and when first. Entry point: :class:`Newcomers`.

A chip is told of when its value is known. Between its first answer and that, here is what is known of it.
"""

from array import array

from sabot.services.chips import Lying

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.services.chips import Chips


class Newcomers(Lying):
    """Up to ``capacity`` chips of ``chips``, which holds each of them as long as it is here. Allocates nothing."""

    def __init__(self, chips: "Chips", capacity: int) -> None:
        super().__init__(chips, capacity)
        self.low = array("i", bytes(4 * capacity))  # the interval of the first answer, raw ticks
        self.high = array("i", bytes(4 * capacity))
        self.sure = bytearray(capacity)  # it answered in the visit that is under way

    def heard(self, antenna: int, handle: int, low: int, high: int) -> bool:
        """A chip that does not lie on an antenna was heard there, first or again; False when there is no room."""
        at = self.find(antenna, handle)
        if at < 0:
            at = self.add(antenna, handle)
            if at < 0:
                return False
            self.low[at] = low
            self.high[at] = high
        self.sure[at] = 1
        return True
