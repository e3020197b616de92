"""What `sabot sim play` says can be done: lines of the game that is played, which can be typed as they stand."""

from dataclasses import replace

import pytest

from hwsim.scenario.parser import parse
from sabot.rules import games
from sabot.wire.states import TABLE_STATES
from sabot_host.monitor.picture import Picture
from sabot_host.sim.coach import Coach
from sabot_host.sim.lexicon import lexicon
from sabot_host.sim.live import packed

CLOSED = Picture(True, False, 1, "", (), (), state="closed")


@pytest.mark.parametrize("game", games.GAMES)
def test_every_example_is_a_line_of_the_game(game: str) -> None:
    coach = Coach(games.load(game))
    script = parse(f"table {game} 1 seats\n" + "\n".join(coach.examples), "help", lexicon())
    assert len(script.steps) == len(coach.examples)
    told = "\n".join(coach.help)
    shown = [example for example in coach.examples if example in told]
    assert shown == list(coach.examples), "the help shows what is examined here"
    assert "F opens the table" in told


@pytest.mark.parametrize(("game", "cards"), [("three_card", 6), ("bataille", 2), ("four_card", 11), ("poker_357", 7)])
def test_the_help_draws_as_many_cards_as_the_game_deals(game: str, cards: int) -> None:
    assert f"draw {cards}" in Coach(games.load(game)).examples


def test_what_can_be_done_follows_the_table() -> None:
    coach = Coach(games.load("bataille"))
    assert "F opens" in coach.now(CLOSED)
    assert "seat 1 initial 25.00" in coach.now(replace(CLOSED, state="betting"))
    assert "shut" in coach.now(replace(CLOSED, state="dealing"))
    assert "space bar draws" in coach.now(replace(CLOSED, state="dealing", gate=True))
    deciding = coach.now(replace(CLOSED, state="deciding"))
    assert "seat 1 additional 25.00 to war" in deciding and "A 1 to surrender" in deciding and "R closes" in deciding
    assert "D closes" in Coach(games.load("three_card")).now(replace(CLOSED, state="deciding"))
    assert all(coach.now(replace(CLOSED, state=state)) for state in TABLE_STATES)


def test_hands_stand_side_by_side_as_far_as_there_is_room() -> None:
    assert packed(["seat 1 As", "seat 2 Kd", "dealer ??"], 24) == ["seat 1 As   seat 2 Kd", "dealer ??"]
    assert packed([], 24) == []
