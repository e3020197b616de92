"""`sabot badge` against the whole firmware over a virtual cable: enrol, list, revoke, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sabot_host.cli.role as role
from hwsim.core import NS_PER_MS
from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import VirtualCable
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.sim.pytest_plugin import TestTable

UID = "04A1B2C3D4E580"


@pytest.fixture
def fitted(make_table: Callable[..., TestTable], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TestTable:
    """A table with a badge reader, whose port is the only one there is, and the house's keys in ``keys``."""
    table = make_table(config={"badge_reader": True})
    table.play("power on\nwait 1.5")
    monkeypatch.setattr(role, "SerialTransport", lambda name: VirtualCable(table.table))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "keys" / "table-1"
    folder.mkdir(parents=True)
    for name in ("dealer", "supervisor", "technician", "auditor"):
        (folder / f"{name}.key").write_text(DEVELOPMENT_KEYS[name].hex())
    for made in (folder.parent, folder):
        made.chmod(0o700)
    for file in folder.iterdir():
        file.chmod(0o600)
    return table


def sabot(*words: str) -> int:
    return main(["badge", *words, "--keys", "keys", "--port", "fake"])


def test_enrol_list_revoke(fitted: TestTable, capsys: pytest.CaptureFixture[str]) -> None:
    badge = fitted.table.badge("anna")
    fitted.table.show(badge, 3000 * NS_PER_MS, at=fitted.table.now + 1000 * NS_PER_MS)
    uid = badge.uid.hex().upper()
    assert sabot("enrol", "4711") == Exit.OK
    said = capsys.readouterr()
    assert said.out == f"badge {uid} is that of dealer 4711\n"
    assert "hold the badge to the table's reader" in said.err
    assert sabot("enrol", "12", "--role", "supervisor", "--uid", "04:A1:B2:C3:D4:E5:80") == Exit.OK
    capsys.readouterr()
    assert sabot("list") == Exit.OK
    assert capsys.readouterr().out.splitlines()[:2] == [f"dealer      4711  {uid}", f"supervisor    12  {UID}"]
    assert sabot("revoke", "4711", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["badges"] == [{"role": "dealer", "number": 4711, "uid": uid}]
    assert sabot("list", "--as", "auditor", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["badges"] == [{"role": "supervisor", "number": 12, "uid": UID}]
    assert [str(entry.fields["did"]) for entry in fitted.records("badge")][-1] == "revoked"


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["enrol", "41", "--wait", "1"], Exit.DEVICE, "badge-none"),
        (["enrol", "41", "--uid", "08112233"], Exit.REFUSED, "link-badge-random"),
        (["enrol", "41", "--uid", "0811"], Exit.USAGE, "usage"),
        (["enrol", "0", "--uid", UID], Exit.USAGE, "usage"),
        (["enrol", "7", "--uid", UID, "--role", "cook"], Exit.USAGE, "usage"),
        (["revoke", "41"], Exit.USAGE, "badge-unknown"),
    ],
)
def test_what_is_refused(
    fitted: TestTable, capsys: pytest.CaptureFixture[str], words: list[str], status: int, code: str
) -> None:
    assert sabot(*words) == status
    assert f"[{code}]" in capsys.readouterr().err
    assert not fitted.records("badge")


def test_a_badge_is_one_persons(fitted: TestTable, capsys: pytest.CaptureFixture[str]) -> None:
    assert sabot("enrol", "41", "--uid", UID) == Exit.OK
    assert sabot("enrol", "42", "--uid", UID) == Exit.REFUSED
    assert "[link-badge-taken]" in capsys.readouterr().err


def test_not_while_bets_can_be_made(fitted: TestTable, capsys: pytest.CaptureFixture[str]) -> None:
    fitted.play("press fin\nwait until bar green")
    assert sabot("enrol", "41", "--uid", UID) == Exit.REFUSED
    assert "[badge-not-now]" in capsys.readouterr().err


def test_a_table_without_a_reader_says_so(
    make_table: Callable[..., TestTable],
    fitted: TestTable,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = make_table()
    table.play("power on\nwait 1.5")
    monkeypatch.setattr(role, "SerialTransport", lambda name: VirtualCable(table.table))
    assert sabot("list") == Exit.REFUSED
    assert "[link-no-badge-reader]" in capsys.readouterr().err
