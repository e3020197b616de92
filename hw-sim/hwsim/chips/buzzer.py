"""The buzzer: a piezo disc on a pulse-width modulated pin. Entry point: :class:`Buzzer` (``sounding``; ``log``).

Limits: it sounds at once and falls silent at once; no resonance.
"""

from __future__ import annotations

from typing import NamedTuple

from hwsim.core import Scheduler


class Tone(NamedTuple):
    """A change of what is heard: its instant (ns), and the tone from then on in hertz, 0 for silence."""

    when: int
    hertz: int


class Buzzer:
    """The disc; :meth:`drive` is what the board's fabric calls. ``log`` holds every change of the tone."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.log: list[Tone] = []
        self._scheduler = scheduler
        self._hertz = 0

    @property
    def sounding(self) -> bool:
        """Whether it is heard now."""
        return self._hertz > 0

    def drive(self, hertz: int, duty: int) -> None:
        """The pin's wave has changed; ``duty`` 0 to 65,535. A pin that rests high or low is silent."""
        heard = hertz if 0 < duty < 65_535 else 0
        if heard != self._hertz:
            self._hertz = heard
            self.log.append(Tone(self._scheduler.now, heard))
