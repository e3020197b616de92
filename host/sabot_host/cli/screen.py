"""Tables and live pictures on standard output. Entry point: :func:`screen`."""

from __future__ import annotations

import sys

from rich.console import Console

PIPE_COLUMNS = 160  # a pipe or file has no width to fit


class _Screen(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the frame of the command, which has a status for it; rich would end the process with another."""
        raise  # noqa: PLE0704 - rich calls this while it handles the error


def screen() -> Console:
    """What is shown is shown as it is: no markup of ours in what controllers, files and people say."""
    return _Screen(markup=False, highlight=False, width=None if sys.stdout.isatty() else PIPE_COLUMNS)
