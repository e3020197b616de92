"""The worked examples of the by-law, settled on CPython and on MicroPython."""

import json
from typing import Any

import pytest

from sabot.rules.games import GAMES
from sabot_host.settle import settle_line
from sabot_host.settle_device import DeviceSettler
from tests.rules.rounds import examples, line

CASES = [(game, case) for game in GAMES for case in examples(game)]


@pytest.mark.parametrize(("game", "case"), CASES, ids=[f"{game}-{n}" for n, (game, _) in enumerate(CASES)])
def test_example_is_settled_as_due(game: str, case: dict[str, Any]) -> None:
    text, settled = settle_line(line(game, case["round"]))
    answer = json.loads(text)
    if "error" in case:
        assert not settled
        assert answer["error"]["article"] == case["error"]
        assert sorted(answer["error"]) == ["article", "code", "message"]
    else:
        assert settled
        assert answer == {"players": case["expected"]}


@pytest.mark.parametrize("game", GAMES)
def test_micropython_prints_the_same_bytes(game: str) -> None:
    lines = [line(game, case["round"]) for case in examples(game)]
    with DeviceSettler() as device:
        assert [device.answer(each.encode()) for each in lines] == [settle_line(each) for each in lines]


def test_text_is_laid_out_as_json_dumps_does() -> None:
    """Keys in the order of the table of bets, whatever their order in the round; separators as `json.dumps`."""
    text, _ = settle_line(
        '{"game":"three_card","decks":1,"dealer":["2s","3s","4s"],"players":'
        '[{"bets":{"play":10,"pair_plus":5,"ante":10},"decision":"play","cards":["Ac","Ad","Ah"]}]}'
    )
    assert text == json.dumps(json.loads(text))
    (player,) = json.loads(text)["players"]
    assert list(player) == ["bets", "staked", "received", "net"]
    assert list(player["bets"]) == ["ante", "pair_plus", "play", "ante_bonus"]
    assert list(player["bets"]["ante"]) == ["result", "stake", "paid", "returned"]
