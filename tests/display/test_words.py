"""The words: complete in both languages, and no text wider than the display with its widest substitution."""

from __future__ import annotations

import string

import pytest

from sabot.display.lines import CODES
from sabot.display.money import money
from sabot.display.screen import COLUMNS
from sabot.display.words import ENGLISH, FRENCH, LANGUAGES, say
from sabot.rules.games import bataille, boston, crazy_four, four_card, poker_357, three_card
from tests.display.entries import keys

GAMES = [module.GAME for module in (bataille, boston, crazy_four, four_card, poker_357, three_card)]
WIDEST_CODE = max(CODES.values(), key=len)
WIDEST = {"p": 7, "b": WIDEST_CODE, "m": "1 250 $", "k": 7, "n": 999999, "id": "RODRIGUE"}
# Limits have at most four figures, written without a space (`w_limits`).
NARROW_MONEY = {"w_limits": "1000 $"}
# Entries of the dealer's glossary by group, and those of the pages themselves and of the menu.
COUNTS = {"ph": 24, "b": 19, "w": 26, "d": 5, "r": 6, "h": 11, "p": 26, "i": 32, "f": 19, "s": 13, "x": 9, "m": 35}


def test_nothing_is_missing_in_a_language() -> None:
    assert {group: sum(key.startswith(group + "_") for key in keys()) for group in COUNTS} == COUNTS
    assert len(set(keys())) == len(keys()) == sum(COUNTS.values())
    for key in keys():
        for language in range(LANGUAGES):
            text = say(key, language, **WIDEST)
            assert text.strip() == text != "", (key, language)
            assert not set(text) & set("|{}\n"), (key, text)


def test_both_languages_ask_for_the_same_values() -> None:
    for key in keys():
        asked = []
        for language in range(LANGUAGES):
            needed = set()
            for name in WIDEST:
                rest = {other: value for other, value in WIDEST.items() if other != name}
                try:
                    say(key, language, **rest)
                except KeyError:
                    needed.add(name)
            asked.append(needed)
        # "P{p} ADD TROP ÉLEVÉE" and its like name the spot in the text.
        assert asked[0] == asked[1], key


@pytest.mark.parametrize("language", range(LANGUAGES))
def test_no_text_is_wider_than_the_display(language: int) -> None:
    for key in keys():
        text = say(key, language, **{**WIDEST, "m": NARROW_MONEY.get(key, WIDEST["m"])})
        assert len(text) <= COLUMNS, (key, text)


def test_words_that_the_by_law_and_the_house_fix() -> None:
    assert say("ph_lock", FRENCH) == "RIEN NE VA PLUS"
    assert say("r_push", FRENCH) == "NULLE"
    assert say("p_pay", FRENCH, p=3, b="INIT", m=money(2500, FRENCH)) == "P3 INIT PAYER 25 $"
    assert say("p_pay", ENGLISH, p=3, b="INIT", m=money(750, ENGLISH)) == "S3 INIT PAY $7.50"
    assert say("p_nopay", FRENCH, p=6) == "P6 NE PAS PAYER"
    assert say("r_noopen", FRENCH) == "BANQUE N'OUVRE PAS"
    assert say("s_mystery", ENGLISH) == "RECALL ROUNDS"
    for wrong in ("ph_no_such", "no_group", "p_"):
        with pytest.raises(KeyError):
            say(wrong, FRENCH)
    with pytest.raises(KeyError):
        say("p_pay", FRENCH, p=3)


def test_every_bet_of_every_game_has_a_code() -> None:
    assert {bet.name for game in GAMES for bet in game.bets} <= set(CODES)
    assert all(0 < len(code) <= 4 and not set(code) & set(string.whitespace) for code in CODES.values())
    for game in GAMES:
        codes = [CODES[bet.name] for bet in game.bets]
        assert len(set(codes)) == len(codes)


@pytest.mark.parametrize(
    ("cents", "french", "english"),
    [
        (0, "0 $", "$0"),
        (5, "0,05 $", "$0.05"),
        (750, "7,50 $", "$7.50"),
        (2500, "25 $", "$25"),
        (99999, "999,99 $", "$999.99"),
        (100000, "1 000 $", "$1,000"),
        (125000, "1 250 $", "$1,250"),
        (10000000, "100 000 $", "$100,000"),
        (1000000007, "10 000 000,07 $", "$10,000,000.07"),
    ],
)
def test_money(cents: int, french: str, english: str) -> None:
    assert money(cents, FRENCH) == french
    assert money(cents, ENGLISH) == english
    assert money(cents, FRENCH, grouped=False) == french[:-2].replace(" ", "") + " $"
    assert money(cents, ENGLISH, grouped=False) == english.replace(",", "")


def test_money_is_never_negative() -> None:
    with pytest.raises(ValueError, match="below 0"):
        money(-1, FRENCH)
