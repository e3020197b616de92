"""Every game against its reference written from the articles, on both interpreters."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from sabot.rules.games import GAMES
from sabot_host.settle import settle_line
from sabot_host.settle_device import DeviceSettler
from tests.model import (
    bataille_reference,
    boston_reference,
    crazy_four_reference,
    four_card_reference,
    poker_357_reference,
    three_card_reference,
)
from tests.rules.rounds import line, random_round

REFERENCES: dict[str, Callable[..., dict[str, Any]]] = {
    "three_card": three_card_reference.settle_player,
    "bataille": bataille_reference.settle_player,
    "poker_357": poker_357_reference.settle_player,
    "boston": boston_reference.settle_player,
    "four_card": four_card_reference.settle_player,
    "crazy_four": crazy_four_reference.settle_player,
}


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_agree_with_the_reference(game: str) -> None:
    random = Random(f"reference {game}")
    results = set()
    for _ in range(1200):
        played = random_round(game, random)
        text, settled = settle_line(line(game, played))
        assert settled, (played, text)
        due = {"players": [REFERENCES[game](player, played["dealer"]) for player in played["players"]]}
        assert text == json.dumps(due), played
        results |= {(bet, each["result"]) for player in due["players"] for bet, each in player["bets"].items()}
    assert len(results) > 4, "the rounds are too much alike"


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_are_the_same_bytes_on_micropython(game: str) -> None:
    random = Random(f"micropython {game}")
    lines = [line(game, random_round(game, random)).encode() for _ in range(150)]
    with DeviceSettler() as device:
        for each in lines:
            assert device.answer(each) == settle_line(each)
