"""What ends an interpreter when the process that started it has ended, however that ended.

Entry point: :class:`Lifeline`.

The child holds the reading end of a pipe that nobody writes to, its parent the only writing end. The kernel tells the
child when that end is closed: by SIGIO, which ends a process that does not catch it (fcntl(2), F_SETOWN; signal(7)). So
nothing in the child has to look. prctl(2)'s PR_SET_PDEATHSIG would not do: its signal comes when the *thread* that
started the child ends, and a board is started by whichever thread asked for it. Linux only, as all of the simulator.
"""

from __future__ import annotations

import fcntl
import os


class Lifeline:
    """Made before the child; ``end`` is the descriptor that it must inherit (``pass_fds``)."""

    def __init__(self) -> None:
        self.end, self._held = os.pipe()

    def tie(self, process: int) -> None:
        """The child runs, with this id: from now on it ends with this process, or with :meth:`cut`."""
        fcntl.fcntl(self.end, fcntl.F_SETOWN, process)
        fcntl.fcntl(self.end, fcntl.F_SETFL, fcntl.fcntl(self.end, fcntl.F_GETFL) | os.O_ASYNC)
        os.close(self.end)  # the child has its own

    def cut(self) -> None:
        """Let go. Once the child has been waited for; one that still runs ends."""
        os.close(self._held)
