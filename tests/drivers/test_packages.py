"""Each driver is a package that mip can install: its description names every module, and a README shows its use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

DRIVERS = Path(__file__).parents[2] / "drivers"
PACKAGES = sorted(path.parent for path in DRIVERS.glob("*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_package(package: Path) -> None:
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    modules = sorted(path.name for path in package.glob("*.py"))
    assert described["urls"] == [[f"{package.name}/{name}", name] for name in modules]
    readme = (package / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {package.name}\n") and "```python" in readme
