"""Each driver is a package that mip can install: its description names every module, and a README shows its use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DRIVERS = Path(__file__).parents[2] / "drivers"
PACKAGES = sorted(path.parent for path in DRIVERS.glob("*/__init__.py"))


def frozen(package: Path) -> tuple[str, str, list[str], Path]:
    """What the package's manifest says: its version, its name, its modules, and the folder that they are taken from."""
    said: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}

    def taken(word: str) -> Any:
        return lambda *values, **named: said.update({word: (values, named)})

    exec((package / "manifest.py").read_text(encoding="utf-8"), {word: taken(word) for word in ("metadata", "package")})
    (name, files), where = said["package"]
    return said["metadata"][1]["version"], name, sorted(files), (package / where["base_path"]).resolve()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_package(package: Path) -> None:
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    modules = sorted(path.name for path in package.glob("*.py") if path.name != "manifest.py")
    assert described["urls"] == [[f"{package.name}/{name}", name] for name in modules]
    assert frozen(package) == (described["version"], package.name, modules, package.parent)
    readme = (package / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# {package.name}\n") and "```python" in readme
