"""The figures of the long run: how they are worked out."""

from __future__ import annotations

import pytest

from hwsim.fuzz.bookkeeper.findings import FALSE, Finding
from hwsim.fuzz.tally import Tally, upper_bound
from tests.fuzz.long import summary


@pytest.mark.parametrize(("number", "bound"), [(0, 2.996), (1, 4.744), (3, 7.754), (10, 16.962)])
def test_bounds_are_those_of_the_tables_of_poisson(number: int, bound: float) -> None:
    assert upper_bound(number) == pytest.approx(bound, abs=0.001)


def test_an_hour_is_sixty_rounds() -> None:
    tally = Tally(rounds=120)
    tally.find(Finding(FALSE, 0, "a question for nothing", 1))
    prompts = summary(tally)["prompts"]
    assert (prompts["n"], prompts["in"]) == (1, 120)
    assert prompts["an_hour_upper_95"] == pytest.approx(upper_bound(1) / 2, abs=0.001)
    assert prompts["an_hour_tolerated"] == 2.0
