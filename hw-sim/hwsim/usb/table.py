"""A board of a table: what was flashed runs in the simulated controller, its USB port a serial port of this computer.

Entry point: :class:`TableBoard`, an :class:`hwsim.usb.board.Application` that stays the same over the board's starts:
``Board(..., application=TableBoard())``. Without a configuration the firmware ends at the prompt, and so it does, once,
when it was told to: the port is then that of :class:`hwsim.usb.micropython.MicroPython`.

Limits: real time, in a thread of its own; take ``lock`` to touch ``table`` meanwhile. Native code for the board's
processor is not run. A reset by the firmware itself keeps the port's name. The port shows when the firmware is up, not
before: a busy computer starts it late, not slowly. A soft reset at a table's prompt does not start the table.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hwsim.provisioning import small_table
from hwsim.pseudo_port import PseudoPort
from hwsim.table import SimTable
from hwsim.usb import filesystem
from hwsim.usb.micropython import MicroPython

if TYPE_CHECKING:
    from hwsim.usb.board import Board

TURN_MS = 20
BOOT_MS = 1500
"""By then the firmware answers on its port."""
_LOCK_S = 0.05
_PROMPT = "prompt"
"""The file by which the firmware tells its next start to end at the prompt."""


class TableBoard:
    """The hardware of one table around the board that it is given; ``seed`` as for :class:`~hwsim.table.SimTable`.

    The table's layout is that of the ``config.json`` that was flashed; of one that names no readers, ``layout``'s
    (default: two seats of Three Card Poker). The journal memory keeps its content from start to start. ``failure`` is
    what ended the firmware unexpectedly.
    """

    def __init__(self, *, layout: dict[str, Any] | None = None, seed: int = 0) -> None:
        self.port = ""
        self.lock = threading.Lock()
        self.failure: Exception | None = None
        self._layout = small_table() if layout is None else layout
        self._seed = seed
        self._memory: bytearray | None = None
        self._segments: bytearray | None = None
        self._board: Board | None = None
        self._storage: filesystem.FileSystem | None = None
        self._table: SimTable | None = None
        self._pseudo_port: PseudoPort | None = None
        self._prompt: MicroPython | None = None
        self._folder = Path()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __call__(self, board: Board) -> TableBoard:
        """Be the application of ``board``."""
        self._board = board
        return self

    @property
    def table(self) -> SimTable:
        """The table as it is now; RuntimeError while the board is off or shows its prompt."""
        if self._table is None:
            raise RuntimeError("the board is off")
        return self._table

    def start(self) -> None:
        """Power up: the files of the flash run."""
        if self._board is None:
            raise RuntimeError("no board")
        self._folder = Path(tempfile.mkdtemp(prefix="hwsim-usb-"))
        self._storage = filesystem.ensure(self._board.chip, self._board.flash)
        root = self._storage.unpack(self._folder / "root")
        if not (root / "config.json").exists() or (root / _PROMPT).exists():
            self._prompt = MicroPython(self._board)
            self.port = self._prompt.port
            self._prompt.start()
            return
        table = SimTable(
            root,
            config=self._flashed_layout(root),
            seed=self._seed,
            image=self._memory,
            flash=self._segments,
            code=[folder for folder in (root, root / "lib") if folder.is_dir()],
            realtime=True,
            bare=True,
            uid=self._board.uid,
        )
        self._table = table
        table.controller.stays_off = (root / _PROMPT).exists
        table.start()
        table.controller.realtime.hold(False)
        alive = self._goes_on(table, BOOT_MS)
        table.controller.realtime.hold(True)
        self._pseudo_port = PseudoPort(table)
        self.port = self._pseudo_port.name
        self._over.clear()
        if alive:
            self._thread = threading.Thread(target=self._run, args=(table, self._board), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Power cut or reset: what the firmware has written is in the flash, the port is gone."""
        self._over.set()
        if self._prompt is not None:
            self._prompt.stop()
            self._prompt = None
        else:
            self._stop_table()
        shutil.rmtree(self._folder)

    def _stop_table(self) -> None:
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join()
        self._thread = None
        if self._pseudo_port is not None:
            self._pseudo_port.close()
        if self._table is not None:
            self._memory = self._table.hardware.fram.image
            self._segments = self._table.hardware.flash.image
            self._table.stop()
            self._table = None
        if self._storage is not None:
            self._storage.store(self._folder / "root")

    def _flashed_layout(self, root: Path) -> dict[str, Any]:
        try:
            # The controller adds a line of its own behind it at its first start.
            found, _ = json.JSONDecoder().raw_decode((root / "config.json").read_text())
        except ValueError:
            return self._layout  # the firmware will say so
        return {"decks": 1, **found} if isinstance(found, dict) and "readers" in found else self._layout

    # --- the table's thread --------------------------------------------------------------------------------------

    def _goes_on(self, table: SimTable, duration_ms: int) -> bool:
        try:
            with self.lock:
                table.run_for(duration_ms)
        except Exception as wrong:
            self.failure = wrong
            return False
        return True

    def _run(self, table: SimTable, board: Board) -> None:
        while not self._over.is_set() and self._goes_on(table, TURN_MS):
            if table.controller.in_boot_loader:
                self._leave(board, board.enter_bootsel)
                return
            if table.controller.is_off:
                self._leave(board, board.reset)
                return

    def _leave(self, board: Board, how: Callable[[], None]) -> None:
        while not self._over.is_set():
            if board.bus.lock.acquire(timeout=_LOCK_S):
                try:
                    if not self._over.is_set():
                        how()
                        board.clock.charge(0)
                finally:
                    board.bus.lock.release()
                return
