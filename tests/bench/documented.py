"""The figures as the documentation has them: docs/figures.json, and the values in the tables of docs/figures.md.

Entry points: `update` (after a measurement), `rows` (what the page says), `value_of` (what a figure is).
"""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
STORE = ROOT / "docs" / "figures.json"
PAGE = ROOT / "docs" / "figures.md"
TWO_DECIMALS_BELOW = 10
CONTEXT = ("commit", "python", "cores")
_ROW = re.compile(r"^\| `([a-z0-9_.]+)` \|([^|]*)\|", re.MULTILINE)


def stored() -> dict[str, Any]:
    """Measurements by name, each with the commit it was made at."""
    figures: dict[str, Any] = json.loads(STORE.read_text(encoding="utf-8"))
    return figures


def rows() -> list[tuple[str, str]]:
    """Every figure that the page names, as a path of keys with dots between, and the value beside it."""
    return [(name, value.strip()) for name, value in _ROW.findall(PAGE.read_text(encoding="utf-8"))]


def value_of(figures: dict[str, Any], name: str) -> str:
    """The figure called ``name``, as the page writes it; KeyError when there is none."""
    value: Any = figures
    for key in name.split("."):
        value = value[key]
    if isinstance(value, float):
        return f"{value:,.1f}" if value >= TWO_DECIMALS_BELOW else f"{value:.2f}"
    return f"{value:,}"


def update(result: dict[str, Any]) -> None:
    """Put the measurements of ``result`` into the store, and all values of the store into the page."""
    figures = stored() if STORE.exists() else {}
    for name, measured in result.items():
        if name not in CONTEXT:
            figures[name] = {**measured, "commit": result["commit"], "cores": result["cores"]}
    STORE.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    figures = stored()  # keys that were numbers are text now, as on the page

    def row(found: re.Match[str]) -> str:
        if found[1].partition(".")[0] not in figures:
            return found[0]  # not measured yet
        return f"| `{found[1]}` | {value_of(figures, found[1])} |"

    PAGE.write_text(_ROW.sub(row, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
