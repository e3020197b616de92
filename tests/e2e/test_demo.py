"""The tables that play by themselves: every game, and a judgement that can fail."""

import os
import signal
import subprocess
import sys

import pytest

from sabot.rules.games import GAMES
from sabot_host.errors import SabotError
from sabot_host.settle import settle_line
from sabot_host.sim import demo, tables
from sabot_host.sim.demo import Demo, summary
from sabot_host.sim.mischief import Late


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_each_game(game: str) -> None:
    told: list[str] = []
    report = Demo(game, rounds=1, seats=2, seed=4).play(told.append)
    assert report.good, told
    assert report.rounds == 1 and report.staked > 0 and report.records > 10
    assert len(report.locks_ms) == 1
    assert f"{game}: 1 rounds at 2 seats" in "\n".join(summary([report]))


def test_a_settlement_that_the_rules_do_not_know_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(line: str) -> tuple[str, bool]:
        text, good = settle_line(line)
        return text.replace('"returned": 0', '"returned": 1', 1), good

    monkeypatch.setattr(demo, "settle_line", wrong)
    report = Demo("three_card", rounds=1, seats=2, seed=4).play(lambda text: None)
    assert report.wrong == ["the settlement is not what the cards and bets make it"]
    assert "NOT GOOD" in "\n".join(summary([report]))


def test_an_act_that_is_called_something_else_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mistaken(Late):
        kind = "pinched"

    monkeypatch.setitem(demo._TRICKS, "three_card", {1: ((Mistaken, 1, "pair_plus"),)})
    report = Demo("three_card", rounds=1, seats=2, seed=4).play(lambda text: None)
    assert report.wrong == ["the table stands still: the record 'pinched' did not come in 20 s"]


def test_a_table_that_is_lost_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other table's process ends with a traceback of its own, before it has played."""
    plans = [tables.Plan("three_card", 1, 1, 0), tables.Plan("no_such_game", 1, 1, 0)]
    with pytest.raises(SabotError) as lost:
        tables.play_all(plans, lambda text: None)
    assert lost.value.code == "sim-table-lost"


def test_ctrl_c_ends_both_tables() -> None:
    command = "from sabot_host.cli.main import main; import sys; sys.exit(main())"
    running = subprocess.Popen(
        [sys.executable, "-c", command, "sim", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert running.stdout is not None
    while "Round 1" not in running.stdout.readline():
        pass
    os.killpg(running.pid, signal.SIGINT)
    _, errors = running.communicate(timeout=60)  # every process of it has let go of its output
    assert running.returncode == 130
    assert errors.splitlines() == ["error: stopped by Ctrl-C [interrupted]", "what to do: run it again"]
