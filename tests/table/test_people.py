"""Random people at the table: whatever they do, no round gets stuck, and every journal fits the model and the books."""

import pytest

from sabot.rules.games import GAMES
from tests.table.judge import judge
from tests.table.people import play

OTHERS = [game for game in GAMES if game != "three_card"]


@pytest.mark.parametrize("seed", range(24))
def test_anything_goes(seed: int) -> None:
    model, account = judge(play(seed, 120))
    assert not account.running
    assert model.table() in ("idle", "betting", "last_bets", "closed")


@pytest.mark.parametrize("game", OTHERS)
@pytest.mark.parametrize("seed", range(100, 108))
def test_anything_goes_at_every_game(seed: int, game: str) -> None:
    _model, account = judge(play(seed, 120, game))
    assert not account.running


def test_a_wrong_card_before_the_confirmation_does_not_shut_the_gate_for_good() -> None:
    """At Bataille the first card locks once more what has been confirmed: the gate stayed shut, and no card came."""
    _model, account = judge(play(5006, 160, "bataille"))
    assert not account.running


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(10))
def test_anything_goes_for_longer(block: int) -> None:
    for seed in range(1000 + block * 25, 1025 + block * 25):
        judge(play(seed, 160))


@pytest.mark.campaign
@pytest.mark.parametrize("game", OTHERS)
@pytest.mark.parametrize("block", range(4))
def test_anything_goes_for_longer_at_every_game(block: int, game: str) -> None:
    for seed in range(5000 + block * 25, 5025 + block * 25):
        judge(play(seed, 160, game))
