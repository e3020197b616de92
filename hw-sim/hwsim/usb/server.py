"""The bus for other processes: a socket behind which each connection is one program with its own handles and claims.

Entry point: :class:`Server` (a context manager). When a program ends, what it held is free, as after its exit.

Limits: the socket's folder decides who may connect.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from hwsim.usb import wire
from hwsim.usb.bus import Bus
from hwsim.usb.device import Setup
from hwsim.usb.host import Session

TICK_S = 0.02
BACKLOG = 64


class Server:
    """Serves ``bus`` at the socket ``path`` until it is left; the bus should be a ``real`` one."""

    def __init__(self, bus: Bus, path: Path) -> None:
        self.bus = bus
        self.path = path
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._open = False
        self._over = threading.Event()
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    def open(self) -> None:
        """Make the socket; OSError when it cannot be made. Done on entry if it has not been done before."""
        try:
            self._listener.bind(str(self.path))
            self._listener.listen(BACKLOG)
        except OSError:
            self._listener.close()
            raise
        self._open = True

    def __enter__(self) -> Server:
        if not self._open:
            self.open()
        for work in (self._accept, self._tick):
            self._begin(work)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self.bus.lock:
            for connection in self._connections:
                with contextlib.suppress(OSError):  # the program at the other end has gone first
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self.path.unlink(missing_ok=True)

    def _begin(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _tick(self) -> None:
        """Let time pass while nobody asks for anything."""
        while not self._over.wait(TICK_S):
            self.bus.run_for(0)

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            with self.bus.lock:
                self._connections.add(connection)
            self._begin(lambda connection=connection: self._serve(connection))  # type: ignore[misc]

    def _serve(self, connection: socket.socket) -> None:
        session = Session(self.bus)
        try:
            while True:
                head, tail = wire.receive(connection)
                wire.send(connection, *_answer(session, head, tail))
        except (wire.Closed, OSError):
            pass  # the program has ended, or the server does
        finally:
            session.end()
            with self.bus.lock:
                self._connections.discard(connection)
                connection.close()


def _answer(session: Session, head: dict[str, Any], tail: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        return _carry_out(session, head, tail)
    except OSError as wrong:
        return {"errno": wrong.errno}, b""
    except (KeyError, TypeError, ValueError):
        return {"errno": errno.EINVAL}, b""


def _carry_out(session: Session, head: dict[str, Any], tail: bytes) -> tuple[dict[str, Any], bytes]:
    operation, arguments = head["do"], head.get("with", [])
    if operation == "devices":
        found = [dataclasses.asdict(device) for device in session.devices()]
        for entry in found:
            entry["device"], entry["configuration"] = entry["device"].hex(), entry["configuration"].hex()
        return {"result": found}, b""
    if operation == "ports":
        return {"result": [dataclasses.asdict(port) for port in session.ports()]}, b""
    if operation == "write":
        handle, endpoint, timeout = arguments
        return {"result": session.write(handle, endpoint, tail, timeout)}, b""
    if operation == "read":
        return {}, session.read(*arguments)
    if operation == "control":
        handle, setup, timeout = arguments
        return {}, session.control(handle, Setup(*setup), tail, timeout)
    if operation not in (
        "open",
        "close",
        "claim",
        "release",
        "configure",
        "clear_halt",
        "reset",
        "driver",
        "driver_active",
    ):
        raise ValueError(operation)
    return {"result": getattr(session, operation)(*arguments)}, b""
