"""Random play while everything fails: nothing is violated, and a seed is lived again exactly."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hwsim.fuzz.laws import GAMES
from hwsim.torture.plan import CUTS, KINDS, plan
from sabot_host.cli.main import main
from sabot_host.sim.torture import Result, lines, torture
from tests.records import stale
from tests.torture import long
from tests.torture.long import COVERED, RESULT


def assert_good(result: Result) -> None:
    assert result.good, "\n".join(["", *lines(result)])
    assert result.played >= 1
    assert result.records > 10


@pytest.mark.timeout(300)
def test_a_seed_is_survived() -> None:
    result = torture("three_card", 6, attempts=1)
    assert_good(result)
    assert result.cuts


@pytest.mark.campaign
@pytest.mark.timeout(300)
def test_a_seed_is_lived_again_exactly() -> None:
    first, again = (torture("three_card", 6, attempts=1) for _ in range(2))
    assert first.cuts
    assert first.journal == again.journal
    assert first.notes == again.notes


def test_the_command_says_what_came_and_takes_the_faults_that_are_wanted() -> None:
    words = [sys.executable, "-c", "import sys; from sabot_host.cli.main import main; sys.exit(main())"]
    words += ["sim", "torture", "--seed", "6", "--rounds", "1", "--calm"]
    said = subprocess.run([*words, "--faults", "none", "--json"], capture_output=True, text=True)
    assert said.returncode == 0, said.stdout + said.stderr
    told = json.loads(said.stdout)
    assert (told["rounds"], told["cuts"], told["violations"]) == (2, 0, [])
    assert told["bets_judged"] > 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "6", "--faults", "1,two"], "1,two is no list of numbers [sim-faults]"),
        (["--seed", "6", "--faults", "1,99"], "seed 6 has the faults 1 to "),
        (["--seeds", "6-7", "--faults", "0"], "seed 6 has the faults 1 to "),
        (["--seed", "6", "--seeds", "6-7"], "--seed and --seeds exclude each other [sim-seeds]"),
        (["--seeds", "7-6"], "7-6 names no seeds [sim-seeds]"),
    ],
)
def test_seeds_and_faults_that_are_none_are_told(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is lived in their place."""
    assert main(["sim", "torture", "--rounds", "1", *words]) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.out == ""


def test_the_record_is_of_these_faults_and_checks() -> None:
    """If this fails: make torture."""
    assert stale(RESULT, COVERED) == []


def test_every_kind_of_fault_is_drawn() -> None:
    drawn = {fault.kind for seed in range(200) for fault in plan(seed).faults}
    assert drawn == set(KINDS)
    assert all(any(fault.kind in CUTS for fault in plan(seed).faults) for seed in range(200))


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES[1::2])
def test_lives_of_more_games(game: str) -> None:
    assert_good(torture(game, 40 + GAMES.index(game)))


@pytest.mark.parametrize("word", ["x", "0", "-1", "1.5"])
def test_a_number_of_lives_that_is_none_lives_nothing(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = RESULT.read_bytes()
    with pytest.raises(SystemExit) as ended:
        long.main([word])
    assert ended.value.code == 2
    assert "make torture: error: " in capsys.readouterr().err
    assert RESULT.read_bytes() == before
