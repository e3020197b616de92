"""`sabot status` over a real pseudo-terminal, with a peer that says what a controller, or something else, would say.

Real time, bounded: content is judged, latency is not.
"""

from __future__ import annotations

import errno
import json
import os
import pty
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from sabot_host.cli.main import main
from sabot_host.errors import DeviceError, Exit, SabotError
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port
from tests.link.board import CLOCK, KEYS, Controller

RECORDS = [bytes([n]) * 200 for n in range(1, 30)]


class Peer:
    """The far end of a pseudo-terminal, in a thread of its own: ``act(descriptor)`` is called until the end."""

    def __init__(self, act: Callable[[int], None]) -> None:
        self._act = act
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.name = os.ttyname(self._slave)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(0.001):
            self._act(self._master)

    def close(self) -> None:
        self._ended.set()
        self._thread.join(10)
        os.close(self._master)
        os.close(self._slave)


def read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except BlockingIOError:
        return b""


def play(controller: Controller) -> Callable[[int], None]:
    """The firmware's link behind a pseudo-terminal; its milliseconds are the real ones, more or less."""

    def act(descriptor: int) -> None:
        controller.port.send(read(descriptor))
        CLOCK.ms += 1
        controller.run()
        data = controller.port.take()
        if data:
            os.write(descriptor, data)

    return act


@contextmanager
def peer(act: Callable[[int], None]) -> Iterator[Peer]:
    far = Peer(act)
    try:
        yield far
    finally:
        far.close()


@pytest.fixture
def controller() -> Controller:
    CLOCK.ms = 5000
    return Controller(list(RECORDS))


@pytest.fixture
def table(controller: Controller) -> Iterator[str]:
    """Name of a port with a controller."""
    with peer(play(controller)) as far:
        yield far.name


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, list[str]]:
    status = main(["status", *words])
    out, err = capsys.readouterr()
    return status, out, err.splitlines()


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Exit status and code of a run that fails; nothing on standard output, two lines on standard error."""
    status, out, err = run(capsys, *words)
    assert out == ""
    assert len(err) == 2
    assert err[0].startswith("error: ")
    assert err[1].startswith("what to do: ")
    return status, err[0].rsplit("[", 1)[1].rstrip("]")


def test_status_as_json(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--port", table, "--json")
    assert (status, err) == (Exit.OK, [])
    assert len(out.splitlines()) == 1
    told = json.loads(out)
    assert told["unique_id"] == "e661640843212a2c"
    assert (told["version"], told["table"], told["game"], told["boot"]) == ("0.1.0", 12, "three_card", 3)
    assert (told["sealed"], told["ready"], told["faults"]) == (False, True, {})


FULL: dict[str, Any] = {
    "ready": False,
    "refused": {"code": "deck", "text": "deck.json: no such file; register the deck again"},
    "faults": {"reader 0": "busy"},
    "journal": {"first": 1, "last": 90, "acknowledged": 40, "used": 260_096, "capacity": 520_192, "full": True},
    "round": {
        "state": "suspended",
        "round": 7,
        "gate": False,
        "spots": [
            {"place": 0x21, "bet": "pair_plus", "state": "locked", "seen": 0, "locked": 1_234_567},
            {"place": 0x22, "bet": "play", "state": "open", "seen": 500, "locked": 0},
        ],
        "issues": [{"id": 3, "kind": "late", "severity": 2, "place": 0x21}],
    },
    "news": [1, 2],
}


def test_status_in_words(
    table: str, controller: Controller, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller.app, "status", lambda: FULL)
    status, out, err = run(capsys, "--port", table)
    assert (status, err) == (Exit.OK, [])
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "Table 12"
    for line in (
        "controller e661640843212a2c, version 0.1.0, boot 3",
        "ready no",
        "refuses to play deck.json: no such file; register the deck again [deck]",
        "fault reader 0: busy",
        "journal records 1 to 90, 50 not acknowledged, 50 % used; FULL: no round opens before a pull with --ack",
        "state suspended, round 7, gate shut",
        "irregularity 3 late, seat 2, severity 2",
        "news [1, 2]",
        "2 pair_plus locked 12345.67",
        "2 play open 5.00",
    ):
        assert line in lines


def test_a_pull_over_the_port(table: str) -> None:
    client = Client(SerialTransport(table))
    try:
        client.open()
        client.authenticate("auditor", KEYS["auditor"])
        assert list(client.read_records(1, last=len(RECORDS))) == RECORDS
    finally:
        client.close()


def test_no_such_port(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert failure(capsys, "--port", str(tmp_path / "ttyACM9")) == (Exit.DEVICE, "port-missing")


def test_a_file_is_no_port(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert failure(capsys, "--port", str(tmp_path / "file")) == (Exit.DEVICE, "port-bad")


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.EACCES, "port-denied"), (errno.EBUSY, "port-busy"), (errno.ENXIO, "port-missing"), (errno.EIO, "port-bad")],
)
def test_what_the_system_says_of_a_port(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr("serial.Serial", refuse)
    assert failure(capsys, "--port", "/dev/ttyACM0") == (Exit.DEVICE, code)


def test_a_port_that_another_program_has_open(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    other = SerialTransport(table)
    try:
        assert failure(capsys, "--port", table) == (Exit.DEVICE, "port-busy")
    finally:
        other.close()


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait four real seconds for something that will never answer."""
    monkeypatch.setattr("sabot_host.link.client.OPEN_MS", 400)


@pytest.mark.usefixtures("_hasty")
def test_a_silent_port(capsys: pytest.CaptureFixture[str]) -> None:
    with peer(read) as far:  # type: ignore[arg-type]
        assert failure(capsys, "--port", far.name) == (Exit.DEVICE, "link-silent")


def _prompt(descriptor: int) -> None:
    if read(descriptor):
        os.write(descriptor, b"\r\n>>> \0")


def _echo(descriptor: int) -> None:
    data = read(descriptor)
    if data:
        os.write(descriptor, data)


@pytest.mark.usefixtures("_hasty")
@pytest.mark.parametrize(("act", "code"), [(_prompt, "link-garbage"), (_echo, "link-silent")])
def test_something_else_on_the_port(act: Callable[[int], None], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with peer(act) as far:
        assert failure(capsys, "--port", far.name) == (Exit.DEVICE, code)


def test_a_port_that_goes_away(controller: Controller) -> None:
    """The far end closes in the middle of a session, and the same name never comes back."""
    far = Peer(play(controller))
    client = Client(SerialTransport(far.name))
    client.open()
    far.close()
    with pytest.raises(DeviceError) as caught:
        client.status()
    assert caught.value.code == "port-gone"
    client.close()


def _listed(*entries: tuple[str, str]) -> Callable[[], list[SimpleNamespace]]:
    return lambda: [
        SimpleNamespace(device=name, serial_number=number, vid=0x2E8A, pid=0x0005) for name, number in entries
    ]


def test_the_one_controller_attached_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", _listed(("/dev/ttyACM3", "e6")))
    assert find_port() == "/dev/ttyACM3"


@pytest.mark.parametrize(
    ("entries", "code", "status"),
    [((), "port-none", Exit.DEVICE), ((("/dev/a", "1"), ("/dev/b", "2")), "port-several", Exit.USAGE)],
)
def test_none_or_several_attached(
    monkeypatch: pytest.MonkeyPatch, entries: tuple[tuple[str, str], ...], code: str, status: Exit
) -> None:
    monkeypatch.setattr("serial.tools.list_ports.comports", _listed(*entries))
    with pytest.raises(SabotError) as caught:
        find_port()
    assert (caught.value.code, caught.value.exit_status) == (code, status)


def test_a_controller_comes_back_under_another_name(controller: Controller, monkeypatch: pytest.MonkeyPatch) -> None:
    """Known by its USB serial number; the pull goes on where it stopped."""
    far = [Peer(play(controller))]
    monkeypatch.setattr("serial.tools.list_ports.comports", _listed((far[0].name, "e6")))
    client = Client(SerialTransport(far[0].name))
    client.open()
    client.authenticate("auditor", KEYS["auditor"])
    got = []
    try:
        for record in client.read_records(1, last=len(RECORDS)):
            got.append(record)
            if len(got) == 5:
                far[0].close()
                controller.restart()
                far.append(Peer(play(controller)))
                monkeypatch.setattr("serial.tools.list_ports.comports", _listed((far[1].name, "e6")))
    finally:
        client.close()
        far[-1].close()
    assert len(far) == 2
    assert got == RECORDS


def test_a_controller_that_does_not_come_back(controller: Controller, monkeypatch: pytest.MonkeyPatch) -> None:
    far = Peer(play(controller))
    monkeypatch.setattr("serial.tools.list_ports.comports", _listed((far.name, "e6")))
    transport = SerialTransport(far.name)
    far.close()
    monkeypatch.setattr("serial.tools.list_ports.comports", _listed(("/dev/other", "e7")))
    began = time.monotonic()
    with pytest.raises(DeviceError) as caught:
        transport.reopen(300)
    assert caught.value.code == "port-gone"
    assert 0.3 <= time.monotonic() - began < 10
