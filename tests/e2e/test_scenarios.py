"""Every scenario of scenarios/ plays as it says, and its journal verifies and fits the reference model.

Some of what lies in the folder itself belong to every run of the tests; the others, and the rest, operations page row
by row and whole rounds of all games, to the campaign. Of strangers/, written by
somebody who knew the documentation alone, the campaign plays a sample; `sabot sim run` plays each of the others.
"""

import re
import textwrap
from pathlib import Path

import pytest

from sabot_host.sim.play import play, read
from tests.sampled import sampled

FOLDER = Path(__file__).parents[2] / "scenarios"
PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"
SHORT = sorted(FOLDER.glob("*.scn"))
QUICK = (
    "alien_card",
    "ambiguous",
    "bataille_two_locks",
    "bataille_war",
    "clean_round",
    "crazy_four",
    "cut_in_a_write",
    "late_bet",
    "pinched_and_withdrawn",
    "power_cut",
    "two_cards",
)  # of SHORT
STRANGERS = FOLDER / "strangers"
SAMPLE = (
    "games/bataille_two_wars_own",
    "games/boston_beaten_but_paid",
    "games/poker_357_withdrawn",
    "kinds/cards_astray",
    "kinds/foreign_and_false",
    "kinds/late_and_capped",
    "paying/mispaid",
    "styles/keyed_bataille",
    "table/power_cut_each_phase",
    "table/words_and_lamps",
)
LONG = sorted(path for path in FOLDER.rglob("*.scn") if path not in SHORT and STRANGERS not in path.parents)


IN_BOTH = [
    path for path in LONG if re.search(r'^expect .*display .*" "', path.read_text(encoding="utf-8"), re.MULTILINE)
]


def name_of(path: Path) -> str:
    return str(path.relative_to(FOLDER).with_suffix(""))


def languages(path: Path) -> tuple[str, ...]:
    """French; and English in every second of those that say what the display shows in it."""
    return ("fr", "en") if path in IN_BOTH[::2] else ("fr",)


def check(path: Path, language: str | None = "fr") -> None:
    outcome = play(read(path), language=language)
    failed = [f"{line.number}: {line.text}: {line.detail}" for line in outcome.lines if not line.good]
    assert not failed
    assert outcome.verdict.good, outcome.verdict.lines()
    assert any(line.kind == "expect" for line in outcome.lines), "a scenario that expects nothing cannot fail"


@pytest.mark.parametrize("path", sampled(SHORT, [path for path in SHORT if name_of(path) in QUICK]), ids=name_of)
def test_scenario(path: Path) -> None:
    check(path)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("path", "language"),
    [pytest.param(path, word, id=f"{name_of(path)}-{word}") for path in LONG for word in languages(path)],
)
def test_long_scenario(path: Path, language: str) -> None:
    check(path, language)


@pytest.mark.campaign
@pytest.mark.parametrize("name", SAMPLE)
def test_scenario_of_a_stranger(name: str) -> None:
    check(STRANGERS / f"{name}.scn", None)  # in the language of its own table


def test_the_round_of_the_page(tmp_path: Path) -> None:
    section = PAGE.read_text(encoding="utf-8").split("## A whole round\n", 1)[1].split("\nAn expectation", 1)[0]
    path = tmp_path / "page.scn"
    path.write_text(textwrap.dedent(section), encoding="utf-8")
    check(path)


def test_there_are_scenarios() -> None:
    assert len(SHORT) >= 14
    assert len(LONG) >= 25
