"""The part of `machine` that a host tool asks for: the board's id and its ways to start again.

Entry points: as in MicroPython; :func:`begin` and :func:`ready` are the start-up's.
"""

import time

from umachine import idle, mem8, mem16, mem32  # noqa: F401 - part of this module

_control = None
_uid = b""


def begin(control, uid):
    """Know the supervisor's pipe and the board's id."""
    global _control, _uid
    _control = control
    _uid = uid


def ready():
    """Tell the supervisor that the port is there: on the board USB begins when the file system is mounted."""
    _control.write(b"ready\n")


def _ask(word):
    _control.write(word + b"\n")
    while True:  # the supervisor ends this process
        time.sleep(1)


def unique_id():
    """The board's id, 8 bytes."""
    return _uid


def reset():
    """Start again, as after power-up."""
    _ask(b"reset")


def bootloader(timeout=0):
    """Start again in the boot loader."""
    _ask(b"bootloader")


def soft_reset():
    """Start the interpreter again; the port stays."""
    raise SystemExit
