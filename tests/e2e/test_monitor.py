"""`sabot monitor`: on the whole firmware in virtual time over a bad cable, and over real ports."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from hwsim.provisioning import configuration
from hwsim.table import SimTable, VirtualCable
from sabot_host.errors import DeviceError
from sabot_host.monitor.watcher import GONE, UP, Watcher
from tests.e2e.live import Running, Terminal
from tests.link.cable import Faults
from tests.sampled import sampled

KINDS = {"clean": {}, "everything": {"lose": 0.001, "flip": 0.001, "garbage": 0.02, "cut": 0.02, "twice": 0.05}}


class BadCable(VirtualCable):
    """The cable of the simulated table, with what happens to bytes on the way, and gone while the power is off."""

    def __init__(self, table: SimTable, faults: Faults) -> None:
        super().__init__(table)
        self._faults = faults

    def _check(self) -> None:
        if not self._cdc.attached:
            raise DeviceError("port-gone", "the port is gone", "plug it in")

    def write(self, data: bytes) -> None:
        self._check()
        super().write(self._faults.over(data))

    def read(self, timeout_ms: int) -> bytes:
        self._check()
        data = super().read(timeout_ms)
        return self._faults.over(data) if data else b""

    def reopen(self, timeout_ms: int) -> None:
        super().reopen(timeout_ms)
        self._check()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimTable]:
    made = SimTable(tmp_path / "board", config=configuration("three_card", 3))
    made.start()
    yield made
    made.stop()


@pytest.mark.parametrize("kind", sampled(KINDS, ["everything"]))
def test_a_round_is_seen_over_a_bad_cable(kind: str, table: SimTable) -> None:
    table.run_for(600)
    rng = random.Random(3)
    faults = Faults(5, **KINDS[kind])
    watching = Watcher(BadCable(table, faults), nonces=lambda: rng.randbytes(8))

    def watch(ms: int) -> None:
        end = table.now + ms * 1_000_000
        while table.now < end:
            watching.turn()

    def spot(seat: int, bet: str) -> tuple[str, int, int, int]:
        assert watching.picture is not None
        [found] = [one for one in watching.picture.spots if (one.seat, one.bet) == (seat, bet)]
        return found.lamp, found.chips, found.seen, found.locked

    watch(1_000)
    table.press("fin")
    watch(2_000)
    assert watching.picture is not None and (watching.picture.state, watching.picture.bar) == ("idle", "open")
    table.place(3, "ante", 3000)
    table.place(2, "ante", 500)
    watch(3_000)
    assert watching.picture.state == "betting"
    assert spot(3, "ante") == ("open", 2, 3000, 0) and spot(2, "ante") == ("open", 1, 500, 0)
    table.press("rnvp")
    watch(6_000)  # the worse of the cables brings a view every few seconds
    assert (watching.picture.state, watching.picture.bar, watching.picture.gate) == ("locked", "locked", True)
    assert spot(3, "ante") == ("locked", 2, 3000, 3000)
    assert watching.picture.confirmed and watching.picture.round == 1
    table.stop()
    watch(2_000)
    assert watching.link == GONE and watching.age_ms() > 1_500
    table.start()
    watch(5_000)
    assert watching.link == UP and watching.picture.state == "closed"
    told = [note.text for note in watching.notes]
    assert "table betting" in told and "table locked, round 1" in told
    assert any(text.startswith("the controller has started again") for text in told)


@pytest.fixture
def served(tmp_path: Path) -> str:
    return str(tmp_path / "port")


def test_over_a_real_port(served: str) -> None:
    with Running("sim", "serve", "--link", served, "--game", "bataille", "--seats", 7, "--idle") as table:
        table.until("a table is at")
        with Running("monitor", "--port", served) as monitor:
            monitor.until("connected: table 1")
            monitor.until("table closed")
            assert monitor.end() == (0, "", ""), "Ctrl-C is how it ends"
        with Running("monitor", "--port", served, "--once", "--json") as once:
            said = json.loads(once.until("}}\n"))
            assert (said["table"], said["game"], said["view"]["state"]) == (1, "bataille", "closed")
            assert len(said["view"]["seats"]) == 7 and len(said["view"]["spots"]) == 21
            assert once.process.wait(30) == 0
        with Running("monitor", "--port", served, "--once") as once:
            drawn = once.process.communicate(timeout=60)[0].decode()
            assert "CLOSED" in drawn and "initial" in drawn and "Table 1: bataille" in drawn and "display" in drawn
        with Running("monitor", "--port", served, "--json") as lines:
            first = json.loads(lines.until("\n").splitlines()[0])
            assert first["link"] == "up" and first["notes"] == ["connected: table 1, version 0.1.0"]
            assert lines.end()[0] == 0


def test_on_a_terminal_and_through_a_restart(served: str) -> None:
    with Running("sim", "serve", "--link", served, "--seats", 2, "--idle") as table:
        table.until("a table is at")
        with Terminal("monitor", "--port", served) as monitor:
            monitor.until("CLOSED")
            monitor.until("connected; seen 0.")
            table.end()
            monitor.until("the cable is gone: looking for it")
            with Running("sim", "serve", "--link", served, "--seats", 2, "--idle") as again:
                again.until("a table is at")
                monitor.until("connected again: table 1")
                monitor.until("connected; seen 0.")
                monitor.type("\x03")
                status, rest = monitor.wait()
                assert status == 0
                assert "Traceback" not in rest and "error:" not in rest


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (("--port", "/dev/no-such-port"), 3, "port-missing"),
        (("--port", "/dev/null"), 3, "port-bad"),
        (("--port", "/dev/null", "--key-file", "/no/such.key"), 5, "file-access"),
        (("--every", "0"), 2, "usage"),
    ],
)
def test_errors(words: tuple[str, ...], status: int, code: str) -> None:
    with Running("monitor", *words) as monitor:
        rest, errors = monitor.process.communicate(timeout=60)
        assert (monitor.process.returncode, rest) == (status, b"")
        assert f"[{code}]".encode() in errors and errors.count(b"\n") == 2
