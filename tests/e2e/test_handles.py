"""More chips come to a table than it knows at a time: the one whose number goes to another is not taken for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sabot_host.sim.pytest_plugin import TestTable

Maker = Callable[..., TestTable]


def irregular(table: TestTable) -> list[str]:
    return [entry.name for entry in table.records() if entry.family == "irregularity"]


@pytest.mark.parametrize("between", [200, 253])
def test_another_chip_laid_for_a_locked_one_is_not_that_one(make_table: Maker, between: int) -> None:
    """It may be the 255th that the table meets, and the first of them has just left its bet."""
    table = make_table(seed=3)
    table.play("open the table\nchips A 25.00\nplace A on seat 1 ante\nwait 1")
    left = between
    while left:
        count = min(left, 64)
        spots = ("seat 1 pair_plus", "seat 2 ante", "seat 2 pair_plus")
        for index, spot in enumerate(spots):
            table.play(f"chips B{left}x{index} {' '.join(['1.00'] * (count // 3 + (index < count % 3)))}")
            table.play(f"place B{left}x{index} on {spot}")
        table.play("wait 2.5")
        for spot in spots:
            table.play(f"take all from {spot}")
        table.play("wait 1")
        left -= count
    table.play("press rnvp\nwait until confirmed within 3\nwait 1")
    assert irregular(table) == []
    table.play("chips C 100.00\ntake A from seat 1 ante\nwait 0.5\nplace C on seat 1 ante\nwait 8")
    assert irregular(table) == ["capped"]
