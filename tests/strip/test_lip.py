"""The driver, through pin interrupts on the board's interpreter, against the simulator's cards: two hands, one page."""

from pathlib import Path

import pytest

from tests.strip.lip import KINDS, random_pulls


def judge(root: Path, count: int, seed: int) -> None:
    tally = random_pulls(root, count, seed)
    assert tally.wrong == []
    assert tally.clean_unread == tally.refused["clean"] == 0, (
        "a card without a fault is read, whatever its speed and stops"
    )
    assert tally.pulls == count
    assert tally.read["clean"] > count // 20
    for kind in ("face up", "half pull", "bounce"):
        assert not tally.read[kind], f"{kind}: what is no clean card is refused"
    assert {kind for kind in KINDS if tally.refused[kind]} >= {"dirt", "half pull", "two cards", "light"}
    assert {"DIRT", "HALF_PULL", "STRAY_LIGHT", "TWO_CARDS"} <= set(tally.causes)


def test_random_pulls(tmp_path: Path) -> None:
    judge(tmp_path, 200, 1)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [2])
def test_many_random_pulls(tmp_path: Path, seed: int) -> None:
    judge(tmp_path, 3000, seed)
