"""Random people at the whole firmware: nothing missed, nothing wrong, no false alarm."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sabot_host.sim.fuzz import GAMES, Result, command, fuzz, lines

ROUNDS = 4
FEW = 1
"""for `make test`; the campaign plays more, of every game"""
AT_A_FULL_TABLE = GAMES[:2]


def assert_good(result: Result, rounds: int) -> None:
    assert result.good, "\n".join(["", *lines(result, rounds)])
    assert result.tally.rounds == rounds


# Six seeds, each with a game of its own: full tables have seven seats on four readers, the others four on two.


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("seed", "game"), [*enumerate(AT_A_FULL_TABLE, 1)])
def test_a_full_table(seed: int, game: str) -> None:
    assert_good(fuzz(game, seed, FEW), FEW)


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("seed", "game"), [*enumerate(GAMES[2:], 3)])
def test_four_seats(seed: int, game: str) -> None:
    assert_good(fuzz(game, seed, FEW, seats=4), FEW)


@pytest.mark.timeout(300)
def test_the_same_seed_gives_the_same_journal() -> None:
    first, again = (fuzz("three_card", 11, 1, seats=2) for _ in range(2))
    assert first.journal == again.journal
    assert [str(one) for one in first.told] == [str(one) for one in again.told]


@pytest.mark.timeout(300)
def test_the_command_says_what_it_found_and_how_to_see_it_again() -> None:
    words = [sys.executable, "-c", "import sys; from sabot_host.cli.main import main; sys.exit(main())"]
    said = subprocess.run(
        [*words, "sim", "fuzz", "--seed", "11", "--rounds", "1", "--seats", "2", "--json"],
        capture_output=True,
        text=True,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    assert '"missed": {"n": 0, "in": 1' in said.stdout
    assert command(Result("three_card", 11, 2), 1) == "sabot sim fuzz --game three_card --seats 2 --seed 11 --rounds 1"


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [100])
@pytest.mark.parametrize("game", GAMES)
def test_a_reduced_table(game: str, seed: int) -> None:
    assert_good(fuzz(game, seed, 5, seats=4), 5)


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [200])
@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_of_every_game(game: str, seed: int) -> None:
    assert_good(fuzz(game, seed, ROUNDS), ROUNDS)
