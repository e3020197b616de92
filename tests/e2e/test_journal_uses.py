"""A table's journal put to use: replayed, exported, its last rounds recalled, from the file and from the table."""

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest

from sabot_host.cli.main import main
from sabot_host.errors import Exit
from tests.host.journal_table import Table

SCENARIO = Path(__file__).parents[2] / "scenarios" / "bataille_two_wars.scn"


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a round of Bataille with wars at two seats."""
    path = tmp_path_factory.mktemp("journal") / "wars.sabotlog"
    assert main(["sim", "run", str(SCENARIO), "--journal", str(path)]) == Exit.OK
    return path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["journal", *words]) == Exit.OK
    return capsys.readouterr().out


def test_replay_works_every_line_out(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, "replay", str(journal), "--json"))
    assert (told["fits"], told["misfit"], told["rounds"], told["judged"], told["ruled"]) == (True, None, 1, 0, 0)
    assert told["lines"] >= 4
    assert "records fits." in printed(capsys, "replay", str(journal))


@pytest.mark.parametrize("command", ["show", "replay", "export", "rounds"])
@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_what_is_left_out_of_a_damaged_file_is_told(
    journal: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, damage: str
) -> None:
    whole = journal.read_bytes()
    middle = len(whole) // 2
    bad = tmp_path / "bad.sabotlog"
    bad.write_bytes(whole[:middle] + (b"" if damage == "cut" else bytes([whole[middle] ^ 4]) + whole[middle + 1 :]))
    capsys.readouterr()
    assert main(["journal", command, str(bad)]) == Exit.FINDING
    said = capsys.readouterr()
    assert "bytes make no sense and were left out: see `sabot journal verify`" in said.err
    assert said.out


def test_exports_hold_the_same_records(journal: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = [json.loads(line) for line in printed(capsys, "export", str(journal)).splitlines()]
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "export", str(journal), "--format", "csv"))))
    assert [(each["sequence"], each["name"]) for each in lines] == [
        (int(row["sequence"]), row["record"]) for row in rows
    ]
    assert [each["fields"] for each in lines] == [json.loads(row["fields"]) for row in rows]
    base = tmp_path / "journal.sqlite"
    printed(capsys, "export", str(journal), "--format", "sqlite", "--output", str(base))
    with sqlite3.connect(base) as database:
        stored = database.execute("SELECT sequence, record FROM records ORDER BY sequence").fetchall()
        paid = database.execute("SELECT place_text, result_text, paid FROM settlement_bets ORDER BY place").fetchall()
    assert stored == [(each["sequence"], each["name"]) for each in lines]
    settled = [row for each in lines if each["name"] == "settlement" for row in each["fields"]["bets"]]
    assert sorted(each[2] for each in paid) == sorted(row[3] for row in settled)
    assert ("seat 1 initial", "win") in [each[:2] for each in paid] or ("seat 1 initial", "lose") in [
        each[:2] for each in paid
    ]


def test_a_database_wants_a_file(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "export", str(journal), "--format", "sqlite"]) == Exit.USAGE
    assert "[export-output]" in capsys.readouterr().err


def test_rounds_out_of_a_file(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "rounds", str(journal), "--last", "3", "--seat", "1")
    assert told.startswith("round 1, ")
    assert told.splitlines()[0].endswith(", ended")
    assert "  settlement: " in told.replace(" s  ", "  ") and "dealer against seat 1" in told
    assert printed(capsys, "rounds", str(journal), "--seat", "7") == ""
    whole = json.loads(printed(capsys, "rounds", str(journal), "--json"))
    assert (whole["round"], whole["ended"]) == (1, "round_end")
    assert whole["records"][0]["name"] == "lock"


def test_rounds_want_a_file_or_a_key(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], [str(journal), "--key-file", str(journal)]):
        assert main(["journal", "rounds", *words]) == Exit.USAGE
        assert "[rounds-source]" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", [1, 5, 300])
def test_the_last_rounds_of_a_table_that_plays_on(wanted: int) -> None:
    """As many records are read as it takes, newest first, and nothing is acknowledged."""
    from sabot_host.journal.rounds import fetch, rounds

    table = Table(rounds=40)
    asked: list[int] = []
    read = table.read_records

    def watched(first: int, on_progress: object = None, last: int | None = None) -> object:
        asked.append(first)
        return read(first, None, last)

    table.read_records = watched  # type: ignore[method-assign, assignment]
    found = rounds(fetch(table, bytes(16), wanted))
    assert len(found) >= min(wanted, 40)
    assert asked == sorted(asked, reverse=True)
    assert table.journal.acknowledged == 0
