"""What a technician asks of a commissioned table: its settings, its clock."""

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from sabot.wire import messages as m
from sabot_host.cli import role
from sabot_host.errors import Exit
from sabot_host.flash import edit
from sabot_host.flash.boards import SECTOR_BYTES, board_named
from sabot_host.flash.file_copy import BoardFiles
from sabot_host.provision.board import ASIDE, CONFIG, DECK
from sabot_host.provision.board import KEYS as KEYS_FILE
from sabot_host.provision.change import OLD, aside
from sabot_host.provision.template import house_text
from sabot_host.release import image
from tests.flash.conftest import Desk
from tests.flash.house import COMMISSIONED, on_board
from tests.link.board import CLOCK, KEYS, Controller
from tests.link.cable import Cable


def test_settings_are_read_back_and_compared_and_the_table_starts_again(
    commissioned: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, board = commissioned, commissioned.bus.boards[0]
    assert desk.run("config", "get", "--keys", "keys") == Exit.OK
    told = capsys.readouterr().out
    config = json.loads(told)
    assert (config["table"], config["game"]) == (12, "three_card")
    for key in (desk.folder / "keys").rglob("*.key"):
        assert key.read_text() not in told
    fields = {name: config[name] for name in config if name not in ("version", "casino")}
    (desk.folder / "house.toml").write_text(house_text("", config["casino"], {}, [{**fields, "decks": 1}]))
    assert desk.run("config", "diff", "house.toml", "--keys", "keys") == Exit.OK
    assert "table 12 holds what house.toml says" in capsys.readouterr().out
    (desk.folder / "house.toml").write_text(house_text("", config["casino"], {}, [{**fields, "dwell_ms": 700}]))
    assert desk.run("config", "diff", "house.toml", "--keys", "keys", "--json") == Exit.FINDING
    assert json.loads(capsys.readouterr().out) == {"table": 12, "differences": [["dwell_ms", None, 700]]}
    assert board.state == "running"
    assert desk.run("status", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["ready"]


@pytest.mark.campaign
def test_several_tables_are_set_and_compared_and_one_that_is_missing_stops_none(
    commissioned: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = commissioned
    assert desk.run("config", "get", "--keys", "keys") == Exit.OK
    config = json.loads(capsys.readouterr().out)
    fields = {name: config[name] for name in config if name not in ("version", "casino")}
    (desk.folder / "house.toml").write_text(house_text("", config["casino"], {}, [fields]))
    assert desk.run("config", "set", "dwell_ms", "700", "--keys", "keys", "--table", "12,99", "--yes") == Exit.DEVICE
    out = capsys.readouterr().out
    assert "dwell_ms is 700" in out and "[table-none]" in out and "1 of 2 done, 1 FAILED" in out
    assert desk.run("config", "diff", "house.toml", "--keys", "keys", "--all", "--json") == Exit.FINDING
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["ok"] and ["dwell_ms", 700, None] in result["result"]["differences"]
    assert desk.run("config", "get", "dwell_ms", "--keys", "keys", "--all") == Exit.OK
    assert json.loads(capsys.readouterr().out)["results"][0]["result"] == 700
    bundle = ("attest", "--bundle", "r.sabot", "--keys", "keys", "--all")
    assert desk.run(*bundle) == Exit.OK
    assert "holds r.sabot" in " ".join(capsys.readouterr().out.split())


def test_a_blank_board_holds_none(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (desk.folder / "keys").mkdir()
    assert desk.run("config", "get", "--keys", "keys") == Exit.DEVICE
    assert "[config-none]" in capsys.readouterr().err
    assert desk.bus.boards[0].state == "bootsel"


@pytest.fixture
def controller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Controller:
    CLOCK.ms = 5000
    controller = Controller([b"r" * 40])
    monkeypatch.setattr(role, "SerialTransport", lambda port: Cable(controller))
    key = tmp_path / "keys" / f"table-{controller.app.table_number}" / "technician.key"
    key.parent.mkdir(parents=True)
    key.touch(0o600)
    key.write_text(KEYS["technician"].hex())
    monkeypatch.chdir(tmp_path)
    return controller


def run(*words: str) -> int:
    from sabot_host.cli.main import main

    return main(words)


def test_the_clock_is_set_to_a_time_or_to_this_computer_s(
    controller: Controller, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("time", "set", "--keys", "keys", "--port", "x", "--to", "2026-11-28T06:00:00-05:00") == Exit.OK
    assert capsys.readouterr().out == "the clock is set to 2026-11-28 11:00:00+00:00\n"
    assert controller.app.clock.seconds == datetime(2026, 11, 28, 11, tzinfo=UTC).timestamp()
    began = int(datetime.now(UTC).timestamp())
    assert run("time", "set", "--keys", "keys", "--port", "x") == Exit.OK
    assert began <= controller.app.clock.seconds <= began + 60
    assert [each["by"] for each in controller.journal.named("clock_set")] == [3, 3]
    capsys.readouterr()
    assert run("time", "set", "--keys", "keys", "--port", "x", "--to", "2026-11-28T06:00:00Z", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out) == {"clock": "2026-11-28 06:00:00+00:00"}
    assert m.C_SET_TIME == 0x30


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "2026-11-28T06:00:00",
        "2019-12-31T00:00:00Z",
        "2100-01-01T00:00:00Z",
        "9999-12-31T23:59:59-23:59",  # a year that this computer's calendar does not have, in UTC
        "0001-01-01T00:00:00+23:59",
    ],
)
def test_what_is_no_time_is_told(controller: Controller, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert run("time", "set", "--keys", "keys", "--port", "x", "--to", text) == Exit.USAGE
    assert "[usage]" in capsys.readouterr().err
    assert controller.journal.named("clock_set") == []


@pytest.mark.campaign
def test_a_field_is_set_when_the_table_s_firmware_accepts_it(
    commissioned: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk, board = commissioned, commissioned.bus.boards[0]
    assert desk.run("config", "set", "dwell_ms", "700", "--keys", "keys", "--yes") == Exit.OK
    assert "dwell_ms is 700" in capsys.readouterr().out
    assert desk.run("config", "get", "dwell_ms", "--keys", "keys") == Exit.OK
    assert capsys.readouterr().out == "700\n"
    assert desk.run("config", "set", "dwell_ms", "soon", "--keys", "keys", "--yes") == Exit.REFUSED
    err = capsys.readouterr().err
    assert "dwell_ms" in err and "soon" in err and "[config-refused]" in err
    assert desk.run("config", "set", "dwell_ms", "--default", "--keys", "keys", "--yes", "--json") == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told == {"field": "dwell_ms", "value": None, "unique_id": board.serial}
    assert desk.run("config", "get", "dwell_ms", "--keys", "keys") == Exit.FINDING
    for words in (("table", "3"), ("casino", "1"), ("dwell_ms",), ("dwell_ms", "1", "--default")):
        assert desk.run("config", "set", *words, "--keys", "keys", "--yes") == Exit.USAGE
    assert desk.run("status", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["ready"]
    assert on_board(board) == COMMISSIONED


@pytest.mark.campaign
def test_a_change_that_was_stopped_half_way_is_made_by_the_same_command(
    commissioned: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C at the prompt, when no settings are in force: they are put back, and the change is made."""
    words = ("config", "set", "dwell_ms", "700", "--keys", "keys", "--yes")

    def stopped(files: BoardFiles, old: str, new: str) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(BoardFiles, "move", stopped)
        assert commissioned.run(*words) == Exit.INTERRUPTED
    assert commissioned.run(*words) == Exit.OK
    capsys.readouterr()
    assert commissioned.run("config", "get", "dwell_ms", "--keys", "keys") == Exit.OK
    assert capsys.readouterr().out == "700\n"
    assert on_board(commissioned.bus.boards[0]) == COMMISSIONED


def test_a_cable_pulled_at_any_write_of_a_change_leaves_the_settings_whole() -> None:
    """Whatever the flash goes through is a file system: with all other files, the old settings in place or aside."""
    board = board_named("pico2")
    files = {CONFIG: b'{"a": 1}', KEYS_FILE: b"{}", DECK: b"[]", "sabot/long.mpy": bytes(range(256)) * 100}
    data = bytearray(b"\xff" * board.filesystem_bytes)
    for address, block in image.make(files, board).items():
        data[address - board.filesystem : address - board.filesystem + len(block)] = block
    writes, after = edit.changed(bytes(data), board, partial(aside, files, b'{"a": 2}'))
    assert len(writes) > 5
    for step in writes:
        at = step.address - board.filesystem
        new = step.data or b"\xff" * SECTOR_BYTES
        data[at : at + len(new)] = new
        found = image.read(bytes(data), board)
        assert found is not None
        old = found.pop(CONFIG, None) or found[OLD]
        assert old == files[CONFIG]
        assert [found[name] == files[name] for name in files if name != CONFIG] == [True] * (len(files) - 1)
    assert bytes(data) == after
    found = image.read(after, board)
    assert found is not None and CONFIG not in found
    assert (found[f"{ASIDE}/{CONFIG}"], found[f"{ASIDE}/{KEYS_FILE}"]) == (b'{"a": 2}', b"{}")
