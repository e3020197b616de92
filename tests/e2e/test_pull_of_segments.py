"""A long journal, most of it in segments, over a slow cable that comes off: bit for bit what the controller holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.pulling import MEGABYTE, SlowCable, pulled_through


@pytest.mark.campaign
def test_a_cable_that_comes_off(tmp_path: Path) -> None:
    pulled = pulled_through(200_000, tmp_path / "journal", lambda table: SlowCable(table, 32, 60_000))
    assert pulled.sessions > 3


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_a_megabyte(tmp_path: Path) -> None:
    pulled = pulled_through(MEGABYTE, tmp_path / "journal", lambda table: SlowCable(table, 32, 400_000))
    assert pulled.size > 1_048_576
    assert pulled.sessions > 2
