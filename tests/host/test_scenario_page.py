"""The page of the scenario language names every record with its fields, and every prompt."""

import re
from pathlib import Path

import pytest

from sabot.wire import records
from sabot_host.sim.lexicon import lexicon

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
ROWS = [
    ([name.removesuffix(" or its kind").strip() for name in first.split(", ")], rest)
    for first, rest in re.findall(r"^\| ([a-z][a-z_, ]*) \| (.*) \|$", PAGE, re.M)
]
UNREADABLE = {
    "game_hash",
    "config_hash",
    "commitment",
    "nonce",
    "on",
    "flags",
    "uid",
    "version",
    "settings",
    "was",
    "program",
    "deck",
}
"""Hashes, and what a claim says in other words."""


@pytest.mark.parametrize("name", records.names())
def test_a_record_is_listed_with_its_fields(name: str) -> None:
    texts = [rest for names, rest in ROWS if name in names]
    assert len(texts) == 1
    said = set(re.findall(r"\w+", texts[0]))
    assert lexicon().records[name] - UNREADABLE <= said


def test_prompts_are_listed() -> None:
    said = set(re.findall(r"\w+", PAGE[PAGE.index("Prompts are") :]))
    assert set(lexicon().prompts) <= said
