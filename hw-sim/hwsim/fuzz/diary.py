"""What people did, in words and with its instant, for whoever has to understand a failure.

Entry points: :class:`Diary` (``say``, ``press``, ``around``), :class:`Note`, :class:`Press`.
"""

from __future__ import annotations

from typing import NamedTuple

from hwsim.core import NS_PER_MS, Scheduler
from hwsim.scenario.values import clock


class Note(NamedTuple):
    """Somebody did something: instant (ns), who, what."""

    when: int
    who: str
    text: str

    def __str__(self) -> str:
        """One line."""
        return f"{clock(self.when):>9} {self.who}: {self.text}"


class Press(NamedTuple):
    """A key went down: instant of its first edge (ns), its name."""

    when: int
    key: str


class Diary:
    """Notes and presses in the order in which they happened."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.notes: list[Note] = []
        self.presses: list[Press] = []
        self.acts: dict[str, int] = {}
        """how often each act of the repertoire has been done"""
        self._scheduler = scheduler

    def say(self, who: str, text: str) -> None:
        """Somebody does something now."""
        self.notes.append(Note(self._scheduler.now, who, text))

    def press(self, key: str) -> None:
        """A key goes down now."""
        self.presses.append(Press(self._scheduler.now, key))
        self.say("dealer", f"presses {key.upper()}")

    def count(self, act: str) -> None:
        """An act of the repertoire is done now."""
        self.acts[act] = self.acts.get(act, 0) + 1

    def pressed(self, key: str, begin: int, end: int) -> list[int]:
        """Instants at which a key went down from ``begin`` to ``end``."""
        return [press.when for press in self.presses if press.key == key and begin <= press.when <= end]

    def around(self, when: int, before_ms: int = 4000, after_ms: int = 2000) -> list[Note]:
        """What was done around an instant."""
        begin, end = when - before_ms * NS_PER_MS, when + after_ms * NS_PER_MS
        return [note for note in self.notes if begin <= note.when <= end]
