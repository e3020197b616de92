"""`sabot settle` as a stream: an answer a line, the next line always read, the status at the end; and on the device."""

import io
import json
from pathlib import Path

import pytest

from sabot.rules.wireform import MAX_LINE
from sabot_host.errors import DeviceError, MissingPartError
from sabot_host.settle import bounded_lines, settle_stream
from sabot_host.settle_device import DeviceSettler

GOOD = (
    '{"game": "three_card", "decks": 1, "dealer": ["Qs","3c","2d"], "players": [{"cards": ["2c","3d","5h"],'
    ' "bets": {"ante": 1000, "play": 1000, "pair_plus": 500}, "decision": "play"}]}'
)


def test_stream_answers_each_line_and_reports_at_the_end() -> None:
    out = io.StringIO()
    status = settle_stream([GOOD, "", "   \r\n", "nonsense\n", GOOD + "\r\n"], out)
    answers = out.getvalue().splitlines()
    assert status == 1
    assert len(answers) == 3
    assert answers[0] == answers[2] != answers[1]
    assert json.loads(answers[0])["players"][0]["net"] == -2500
    assert settle_stream([GOOD], io.StringIO()) == 0
    assert settle_stream([], io.StringIO()) == 0


def test_long_lines_are_refused_whole_and_read_in_bounds() -> None:
    text = GOOD.encode()
    padded = text + b" " * (MAX_LINE - len(text))
    stream = io.BytesIO(padded + b"\n" + padded + b" \n" + b"x" * 300_000 + b"\n" + text)
    lines = list(bounded_lines(stream))
    assert len(lines) == 4
    assert max(len(line) for line in lines) <= MAX_LINE + 2
    out = io.StringIO()
    assert settle_stream(lines, out) == 1
    assert ["error" in json.loads(answer) for answer in out.getvalue().splitlines()] == [False, True, True, False]


def test_text_with_bytes_that_are_no_text_is_answered() -> None:
    out = io.StringIO()
    assert settle_stream(["\udcff", "\ud800", b"\xff\n"], out) == 1
    assert len(out.getvalue().splitlines()) == 3


def test_device_answers_a_stream_with_the_same_bytes() -> None:
    lines = [GOOD, "nonsense", "", "x" * (MAX_LINE + 5), GOOD.replace("1000", "999", 1)]
    host, device = io.StringIO(), io.StringIO()
    with DeviceSettler() as settler:
        assert settle_stream(lines, device, settler.answer) == settle_stream(lines, host) == 1
    assert device.getvalue() == host.getvalue()


def test_missing_interpreter_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPartError, match="MicroPython is needed"), DeviceSettler():
        pass
    with pytest.raises(MissingPartError, match="cannot be run"), DeviceSettler(tmp_path):
        pass


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("#!/bin/sh\nexit 3\n", "ended"),
        ("#!/bin/sh\necho Traceback\nsleep 60\n", "answered"),
        ("#!/bin/sh\nexec sleep 60\n", "no answer"),
    ],
)
def test_broken_interpreter_is_a_device_error_in_bounded_time(tmp_path: Path, script: str, what: str) -> None:
    broken = tmp_path / "micropython"
    broken.write_text(script)
    broken.chmod(0o755)
    with DeviceSettler(broken, deadline_s=0.5) as settler, pytest.raises(DeviceError, match=what):
        settler.answer(b"x" * 200_000)


def test_closed_device_is_an_error() -> None:
    with pytest.raises(DeviceError, match="not running"):
        DeviceSettler().answer(b"1")
