"""The emulated USB: boards at their ports, addresses as they come and go, one clock and one lock for all of it.

Entry points: :class:`Bus` (:meth:`~Bus.add`, :meth:`~Bus.session`, :meth:`~Bus.backend`), :func:`rig` (a bus with
boards).

Limits: full speed only, and only one board moves bytes at a time; hubs are only numbers in a port path.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hwsim.usb.board import Application, Board
from hwsim.usb.chips import Chip
from hwsim.usb.clock import Clock
from hwsim.usb.device import Device
from hwsim.usb.micropython import MicroPython

if TYPE_CHECKING:
    from hwsim.usb.backend import EmulatedBackend
    from hwsim.usb.host import Session

MOST_BOARDS = 127


class Attached(NamedTuple):
    """A device that is on the bus."""

    address: int
    board: Board
    device: Device


class Bus:
    """A computer's USB. ``real``: other processes take part, so the wall clock counts too (:mod:`hwsim.usb.clock`)."""

    def __init__(
        self, *, real: bool = False, application: Callable[[Board], Application] = MicroPython, number: int = 1
    ) -> None:
        self.clock = Clock(real=real)
        self.lock = threading.RLock()
        """Held by whoever touches bus or boards; everything here takes it."""
        self.application = application
        self.number = number
        self.boards: list[Board] = []
        self.claims: dict[tuple[int, int], object] = {}
        """(address, interface) to the handle that has claimed it."""
        self.detached_drivers: set[tuple[int, int]] = set()
        """(address, interface) whose kernel driver a program has sent away."""
        self._attached: dict[int, Attached] = {}
        self._addresses = 0

    # --- boards --------------------------------------------------------------------------------------------------

    def add(self, board: Board, *, plugged: bool = True) -> Board:
        """Put a board at its port, with the cable in unless ``plugged`` is False; returns it."""
        with self.lock:
            ports_of(board.port)
            if len(self.boards) == MOST_BOARDS:
                raise ValueError(f"a bus takes {MOST_BOARDS} devices")
            if any(other.port == board.port for other in self.boards):
                raise ValueError(f"port {board.port} is taken")
            self.boards.append(board)
            board.join(self)
        if plugged:
            board.plug()
        return board

    def attached(self, board: Board) -> None:
        """A board's device has appeared (called by the board): it gets the next address."""
        if board.device is None:
            raise RuntimeError("no device to attach")
        self._addresses = self._addresses % 127 + 1
        while self._addresses in self._attached:
            self._addresses = self._addresses % 127 + 1
        self._attached[self._addresses] = Attached(self._addresses, board, board.device)

    def detached(self, board: Board) -> None:
        """A board's device has gone (called by the board)."""
        for address in [entry.address for entry in self._attached.values() if entry.board is board]:
            del self._attached[address]
            self.claims = {key: handle for key, handle in self.claims.items() if key[0] != address}
            self.detached_drivers = {key for key in self.detached_drivers if key[0] != address}

    def devices(self) -> Iterator[Attached]:
        """What is on the bus now."""
        return iter(sorted(self._attached.values()))

    def find(self, address: int) -> Attached | None:
        """The device at an address."""
        return self._attached.get(address)

    # --- time ----------------------------------------------------------------------------------------------------

    def run_for(self, seconds: float) -> None:
        """Let time pass."""
        with self.lock:
            self.clock.catch_up()
            self.clock.sleep(seconds)

    def settle(self) -> None:
        """Let time pass until every board has come up, or hangs."""
        with self.lock:
            while any(board.state == "starting" for board in self.boards):
                when = self.clock.scheduler.next_time()
                if when is None:
                    raise RuntimeError("a board is starting and nothing is due")
                self.clock.scheduler.run_until(when)

    # --- hosts ---------------------------------------------------------------------------------------------------

    def session(self) -> Session:
        """The bus as one program sees it."""
        from hwsim.usb.host import Session

        return Session(self)

    def backend(self) -> EmulatedBackend:
        """A pyusb backend for a program in this process: ``usb.core.find(backend=bus.backend())``."""
        from hwsim.usb.backend import EmulatedBackend

        return EmulatedBackend(self.session())

    def close(self) -> None:
        """Unplug everything."""
        with self.lock:
            for board in self.boards:
                board.unplug()


def ports_of(port: str) -> tuple[int, ...]:
    """``1-2.3`` as port numbers, here (2, 3); ValueError for what is no port path."""
    _, dash, path = port.partition("-")
    numbers = path.split(".")
    if not dash or not all(number.isdecimal() and 0 < int(number) < 128 for number in numbers) or len(numbers) > 7:
        raise ValueError(f"{port} is no port path: 1-2.3 is one")
    return tuple(int(number) for number in numbers)


def rig(chips: list[Chip], *, real: bool = False, seed: int = 0, plugged: bool = True) -> Bus:
    """A bus with one blank board for each of ``chips``, at ports 1-1.1, 1-1.2 ...; ids come from ``seed``."""
    bus = Bus(real=real)
    for number, chip in enumerate(chips, 1):
        uid = hashlib.sha256(f"board {seed} {number}".encode()).digest()[:8]
        bus.add(Board(chip, uid, f"1-1.{number}"), plugged=plugged)
    return bus
