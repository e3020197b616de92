"""docs/odds.md gives the figures and the best decisions of the records, all of them."""

import re

from tests.odds.record import records
from tests.records import ROOT, read_record

PAGE = ROOT / "docs" / "odds.md"


def rows(heading: str) -> list[list[str]]:
    """The rows of the table under a heading."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_figures_are_those_of_the_records() -> None:
    expected = []
    for game, decks, path in records():
        for bet, entry in read_record(path)["bets"].items():
            figures = [f"{entry[key]:.4f}".replace("-", "−") for key in ("house_edge_pct", "element_of_risk_pct")]
            expected.append([f"`{game}`", str(decks), f"`{bet}`", *figures])
    assert rows("Figures") == expected


def test_best_decisions_are_those_of_the_records() -> None:
    expected = []
    for game, decks, path in records():
        for entry in read_record(path)["bets"].values():
            rule = entry.get("best_decisions")
            if rule and len(rule) < 3:
                expected.append([f"`{game}`", str(decks), "; ".join(rule)])
    assert rows("Best decisions") == expected


def test_every_published_analysis_has_its_address() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"\[\[(\d)\]\]\(https://", text) == list("12345678")
