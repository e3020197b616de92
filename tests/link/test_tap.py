"""The frames of a session in words, as `sabot console` shows them."""

import json

import pytest

from sabot.wire import messages as m
from sabot_host.cli import console
from sabot_host.cli.main import main
from sabot_host.errors import Exit
from sabot_host.link.core import encode
from sabot_host.link.tap import as_dict, words
from tests.link.board import CLOCK, Controller
from tests.link.cable import Cable


def test_a_session_is_shown_frame_by_frame(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    CLOCK.ms = 5000
    controller = Controller([b"r" * 40])
    monkeypatch.setattr(console, "SerialTransport", lambda port: Cable(controller))
    assert main(["console", "--port", "x", "--seconds", "2"]) == Exit.OK
    lines = capsys.readouterr().out.splitlines()
    kinds = [line.split()[1:3] for line in lines]
    assert kinds[:2] == [["->", "H_HELLO"], ["<-", "D_HELLO"]]
    assert kinds[-1] == ["->", "H_BYE"]
    assert sum("request" in line and "status" in line and "->" in line for line in lines) == 2
    assert any("<- D_REPLY" in line and "status 0, bytes 0 to 224 of 6" in line for line in lines)
    assert ["->", "H_ACK"] in kinds


def test_frames_for_a_program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    CLOCK.ms = 5000
    controller = Controller([b"r" * 40])
    monkeypatch.setattr(console, "SerialTransport", lambda port: Cable(controller))
    assert main(["console", "--port", "x", "--seconds", "1", "--json"]) == Exit.OK
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["to"], each["type"]) for each in told[:2]] == [("controller", "H_HELLO"), ("host", "D_HELLO")]
    assert any("status" in each["says"] for each in told if each["type"] == "H_REQUEST")
    assert as_dict(7, "<-", b"AT") == {"ms": 7, "to": "host", "bytes": "4154", "type": None}


def test_what_is_no_frame_is_shown_as_bytes() -> None:
    assert words(b"AT+CGMI") == "no frame: 41 54 2b 43 47 4d 49"
    assert words(encode(b"ab").rstrip(b"\0")).startswith("no frame: ")


def test_a_type_and_a_command_of_a_later_version_are_shown_by_their_numbers() -> None:
    body = bytes([7, 0x7F]) + b"xy"
    assert words(encode(m.header(m.H_REQUEST, 3, 2) + body + m.NO_MARK)[:-1]) == (
        "H_REQUEST   3 ack   2 request 7 command 7f 78 79"
    )
    assert words(encode(m.header(0x3A, 0, 2) + m.NO_MARK)[:-1]) == "type 3a     0 ack   2"
