"""`sabot` commands in processes of their own, on pipes and on terminals, for tests that read what a person would see.

Entry points: :class:`Running` (a command on pipes), :class:`Terminal` (a command in a terminal of its own). They wait
for words, never for time; a wait that is in vain fails after ``PATIENCE_S``.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType

PATIENCE_S = 60.0
COMMAND = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Running:
    """A command whose output is read line by line. Use it as a context manager: at its end it is ended."""

    def __init__(self, *words: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.said = ""

    def __enter__(self) -> Running:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def until(self, words: str) -> str:
        """Read until the output holds ``words``, behind what was found before; everything up to their end."""
        assert self.process.stdout is not None
        found, self.said = _until(self.process.stdout.fileno(), words, self.said)
        return found

    def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """End it; its exit status, the rest of what it said, and its errors."""
        self.process.send_signal(how)
        rest, errors = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, rest.decode(), errors.decode()


class Terminal:
    """A command in a terminal of ``columns`` × ``lines``; what it draws is read as text without its escapes."""

    def __init__(self, *words: object, columns: int = 100, lines: int = 40) -> None:
        self._drawn = ""
        self._near, far = pty.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *map(str, words)],
            stdin=far,
            stdout=far,
            stderr=far,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": str(lines)},
        )
        os.close(far)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._near)

    def until(self, words: str) -> str:
        """Read until ``words`` have been drawn, behind what was found before; everything up to their end."""
        found, self._drawn = _until(self._near, words, self._drawn)
        return found

    def type(self, text: str) -> None:
        """Press keys: text, ``\\r`` for return, ``\\x03`` for Ctrl-C."""
        os.write(self._near, text.encode())

    def wait(self) -> tuple[int, str]:
        """Until it has ended: its exit status, and the rest of what it drew."""
        rest = self._drawn
        end = time.monotonic() + PATIENCE_S
        while True:
            ready, _, _ = select.select([self._near], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"it does not end:\n{rest}"
            try:
                data = os.read(self._near, 65536)
            except OSError:
                data = b""  # the terminal's other end is closed
            if not data:
                return self.process.wait(timeout=PATIENCE_S), _ESCAPES.sub("", rest)
            rest += data.decode(errors="replace")


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _until(descriptor: int, words: str, said: str) -> tuple[str, str]:
    """What comes up to the end of ``words``, and what has come behind them; ``said`` has come before."""
    end = time.monotonic() + PATIENCE_S
    while words not in (said := _ESCAPES.sub("", said)):
        ready, _, _ = select.select([descriptor], [], [], max(0.0, end - time.monotonic()))
        assert ready, f"'{words}' has not come:\n{said}"
        try:
            data = os.read(descriptor, 65536)
        except OSError:
            data = b""
        assert data, f"it ended before '{words}' came:\n{said}"
        said += data.decode(errors="replace")
    before, _, behind = said.partition(words)
    return before + words, behind
