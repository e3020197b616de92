"""Firmware with one thing wrong does not survive the torture."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot_host.sim.torture import run
from tests.fuzz.mutants import built
from tests.torture.mutants import LIVES


@pytest.mark.campaign
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", LIVES)
def test_every_mutant_is_found(name: str, tmp_path: Path) -> None:
    case = LIVES[name]
    result = run("three_card", 2, case.plan, built(case.mutant, tmp_path), case.acts)
    assert any(case.found in text for text in result.violations), result.violations
