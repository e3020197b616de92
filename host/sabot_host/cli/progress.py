"""How a long piece of work on a board shows: a progress bar in a terminal, a line a phase elsewhere.

Entry points: :class:`Shown` (the reporter of `sabot_host.flash.flasher`), :func:`shown`. Of several boards each has a
reporter of its own, from :meth:`Shown.of`; they may be used from several threads.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

from sabot_host.cli.surroundings import mention
from sabot_host.lang import said


class Shown:
    """Tells a person on standard error, so that results stay alone on standard output; ``name`` begins each line."""

    def __init__(self, bar: Progress | None, name: str = "") -> None:
        self._bar = bar
        self._name = name + ": " if name else ""
        self._tasks: dict[str, TaskID] = {}

    def of(self, name: str) -> Shown:
        """A reporter of the work on one of several boards."""
        return Shown(self._bar, name)

    def say(self, text: str) -> None:
        """One line."""
        if self._bar is None:
            mention(said(self._name) + said(text))
        else:
            self._bar.console.print(said(self._name) + said(text), markup=False, highlight=False)

    def progress(self, phase: str, done: int, total: int) -> None:
        """Bytes of a phase; a phase that begins anew counts from 0 again."""
        if self._bar is None:
            if done == 0:
                self.say(f"{phase}: {total} bytes")
            return
        if phase not in self._tasks:
            self._tasks[phase] = self._bar.add_task(said(self._name) + said(phase), total=total)
        self._bar.update(self._tasks[phase], completed=done, total=total)


@contextmanager
def shown() -> Iterator[Shown]:
    """Show the work done in the block."""
    if not sys.stderr.isatty():
        yield Shown(None)
        return
    columns = (TextColumn("{task.description:>14}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield Shown(bar)
