"""A person's terminal, letter by letter. Entry points: :func:`raw` (POSIX: a descriptor), :func:`letters`.

Windows is written for and untested.
"""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST = 1024


@contextmanager
def raw() -> Iterator[int]:
    """The terminal of standard input, letter by letter and without an echo; put back at the end. Its descriptor.

    Ctrl-C comes as a letter: it must not strike in the middle of what is done.
    """
    import termios

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    changed = termios.tcgetattr(descriptor)
    changed[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
    termios.tcsetattr(descriptor, termios.TCSADRAIN, changed)
    try:
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@contextmanager
def letters() -> Iterator[Callable[[], bytes]]:
    """In the block a function gives what has been typed since it was last asked, and never waits."""
    if sys.platform == "win32":
        yield _of_console
        return
    with raw() as descriptor:
        yield lambda: _of_descriptor(descriptor)


def _of_descriptor(descriptor: int) -> bytes:
    import os

    ready, _, _ = select.select([descriptor], [], [], 0)
    return os.read(descriptor, MOST) if ready else b""


def _of_console() -> bytes:
    typed = ""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit() and len(typed) < MOST:
            typed += msvcrt.getwch()
    return typed.encode()
