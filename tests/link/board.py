"""The controller's end of the link on CPython, with a port that knows the rules of the board's FIFO.

Entry points: :class:`Port` (the USB serial port, 256-byte FIFO), :class:`Controller` (link, commands and access of the
firmware on it), :class:`Clock`. The firmware's modules are the real ones; what they import of MicroPython (``asyncio``,
``micropython``, ``select``, ``time``) is replaced while they are imported, and their time is :data:`CLOCK`.
"""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from sabot.journal.errors import JournalError
from sabot.wire import view
from sabot.wire.records import code_of

FIFO_BYTES = 256
RING_BYTES = 512
MASK = (1 << 30) - 1
KEYS = {"auditor": bytes(range(32)), "dealer": b"D" * 32, "supervisor": bytes(32), "technician": b"T" * 32}
UNIQUE_ID = bytes.fromhex("e661640843212a2c")


class Clock:
    """Milliseconds of virtual time; the counter of the board wraps at 2**30."""

    def __init__(self) -> None:
        self.ms = 0


CLOCK = Clock()


def ticks_ms() -> int:
    return CLOCK.ms & MASK


def ticks_diff(end: int, start: int) -> int:
    half = (MASK + 1) >> 1
    return ((end - start + half) & MASK) - half


class Poll:
    """``select.poll`` over the two streams of a :class:`Port`."""

    def __init__(self) -> None:
        self._streams: list[tuple[Any, int]] = []

    def register(self, stream: Any, mask: int) -> None:
        self._streams.append((stream, mask))

    def ipoll(self, timeout: int) -> Iterator[tuple[Any, int]]:
        assert timeout == 0, "the link never waits"
        for stream, mask in self._streams:
            stream.port.calls += 1
            if stream.ready():
                yield stream, mask


def _module(name: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names)
    return module


def _import_firmware() -> tuple[Any, Any, Any]:
    stand_ins = {
        "asyncio": _module("asyncio"),
        "micropython": _module("micropython", const=lambda value: value),
        "select": _module("select", poll=Poll, POLLIN=1, POLLOUT=4),
        "time": _module("time", ticks_ms=ticks_ms, ticks_diff=ticks_diff),
    }
    kept = {name: sys.modules.get(name) for name in stand_ins}
    services = {name for name in sys.modules if name.startswith("sabot.services")}
    sys.modules.update(stand_ins)
    try:
        names = ("link", "link_commands", "access")
        found = [importlib.import_module("sabot.services." + name) for name in names]
    finally:
        for name, module in kept.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
        for name in [name for name in sys.modules if name.startswith("sabot.services") and name not in services]:
            del sys.modules[name]
    return found[0], found[1], found[2]


link, link_commands, access = _import_firmware()


class WouldBlock(AssertionError):
    """The firmware wrote more than the FIFO had room for: on the board, half a second of the table is gone."""


class _Input:
    def __init__(self, port: Port) -> None:
        self.port = port

    def ready(self) -> bool:
        return bool(self.port.ring)

    def readinto(self, buffer: bytearray) -> int:
        assert len(buffer) <= len(self.port.ring), "a read that waits"
        for index in range(len(buffer)):
            buffer[index] = self.port.ring.pop(0)
        self.port.bytes_read += len(buffer)
        return len(buffer)


class _Output:
    def __init__(self, port: Port) -> None:
        self.port = port

    def ready(self) -> bool:
        return not self.port.dtr or len(self.port.fifo) < FIFO_BYTES

    def write(self, data: bytearray, offset: int, count: int) -> None:
        self.port.accept(bytes(data[offset : offset + count]))


class Port:
    """The port by the rules of rp2: with DTR on, a write beyond the FIFO's room fails the test."""

    def __init__(self) -> None:
        self.fifo = bytearray()
        self.ring = bytearray()
        self.to_device = bytearray()
        self.dtr = True
        self.calls = 0
        self.bytes_read = 0
        self.most_at_once = 0
        self.stdin = _Input(self)
        self.stdout = _Output(self)

    def accept(self, data: bytes) -> None:
        self.most_at_once = max(self.most_at_once, len(data))
        if self.dtr and len(self.fifo) + len(data) > FIFO_BYTES:
            raise WouldBlock(f"{len(data)} bytes into a FIFO that holds {len(self.fifo)}")
        self.fifo += data
        del self.fifo[:-FIFO_BYTES]

    def open(self) -> None:
        self.dtr = True

    def close(self) -> None:
        self.dtr = False
        self.fifo.clear()

    def send(self, data: bytes) -> None:
        """The host writes; the USB host controller holds back what the ring has no room for."""
        self.to_device += data
        self.move()

    def move(self) -> None:
        room = RING_BYTES - len(self.ring)
        self.ring += self.to_device[:room]
        del self.to_device[:room]

    def take(self, most: int = FIFO_BYTES) -> bytes:
        """The host reads."""
        data = bytes(self.fifo[:most])
        del self.fifo[:most]
        return data


class Journal:
    """As much of the journal as the link uses; records are opaque bytes here."""

    def __init__(self, records: list[bytes]) -> None:
        self.records = dict(enumerate(records, 1))
        self.last = len(records)
        self.first = 1
        self.acknowledged = 0
        self.boot = 3
        self.full = False
        self.damaged = 0
        self.appended: list[tuple[int, dict[str, int]]] = []

    def append(self, code: int, values: dict[str, int]) -> int:
        self.appended.append((code, values))
        self.last += 1
        self.records[self.last] = bytes([code]) * 40
        return self.last

    def read(self, sequence: int) -> bytes | None:
        if sequence == self.damaged:
            raise JournalError("ring", sequence)
        return self.records.get(sequence) if sequence >= self.first else None

    def acknowledge(self, sequence: int) -> None:
        self.acknowledged = max(self.acknowledged, sequence)

    def head(self, nonce: bytes) -> bytes:
        return b"head" + nonce

    def named(self, name: str) -> list[dict[str, int]]:
        return [values for code, values in self.appended if code == code_of(name)]


class Table:
    """Counts what supervisors do; its view is one seat whose round number goes up each time."""

    def __init__(self) -> None:
        self.voids = 0
        self.resolved: list[tuple[int, int, int]] = []
        self.signed: list[tuple[int, int, bool]] = []
        self.declared: list[tuple[str, int, int, int]] = []
        self.views = 0
        self.state = "idle"

    def view(self, silent: bool) -> bytearray:
        self.views += 1
        out = bytearray(view.TABLE_SIZE + view.SEAT_SIZE + view.SPOT_SIZE)
        at = view.table(out, 3, view.GATE, self.views, 1, (0, 0, 0), (1, 1, 0))
        at = view.seat(out, at, 1, 1)
        view.spot(out, at, 0x10, 1, 1, 2, 100 * self.views, 0)
        return out

    def void(self, reason: int, by: int) -> bool:
        self.voids += 1
        return True

    def resolve(self, number: int, resolution: int, amount: int, by: int) -> bool:
        self.resolved.append((number, resolution, amount))
        return number == 7

    def sign(self, role: int, number: int, on: bool) -> bool:
        self.signed.append((role, number, on))
        return number != 99

    def declare(self, kind: str, place: int, cents: int, by: int) -> bool:
        self.declared.append((kind, place, cents, by))
        return place == 0x10


class WallClock:
    def __init__(self) -> None:
        self.seconds = 0

    def wall(self) -> tuple[int, int]:
        return self.seconds, 2 if self.seconds else 0

    def set_wall(self, seconds: int) -> None:
        self.seconds = seconds


class App:
    def __init__(self, records: list[bytes], seed: int) -> None:
        self.version = "0.1.0"
        self.unique_id = UNIQUE_ID
        self.table_number = 12
        self.game_id = "three_card"
        self.sealed = False
        self.settings = b"settings"
        self.published = False
        self.ready = True
        self.fault = ("", "")
        self.faults: dict[str, str] = {}
        self.journal: Journal | None = Journal(records)
        self.table = Table()
        self.clock = WallClock()
        self.statuses = 0
        self.left = 0
        self.prompted = 0
        self.filler = "x" * 600  # a status takes three parts
        self.access = access.Access(KEYS, UNIQUE_ID, random.Random(seed).randbytes)

    def confides(self) -> bool:
        return self.access.role not in ("", "dealer")

    def boot_loader(self) -> None:
        self.left += 1

    def prompt(self) -> None:
        self.prompted += 1

    def journal_failed(self, error: JournalError, name: str) -> None:
        self.faults["journal"] = error.code

    def forget(self, name: str) -> None:
        """Nothing is short of room here."""

    def lines(self) -> list[str]:
        return ["FAITES VOS JEUX", "P1 25 $"]

    def status(self) -> dict[str, Any]:
        self.statuses += 1
        return {"ready": self.ready, "faults": {}, "filler": self.filler}


class Controller:
    """The link of the firmware on a port. It turns at the pace of its task, slowed by ``loop_ms`` of other tasks."""

    def __init__(self, records: list[bytes] | None = None, seed: int = 1, loop_ms: int = 1) -> None:
        self.port = Port()
        self.app = App(records or [], seed)
        self.commands = link_commands.Commands(self.app)
        self.link = link.Link(self.port.stdin, self.port.stdout, self.commands)
        self.turns = 0
        self.most_calls = 0
        self._loop_ms = loop_ms
        self._next = CLOCK.ms

    @property
    def journal(self) -> Journal:
        assert self.app.journal is not None
        return self.app.journal

    def restart(self) -> None:
        """A reset: the port's buffers and everything in RAM are gone, the journal is not."""
        journal = self.app.journal
        self.port.fifo.clear()
        self.port.ring.clear()
        self.port.to_device.clear()
        self.app.access.forget()
        self.app.journal = journal
        self.commands = link_commands.Commands(self.app)
        self.link = link.Link(self.port.stdin, self.port.stdout, self.commands)

    def run(self) -> None:
        """Turn if a turn is due now."""
        self.port.move()
        if CLOCK.ms < self._next:
            return
        before = self.port.calls
        self.link.turn(ticks_ms())
        self.turns += 1
        self.most_calls = max(self.most_calls, self.port.calls - before)
        self._next = CLOCK.ms + self._loop_ms + self.link.pause_ms
