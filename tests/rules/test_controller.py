"""The rules on the controller's interpreter: what a table loads, what settling costs, and the same fingerprints."""

import pytest

from sabot.rules.game import fingerprint
from sabot.rules.games import GAMES, load
from tests.rules.on_micropython import run

# By game: cards of a seat and of the dealer, bets and decision of a seat at which every line of the answer is due.
SEATS = {
    "three_card": '(0, 5, 10), (48, 45, 42), {"ante": 1000, "pair_plus": 500, "play": 1000}, "play"',
}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_loads_its_own_game_and_settles_seven_seats_in_4_kilobytes(game_id: str) -> None:
    printed = run(
        f"""
import gc, sys
from sabot.rules.games import load
from sabot.rules.settle import settle_seat
from sabot.rules.game import fingerprint
game = load("{game_id}")
seat = ({SEATS[game_id]})
settle_seat(game, seat[0], seat[1], seat[2], seat[3])
gc.collect()
gc.disable()
before = gc.mem_alloc()
for _ in range(7):
    settle_seat(game, seat[0], seat[1], seat[2], seat[3])
allocated = gc.mem_alloc() - before
gc.enable()
print(sorted([name for name in sys.modules if name.startswith("sabot.rules.games.")]))
print(fingerprint(game).hex())
print(allocated)
"""
    )
    modules, mark, allocated = printed.splitlines()
    assert modules == f"['sabot.rules.games.{game_id}']"
    assert mark == fingerprint(load(game_id)).hex()
    assert 0 < int(allocated) <= 4096
