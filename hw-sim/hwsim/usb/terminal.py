"""A serial port of this computer that an emulated board is behind: a pseudo-terminal and the thread that serves it.

Entry points: :class:`Terminal` (a port with an interpreter at the other end), :class:`MutePort` (a port that never
answers), :func:`catches_interrupts`.

The rules of the rp2 port's USB serial line are kept where a pseudo-terminal lets them be: 512 bytes of receive ring,
packets of 64 bytes, and a write towards a host that takes nothing for 500 ms loses its rest. Ctrl-C empties the ring
and interrupts.

Limits: a pseudo-terminal knows no DTR, so what is written while no program has the port open waits for the next one;
the kernel's own buffer (4 KiB) lies between. Real time only.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import termios
import threading
import tty
from array import array
from collections.abc import Callable
from pathlib import Path

RING_BYTES = 512
PACKET_BYTES = 64
OUTPUT_BYTES = 256
BLOCK_MS = 500
RETRY_MS = 2
CONTROL_BYTES = 4096
CTRL_C = b"\x03"
READY = b"ready"  # from the interpreter: it has become the board, and listens
LOCAL_MODES = 3  # c_lflag in what tcgetattr gives


class MutePort:
    """A port that takes everything and says nothing."""

    def __init__(self) -> None:
        self._far, self._near = pty.openpty()
        tty.setraw(self._near, termios.TCSANOW)
        self.port = os.ttyname(self._near)

    def start(self) -> None:
        """Nothing runs behind it."""

    def stop(self) -> None:
        """Take the port away."""
        os.close(self._far)
        os.close(self._near)


class Terminal:
    """The port of a board and the terminal of its interpreter, and the bytes between them.

    ``output(data)`` is given what the interpreter wrote and returns what the host gets; ``control(line)`` is called
    with each line but READY that comes through the pipe ``control_write``; ``ended()`` when the process given to
    ``watch`` has ended and all it wrote is out. All three are called by the serving thread.
    """

    def __init__(
        self, output: Callable[[bytes], bytes], control: Callable[[bytes], None], ended: Callable[[], None]
    ) -> None:
        self._far, self._near = pty.openpty()
        tty.setraw(self._near, termios.TCSANOW)
        self.port = os.ttyname(self._near)
        self._inside, self.slave = pty.openpty()
        modes = termios.tcgetattr(self.slave)
        modes[0] = modes[1] = 0
        modes[LOCAL_MODES] = 0  # a Ctrl-C that interrupts is seen before it comes here
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        os.set_blocking(self._far, False)
        os.set_blocking(self._inside, False)
        self._control_read, self.control_write = os.pipe()
        self._wake_read, self._wake_write = os.pipe()
        self._output, self._control, self._ended = output, control, ended
        self._over = threading.Event()
        self._lines = b""
        self._unread = array("i", [0])
        self._process = self._child = -1
        self._listening = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def watch(self, process: int) -> None:
        """Tell when this process ends; what the host sends waits until it is READY."""
        self._listening = False
        self._process = process
        self._child = os.pidfd_open(process)

    def stop(self) -> None:
        """Take the port away; returns when it has gone (the serving thread itself: as soon as it is back)."""
        self._over.set()
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b".")
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def type(self, data: bytes) -> None:
        """Put bytes before the interpreter, as if the host had sent them."""
        os.write(self._inside, data)

    def say(self, data: bytes) -> None:
        """Send bytes to the host that the interpreter has not written."""
        self._to_host(data)

    def empty_ring(self) -> None:
        """Forget what the interpreter has not read."""
        termios.tcflush(self.slave, termios.TCIFLUSH)

    # --- the serving thread --------------------------------------------------------------------------------------

    def _serve(self) -> None:
        try:
            while not self._over.is_set():
                listen = [self._inside, self._control_read, self._wake_read]
                if self._child >= 0:
                    listen.append(self._child)
                room = self._ring_room()
                if room and self._listening:
                    listen.append(self._far)
                ready = _ready(listen, select.POLLIN, None if room else RETRY_MS)
                if self._wake_read in ready:
                    os.read(self._wake_read, 64)
                if self._inside in ready:
                    self._from_interpreter()
                if self._control_read in ready:
                    self._take_control()
                if self._child in ready:
                    self._child_ended()
                elif self._far in ready:
                    self._from_host()
        finally:
            if self._child >= 0:
                os.close(self._child)
            for descriptor in (self._far, self._near, self._inside, self.slave):
                os.close(descriptor)
            for descriptor in (self._control_read, self.control_write, self._wake_read, self._wake_write):
                os.close(descriptor)

    def _ring_room(self) -> bool:
        fcntl.ioctl(self.slave, termios.FIONREAD, self._unread)
        return self._unread[0] + PACKET_BYTES <= RING_BYTES

    def _from_host(self) -> None:
        try:
            data = os.read(self._far, PACKET_BYTES)
        except BlockingIOError:
            return
        # While a program runs that can be interrupted, Ctrl-C is taken out and the ring is emptied, as on the board.
        if CTRL_C in data and self._child >= 0 and catches_interrupts(self._process):
            termios.tcflush(self.slave, termios.TCIFLUSH)
            signal.pidfd_send_signal(self._child, signal.SIGINT)
            data = data.rpartition(CTRL_C)[2]
        os.write(self._inside, data)

    def _from_interpreter(self) -> bool:
        try:
            data = os.read(self._inside, OUTPUT_BYTES)
        except BlockingIOError:
            return False
        self._to_host(self._output(data))
        return True

    def _child_ended(self) -> None:
        while self._from_interpreter():
            pass
        os.close(self._child)
        self._child = -1
        if not self._over.is_set():
            self._ended()

    def _take_control(self) -> None:
        self._lines += os.read(self._control_read, CONTROL_BYTES)
        *lines, self._lines = self._lines.split(b"\n")
        for line in lines:
            if line == READY:
                self._listening = True
            else:
                self._control(line)

    def _to_host(self, data: bytes) -> None:
        while data and not self._over.is_set():
            if not _ready([self._far], select.POLLOUT, BLOCK_MS):
                return  # nobody has read for 500 ms: the rest is lost
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._far, data) :]


def catches_interrupts(process: int) -> bool:
    """Whether the interpreter has a program to interrupt: at its prompt the signal would end the process."""
    try:
        words = Path(f"/proc/{process}/status").read_text().split()
    except OSError:
        return False  # it has ended
    return bool(int(words[words.index("SigCgt:") + 1], 16) >> (signal.SIGINT - 1) & 1)


def _ready(descriptors: list[int], event: int, timeout: int | None) -> list[int]:
    """Those of ``descriptors`` where ``event`` is, waiting ``timeout`` milliseconds for the first; None: for ever."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, event)
    return [descriptor for descriptor, _ in poll.poll(timeout)]
