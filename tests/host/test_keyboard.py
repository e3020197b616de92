"""The keyboard of `sabot sim play`: strokes, lines, and what a terminal sends beside them."""

import pytest

from sabot.wire.codes import KEYS
from sabot_host.sim.keyboard import DRAW, HELP, KEY, LINE, MAX_LINE, PANEL, QUIT, Keyboard, Stroke


def struck(*pieces: bytes) -> tuple[list[Stroke], str]:
    keyboard = Keyboard()
    strokes = [stroke for piece in pieces for stroke in keyboard.take(piece)]
    return strokes, keyboard.line


def test_every_key_of_the_panel_has_a_stroke() -> None:
    assert sorted(PANEL.values()) == sorted(KEYS[1:])
    assert not any(stroke.islower() for stroke in PANEL), "a line begins with a small letter"


def test_strokes_and_lines() -> None:
    strokes, line = struck(b"F3 ?seat 1 ante 25.00 R3\rD")
    assert strokes == [
        Stroke(KEY, "fin"),
        Stroke(KEY, "p3"),
        Stroke(DRAW),
        Stroke(HELP),
        Stroke(LINE, "seat 1 ante 25.00 R3"),
        Stroke(KEY, "devoiler"),
    ]
    assert line == ""


@pytest.mark.parametrize("ending", [b"\x03", b"\x04", b"quit\r", b"exit\n"])
def test_the_end(ending: bytes) -> None:
    assert struck(ending)[0][0].kind == QUIT


def test_a_line_can_be_mended_and_forgotten() -> None:
    assert struck(b"drax\x7fw 3\r") == ([Stroke(LINE, "draw 3")], "")
    assert struck(b"\x7f\x7fdraw\x15") == ([], "")
    assert struck(b"   \r")[0] == [Stroke(DRAW)] * 3


def test_letters_and_arrows_that_come_in_pieces() -> None:
    keyboard = Keyboard()
    assert keyboard.take(b"note \xc3") == [] and keyboard.take(b"\xa9t\xc3\xa9") == []
    assert keyboard.line == "note été"
    assert keyboard.take(b"\r") == [Stroke(LINE, "note été")]
    keyboard.take(b"shuffle\r")
    assert keyboard.take(b"\x1b") == [] and keyboard.take(b"[A") == []
    assert keyboard.line == "shuffle"
    keyboard.take(b"\x15\x1b[A\x1b[A")
    assert keyboard.line == "note été"
    keyboard.take(b"\x1b[B")
    assert keyboard.line == "shuffle"
    keyboard.take(b"\x1b[B\x1b[B")
    assert keyboard.line == ""


def test_other_keys_of_the_keyboard_are_nothing() -> None:
    assert struck(b"\x1b[15~", b"\x1bOP", b"\x1b[1;5C", b"\x00\x07\t") == ([], "")
    assert struck(b"\x1b[1", b"5~") == ([], ""), "in two pieces"


def test_a_line_has_an_end() -> None:
    assert len(struck(b"x" * (MAX_LINE + 50))[1]) == MAX_LINE
    assert struck(b"\xff\xfe")[1] == "\ufffd\ufffd"
