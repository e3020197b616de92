"""Every scenario of scenarios/ plays as it says, and its journal verifies and fits the reference model."""

from pathlib import Path

import pytest

from sabot_host.sim.play import play, read

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.scn"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    outcome = play(read(path))
    failed = [f"{line.number}: {line.text}: {line.detail}" for line in outcome.lines if not line.good]
    assert not failed
    assert outcome.verdict.good, outcome.verdict.lines()
    assert any(line.kind == "expect" for line in outcome.lines), "a scenario that expects nothing cannot fail"


def test_there_are_scenarios() -> None:
    assert len(SCENARIOS) >= 14
