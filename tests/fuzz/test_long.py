"""The figures of the long run: how they are worked out, and that the page shows what was recorded."""

from __future__ import annotations

import pytest

from hwsim.fuzz.bookkeeper.findings import FALSE, Finding
from hwsim.fuzz.tally import Tally, upper_bound
from tests.fuzz import long
from tests.fuzz.long import RESULT, rows, summary
from tests.records import read_record, shown


def test_the_page_shows_what_was_recorded() -> None:
    assert shown("figures.md", "fuzz") == rows(read_record(RESULT))


def test_the_recorded_run_found_nothing() -> None:
    record = read_record(RESULT)
    assert record["found"] == []
    assert record["all"]["rounds"] == sum(game["rounds"] for game in record["games"].values()) > 0


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


@pytest.mark.parametrize("word", ["x", "0", "-1"])
def test_a_number_of_rounds_that_is_none_plays_nothing(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        long.main([word])
    assert ended.value.code == 2
    assert "python -m tests.fuzz.long: error: " in capsys.readouterr().err
