"""Modules stay small enough to be read in one sitting, and each opens by saying what it is."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMITS = {"firmware": 400, "drivers": 400, "hw-sim": 500, "host": 500, "tests": 500, "tools": 500}
MODULES = sorted(path for part in LIMITS for path in (ROOT / part).rglob("*.py"))


@pytest.mark.parametrize("module", MODULES, ids=[path.relative_to(ROOT).as_posix() for path in MODULES])
def test_a_module_is_small_and_says_what_it_is(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LIMITS[module.relative_to(ROOT).parts[0]]
    assert ast.get_docstring(ast.parse(text))
