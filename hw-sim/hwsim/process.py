"""One run of the MicroPython interpreter: its process, its pipes and the processor it shares with the simulator.

Entry points: :class:`Process`, :class:`ControllerDied`, ``PROCESSOR``.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
from array import array
from collections.abc import Iterable
from pathlib import Path

from hwsim import costs
from hwsim.compiled import compiled_overlay, in_sources
from hwsim.lifeline import Lifeline

OVERLAY = Path(__file__).resolve().parent.parent / "overlay"
STORE = Path(__file__).resolve().parents[2] / "build" / "sim"
CHECK_MS = 250
STALL_MS = 4000  # real time for which a process may sleep without a call; it never has to
PIPE_BYTES = 65_536
LENGTH_MASK = (1 << 31) - 1


class ControllerDied(Exception):
    """The firmware's process ended, or stopped calling, on its own; the message carries its output."""


class CpuBackstop(Exception):
    """The firmware used ``costs.CPU_BACKSTOP_S`` of processor time without a call."""


def interpreter() -> Path:
    """The pinned MicroPython beside the running Python."""
    path = Path(sys.executable).parent / "micropython"
    if not path.exists():
        raise FileNotFoundError(f"the simulated table needs MicroPython, and {path} is not there")
    return path


class Processor:
    """One processor that the simulating thread and its interpreters keep to, while any of them runs.

    Simulator and interpreter take turns, never run together; a hand-over on one processor takes 6 us, between two of
    them seven times as long. Each simulating process takes a processor that no other has taken, while there are any.
    """

    def __init__(self) -> None:
        self._users = 0
        self._before: set[int] = set()
        self._lock = -1

    def take(self) -> None:
        """Keep to one processor from here on; each ``take`` wants a ``release``."""
        self._users += 1
        if self._users > 1:
            return
        self._before = os.sched_getaffinity(0)
        allowed = sorted(self._before)
        for processor in allowed:
            path = Path(tempfile.gettempdir()) / f"hwsim-cpu-{os.getuid()}-{processor}.lock"
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(lock)
                continue
            self._lock = lock
            os.sched_setaffinity(0, {processor})
            return
        os.sched_setaffinity(0, {allowed[os.getpid() % len(allowed)]})

    def release(self) -> None:
        """Undo a ``take``; the last one gives all processors back."""
        self._users -= 1
        if self._users:
            return
        os.sched_setaffinity(0, self._before)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


PROCESSOR = Processor()


class Process:
    """A running interpreter. The constructor starts it in ``root`` with ``path`` on MICROPYPATH after the overlay."""

    def __init__(self, root: Path, path: Iterable[Path], heap: str) -> None:
        self.packets: list[bytes] = []
        """What the firmware has written to standard output, one entry a write."""
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        stdin_read, self._stdin = os.pipe()
        # One packet a write: the port's rules speak of "the rest of that write".
        self._stdout, stdout = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._request, self._answer, self._stdin_read = request_read, answer_write, stdin_read
        self._path = list(path)
        overlay = compiled_overlay(OVERLAY, STORE)
        # The interpreter keeps each module's path in its heap: as short as on the board, wherever this tree lies.
        folders = [os.open(place, os.O_RDONLY | os.O_DIRECTORY) for place in (overlay, *self._path)]
        self._lifeline = Lifeline()
        places = [*(f"/dev/fd/{folder}" for folder in folders), ".frozen"]
        self._popen = subprocess.Popen(
            [
                str(interpreter()),
                "-X",
                f"heapsize={heap}",
                str(overlay / "sim_boot.py"),
                str(request_write),
                str(answer_read),
            ],
            cwd=root,
            env={"MICROPYPATH": ":".join(places), "PATH": os.environ.get("PATH", "")},
            stdin=stdin_read,
            stdout=stdout.fileno(),
            stderr=self._stderr,
            pass_fds=(request_write, answer_read, *folders, self._lifeline.end),
            start_new_session=True,
        )
        self._lifeline.tie(self._popen.pid)
        for descriptor in (request_write, answer_read, *folders):
            os.close(descriptor)
        stdout.close()
        self._stdout.setblocking(False)
        self._poll = select.poll()
        self._poll.register(request_read, select.POLLIN)
        self._poll.register(self._stdout, select.POLLIN)
        self._stdout_fd = self._stdout.fileno()
        self._unread = array("i", [0])
        self._closed = False
        self._last_words = ""

    # --- protocol ----------------------------------------------------------------------------------------------

    def receive(self) -> bytes:
        """Wait for the next batch; what was written to standard output before it is in ``packets`` then.

        Raises ControllerDied when the process has ended or waits for input that nobody will send, CpuBackstop when it
        computes without end.
        """
        idle = 0
        used = -1.0
        while True:
            batch = False
            ready = self._poll.poll(CHECK_MS)
            for descriptor, _ in ready:
                if descriptor == self._stdout_fd:
                    self._drain()
                else:
                    batch = True
            if batch:
                data = os.read(self._request, PIPE_BYTES)
                if not data:
                    self._drain()
                    raise ControllerDied(self._obituary())
                size = int.from_bytes(data[:8], "little") & LENGTH_MASK
                while len(data) < size:
                    data += os.read(self._request, PIPE_BYTES)
                return data
            if ready:
                continue
            now = self.cpu_seconds
            if used < 0:
                used = now
            if now - used > costs.CPU_BACKSTOP_S:
                raise CpuBackstop
            idle = idle + CHECK_MS if self._state() == "S" else 0
            if idle > STALL_MS:
                raise ControllerDied(f"the firmware waits outside the simulator's clock: {self._obituary()}")

    def answer(self, data: bytes) -> None:
        """Send the answer to the batch; ControllerDied when the process has ended meanwhile."""
        try:
            os.write(self._answer, data)
        except BrokenPipeError:
            raise ControllerDied(self._obituary()) from None

    def _drain(self) -> None:
        while True:
            try:
                packet = self._stdout.recv(PIPE_BYTES)
            except BlockingIOError:
                return
            if not packet:
                return
            self.packets.append(packet)

    # --- standard input ----------------------------------------------------------------------------------------

    def deliver(self, data: bytes) -> None:
        """Put bytes into the firmware's standard input."""
        os.write(self._stdin, data)

    def unread(self) -> int:
        """Bytes there that it has not read."""
        fcntl.ioctl(self._stdin_read, termios.FIONREAD, self._unread)
        return self._unread[0]

    # --- life and death ----------------------------------------------------------------------------------------

    @property
    def cpu_seconds(self) -> float:
        """Processor time the process has used."""
        # The clock of another process, clock_getcpuclockid(3): the complement of its id, and "scheduler time".
        try:
            return time.clock_gettime((~self._popen.pid << 3) | 2)
        except OSError:
            return 0.0

    def _state(self) -> str:
        try:
            return Path(f"/proc/{self._popen.pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return "X"

    @property
    def exit_status(self) -> int | None:
        """Exit status, negative for a signal; None while it runs."""
        return self._popen.poll()

    @property
    def stderr(self) -> str:
        """What it has written to standard error."""
        if self._closed:
            return self._last_words
        size = os.fstat(self._stderr.fileno()).st_size
        said = os.pread(self._stderr.fileno(), size, 0).decode(errors="replace")
        return in_sources(said, self._path)

    def _obituary(self) -> str:
        try:
            status: object = self._popen.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            status = "none yet"
        printed = b"".join(self.packets).decode(errors="replace")
        return f"exit status {status}\n{printed}{self.stderr}"

    def kill(self) -> None:
        """End it at once (SIGKILL) and close its pipes; ``stderr`` can still be read."""
        if self._closed:
            return
        if self._popen.poll() is None:
            self._popen.send_signal(signal.SIGKILL)
        self._popen.wait()
        self._lifeline.cut()
        self._last_words = self.stderr
        self._closed = True
        self._stderr.close()
        for descriptor in (self._request, self._answer, self._stdin, self._stdin_read):
            os.close(descriptor)
        self._stdout.close()
