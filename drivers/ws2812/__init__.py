"""Chain of WS2812B LEDs, fed by a PIO state machine.

Entry point: `WS2812`. The state machine shifts 24 bits a word, most significant bit first (order G R B), out of the top
of the word; interrupts stay on. Nothing is allocated after construction, and no number reaches 2**30.
"""

import time

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
    from .interfaces import StateMachine

_WORD_SHIFT = const(8)  # 24 bits at the top of a 32-bit word; the shift is done by put(), below the size of an int
_LED_US = const(30)  # 24 bits of 1.25 us
_LATCH_US = const(300)  # low level after which the chain shows what it was sent; newer batches need 280


class WS2812:
    """``count`` LEDs behind ``state_machine`` (an rp2.StateMachine, active, running the chain's PIO program)."""

    def __init__(self, state_machine: "StateMachine", count: int) -> None:
        self._state_machine = state_machine
        self.count = count
        self._colours = bytearray(3 * count)
        self._changed = True
        self._shown = False
        self._t_shown = 0
        self._busy_us = _LED_US * count + _LATCH_US

    def set(self, i: int, r: int, g: int, b: int) -> None:
        """Colour LED ``i`` at the next ``show()``; 0..255 each. Raises IndexError when there is no such LED."""
        if not 0 <= i < self.count:
            raise IndexError("no such LED")
        colours = self._colours
        at = 3 * i
        if colours[at] != g or colours[at + 1] != r or colours[at + 2] != b:
            colours[at] = g
            colours[at + 1] = r
            colours[at + 2] = b
            self._changed = True

    def show(self) -> bool:
        """Send the colours when one has changed; returns whether anything was sent.

        Takes at most 30 us for each LED beyond the state machine's FIFO, and, when the chain is still busy with the
        colours before, up to 30 us for each LED and 300 us more.
        """
        if not self._changed:
            return False
        if self._shown:
            since = time.ticks_diff(time.ticks_us(), self._t_shown)
            if 0 <= since < self._busy_us:
                time.sleep_us(self._busy_us - since)
        self._changed = False
        colours = self._colours
        state_machine = self._state_machine
        for at in range(0, 3 * self.count, 3):
            state_machine.put(colours[at] << 16 | colours[at + 1] << 8 | colours[at + 2], _WORD_SHIFT)
        self._t_shown = time.ticks_us()
        self._shown = True
        return True
