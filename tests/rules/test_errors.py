"""Unlawful rounds: each article of the table of errors, and the order in which they are found."""

import copy
import json
from typing import Any

import pytest

from sabot.rules import errors
from sabot_host.settle import settle_line

GOOD: dict[str, Any] = {
    "game": "three_card",
    "decks": 1,
    "dealer": ["Qs", "3c", "2d"],
    "players": [
        {"cards": ["2c", "3d", "5h"], "bets": {"ante": 1000, "play": 1000, "pair_plus": 500}, "decision": "play"},
        {"cards": ["2h", "2s", "9h"], "bets": {"pair_plus": 500}},
    ],
}


def error(played: object) -> tuple[str, str | None]:
    """Code and article of the error of a round."""
    text, settled = settle_line(json.dumps(played))
    assert not settled, text
    wrong = json.loads(text)["error"]
    assert text == json.dumps({"error": {key: wrong[key] for key in ("code", "article", "message")}})
    assert wrong["message"]
    assert "\n" not in wrong["message"]
    return wrong["code"], wrong["article"]


def changed(path: str, value: object, good: dict[str, Any] = GOOD) -> dict[str, Any]:
    """A round with one field replaced (`players.0.bets.ante`), or removed when the value is ..."""
    played = copy.deepcopy(good)
    at: Any = played
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        at = at[step]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return played


def test_the_round_that_the_others_break_is_settled() -> None:
    assert settle_line(json.dumps(GOOD))[1]


@pytest.mark.parametrize(
    ("path", "value", "code", "article"),
    [
        ("game", ..., errors.NO_GAME, None),
        ("game", "poker", errors.UNKNOWN_GAME, None),
        ("game", 3, errors.UNKNOWN_GAME, None),
        ("game", ["three_card"], errors.UNKNOWN_GAME, None),
        ("players", ..., errors.NO_PLAYERS, None),
        ("players", [], errors.NO_PLAYERS, None),
        ("players", None, errors.NO_PLAYERS, None),
        ("players", {}, errors.BAD_FORM, None),
        ("players", "both", errors.BAD_FORM, None),
        ("players.0", "me", errors.BAD_FORM, None),
        ("players.0.bets", [1], errors.BAD_FORM, None),
        ("players.0.cards", "2c3d5h", errors.BAD_FORM, None),
        ("dealer", {"a": 1}, errors.BAD_FORM, None),
        ("decks", ..., errors.DECKS, "67.22"),
        ("decks", 0, errors.DECKS, "67.22"),
        ("decks", 3, errors.DECKS, "67.22"),
        ("decks", 1.0, errors.DECKS, "67.22"),
        ("decks", True, errors.DECKS, "67.22"),
        ("decks", "1", errors.DECKS, "67.22"),
        ("dealer.0", "Zs", errors.IMPOSSIBLE_CARD, "6"),
        ("dealer.0", "qs", errors.IMPOSSIBLE_CARD, "6"),
        ("dealer.0", 12, errors.IMPOSSIBLE_CARD, "6"),
        ("players.1.cards.2", None, errors.IMPOSSIBLE_CARD, "6"),
        ("players.1.cards.2", "Qs", errors.TOO_MANY_COPIES, "6"),
        ("dealer", ..., errors.CARD_COUNT, "67.27"),
        ("dealer", ["Qs", "3c"], errors.CARD_COUNT, "67.27"),
        ("players.1.cards", [], errors.CARD_COUNT, "67.27"),
        ("players.1.cards", ["2h", "2s", "9h", "9d"], errors.CARD_COUNT, "67.27"),
        ("players.0.bets", ..., errors.MISSING_BET, "67.26"),
        ("players.0.bets", {}, errors.MISSING_BET, "67.26"),
        ("players.0.bets.ante", ..., errors.SUPERFLUOUS_DECISION, "67.28"),
        ("players.0.bets.tie", 100, errors.UNKNOWN_BET, "67.26"),
        ("players.0.bets.ante_bonus", 100, errors.UNKNOWN_BET, "67.26"),
        ("players.0.bets.ante", 0, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", -1000, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", 1000.0, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", 1e3, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", "1000", errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", True, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", None, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.ante", [1000], errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.pair_plus", 10**15 + 1, errors.BAD_AMOUNT, "67.26"),
        ("players.0.bets.pair_plus", 10**40, errors.BAD_AMOUNT, "67.26"),
        ("players.0.decision", ..., errors.MISSING_DECISION, "67.28"),
        ("players.0.decision", None, errors.MISSING_DECISION, "67.28"),
        ("players.0.decision", "stay", errors.UNKNOWN_DECISION, "67.28"),
        ("players.0.decision", 1, errors.UNKNOWN_DECISION, "67.28"),
        ("players.0.decision", "fold", errors.SUPERFLUOUS_DECISION, "67.28"),
        ("players.1.decision", "play", errors.SUPERFLUOUS_DECISION, "67.28"),
        ("players.1.decision", "fold", errors.SUPERFLUOUS_DECISION, "67.28"),
        ("players.1.bets.play", 500, errors.SUPERFLUOUS_DECISION, "67.28"),
        ("players.0.bets.play", ..., errors.DECISION_BET, "67.28"),
        ("players.0.bets.play", 999, errors.DECISION_AMOUNT, "67.28"),
        ("players.0.bets.play", 2000, errors.DECISION_AMOUNT, "67.28"),
        ("players.0.war_player", "2s", errors.SUPERFLUOUS_DECISION, "67.28"),
    ],
)
def test_each_broken_article(path: str, value: object, code: str, article: str | None) -> None:
    played = changed(path, value)
    if path.endswith("war_player"):
        played["decks"] = 2
    assert error(played) == (code, article)


ROUNDS: dict[str, dict[str, Any]] = {
    "bataille": {
        "decks": 6,
        "dealer": ["9d"],
        "players": [
            {
                "cards": ["9c"],
                "bets": {"initial": 10, "tie": 5, "additional": 10},
                "decision": "war",
                "war_player": "Kd",
                "war_dealer": "5d",
            },
            {"cards": ["Ac"], "bets": {"initial": 10}},
        ],
    },
    "poker_357": {
        "decks": 1,
        "dealer": ["Jc", "Tc", "2d", "3h"],
        "players": [
            {"cards": ["Ac", "Kc", "Qc"], "bets": {"three": 5, "five": 5, "seven": 5}, "decision": "stay"},
            {"cards": ["Ad", "Kd", "Qd"], "bets": {"three": 5, "five": 5}},
        ],
    },
    "boston": {
        "decks": 1,
        "dealer": ["Kc", "Kd", "9s", "5d", "2h"],
        "players": [
            {
                "cards": ["Ac", "Ad", "9h", "5c", "2d"],
                "bets": {"ante": 10, "first": 20, "second": 20, "bonus": 5},
                "decision": "play",
            },
            {"cards": ["3c", "4d", "8h"], "bets": {"ante": 10, "first": 20}, "decision": "fold"},
        ],
    },
    "four_card": {
        "decks": 1,
        "dealer": ["As", "Kc", "9s", "5d", "2h", "3d"],
        "players": [
            {
                "cards": ["Ac", "Kd", "9h", "5c", "2d"],
                "bets": {"ante": 10, "aces_up": 5, "play": 30},
                "decision": "play",
            },
            {"cards": ["Qc", "Qd", "Qh", "6c", "7d"], "bets": {"aces_up": 5}},
        ],
    },
    "crazy_four": {
        "decks": 1,
        "dealer": ["Qs", "Jc", "9s", "5d", "2h"],
        "players": [
            {
                "cards": ["Kc", "Kd", "9h", "5c", "2d"],
                "bets": {"ante": 10, "super_bonus": 10, "queens_up": 5, "play": 10},
                "decision": "play",
            },
            {
                "cards": ["Ac", "Ad", "9c", "5h", "2s"],
                "bets": {"ante": 10, "super_bonus": 10, "play": 30},
                "decision": "play",
            },
        ],
    },
}


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_the_rounds_that_the_next_test_breaks_are_settled(game: str) -> None:
    assert settle_line(json.dumps({"game": game, **ROUNDS[game]}))[1]


@pytest.mark.parametrize(
    ("game", "path", "value", "code", "article"),
    [
        ("bataille", "decks", 7, errors.DECKS, "67.33"),
        ("bataille", "players.0.war_player", "1d", errors.IMPOSSIBLE_CARD, "6"),
        ("bataille", "dealer", ["9d", "9h"], errors.CARD_COUNT, "67.37"),
        ("bataille", "players.0.cards", [], errors.CARD_COUNT, "67.37"),
        ("bataille", "players.1.bets", {"tie": 5}, errors.MISSING_BET, "67.36"),
        ("bataille", "players.1.bets.initial", 0, errors.BAD_AMOUNT, "67.36"),
        ("bataille", "players.0.bets.tie", 2.5, errors.BAD_AMOUNT, "67.40"),
        ("bataille", "players.0.bets.ante", 5, errors.UNKNOWN_BET, "67.36"),
        ("bataille", "players.0.decision", ..., errors.MISSING_DECISION, "67.38"),
        ("bataille", "players.0.decision", "fold", errors.UNKNOWN_DECISION, "67.38"),
        ("bataille", "players.1.decision", "war", errors.SUPERFLUOUS_DECISION, "67.38"),
        ("bataille", "players.1.bets.additional", 10, errors.SUPERFLUOUS_DECISION, "67.39"),
        ("bataille", "players.0.bets.additional", 9, errors.DECISION_AMOUNT, "67.39"),
        ("bataille", "players.0.bets.additional", ..., errors.DECISION_BET, "67.39"),
        ("bataille", "players.0.war_dealer", ..., errors.DECISION_CARD, "67.39"),
        ("bataille", "players.1.war_dealer", "5h", errors.SUPERFLUOUS_DECISION, "67.39"),
        ("bataille", "players.0.decision", "surrender", errors.SUPERFLUOUS_DECISION, "67.39"),
        ("poker_357", "decks", 6, errors.DECKS, "67.41"),
        ("poker_357", "dealer.3", "Ac", errors.TOO_MANY_COPIES, "6"),
        ("poker_357", "dealer", ["Jc", "Tc", "2d"], errors.CARD_COUNT, "67.46"),
        ("poker_357", "players.1.bets.five", ..., errors.MISSING_BET, "67.45"),
        ("poker_357", "players.1.bets.five", "5", errors.BAD_AMOUNT, "67.45"),
        ("poker_357", "players.0.decision", ..., errors.MISSING_DECISION, "67.47"),
        ("poker_357", "players.0.decision", "fold", errors.UNKNOWN_DECISION, "67.47"),
        ("poker_357", "players.1.decision", "stay", errors.SUPERFLUOUS_DECISION, "67.47"),
        ("boston", "decks", 0, errors.DECKS, "67.51"),
        ("boston", "players.0.cards", ["Ac", "Ad"], errors.CARD_COUNT, "67.57"),
        ("boston", "players.0.cards", ["Ac", "Ad", "9h"], errors.CARD_COUNT, "67.60"),
        ("boston", "players.1.cards", ["3c", "4d", "8h", "9d", "Td"], errors.CARD_COUNT, "67.60"),
        ("boston", "dealer", ["Kc", "Kd", "9s"], errors.CARD_COUNT, "67.60"),
        ("boston", "dealer", ["Kc", "Kd"], errors.CARD_COUNT, "67.57"),
        ("boston", "players.0.bets.first", 10, errors.BET_RELATION, "67.56"),
        ("boston", "players.0.bets.first", ..., errors.MISSING_BET, "67.56"),
        ("boston", "players.0.bets", {"bonus": 5}, errors.MISSING_BET, "67.56"),
        ("boston", "players.0.bets.second", 10, errors.DECISION_AMOUNT, "67.58"),
        ("boston", "players.1.bets.second", 20, errors.SUPERFLUOUS_DECISION, "67.58"),
        ("boston", "players.0.decision", ..., errors.MISSING_DECISION, "67.58"),
        ("four_card", "decks", 3, errors.DECKS, "67.64"),
        ("four_card", "dealer", ["As", "Kc", "9s", "5d", "2h"], errors.CARD_COUNT, "67.69"),
        ("four_card", "players.1.bets", {}, errors.MISSING_BET, "67.68"),
        ("four_card", "players.1.bets.aces_up", 0, errors.BAD_AMOUNT, "67.68"),
        ("four_card", "players.0.bets.play", 9, errors.DECISION_AMOUNT, "67.70"),
        ("four_card", "players.0.bets.play", 31, errors.DECISION_AMOUNT, "67.70"),
        ("four_card", "players.1.decision", "fold", errors.SUPERFLUOUS_DECISION, "67.70"),
        ("crazy_four", "decks", "2", errors.DECKS, "67.75"),
        ("crazy_four", "dealer", [], errors.CARD_COUNT, "67.80"),
        ("crazy_four", "players.0.bets.super_bonus", 9, errors.BET_RELATION, "67.79"),
        ("crazy_four", "players.0.bets.super_bonus", ..., errors.MISSING_BET, "67.79"),
        ("crazy_four", "players.0.bets.queens_up", -1, errors.BAD_AMOUNT, "67.87"),
        ("crazy_four", "players.0.bets.play", 11, errors.DECISION_AMOUNT, "67.81"),
        ("crazy_four", "players.1.bets.play", 31, errors.DECISION_AMOUNT, "67.81"),
        ("crazy_four", "players.1.bets.play", 9, errors.DECISION_AMOUNT, "67.81"),
        ("crazy_four", "players.1.decision", None, errors.MISSING_DECISION, "67.81"),
    ],
)
def test_each_broken_article_of_the_other_games(
    game: str, path: str, value: object, code: str, article: str | None
) -> None:
    assert error(changed(path, value, {"game": game, **ROUNDS[game]})) == (code, article)


@pytest.mark.parametrize(
    ("game", "article"),
    [("poker_357", "67.42"), ("boston", "67.52"), ("four_card", "67.67"), ("crazy_four", "67.78")],
)
def test_at_most_seven_players(game: str, article: str) -> None:
    """Found before the cards are looked at: eight seats with the same cards break this article first."""
    played = {"game": game, **ROUNDS[game]}
    played["players"] = played["players"][:1] * 8
    assert error(played) == (errors.TOO_MANY_PLAYERS, article)
    played["players"] = played["players"][:7]
    assert error(played) == (errors.TOO_MANY_COPIES, "6")


def test_a_round_in_which_everyone_folds_needs_no_second_deal() -> None:
    """67.60 deals to those who stay; the dealer's two more cards change nothing then, and may be there or not."""
    played = {"game": "boston", **copy.deepcopy(ROUNDS["boston"])}
    del played["players"][0]
    assert settle_line(json.dumps(played))[1]
    played["dealer"] = played["dealer"][:3]
    assert settle_line(json.dumps(played))[1]
    played["dealer"] = played["dealer"][:2]
    assert error(played) == (errors.CARD_COUNT, "67.57")


def test_the_first_broken_article_wins_over_all_seats() -> None:
    """Stage by stage, each over every seat: repairing the round step by step moves to the next article."""
    played = copy.deepcopy(GOOD)
    first, second = played["players"]
    played["decks"] = 5
    second["cards"] = ["2h", "2s", "2h"]
    first["cards"] = ["2c", "3d"]
    second["bets"] = {"pair_plus": 0}
    first["decision"] = "pass"
    assert error(played) == (errors.DECKS, "67.22")
    played["decks"] = 1
    assert error(played) == (errors.TOO_MANY_COPIES, "6")
    second["cards"][2] = "9h"
    assert error(played) == (errors.CARD_COUNT, "67.27")
    first["cards"].append("5h")
    assert error(played) == (errors.BAD_AMOUNT, "67.26")
    second["bets"]["pair_plus"] = 5
    assert error(played) == (errors.UNKNOWN_DECISION, "67.28")
    first["decision"] = "play"
    assert settle_line(json.dumps(played))[1]


def test_fields_that_are_not_of_the_form_are_not_read() -> None:
    played = {**GOOD, "name": "a name, éà", "note": [1.5, {"x": None}]}
    assert settle_line(json.dumps(played)) == settle_line(json.dumps(GOOD))
    assert settle_line(json.dumps(played, ensure_ascii=False)) == settle_line(json.dumps(GOOD))


def test_every_code_is_documented_and_distinct() -> None:
    codes = [value for name, value in vars(errors).items() if name.isupper()]
    assert len(set(codes)) == len(codes)
    assert all(isinstance(code, str) and code == code.lower() for code in codes)
