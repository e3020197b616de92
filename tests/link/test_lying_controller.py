"""A controller that speaks the protocol and tells nonsense: every command says so, in two lines, with its status."""

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import pytest

import sabot_host.link.serial_port
from sabot_host.cli import console, diag, monitor, role, status
from sabot_host.cli.main import main
from sabot_host.link import core
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable

ROUNDS = 25
COMMANDS = (
    "status",
    "status --json",
    "monitor --once",
    "journal pull pulled --key-file keys/auditor.key",
    "staff on 1 --key-file keys/dealer.key",
    "time set --keys keys",
    "diag --unattended",
    "console --seconds 1",
)
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**70, 1.5, "", "\x1b[2J", "é" * 300, [], {}, [[1]], {"a": 1}, {"last": "x"}),
    {"last": 1, "first": 0, "acknowledged": 0, "used": 1, "capacity": 0},
    {"issues": [{"id": 1, "kind": 999, "place": 999, "severity": 9}]},
    [{"place": 300, "bet": 7, "state": [], "seen": "x", "locked": None}],
)


class Liar:
    """What a controller says, told otherwise."""

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Other lies from here on."""
        self._draw = random.Random(seed)
        self._share = self._draw.choice((0.1, 0.5, 1))

    def events(self, events: list[core.Event]) -> list[core.Event]:
        """Some of the events, with other bodies."""
        return [self._event(event) if self._draw.random() < self._share else event for event in events]

    def _event(self, event: core.Event) -> core.Event:
        if isinstance(event, core.Reply):
            status = event.status if self._draw.random() < 0.9 else self._draw.randrange(256)
            return core.Reply(event.request, status, self._body(event.body))
        if isinstance(event, core.Record):
            return core.Record(self._draw.choice((event.sequence, 0, 2**32 - 1)), self._body(event.data))
        return event

    def hello(self, hello: core.Hello) -> core.Hello:
        """The same controller, with other numbers."""
        return dataclasses.replace(
            hello, first=self._odd(hello.first), last=self._odd(hello.last), acknowledged=self._odd(hello.acknowledged)
        )

    def _odd(self, number: int) -> int:
        return self._draw.choice((0, 1, 2**32 - 1)) if self._draw.random() < 0.3 else number

    def _body(self, body: bytes) -> bytes:
        how = self._draw.random()
        if body.startswith(b"{") and how < 0.8:
            return json.dumps(self._value(json.loads(body))).encode()
        if how < 0.3:
            return self._draw.randbytes(self._draw.randrange(300))
        if how < 0.5:
            return body[: self._draw.randrange(len(body) + 1)]
        if how < 0.6:
            return b"[" * 5000
        changed = bytearray(body or b"\0")
        for _ in range(self._draw.choice((1, 2, 8))):
            changed[self._draw.randrange(len(changed))] = self._draw.randrange(256)
        return bytes(changed)

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict) and value and self._draw.random() < 0.8:
            name = self._draw.choice(sorted(value))
            return {**value, name: self._value(value[name])}
        if isinstance(value, list) and value and self._draw.random() < 0.8:
            at = self._draw.randrange(len(value))
            return [*value[:at], self._value(value[at]), *value[at + 1 :]]
        return self._draw.choice(STRANGE)


@pytest.fixture
def liar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Liar:
    """Whatever a client hears comes from it."""
    liar = Liar()
    dispatch, parse = core.LinkCore._dispatch, core._parse_hello
    monkeypatch.setattr(core.LinkCore, "_dispatch", lambda own, kind, body: liar.events(dispatch(own, kind, body)))
    monkeypatch.setattr(core, "_parse_hello", lambda body: liar.hello(parse(body)))

    def cable(port: str) -> Cable:
        CLOCK.ms = 5000
        return Cable(Controller([b"r" * 40] * 3))

    for module in (status, monitor, diag, role, console, sabot_host.link.serial_port):
        monkeypatch.setattr(module, "SerialTransport", cable)
    number = Controller([]).app.table_number
    (tmp_path / "keys" / f"table-{number}").mkdir(parents=True)
    for name, key in KEYS.items():
        for folder in ("keys", f"keys/table-{number}"):
            path = tmp_path / folder / f"{name}.key"
            path.touch(0o600)
            path.write_text(key.hex())
    monkeypatch.chdir(tmp_path)
    return liar


@pytest.mark.parametrize("command", COMMANDS)
def test_nonsense_is_told_as_such(command: str, liar: Liar, capsys: pytest.CaptureFixture[str]) -> None:
    told = set()
    for seed in range(ROUNDS):
        liar.begin(seed)
        Path("pulled").unlink(missing_ok=True)
        found = main([*command.split(), "--port", "x"])
        out, err = capsys.readouterr()
        assert found in (0, 1, 3, 4), err
        if found > 1:
            assert err.splitlines()[-2].startswith("error: ") and "[internal]" not in err
        assert "\x1b" not in out + err
        told.add(found)
    assert told & {3, 4}, "the nonsense was never noticed"
