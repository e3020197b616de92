"""docs/bylaw.md: the testable sentences of the by-law, where each is carried out, and the tests that name it.

Entry points: `rows` (the page's table rows), `marked` (which tests name a sentence), `written` (the page with its last
column anew). `python -m tests.rules.bylaw.page` rewrites that column; the rest of the page is written by hand.

A place in the code is `module:name` within `sabot.rules`. In a game's module, `games.GAME`, the name is a field of its
`GAME`, and `bets.NAME` one of its bets.
"""

import ast
import importlib
import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).parents[3] / "docs" / "bylaw.md"
TESTS = Path(__file__).parents[1]

_ROW = re.compile(r"\| (67\.\d\d[a-z]|6a) \| (.+?) \| (.+?) \| (.*?) ?\|")


class Row(NamedTuple):
    """One sentence: its name, its words, the places that carry it out, the tests that the page says name it."""

    name: str
    text: str
    places: tuple[str, ...]
    tests: tuple[str, ...]


def _codes(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


def rows() -> list[Row]:
    """The page's rows, in its order."""
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        match = _ROW.fullmatch(line)
        if match:
            found.append(Row(match[1], match[2], _codes(match[3]), _codes(match[4])))
    return found


def marked() -> dict[str, list[str]]:
    """By sentence, the tests whose mark `bylaw` names it, as `file.py::test` within tests/rules."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.bylaw":
                    for name in mark.args:
                        found.setdefault(ast.literal_eval(name), []).append(
                            f"{path.relative_to(TESTS).as_posix()}::{node.name}"
                        )
    return found


def resolve(place: str) -> object:
    """What a place names; LookupError or AttributeError when there is no such thing."""
    module, name = place.split(":")
    found: object = importlib.import_module(f"sabot.rules.{module}")
    if module.startswith("games."):
        found = found.GAME  # type: ignore[attr-defined]
    for part in name.split("."):
        if isinstance(found, tuple) and not hasattr(found, part):
            found = next((bet for bet in found if bet.name == part), None)
            if found is None:
                raise LookupError(place)
        else:
            found = getattr(found, part)
    return found


def written() -> str:
    """The page with the tests that the marks name now."""
    tests = marked()
    lines = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        match = _ROW.fullmatch(line)
        if match:
            named = ", ".join(f"`{test}`" for test in tests.get(match[1], []))
            line = f"| {match[1]} | {match[2]} | {match[3]} | {named} |"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
