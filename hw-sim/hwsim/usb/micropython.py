"""A board that runs stock MicroPython: the real interpreter behind a serial port, its file system in the board's flash.

Entry points: :class:`MicroPython`, an :class:`hwsim.usb.board.Application`.

The pinned unix port does the prompt, raw REPL and raw paste itself. ``hw-sim/usb_overlay`` gives it what it lacks of a
Pico: the littlefs of the flash as root, ``boot.py`` and ``main.py``, ``machine.bootloader()`` and ``reset()``, the rp2
port's answers to ``sys.platform``, ``sys.implementation`` and ``os.uname()``. Soft resets are done here, by starting it
again.

Limits: 64-bit code (what ``sys.implementation._mpy`` says is the board's, native code is not run); no pins; the banner
is the unix port's; a line feed alone becomes CR LF unless it comes from ``sys.stdout.buffer``; real time, whatever the
bus's clock. While it runs the file system is a file beside it, and goes back into the flash when the board stops.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from hwsim.lifeline import Lifeline
from hwsim.process import interpreter
from hwsim.usb import filesystem
from hwsim.usb.terminal import MutePort, Terminal

if TYPE_CHECKING:
    from hwsim.usb.board import Board

OVERLAY = Path(__file__).resolve().parents[2] / "usb_overlay"
HEAP = {"RP2040": "192k", "RP2350": "448k"}
BUILD = {"RP2040": "RPI_PICO", "RP2350": "RPI_PICO2"}
MPY = {"RP2040": 4 << 10 | 3 << 8 | 6, "RP2350": 7 << 10 | 3 << 8 | 6}
"""sys.implementation._mpy: .mpy version 6.3, native code armv6m or armv7emsp."""

_CTRL_A = b"\x01"
_BARE_LINE_FEED = b"\x0e\x0f\x0e"  # usb_overlay/hwsim_board.py
_RAW_BANNER = b"raw REPL; CTRL-B to exit\r\n>"
_PROMPT = rb'MicroPython [^\r\n]*\r\nType "help\(\)" for more information\.\r\n>>> '
_BANNER = re.compile(_PROMPT + rb"(?:\r\n)?")
_HIDDEN_BANNER = re.compile(_PROMPT + rb"(?:\r\n|(?=[^\r])|(?=\r[^\n]))")  # with the line's end, once that has come
_LONGEST_MARK = 256
_LOCK_S = 0.05


class MicroPython:
    """What runs on ``board``; ``port`` is what a host opens. With ``board.faults.mute`` nobody answers there."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._mute = MutePort() if board.faults.mute else None
        self._terminal = Terminal(self._to_host, self._asked, self._soft_reset)
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline: Lifeline | None = None
        self._storage: filesystem.FileSystem | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._raw = False
        self._tail = b""
        self._held: bytes | None = None  # output kept back until the friendly banner of a raw soft reset has gone by
        self._last_was_cr = False
        self._stopped = False
        self._changing = threading.Lock()  # the process starts, or is ended
        self.port = self._mute.port if self._mute else self._terminal.port

    def start(self) -> None:
        """Power is on: boot.py, main.py, prompt."""
        board = self._board
        self._folder = tempfile.TemporaryDirectory(prefix="hwsim-usb-")
        self._storage = filesystem.ensure(board.chip, board.flash)
        self._image.write_bytes(self._storage.image)
        if self._mute is None:
            self._spawn(run_main=True)
        self._terminal.start()

    def stop(self) -> None:
        """Power cut or hard reset: what is in the file system is back in the flash, the port is gone."""
        with self._changing:
            self._stopped = True
            if self._process is not None:
                self._process.kill()
                self._wait()
        if self._storage is not None:
            self._storage.image = self._image.read_bytes()
        self._terminal.stop()
        if self._mute is not None:
            self._mute.stop()
        if self._folder is not None:
            self._folder.cleanup()

    def inject(self, data: bytes) -> None:
        """Send bytes to the host that the program has not written."""
        self._terminal.say(data)

    @property
    def _image(self) -> Path:
        if self._folder is None:
            raise RuntimeError("the board is off")
        return Path(self._folder.name) / "littlefs"

    def _spawn(self, *, run_main: bool) -> None:
        if self._storage is None:
            raise RuntimeError("the board is off")
        chip = self._board.chip
        told = (
            str(self._image),
            self._storage.blocks,
            self._terminal.control_write,
            self._board.uid.hex(),
            chip.board,
            BUILD[chip.name],
            MPY[chip.name],
            run_main,
        )
        self._lifeline = Lifeline()
        self._process = subprocess.Popen(
            [
                str(interpreter()),
                "-X",
                f"heapsize={HEAP[chip.name]}",
                "-i",
                "-c",
                f"import hwsim_board; hwsim_board.start(globals(), {', '.join(repr(word) for word in told)})",
            ],
            env={"MICROPYPATH": f"{OVERLAY}:.frozen", "PATH": os.environ.get("PATH", "")},
            cwd=OVERLAY,
            stdin=self._terminal.slave,
            stdout=self._terminal.slave,
            stderr=self._terminal.slave,
            pass_fds=(self._terminal.control_write, self._lifeline.end),
            start_new_session=True,
        )
        self._lifeline.tie(self._process.pid)
        self._terminal.watch(self._process.pid)

    def _wait(self) -> None:
        """The process has ended, or been killed."""
        if self._process is not None and self._lifeline is not None:
            self._process.wait()
            self._lifeline.cut()
        self._process = self._lifeline = None

    # --- called by the terminal's thread -------------------------------------------------------------------------

    def _asked(self, line: bytes) -> None:
        """The program asks for a hard reset; the port hangs until the bus has taken it away."""
        self._terminal.empty_ring()
        bus = self._board.bus
        while not self._stopped:
            if bus.lock.acquire(timeout=_LOCK_S):
                try:
                    if not self._stopped:
                        (self._board.enter_bootsel if line == b"bootloader" else self._board.reset)()
                        bus.clock.charge(0)
                finally:
                    bus.lock.release()
                return

    def _soft_reset(self) -> None:
        """The interpreter has ended, by Ctrl-D or SystemExit: it starts again and stays in the mode it was in."""
        with self._changing:
            if self._stopped:
                return
            self._wait()
            self._terminal.say(b"MPY: soft reboot\r\n")
            raw, self._raw = self._raw, False
            self._held = b"" if raw else None
            self._spawn(run_main=not raw)
            if raw:
                self._terminal.type(_CTRL_A)

    def _to_host(self, data: bytes) -> bytes:
        self._follow_mode(data)
        if self._held is not None:
            self._held += data
            banner = _HIDDEN_BANNER.search(self._held)
            if banner is None:
                data, self._held = self._held[:-_LONGEST_MARK], self._held[-_LONGEST_MARK:]
            else:
                data, self._held = self._held[: banner.start()] + self._held[banner.end() :], None
        return self._with_carriage_returns(data)

    def _follow_mode(self, data: bytes) -> None:
        seen = self._tail + data
        raw, friendly = seen.rfind(_RAW_BANNER), -1
        for match in _BANNER.finditer(seen):
            friendly = match.start()
        if raw != friendly:  # at least one of them is there
            self._raw = raw > friendly
        self._tail = seen[-_LONGEST_MARK:]

    def _with_carriage_returns(self, data: bytes) -> bytes:
        made = bytearray()
        for part in re.split(b"(\r?\n)", data):
            if part == b"\n" and not (self._last_was_cr and not made):
                made += b"\r\n"
            else:
                made += part
        self._last_was_cr = data.endswith(b"\r") if data else self._last_was_cr
        return bytes(made).replace(_BARE_LINE_FEED, b"\n")
