"""The page of figures says what was measured, and what is measured today has the figures that it names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench import bench_heap, bench_mpy, bench_ranking, bench_speed, documented
from tests.bench.__main__ import main, names
from tests.bench.air import ANSWER_US, request_us

STORED = documented.stored()
ROWS = documented.rows()
GOALS = re.findall(
    r"^\| `([a-z0-9_.]+)` \|[^|]*\| ([≤≥]) ([0-9,.]+) \|", documented.PAGE.read_text("utf-8"), re.MULTILINE
)
ADDED = {"commit", "cores", "measured_in_real_s"}


def test_every_measurement_finds_what_it_needs_without_an_import_path_of_the_caller_s() -> None:
    program = "from tests.bench.__main__ import measurement, names; print([measurement(name) for name in names()])"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=documented.ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_measurement_is_stored_and_every_stored_one_exists() -> None:
    assert sorted(STORED) == names()


@pytest.mark.parametrize(("name", "value"), ROWS, ids=[name for name, _ in ROWS])
def test_the_page_says_what_was_measured(name: str, value: str) -> None:
    assert value == documented.value_of(STORED, name)


@pytest.mark.parametrize(("name", "way", "goal"), GOALS, ids=[name for name, _, _ in GOALS])
def test_what_was_measured_meets_its_goal(name: str, way: str, goal: str) -> None:
    figure, bound = (float(text.replace(",", "")) for text in (documented.value_of(STORED, name), goal))
    assert figure <= bound if way == "≤" else figure >= bound


def test_the_goals_of_the_scan_are_among_them() -> None:
    named = {name for name, _, _ in GOALS}
    rows = ("60.cold", "60.steady", "60.lost_5_percent", "120.cold")
    assert {f"full_scan.spots_28_chips_{row}.ratio" for row in rows} < named and len(named) > 40


@pytest.mark.parametrize("figures", [STORED["scan"], STORED["full_scan"]["seven_antes"]])
def test_a_removal_is_recorded_within_a_scan_and_k_retries(figures: dict[str, Any]) -> None:
    retries_us = 8 * (request_us(13) + ANSWER_US)  # by the whole UID, each after an answer that may have been lost
    assert figures["removed_to_record_us"]["worst"] <= figures["locked_period_us"] + retries_us


def test_every_measurement_has_a_figure_on_the_page() -> None:
    assert {name.partition(".")[0] for name, _ in ROWS} == set(names())


@pytest.mark.campaign
@pytest.mark.parametrize("bench", [bench_mpy, bench_heap, bench_ranking, bench_speed])
def test_quick_measurements_have_the_stored_figures(bench: Any) -> None:
    stored = STORED[bench.__name__.rpartition("bench_")[2]]
    assert set(bench.measure()) == set(stored) - ADDED


def test_a_figure_under_a_number_comes_onto_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documented, "STORE", tmp_path / "figures.json")
    monkeypatch.setattr(documented, "PAGE", tmp_path / "figures.md")
    documented.PAGE.write_text("| `rounds.used.1000` | ? | | |\n", encoding="utf-8")
    documented.update({"commit": "0", "python": "3", "cores": 2, "rounds": {"used": {1000: 314_848}}})
    assert documented.rows() == [("rounds.used.1000", "314,848")]


def test_help_names_the_measurements_and_measures_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert " ".join(names()) in capsys.readouterr().out
