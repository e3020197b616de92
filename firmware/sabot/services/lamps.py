"""Lamps: one a bet spot and the "Rien ne va plus" bar, over the WS2812 chain.

Entry point: :class:`Lamps`; ``places`` and ``states`` say what is shown. Colours are dim on purpose: a dealer looks at
them for eight hours.
"""

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# By the numbers of wire.codes.LAMP_*.
_COLOURS = (
    (0, 0, 0),  # off
    (0, 40, 24),  # open
    (64, 0, 0),  # locked
    (48, 36, 0),  # attention
    (12, 12, 12),  # settled
    (48, 0, 48),  # fault
)

BAR = const(8)


class Lamps:
    """``places`` are the spots' place bytes in the order of the chain; the bar's eight lamps follow them."""

    def __init__(self, chain: "Any", places: "tuple[int, ...]") -> None:
        self.places = places
        self.states = bytearray(len(places) + 1)  # what each lamp says, the bar's last
        self._chain = chain
        self._changed = True

    def spot(self, place: int, state: int) -> None:
        """Set the lamp of a spot; shown at the next :meth:`show`. Allocates nothing."""
        for index in range(len(self.places)):
            if self.places[index] == place:
                self.states[index] = state
                red, green, blue = _COLOURS[state]
                self._chain.set(index, red, green, blue)
                self._changed = True
                return

    def bar(self, state: int) -> None:
        """Set the bar; shown at the next :meth:`show`. Allocates nothing."""
        red, green, blue = _COLOURS[state]
        first = len(self.places)
        self.states[first] = state
        for index in range(first, first + BAR):
            self._chain.set(index, red, green, blue)
        self._changed = True

    def show(self) -> None:
        """Send the chain if anything changed (30 us a lamp). Allocates nothing."""
        if self._changed:
            self._changed = False
            self._chain.show()
