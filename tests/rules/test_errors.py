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


def changed(path: str, value: object) -> dict[str, Any]:
    """GOOD with one field replaced (`players.0.bets.ante`), or removed when the value is ..."""
    played = copy.deepcopy(GOOD)
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
