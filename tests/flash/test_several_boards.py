"""Several boards side by side: each has its line, and one that fails stops no other."""

import json
import threading
from pathlib import Path

import click
import pytest

from hwsim.usb.table import TableBoard
from sabot_host.cli import meant, several
from sabot_host.cli.progress import Shown
from sabot_host.errors import DeviceError, Exit
from sabot_host.flash.bus import SharedBus
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.usb_bus import BootLoader
from sabot_host.release import bundle
from tests.flash import forty
from tests.flash.conftest import Desk
from tests.flash.house import commission, prepare


def failing(reporter: Reporter) -> str:
    raise DeviceError("board-lost", "it is lost", "find it")


def test_one_failure_stops_no_other_and_gives_the_status(capsys: pytest.CaptureFixture[str]) -> None:
    both = threading.Barrier(2, timeout=20)

    def meets(reporter: Reporter) -> str:
        both.wait()  # only work done side by side gets past this
        reporter.say("met")
        return "fine"

    outcomes = several.side_by_side({"a": meets, "b": failing, "c": meets}, 3, Shown(None))
    assert [(outcome.name, outcome.result) for outcome in outcomes] == [("a", "fine"), ("b", None), ("c", "fine")]
    assert several.tell(outcomes, str, False, str) == Exit.DEVICE
    out, err = capsys.readouterr()
    assert sorted(err.splitlines()) == ["a: met", "c: met"]
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [["a", "ok"], ["b", "FAILED"], ["c", "ok"]]
    assert "it is lost [board-lost]" in out
    assert "find it" in out
    assert out.endswith("2 of 3 done, 1 FAILED\n")
    assert several.tell(outcomes[::2], str, True, str) == Exit.OK
    assert json.loads(capsys.readouterr().out)["results"][1] == {"board": "c", "ok": True, "result": "fine"}


def test_a_mistake_of_ours_is_told_after_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    def mistaken(reporter: Reporter) -> str:
        raise ZeroDivisionError("oh")

    outcomes = several.side_by_side({"a": mistaken, "b": lambda reporter: "fine"}, 1, Shown(None))
    with pytest.raises(ZeroDivisionError):
        several.tell(outcomes, str, False, str)
    assert "1 of 2 done, 1 FAILED" in capsys.readouterr().out


@pytest.mark.parametrize(("text", "found"), [("3,7", (3, 7)), ("1-3,2, 9", (1, 2, 3, 9)), ("12", (12,))])
def test_numbers(text: str, found: tuple[int, ...]) -> None:
    assert meant.numbers(click.Context(click.Command("x")), click.Option(["--table"]), text) == found


@pytest.mark.parametrize("text", ["", "a", "3-", "7-3", "1-9999", "1,,2"])
def test_what_is_no_number_is_told(text: str) -> None:
    with pytest.raises(click.BadParameter):
        meant.numbers(click.Context(click.Command("x")), click.Option(["--table"]), text)


def test_one_look_at_the_bus_serves_all_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []
    now = 1000

    def look(backend: object) -> list[BootLoader]:
        looks.append("look")
        return []

    monkeypatch.setattr("sabot_host.flash.usb_bus.boot_loaders", look)
    monkeypatch.setattr("sabot_host.link.usb_source.backend", lambda: None)
    monkeypatch.setattr(SharedBus, "now_ms", lambda bus: now)
    bus = SharedBus()
    bus.boot_loaders()
    bus.boot_loaders()
    assert len(looks) == 1
    now += 100
    bus.boot_loaders()
    assert len(looks) == 2


@pytest.mark.campaign
@pytest.mark.parametrize("desk", [("RP2350", "RP2350", "RP2350")], indirect=True)
def test_tables_are_written_side_by_side_and_one_that_is_not_there_fails_alone(
    desk: Desk, release: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.bus.application = lambda board: TableBoard()(board)
    (desk.folder / "r.sabot").write_bytes(release)
    files = bundle.read(desk.folder / "r.sabot").on_board
    for number, board in zip((3, 7), desk.bus.boards, strict=False):
        board.unplug()
        commission(board, files, desk.folder, number)
        board.plug()
    desk.bus.settle()
    words = ["flash", "--bundle", "r.sabot", "--table", "3,5,7", "--keys", "keys", "--yes", "--json"]
    assert desk.run(*words) == Exit.DEVICE
    results = json.loads(capsys.readouterr().out)["results"]
    assert [(each["board"], each["ok"]) for each in results] == [
        ("table 3", True),
        ("table 5", False),
        ("table 7", True),
    ]
    assert results[1]["error"]["code"] == "table-none"
    assert [results[at]["result"]["table"] for at in (0, 2)] == [3, 7]
    assert desk.bus.boards[2].state == "bootsel"  # nobody meant this one


@pytest.mark.campaign
@pytest.mark.parametrize("desk", [("RP2350", "RP2350")], indirect=True)
def test_tables_are_tested_side_by_side(desk: Desk, release: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """The table of the second board has lost its journal's memory; that of the first is well."""
    desk.bus.application = lambda board: TableBoard()(board)
    (desk.folder / "r.sabot").write_bytes(release)
    files = bundle.read(desk.folder / "r.sabot").on_board
    for number, board in zip((3, 7), desk.bus.boards, strict=True):
        board.unplug()
        commission(board, files, desk.folder, number)
        board.plug()
    desk.bus.settle()
    desk.bus.boards[1].unplug()  # started once, its key is gone from the flash; now with another memory
    desk.bus.boards[1].plug()
    desk.bus.settle()
    assert desk.run("diag", "--unattended", "--all", "--json") == Exit.FINDING
    results = json.loads(capsys.readouterr().out)["results"]
    assert [(each["board"], each["result"]["passed"]) for each in results] == [("table 3", True), ("table 7", False)]
    assert {path.name for path in desk.folder.glob("table-*.html")} == {f"table-{n}-unattended.html" for n in (3, 7)}
    assert desk.run("diag", "--unattended", "--table", "3") == Exit.OK
    assert desk.run("diag", "--unattended", "--table", "3,5") == Exit.DEVICE
    assert "1 of 2 done, 1 FAILED" in capsys.readouterr().out
    assert desk.run("diag", "--all") == Exit.USAGE
    assert "[diag-which]" in capsys.readouterr().err


def test_boards_are_named_one_way(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (desk.folder / "x.uf2").write_bytes(b"")
    assert desk.run("flash", "--uf2", "x.uf2", "--all", "--table", "3") == Exit.USAGE
    assert "[flash-which]" in capsys.readouterr().err
    prepare(desk.folder, b"")
    assert desk.run("provision", "house.toml", "--all", "--device", "1-1") == Exit.USAGE
    assert "[provision-which]" in capsys.readouterr().err
    assert desk.run("provision", "house.toml", "--all", "--yes") == Exit.USAGE
    err = capsys.readouterr().err
    assert "which board is for which table: 12 [provision-serial]" in err


@pytest.mark.campaign
@pytest.mark.timeout(300)
def test_a_morning_s_tables(tmp_path: Path, release: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {
        "SABOT_USB": "hwsim.usb.client",
        "HWSIM_USB": tmp_path / "bus",
        "XDG_RUNTIME_DIR": tmp_path,
    }.items():
        monkeypatch.setenv(name, str(value))
    found = forty.measure(8, release)
    assert (found.statuses, found.sheets) == ((0, 0), 8)
