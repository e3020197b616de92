"""Several people at one table at a time: each follows a script of his own, in virtual time.

Entry points: :class:`Crew` (``start`` a script, ``run`` until all are over, ``dismiss`` everybody), :class:`Until`
(wait for something to be seen), :class:`Stuck`. A script is a generator: it yields milliseconds to let pass, or an
:class:`Until`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

from hwsim.core import NS_PER_MS
from hwsim.table import SimTable

PATIENCE_MS = 30_000
_GLANCE_MS = 25  # people look this often at what they wait for
_SLICE_MS = 100


class Until(NamedTuple):
    """Wait until ``condition()``; ``what`` people wait for, in words, and for how long at most."""

    condition: Callable[[], bool]
    what: str
    patience_ms: int = PATIENCE_MS


Script = Generator[float | Until, None, None]


class Stuck(Exception):
    """The table does not do what somebody waits for; the text says who, and what for."""


class Crew:
    """Runs the scripts of everybody at ``table``."""

    def __init__(self, table: SimTable) -> None:
        self._table = table
        self._busy: dict[int, str] = {}
        self._scripts: dict[int, Script] = {}
        self._started = 0
        self._stuck: Stuck | None = None

    def start(self, who: str, script: Script, after_ms: float = 0) -> None:
        """Let ``who`` follow ``script``, from ``after_ms`` on."""
        self._started += 1
        number = self._started
        self._busy[number] = who
        self._scripts[number] = script
        self._table.scheduler.after(round(after_ms * NS_PER_MS), lambda: self._step(number, script))

    def run(self, limit_ms: int) -> None:
        """Let time pass until every script is over; Stuck when one waits in vain, or after ``limit_ms``."""
        end = self._table.now + limit_ms * NS_PER_MS
        while self._busy and self._stuck is None:
            if self._table.now >= end:
                raise Stuck(f"after {limit_ms // 1000} s these are still busy: {', '.join(self._busy.values())}")
            self._table.run_for(_SLICE_MS)
        if self._stuck is not None:
            raise self._stuck

    def dismiss(self) -> None:
        """Everybody stops where he is and goes; the next ones can be started."""
        for script in self._scripts.values():
            script.close()
        self._busy.clear()
        self._scripts.clear()
        self._stuck = None

    def _step(self, number: int, script: Script) -> None:
        if self._stuck is not None or number not in self._busy:
            return
        try:
            wait = next(script)
        except StopIteration:
            del self._busy[number], self._scripts[number]
            return
        except Stuck as stuck:  # it is for whoever lets time pass, not for the board that runs meanwhile
            self._stuck = stuck
            return
        if isinstance(wait, Until):
            self._look(number, script, wait, self._table.now + wait.patience_ms * NS_PER_MS)
        else:
            self._table.scheduler.after(round(wait * NS_PER_MS), lambda: self._step(number, script))

    def _look(self, number: int, script: Script, wait: Until, end: int) -> None:
        if number not in self._busy:
            return
        if wait.condition():
            self._step(number, script)
        elif self._table.now >= end:
            self._stuck = Stuck(f"{self._busy[number]} waited {wait.patience_ms // 1000} s in vain for {wait.what}")
        else:
            self._table.scheduler.after(_GLANCE_MS * NS_PER_MS, lambda: self._look(number, script, wait, end))
