"""Random people at the table: whatever they do, no round gets stuck, and every journal fits the model and the books."""

import pytest

from tests.table.judge import judge
from tests.table.people import play


@pytest.mark.parametrize("seed", range(24))
def test_anything_goes(seed: int) -> None:
    model, account = judge(play(seed, 120))
    assert not account.running
    assert model.table() in ("idle", "betting", "last_bets", "closed")


@pytest.mark.campaign
@pytest.mark.parametrize("block", range(40))
def test_anything_goes_for_longer(block: int) -> None:
    for seed in range(1000 + block * 25, 1025 + block * 25):
        judge(play(seed, 160))
