"""The module `os` of the board: the interpreter's, and what it lacks.

Entry points: as in MicroPython; :func:`begin` is the start-up's.
"""

from collections import namedtuple

from uos import *  # noqa: F403 - all of it is part of this module

_uname = None


def begin(machine_name, version):
    """Know the board's name."""
    global _uname
    made = namedtuple("uname_result", ("sysname", "nodename", "release", "version", "machine"))
    release = ".".join(str(part) for part in version[:3])
    _uname = made("rp2", "rp2", release, "v" + release, machine_name)


def uname():
    """Name and version of system and board."""
    return _uname


def sync():
    """Nothing is held back: every write has reached the storage."""
