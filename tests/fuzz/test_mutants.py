"""Firmware with one thing wrong does not pass the fuzz."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sabot_host.sim.fuzz import LOST, Result, fuzz
from tests.fuzz.mutants import MUTANTS, Mutant, built

# What people do where a mutant can be caught: the same acts that the fuzz chooses from, and no others.
ACTS = {
    "dwell_0": ("hover", "reach"),
    "one_silence_is_absence": ("tuck",),
    "late_is_ambiguous": ("late", "capped"),
    "lock_at_the_tasks_time": ("hover",),
    "moved_is_withdrawn": ("moved", "roll"),
}
# It takes two lost answers in a row to make one silence an absence: rare where one in a hundred is lost.
AIR = {"one_silence_is_absence": 0.05}
CHEAP = ("lock_at_the_tasks_time",)
SEEDS = range(1, 7)
ROUNDS = 3
SEATS = 4


def tried(name: str, seed: int, code: Sequence[Path] | None) -> Result:
    """What the fuzz finds where the mutant can be caught; ``code`` None: in the firmware that ships."""
    lost = AIR.get(name, LOST)
    return fuzz("three_card", seed, ROUNDS, seats=SEATS, code=code, stop=True, acts=ACTS[name], lost=lost)


def caught(name: str, code: Sequence[Path]) -> Result | None:
    """The first seed at which the fuzz finds something; None when it finds nothing."""
    for seed in SEEDS:
        result = tried(name, seed, code)
        if not result.good:
            return result
    return None


@pytest.mark.campaign
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", CHEAP)
def test_a_mutant_is_caught_and_its_seed_replays_exactly(name: str, tmp_path: Path) -> None:
    code = built(MUTANTS[name], tmp_path)
    first = caught(name, code)
    assert first is not None
    assert tried(name, first.seed, code) == first


@pytest.mark.campaign
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [name for name in MUTANTS if name not in CHEAP])
def test_every_mutant_is_caught(name: str, tmp_path: Path) -> None:
    first = caught(name, built(MUTANTS[name], tmp_path))
    assert first is not None
    assert tried(name, first.seed, None).good, "the same people find something in the firmware that ships"


def test_a_mutant_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 times"):
        built(Mutant("sabot/table/watch.py", "no such text", ""), tmp_path)
