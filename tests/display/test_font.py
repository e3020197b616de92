"""The font: every character that the display needs, each one different, and drawn where it belongs."""

from __future__ import annotations

from sabot.display import font, words
from sabot.display.screen import COLUMNS, LINES, Screen
from tests.display.entries import keys

FRENCH_CAPITALS = "°»ÀÂÇÈÉÊËÎÏÔÙÛÜŒ«"
EVERY_KEY = keys()
ALL = [chr(code) for code in range(0x20, 0x7F)] + list(FRENCH_CAPITALS)


def rows_of(character: str) -> list[str]:
    """The eight rows of a glyph as drawn, ``#`` for light."""
    cell = bytearray(b"\xff" * font.CELL)
    font.draw(cell, 0, font.glyph(ord(character)))
    return ["".join("#" if column >> row & 1 else "." for column in cell) for row in range(8)]


def test_every_character_has_a_glyph_of_its_own() -> None:
    drawn = {character: tuple(rows_of(character)) for character in [*ALL, "\u20ac"]}
    assert font.glyph(0x20AC) == font.UNKNOWN
    assert all(font.glyph(ord(character)) != font.UNKNOWN for character in ALL)
    assert len(set(drawn.values())) == len(ALL) + 1
    assert all(any("#" in row for row in rows) for character, rows in drawn.items() if character != " ")


def test_characters_do_not_touch_the_next_one() -> None:
    assert all(row[5] == "." for character in ALL for row in rows_of(character))


def test_accents_and_letters_are_drawn_alike_wherever_they_occur() -> None:
    for letters in ("ÀÂ", "ÈÉÊË", "ÎÏ", "ÙÛÜ"):
        assert len({tuple(rows_of(letter)[2:]) for letter in letters}) == 1
    for accents in ("ÀÈÙ", "ÂÊÎÔÛ", "ËÏÜ"):
        assert len({tuple(rows_of(letter)[:2]) for letter in accents}) == 1
    assert rows_of("É")[:2] == ["...#..", "..#..."]


def test_every_text_can_be_written() -> None:
    values = {"p": 7, "b": "AS+", "m": "1 250 $", "k": 8, "n": 999999, "id": "RODRIGUE"}
    for key in EVERY_KEY:
        for language in range(words.LANGUAGES):
            for character in words.say(key, language, **values):
                assert font.glyph(ord(character)) != font.UNKNOWN, (key, character)


def screen() -> tuple[Screen, bytearray, list[tuple[int, int, int]]]:
    buffer = bytearray(1024)
    touched: list[tuple[int, int, int]] = []
    return Screen(buffer, lambda line, first, last: touched.append((line, first, last))), buffer, touched


def test_text_lands_in_its_line_and_only_what_differs_is_touched() -> None:
    shown, buffer, touched = screen()
    shown.show(["RIEN NE VA PLUS", *[""] * 6, "É"])
    assert touched == [(0, 1, 90), (7, 1, 6)]
    cell = bytearray(6)
    font.draw(cell, 0, font.glyph(ord("É")))
    assert buffer[7 * 128 + 1 : 7 * 128 + 7] == cell
    assert not any(buffer[128 : 7 * 128]) and not buffer[0] and not any(buffer[127:129])
    touched.clear()
    shown.show(["RIEN NE VA PLUX", *[""] * 6, "É"])
    assert touched == [(0, 1 + 14 * 6, 90)]
    touched.clear()
    shown.show(["RIEN NE VA PLUX", *[""] * 6, "É"])
    assert touched == []
    shown.show([""] * LINES)
    assert not any(buffer)


def test_a_full_line_reaches_both_margins_and_no_further() -> None:
    shown, buffer, _ = screen()
    shown.show(["M" * (COLUMNS + 9)] * LINES)
    for line in range(LINES):
        dots = buffer[line * 128 : line * 128 + 128]
        assert not dots[0] and not dots[127] and dots[1] and dots[125]
