"""The table of irregularities in docs/round.md: what it says of each kind is so, and its code and tests are there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from sabot.wire import codes

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "round.md").read_text(encoding="utf-8")
ELSEWHERE = {"none", "lid", "case"}
"""Kinds of parts and of the enclosure."""


def rows() -> list[list[str]]:
    lines = PAGE.split("<!-- rows begin -->")[1].split("<!-- rows end -->")[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell: str) -> list[str]:
    """What stands between backticks."""
    return cell.split("`")[1::2]


def defined(path: Path) -> set[str]:
    """Functions and classes of a module, methods as Class.method."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            inside = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
            found.update(f"{node.name}.{name}" for name in inside)
            found.update(inside)
    return found


@pytest.mark.parametrize("row", rows(), ids=[row[0] for row in rows()])
def test_row(row: list[str]) -> None:
    _what, kinds, severity, clears, told, code, tests = row
    for index, kind in enumerate(names(kinds)):
        facts = [cell.split() for cell in (severity, clears, told)]
        said = [words[index if len(words) > 1 else 0] for words in facts]
        assert said == [str(codes.severity(kind)), codes.clears(kind), "V" if codes.calls(kind) else "–"], kind
    for place in names(code):
        module, _, name = place.partition(".")
        assert name in defined(ROOT / "firmware" / "sabot" / "table" / f"{module}.py"), place
    for place in names(tests):
        if "/" in place:
            assert (ROOT / "tests" / place).exists()
        else:
            module, _, name = place.partition(".")
            assert name in defined(ROOT / "tests" / "table" / "on_board" / f"{module}.py"), place


def test_every_kind_has_a_row() -> None:
    assert {kind for row in rows() for kind in names(row[1])} == set(codes.kinds()) - ELSEWHERE
