"""`sabot repl`: the prompt of a running table, which leaves its journal's word and comes back as the table."""

import io
import json
import os
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from hwsim.usb.table import TableBoard
from sabot_host.cli import repl
from sabot_host.errors import Exit
from sabot_host.terminal import letters
from tests.flash.conftest import Desk
from tests.flash.test_seal import SEAL, UNSEAL, records, state
from tests.flash.test_technician_page import Person

Says = Callable[[str], None]
REPL = ("repl", "--keys", "keys", "--yes")


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Says:
    """Puts code where `sabot repl` reads it."""

    def put(code: str) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(code.encode())))

    return put


@pytest.mark.campaign
def test_code_runs_without_the_table_which_then_comes_back(
    commissioned: Desk, says: Says, capsys: pytest.CaptureFixture[str]
) -> None:
    says("import os, sys\nprint('prompt' in os.listdir(), 'sabot.app' in sys.modules, 6 * 7)")
    assert commissioned.run(*REPL) == Exit.OK
    told = capsys.readouterr()
    assert told.out == "False False 42\r\n"
    assert "table 12 runs again" in told.err
    assert state(commissioned, capsys) == "running"
    assert commissioned.run("status", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["ready"]
    assert [line for line in records(commissioned, capsys) if " prompt: " in line and "technician" in line]
    says("1 / 0")
    assert commissioned.run(*REPL) == Exit.FINDING
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert state(commissioned, capsys) == "running"


@pytest.mark.campaign
def test_code_without_an_end_is_stopped_and_the_table_comes_back(
    commissioned: Desk, says: Says, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repl, "CODE_MS", 1000)
    says("import time\nwhile True: time.sleep(0.1)")
    assert commissioned.run(*REPL) == Exit.DEVICE
    told = capsys.readouterr().err
    assert "[repl-silent]" in told and "table 12 runs again" in told
    assert state(commissioned, capsys) == "running"


@pytest.mark.campaign
def test_a_person_types_and_leaves(
    commissioned: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ""
    asked = 0

    def typed() -> bytes:
        nonlocal shown, asked
        shown += capsys.readouterr().out
        asked += 1
        if asked == 1:
            return b"print(6 * 7)\n"
        return b"" if "\n42" not in shown and asked < 1000 else b"\x1d"

    @contextmanager
    def keyboard() -> Iterator[Callable[[], bytes]]:
        yield typed

    monkeypatch.setattr(repl, "letters", keyboard)
    monkeypatch.setattr("sys.stdin", Person("y"))
    assert commissioned.run(*REPL[:-1]) == Exit.OK
    assert "\n42" in shown
    assert state(commissioned, capsys) == "running"


def test_a_terminal_gives_letters_and_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    person, slave = os.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        before = termios.tcgetattr(slave)
        with letters() as typed:
            assert typed() == b""
            os.write(person, b"a\x03")
            assert typed() == b"a\x03"
        assert termios.tcgetattr(slave) == before
    os.close(person)


@pytest.mark.campaign
def test_a_table_in_play_a_sealed_one_and_one_without_its_key_show_none(
    own: Desk,
    table_board: TableBoard,
    says: Says,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, status, code in ((REPL[:1], Exit.DEVICE, "prompt-key"), (REPL, Exit.REFUSED, "prompt-sealed")):
        if status == Exit.REFUSED:
            assert own.run(*SEAL) == Exit.OK
        says("print(1)")
        assert own.run(*words) == status
        assert f"[{code}]" in capsys.readouterr().err
    assert state(own, capsys) == "sealed"
    assert own.run(*UNSEAL) == Exit.OK
    with table_board.lock:
        table_board.table.press("fin")
        table_board.table.run_for(1000)
        table_board.table.place(1, "ante", 2500)
        table_board.table.run_for(1500)
    says("print(1)")
    assert own.run(*REPL) == Exit.REFUSED
    assert "[prompt-in-play]" in capsys.readouterr().err
    assert own.run(*SEAL) == Exit.REFUSED
    assert "[seal-in-play]" in capsys.readouterr().err


def test_what_is_no_code_is_told_before_any_board_is_looked_for(
    desk: Desk, says: Says, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk.folder / "keys").mkdir()
    says("  \n")
    assert desk.run(*REPL) == Exit.FILE
    assert "[repl-no-code]" in capsys.readouterr().err
    says("x" * (repl.MOST_CODE + 1))
    assert desk.run(*REPL) == Exit.FILE
    assert "[repl-code]" in capsys.readouterr().err
    says("print(1)")
    assert desk.run(*REPL) == Exit.DEVICE
    assert "[prompt-none]" in capsys.readouterr().err
