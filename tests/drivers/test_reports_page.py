"""The table of public fault reports in docs/chip-models.md names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/chip-models.md").read_text(encoding="utf-8")
TABLE = PAGE[PAGE.index("## Faults that people report") :]


def test_every_test_named_there_is_one() -> None:
    file = ""
    named = re.findall(r"`([\w/]+\.py)?(?:::(test_\w+))?`", TABLE)
    assert len(named) > 20
    for path, test in named:
        file = path or file
        text = (ROOT / "tests" / file if "/" in file else ROOT / "tests/drivers" / file).read_text(encoding="utf-8")
        assert not test or f"def {test}(" in text, (file, test)
