"""`sabot journal` as a person or a script meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sabot_host.link.client
import sabot_host.link.serial_port
from sabot.wire.records import code_of
from sabot_host.cli.main import main
from sabot_host.errors import Exit, RefusedError
from sabot_host.journal.file import read
from tests.host.journal_table import KEY, Table

ROLE_KEY = bytes(32)
CONFIGURED = {"game": "three_card", "by": 0}
CONFIGURED.update(dict.fromkeys(("game_hash", "config_hash", "was", "settings", "program", "deck"), bytes(8)))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table on the port `fake`."""
    found = Table(rounds=4)
    found.journal.append(code_of("configured"), CONFIGURED)
    found.play(2)

    class Session:
        def __init__(self, transport: object) -> None:
            self.head = found.head
            self.read_records = found.read_records
            self.acknowledge = found.acknowledge
            self.proved = False

        def open(self) -> None:
            pass

        def authenticate(self, role: str, key: bytes) -> None:
            if (role, key) != ("auditor", ROLE_KEY):
                raise RefusedError("link-wrong-key", "no", "another")

        def close(self) -> None:
            pass

    monkeypatch.setattr(sabot_host.link.client, "Client", Session)
    monkeypatch.setattr(sabot_host.link.serial_port, "SerialTransport", lambda name: name)
    return found


@pytest.fixture
def keys(tmp_path: Path) -> tuple[str, str]:
    """Files of the role key and of the chain's first key."""
    role, chain = tmp_path / "role.key", tmp_path / "chain.key"
    role.write_text(ROLE_KEY.hex())
    chain.write_text(KEY.hex())
    return str(role), str(chain)


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> tuple[int, str, str]:
        status = main(["journal", *words])
        return (status, *capsys.readouterr())

    return command


def test_pull_verify_show(table: Table, keys: tuple[str, str], run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "t.sabotlog")
    last = table.journal.last
    status, out, err = run("pull", path, "--port", "fake", "--key-file", keys[0], "--ack")
    assert (status, err) == (Exit.OK, "")
    assert out == f"{path}: {last} new, records 1 to {last}; acknowledged up to {last}\n"
    assert table.journal.acknowledged == last
    again = json.loads(run("pull", path, "--port", "fake", "--key-file", keys[0], "--json")[1])
    assert again == {"file": path, "added": 0, "first": 1, "last": last, "acknowledged": last}
    status, out, err = run("verify", path, "--key-file", keys[1])
    assert (status, out) == (Exit.OK, f"{path}: good. Records 1 to {last}, 1 boot.\n")
    assert "whether an older pull is shown again, only one of your own tells" in err
    status, out, err = run("show", path)
    assert (status, err) == (Exit.OK, "")
    assert out.count("\n") == last
    assert KEY.hex() not in out


def test_verify_in_json_and_its_exit_status(table: Table, keys: tuple[str, str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.sabotlog"
    nonce = "ab" * 16
    run("pull", str(path), "--port", "fake", "--key-file", keys[0], "--nonce", nonce)
    status, out, _ = run("verify", str(path), "--key-file", keys[1], "--json", "--nonce", nonce)
    report = json.loads(out)
    assert (status, report["good"], report["kind"]) == (Exit.OK, True, "")
    assert report["meters"]["rounds"] == 4
    status, out, err = run("verify", str(path), "--key-file", keys[1], "--nonce", nonce)
    assert (status, err) == (Exit.OK, "")
    status, out, _ = run("verify", str(path), "--key-file", keys[1], "--json", "--nonce", "00" * 16)
    assert (status, json.loads(out)["kind"]) == (Exit.FINDING, "incomplete")
    path.write_bytes(path.read_bytes()[:-200])
    status, out, _ = run("verify", str(path), "--key-file", keys[1])
    assert status == Exit.FINDING
    assert "is truncated: the file ends inside a frame" in out


def test_what_show_says(table: Table, keys: tuple[str, str], run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "t.sabotlog")
    table.journal.append(code_of("fault"), {"part": 1, "index": 0, "detail": "\x1b[2J\nroot"})
    table.journal.append(code_of("reveal"), {"round": 9, "hands": [(0, bytes(8), b"\x00\x33"), (1, bytes(8), b"\xff")]})
    run("pull", path, "--port", "fake", "--key-file", keys[0])
    _, out, _ = run("show", path, "--code", "fault")
    assert "fault: part reader, index 0, detail '\\x1b[2J\\nroot'" in out
    assert "\x1b" not in out
    _, out, _ = run("show", path, "--code", "settlement")
    before, after = out.splitlines()[0], out.splitlines()[-1]
    assert "bets [seat 1 spot 0 win 1.00 $ paid 0.00 $ returned 1.00 $" in before
    assert "seat 1 ante win 1.00 $" in after
    assert "2026-09-21 14:13:20Z dealer 1  " in before
    _, out, _ = run("show", path, "--code", "reveal")
    assert "hands [dealer 0000000000000000 2c As; seat 1 0000000000000000 ?]" in out
    _, out, _ = run("show", path, "--json", "--code", "irregularity")
    first = json.loads(out.splitlines()[0])
    assert first["fields"]["before"] == 500 and first["name"] == "irregularity"


def test_show_one_round(table: Table, keys: tuple[str, str], run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "t.sabotlog")
    run("pull", path, "--port", "fake", "--key-file", keys[0])
    _, out, _ = run("show", path, "--round", "4", "--json")
    names = [json.loads(line)["name"] for line in out.splitlines()]
    assert names == ["lock", "confirmed", "irregularity", "resolved", "settlement", "round_end"]
    _, out, _ = run("show", path, "--round", "77")
    assert out == ""


def test_errors(table: Table, keys: tuple[str, str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.sabotlog"
    assert run("pull", str(path), "--port", "fake", "--key-file", keys[1])[0] == Exit.REFUSED
    assert not path.exists()
    status, _, err = run("pull", str(path), "--port", "fake", "--key-file", keys[0], "--nonce", "12")
    assert status == Exit.USAGE and "[nonce-bad]" in err
    for words in (("verify", str(path), "--key-file", keys[1]), ("show", str(path)), ("show", str(tmp_path))):
        status, _, err = run(*words)
        assert status == Exit.FILE and words[1] in err and "[file-access]" in err
    status, _, err = run("pull", str(path), "--port", "fake", "--key-file", str(tmp_path / "none.key"))
    assert status == Exit.FILE and "none.key" in err
    path.write_text("hello\n")
    status, _, err = run("verify", str(path), "--key-file", keys[1])
    assert status == Exit.FILE and "[journal-not-one]" in err
    assert run("show", str(path))[0] == Exit.FILE
    path.unlink()
    run("pull", str(path), "--port", "fake", "--key-file", keys[0])
    status, _, err = run("verify", str(path), "--key-file", keys[0])
    assert status == Exit.FILE and "[journal-other-key]" in err
    with path.open("ab") as stream:
        stream.write(b"R\xff")
    status, _, err = run("show", str(path))
    assert status == Exit.FINDING and "the last 2 bytes make no sense" in err
    assert read(path).rest == 2
