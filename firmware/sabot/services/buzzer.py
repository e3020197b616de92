"""The buzzer: tells everybody at the table that something public asks for attention. Entry point: :class:`Buzzer`.

It sounds for what a lamp shows to all, and for nothing else: what only the dealer, the pit or surveillance may know
must not be heard.
"""

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOUD = const(32768)  # duty of a square wave
_BEEPS = const(2)
_TURNS = const(5)  # of 50 ms each, from one beep to the next
_TURNS_ON = const(3)


class Buzzer:
    """Two beeps on ``pwm`` (its ``duty_u16``, silent at first). :meth:`turn` is to be called every 50 ms."""

    def __init__(self, pwm: "Any") -> None:
        self._pwm = pwm
        self._left = 0  # turns until it is silent for good
        self._on = False

    def signal(self) -> None:
        """Beep, or go on beeping. Allocates nothing."""
        self._left = _BEEPS * _TURNS

    def turn(self) -> None:
        """Sound or fall silent as is due. Allocates nothing."""
        on = 0 < self._left % _TURNS <= _TURNS_ON
        if self._left:
            self._left -= 1
        if on != self._on:
            self._on = on
            self._pwm.duty_u16(_LOUD if on else 0)
