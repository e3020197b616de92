"""`sabot staff` on the firmware's own link: who signs on, what is ruled, and what a wrong key gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sabot_host.cli import role as sessions
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.lang import use
from tests.link.board import CLOCK, KEYS, Controller, Table
from tests.link.cable import Cable


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    CLOCK.ms = 5000
    controller = Controller([b"r" * 40])
    monkeypatch.setattr(sessions, "SerialTransport", lambda port: Cable(controller))
    return controller.app.table


@pytest.fixture
def key(tmp_path: Path) -> dict[str, str]:
    """A file for each role's key."""
    for role, secret in KEYS.items():
        (tmp_path / role).write_text(secret.hex())
    return {role: str(tmp_path / role) for role in KEYS}


def test_on_and_off(table: Table, key: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["staff", "on", "41", "--key-file", key["dealer"], "--port", "fake"]) == Exit.OK
    assert capsys.readouterr().out == "dealer 41 signed on\n"
    command = ["staff", "on", "7", "--role", "supervisor", "--key-file", key["supervisor"], "--port", "fake"]
    assert main(command) == Exit.OK
    assert main(["staff", "off", "41", "--key-file", key["dealer"], "--port", "fake"]) == Exit.OK
    assert table.signed == [(1, 41, True), (2, 7, True), (1, 41, False)]


def test_rule_and_void(table: Table, key: dict[str, str]) -> None:
    there = ["--key-file", key["supervisor"], "--port", "fake"]
    assert main(["staff", "rule", "7", "keyed", "--amount", "2500", *there]) == Exit.OK
    assert main(["staff", "void", "--reason", "misdeal", *there]) == Exit.OK
    assert (table.resolved, table.voids) == ([(7, 4, 2500)], 1)
    assert main(["staff", "rule", "8", "valid", *there]) == Exit.REFUSED


@pytest.mark.parametrize("words", [["keyed"], ["valid", "--amount", "5"]])
def test_an_amount_is_said_with_keyed_and_with_nothing_else(
    table: Table, key: dict[str, str], capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Without one a bet was keyed as nothing at all."""
    assert main(["staff", "rule", "7", *words, "--key-file", key["supervisor"], "--port", "fake"]) == Exit.USAGE
    assert "[staff-amount]" in capsys.readouterr().err and table.resolved == []


def test_what_was_ruled_and_whose_key_it_is_not_are_told_in_french(
    table: Table, key: dict[str, str], capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: use("en"))
    there = ["--port", "fake", "--key-file"]
    assert main(["--lang", "fr", "staff", "rule", "7", "refused", *there, key["supervisor"]]) == Exit.OK
    assert capsys.readouterr().out == "irrégularité 7 : refusée\n"
    assert main(["--lang", "fr", "staff", "rule", "7", "refused", *there, key["dealer"]]) == Exit.REFUSED
    assert "pour le rôle superviseur" in capsys.readouterr().err


def test_each_says_as_json_what_was_done(table: Table, key: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    for words, role, done in (
        (["on", "41"], "dealer", {"role": "dealer", "number": 41, "on": True}),
        (["off", "41"], "dealer", {"role": "dealer", "number": 41, "on": False}),
        (["rule", "7", "valid"], "supervisor", {"irregularity": 7, "resolution": "valid"}),
        (["void"], "supervisor", {"void": "supervisor"}),
    ):
        assert main(["staff", *words, "--key-file", key[role], "--port", "fake", "--json"]) == Exit.OK
        assert json.loads(capsys.readouterr().out) == done


def test_a_key_of_another_role_is_refused(
    table: Table, key: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["staff", "on", "41", "--key-file", key["supervisor"], "--port", "fake"]) == Exit.REFUSED
    assert "[link-wrong-key]" in capsys.readouterr().err
    assert main(["staff", "on", "0", "--key-file", key["dealer"]]) == Exit.USAGE
    assert table.signed == []
