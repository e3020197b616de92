"""Clock, people and badges at several tables: a line each, keys of each, and one that fails stops no other."""

import json
from pathlib import Path

import pytest

from sabot_host.cli import role, status, tables
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.flash.devices import Device, State
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable

ONE_BY_ONE = ("--keys", "keys", "--at-once", "1")  # the controllers share a clock


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Controller]:
    """Tables 3 and 7, by their ports, and the folder of their keys."""
    CLOCK.ms = 5000
    found = {f"port{number}": Controller([b"r" * 40]) for number in (3, 7)}
    devices = []
    for name, controller in found.items():
        number = controller.app.table_number = int(name[-1])
        devices.append(Device(State.RUNNING, f"1-{number}", f"serial{number}", True, name, table=number))
        for who, secret in KEYS.items():
            path = tmp_path / "keys" / f"table-{number}" / f"{who}.key"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(0o600)
            path.write_text(secret.hex())
    monkeypatch.setattr(role, "SerialTransport", lambda port: Cable(found[port]))
    monkeypatch.setattr(status, "SerialTransport", lambda port: Cable(found[port]))
    monkeypatch.setattr(tables, "present", lambda bus: devices)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return found


def test_the_clocks_of_all_tables_are_set(house: dict[str, Controller], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("time", "set", *ONE_BY_ONE, "--all", "--to", "2026-11-28T06:00:00Z")) == Exit.OK
    out = capsys.readouterr().out
    assert out.count("the clock is set to 2026-11-28 06:00:00+00:00") == 2 and "2 of 2 done" in out
    assert len({controller.app.clock.seconds for controller in house.values()}) == 1


def test_one_without_its_key_stops_no_other(house: dict[str, Controller], capsys: pytest.CaptureFixture[str]) -> None:
    Path("keys/table-3/technician.key").unlink()
    assert main(("time", "set", *ONE_BY_ONE, "--table", "3,7,9", "--json")) == Exit.FILE
    told = json.loads(capsys.readouterr().out)["results"]
    assert [(each["board"], each["ok"]) for each in told] == [("table 3", False), ("table 7", True), ("table 9", False)]
    assert [each["error"]["code"] for each in told if not each["ok"]] == ["key-file-none", "table-none"]


def test_a_supervisor_signs_on_at_several_tables(
    house: dict[str, Controller], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("staff", "on", "12", "--role", "supervisor", *ONE_BY_ONE, "--table", "3,7")) == Exit.OK
    assert capsys.readouterr().out.count("supervisor 12 signed on") == 2
    assert main(("staff", "off", "12", "--role", "supervisor", *ONE_BY_ONE, "--all", "--json")) == Exit.OK
    results = json.loads(capsys.readouterr().out)["results"]
    assert [each["result"] for each in results] == [{"role": "supervisor", "number": 12, "on": False}] * 2


def test_the_status_of_all_tables(house: dict[str, Controller], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("status", "--all", "--at-once", "1")) == Exit.OK
    out = capsys.readouterr().out
    assert out.count("game: ") == 2 and "2 of 2 done" in out
    assert main(("status", "--table", "7", "--json", "--at-once", "1")) == Exit.OK
    assert [each["result"]["table"] for each in json.loads(capsys.readouterr().out)["results"]] == [7]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("time", "set", "--keys", "keys", "--all", "--port", "port3"), "tables-which"),
        (("time", "set", "--keys", "keys", "--all", "--table", "3"), "tables-which"),
        (("attest", "--bundle", "x", "--keys", "keys", "--port", "x", "--table", "3"), "tables-which"),
        (("config", "get", "--keys", "keys", "--device", "x", "--table", "3"), "tables-which"),
        (("status", "--port", "x", "--all"), "tables-which"),
        (("badge", "list", "--keys", "keys", "--port", "x", "--all"), "tables-which"),
        (("badge", "enrol", "5", "--keys", "keys", "--all"), "badge-uid"),
        (("staff", "on", "5", "--all", "--key-file", "keys/table-3/dealer.key"), "staff-key"),
        (("staff", "on", "5"), "staff-key"),
        (("staff", "on", "5", "--keys", "keys", "--key-file", "keys/table-3/dealer.key"), "staff-key"),
    ],
)
def test_tables_and_keys_are_named_one_way(
    house: dict[str, Controller], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: str
) -> None:
    assert main(words) == Exit.USAGE
    assert f"[{code}]" in capsys.readouterr().err


def test_two_boards_that_say_they_are_one_table_have_two_lines(
    house: dict[str, Controller], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = [Device(State.RUNNING, f"1-{at}", "", False, f"port{at}", table=3) for at in (3, 7)]
    monkeypatch.setattr(tables, "present", lambda bus: twins)
    house["port7"].app.table_number = 3
    assert main(("time", "set", *ONE_BY_ONE, "--all", "--json")) == Exit.OK
    told = [each["board"] for each in json.loads(capsys.readouterr().out)["results"]]
    assert told == ["table 3, 1-3", "table 3, 1-7"]
    assert main(("time", "set", *ONE_BY_ONE, "--table", "3")) == Exit.USAGE
    assert "[table-twice]" in capsys.readouterr().out


def test_a_board_that_does_not_know_its_table_is_sent_to_be_commissioned(
    house: dict[str, Controller], capsys: pytest.CaptureFixture[str]
) -> None:
    house["port3"].app.table_number = 0
    for words in (("time", "set"), ("badge", "list"), ("staff", "on", "7")):
        assert main((*words, "--keys", "keys", "--port", "port3")) == Exit.DEVICE
        err = capsys.readouterr().err
        assert "[settings-damaged]" in err and "--erase-settings, then sabot provision" in err


def test_no_table_is_told(
    house: dict[str, Controller], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "present", lambda bus: [])
    assert main(("badge", "list", *ONE_BY_ONE, "--all")) == Exit.DEVICE
    assert "[table-none]" in capsys.readouterr().err
