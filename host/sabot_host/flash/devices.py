"""What is attached: every board, what it is doing, and what keeps us from looking.

Entry points: :func:`attached`, :func:`present`, :class:`Device`, :class:`State`, :func:`choose` (the one that a command
means), :func:`numbered` (a table by its number), :func:`note_hello`.

A boot loader is known by its USB ids. Any other board is asked on its port: first as a Sabot controller, which costs a
running table nothing; only one that does not answer is knocked at as a MicroPython prompt, which ends a program that
runs there. Such a board is started again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sabot_host.errors import DeviceError, SabotError, UsageError
from sabot_host.flash.boards import board_of
from sabot_host.flash.bus import Bus, Port
from sabot_host.flash.file_copy import Described, describe
from sabot_host.flash.raw_repl import FRIENDLY, RawRepl
from sabot_host.flash.usb_bus import BootLoader
from sabot_host.link.client import Client, Transport
from sabot_host.link.core import Hello

HELLO_MS = 1500
PROMPT_MS = 3000
_SOFT_RESET = b"\x04"
_REMEMBERED = 4096
_INTERRUPTED = re.compile(rb'File "(?:main|boot)\.py", line .*KeyboardInterrupt', re.DOTALL)


class State(StrEnum):
    """What a board is doing."""

    BOOT_RP2040 = "boot loader RP2040"
    BOOT_RP2350 = "boot loader RP2350"
    MICROPYTHON = "MicroPython"
    FRESH = "Sabot, not provisioned"
    RUNNING = "Sabot"
    SEALED = "Sabot, sealed"
    PROMPT = "Sabot, at its prompt"
    UNKNOWN = "unknown"


@dataclass
class Device:
    """One board. ``serial`` identifies it only where ``unique`` says so; ``location`` is where it is plugged in."""

    state: State
    location: str
    serial: str
    unique: bool
    port: str = ""
    board: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    table: int = 0
    problem: SabotError | None = None
    loader: BootLoader | None = None

    @property
    def in_boot_loader(self) -> bool:
        """Whether the boot loader waits there."""
        return self.loader is not None

    @property
    def is_table(self) -> bool:
        """Whether a commissioned table answers there."""
        return self.state in (State.RUNNING, State.SEALED)

    @property
    def place(self) -> str:
        """What tells it from every other board attached, now and after a restart: where it is plugged in."""
        return self.location or self.port

    @property
    def name(self) -> str:
        """How messages call it."""
        return self.port or f"{self.state} at USB {self.location}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {
            "state": self.state.name.lower(),
            "port": self.port,
            "location": self.location,
            "serial": self.serial,
            "serial_unique": self.unique,
            "board": self.board,
            "versions": self.versions,
            "table": self.table,
        }
        if self.problem is not None:
            values["problem"] = {
                "code": self.problem.code,
                "message": self.problem.message,
                "hint": self.problem.hint,
            }
        return values


def attached(bus: Bus) -> tuple[list[Device], list[SabotError]]:
    """Every board there is, and what keeps us from seeing all of them."""
    devices: list[Device] = []
    problems: list[SabotError] = []
    try:
        devices += [of_loader(loader) for loader in bus.boot_loaders()]
    except SabotError as error:
        problems.append(error)
    devices += [look(bus, port) for port in bus.ports()]
    return devices, problems


def present(bus: Bus) -> list[Device]:
    """Every board there is; raises what keeps us from seeing any."""
    devices, problems = attached(bus)
    if problems and not devices:
        raise problems[0]
    return devices


def of_loader(loader: BootLoader) -> Device:
    """The device that a boot loader is."""
    state = State.BOOT_RP2350 if loader.chip == "RP2350" else State.BOOT_RP2040
    problem = None
    if loader.denied:
        problem = DeviceError(
            "usb-denied",
            f"you may not use the {loader.chip} boot loader at USB {loader.location}",
            "sudo sabot udev --install, then plug it in again",
        )
    return Device(
        state,
        loader.location,
        loader.serial,
        loader.unique,
        board=board_of(loader.chip).title,
        problem=problem,
        loader=loader,
    )


def look(bus: Bus, port: Port) -> Device:
    """Ask the board at a serial port what it is."""
    device = Device(State.UNKNOWN, port.location, port.serial, bool(port.serial), port.name)
    if not port.micropython:
        return device
    try:
        transport = _Overheard(bus.open_port(port.name))
    except SabotError as error:
        device.problem = error
        return device
    try:
        hello = _greet(transport)
        if hello is not None:
            note_hello(device, hello)
        else:
            _note_prompt(device, *_knock(transport))
    except SabotError as error:
        device.problem = error
    finally:
        transport.close()
    return device


class _Overheard:
    """A transport that remembers the end of what came through it: a program that was interrupted shows there."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.now_ms = transport.now_ms
        self.write = transport.write
        self.reopen = transport.reopen
        self.close = transport.close
        self.heard = b""

    def read(self, timeout_ms: int) -> bytes:
        """What comes, as from the transport."""
        data = self._transport.read(timeout_ms)
        self.heard = (self.heard + data)[-_REMEMBERED:]
        return data


def _greet(transport: Transport) -> Hello | None:
    """What a Sabot controller at the other end says of itself, or None."""
    client = Client(transport)
    try:
        hello = client.open(HELLO_MS)
    except DeviceError as error:
        if error.code in ("link-silent", "link-garbage"):
            return None
        raise
    client.close()
    return hello


def _knock(transport: _Overheard) -> tuple[Described, bool]:
    """What a board with MicroPython says, and whether a program of its own was running."""
    repl = RawRepl(transport)
    repl.enter(PROMPT_MS)
    ran = _INTERRUPTED.search(transport.heard) is not None
    described = describe(repl)
    repl.leave()
    if ran:
        transport.write(FRIENDLY + _SOFT_RESET)
    return described, ran


def note_hello(device: Device, hello: Hello) -> None:
    """Keep in ``device`` what its controller says of itself."""
    device.state = State.SEALED if hello.sealed else State.RUNNING
    device.versions = {"sabot": hello.version}
    device.table = hello.table
    device.serial = device.serial or hello.unique_id.hex()


def _note_prompt(device: Device, described: Described, ran: bool) -> None:
    device.board = described.machine
    device.versions = {"micropython": described.micropython}
    if described.sabot:
        device.versions["sabot"] = described.sabot
        if not described.provisioned:
            device.state = State.FRESH
        else:
            device.state = State.UNKNOWN if ran else State.PROMPT
    else:
        device.state = State.UNKNOWN if ran else State.MICROPYTHON
    device.serial = device.serial or described.unique_id


def choose(devices: list[Device], wanted: str | None) -> Device:
    """The device that ``wanted`` names: port, location, or serial number; without it, the only one there.

    DeviceError when there is none, UsageError when several are meant.
    """
    found = [device for device in devices if wanted is None or _is(device, wanted)]
    if not found:
        what = "no board is attached" if wanted is None else f"no board {wanted} is attached"
        raise DeviceError("board-none", what, "plug it in, look with: sabot devices")
    if len(found) > 1:
        names = ", ".join(_distinct(found))
        raise UsageError("board-several", f"several boards are meant: {names}", "choose one with --device")
    return found[0]


def numbered(devices: list[Device], number: int) -> Device:
    """The table that runs with this number. DeviceError when there is none, UsageError when several are meant."""
    found = [device for device in devices if device.is_table and device.table == number]
    if not found:
        raise DeviceError(
            "table-none", f"no table {number} is attached and running", "plug it in, look with: sabot devices"
        )
    if len(found) > 1:
        names = ", ".join(_distinct(found))
        raise UsageError("table-twice", f"several boards are table {number}: {names}", "choose one with --device")
    return found[0]


def _is(device: Device, wanted: str) -> bool:
    return wanted in (device.port, device.location) or (
        bool(device.serial) and device.serial.casefold() == wanted.casefold()
    )


def _distinct(devices: list[Device]) -> Iterator[str]:
    for device in devices:
        yield device.port or device.location
