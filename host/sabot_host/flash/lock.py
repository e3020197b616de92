"""One tool a board: a lock that lasts over restarts, while the board has no port that could be held open.

Entry point: :func:`board_lock`. The lock is the operating system's and goes with the process that holds it.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from sabot_host.errors import DeviceError


@contextmanager
def board_lock(place: str) -> Iterator[None]:
    """Hold the lock of the board at ``place`` (its USB location or port). DeviceError when another program holds it."""
    folder = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / f"sabot-{_user()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / (re.sub(r"[^\w.-]", "_", place) + ".lock")).open("a+") as file:
        if not _take(file):
            file.seek(0)
            holder = file.read().strip()
            raise DeviceError(
                "board-locked",
                f"another sabot works on this board (process {holder or 'unknown'})",
                "wait for it to end, or end it",
            )
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[str]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
