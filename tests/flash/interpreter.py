"""A real MicroPython interpreter behind a pseudo-terminal, for tests of its raw REPL.

Entry point: :func:`at_prompt`, a context manager that gives the name of the port. A thread carries the bytes between
the port and the interpreter's own terminal. A Ctrl-C that comes while code runs empties the input and is sent as a
signal: that is what the board's port does.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hwsim.usb.terminal import catches_interrupts

START_S = 30
LOOK_S = 0.005


class _Terminal(NamedTuple):
    far: int
    near: int

    @classmethod
    def open(cls) -> "_Terminal":
        far, near = pty.openpty()
        tty.setraw(near)
        return cls(far, near)

    def unread(self) -> int:
        return int(struct.unpack("i", fcntl.ioctl(self.near, termios.FIONREAD, bytes(4)))[0])


def _carry(port: _Terminal, own: _Terminal, stop: int, process: subprocess.Popen[bytes]) -> None:
    while True:
        ready = select.select([port.far, own.far, stop], [], [])[0]
        if stop in ready:
            return
        if own.far in ready:
            os.write(port.far, os.read(own.far, 4096))
        if port.far in ready:
            data = os.read(port.far, 4096)
            os.write(own.far, data)
            # A prompt reads it, sooner or later; code that runs does not.
            while b"\x03" in data and own.unread() and not select.select([stop], [], [], LOOK_S)[0]:
                if catches_interrupts(process.pid) and own.unread():
                    termios.tcflush(own.near, termios.TCIFLUSH)
                    process.send_signal(signal.SIGINT)


@contextmanager
def at_prompt(folder: Path) -> Iterator[str]:
    """Run the interpreter in ``folder``, whose files are the board's, until the block ends."""
    port, own = _Terminal.open(), _Terminal.open()
    stopped, stop = os.pipe()
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("micropython"))],
        stdin=own.near,
        stdout=own.near,
        stderr=own.near,
        cwd=folder,
    )
    try:
        shown = b""
        while b">>> " not in shown:  # until then a signal would end the process itself
            assert select.select([own.far], [], [], START_S)[0], "the interpreter does not start"
            shown += os.read(own.far, 4096)
        carrier = threading.Thread(target=_carry, args=(port, own, stopped, process))
        carrier.start()
        try:
            yield os.ttyname(port.near)
        finally:
            os.write(stop, b"x")
            carrier.join()
    finally:
        process.kill()
        process.wait()
        for end in (*port, *own, stopped, stop):
            os.close(end)
