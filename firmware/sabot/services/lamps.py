"""Lamps: one a bet spot and the "Rien ne va plus" bar, over the WS2812 chain.

Entry point: :class:`Lamps`; ``places`` and ``states`` say what is shown. Colours are dim on purpose: a dealer looks at
them for eight hours. No state is told by its hue alone: see the table in ``docs/hardware.md``. What pulses goes down to
a quarter and up again, and never out.
"""

import time

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# By the numbers of wire.codes.LAMP_*: red, green, blue, and the bit of ticks_us by which it pulses (0: steady).
_LIGHTS = (
    (0, 0, 0, 0),  # off
    (0, 28, 32, 0),  # open: blue-green, which no form of colour blindness takes for red
    (64, 0, 0, 0),  # locked: twice as bright
    (56, 36, 0, 19),  # attention: pulses once a second
    (10, 10, 10, 0),  # settled: faint
    (40, 0, 40, 17),  # fault: flickers
    (64, 0, 0, 19),  # the table is stopped
)
_CHAIN_END_MS = const(2)  # the end of a chain is still in the state machine when the rest has been sent

_OFF = const(0)
_ATTENTION = const(3)
_STOPPED = const(6)

BAR = const(8)


def _silence() -> None:
    """Nobody listens to what the lamps say."""


class Lamps:
    """``places`` are the spots' place bytes in the order of the chain; the bar's eight lamps follow them.

    ``signal()`` is called when a spot begins to ask for attention, or the table has stopped: what everybody may see,
    everybody may hear.
    """

    def __init__(self, chain: "Any", places: "tuple[int, ...]", signal: "Callable[[], None]" = _silence) -> None:
        self._chain = chain
        self.places = places
        self._signal = signal
        self.states = bytearray(len(places) + 1)  # what each lamp says, the bar's last
        self._is_stopped = False
        self._phase = 0  # raw ticks of the last turn
        self._changed = True

    def spot(self, place: int, state: int) -> None:
        """Set the lamp of a spot; shown at the next :meth:`show`. Allocates nothing."""
        index = self.places.index(place)
        if state == _ATTENTION and self.states[index] != _ATTENTION:
            self._signal()
        self.states[index] = state
        self._light(index, state)
        self._changed = True

    def bar(self, state: int) -> None:
        """Set the bar; shown at the next :meth:`show`. Allocates nothing."""
        self.states[len(self.places)] = state
        self._light_bar()

    def stopped(self, is_stopped: bool) -> None:
        """Say on the bar that the table is stopped, or that it goes on. Allocates nothing."""
        if is_stopped != self._is_stopped:
            self._is_stopped = is_stopped
            self._light_bar()
            if is_stopped:
                self._signal()

    def dark(self) -> None:
        """Send a dark chain and wait for its end, before a controller leaves its table: lamps keep what they show."""
        for index in range(len(self.places) + BAR):
            self._light(index, _OFF)
        self._chain.show()
        time.sleep_ms(_CHAIN_END_MS)

    def turn(self, now: int) -> None:
        """Let pulse what pulses, and show what has changed; ``now`` are raw ticks. Allocates nothing."""
        moved = now ^ self._phase
        self._phase = now
        for index in range(len(self.places)):
            bit = _LIGHTS[self.states[index]][3]
            if bit and moved >> bit & 1:
                self._light(index, self.states[index])
                self._changed = True
        bit = _LIGHTS[self._state()][3]
        if bit and moved >> bit & 1:
            self._light_bar()
        self.show()

    def show(self) -> None:
        """Send the chain if anything changed (30 us a lamp). Allocates nothing."""
        if self._changed:
            self._changed = False
            self._chain.show()

    def _state(self) -> int:
        """What the bar says: that the table is stopped before all else."""
        return _STOPPED if self._is_stopped else self.states[len(self.places)]

    def _light_bar(self) -> None:
        first = len(self.places)
        state = self._state()
        for index in range(first, first + BAR):
            self._light(index, state)
        self._changed = True

    def _light(self, index: int, state: int) -> None:
        """Colour one lamp of the chain, at the pulse's present height."""
        red, green, blue, bit = _LIGHTS[state]
        if bit and self._phase >> bit & 1:
            red >>= 2
            green >>= 2
            blue >>= 2
        self._chain.set(index, red, green, blue)
