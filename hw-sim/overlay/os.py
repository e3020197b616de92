"""``os`` of the rp2 port: the unix one without what the board lacks, with seeded ``urandom`` and with ``sync``.

The board's filesystem root is the directory in which the simulator has started this interpreter.
"""

import _entropy
import _sim
from uos import chdir, getcwd, ilistdir, listdir, mkdir, remove, rename, rmdir, stat, statvfs, unlink

__all__ = (
    "chdir",
    "getcwd",
    "ilistdir",
    "listdir",
    "mkdir",
    "remove",
    "rename",
    "rmdir",
    "stat",
    "statvfs",
    "sync",
    "unlink",
    "urandom",
)


def urandom(n: int) -> bytes:
    """``n`` bytes from the simulator's seed."""
    _sim.call()
    return _entropy.fill(n)


def sync() -> None:
    """Write out filesystem buffers; files are written through here."""
    _sim.call()
