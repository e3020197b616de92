"""The host tools as `pip install` puts them on a computer without a clone: no firmware but what the host shares."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sabot_host.errors import Exit

ROOT = Path(__file__).parents[2]
SHIPPED = ("host/sabot_host", "host/sabot_build", "hw-sim/hwsim", "firmware/sabot/wire", "firmware/sabot/rules")
"""What pyproject.toml finds, beside firmware/sabot/__init__.py."""

IMPORT_ALL = """
import importlib, pkgutil, sabot_host
for module in pkgutil.walk_packages(sabot_host.__path__, "sabot_host."):
    importlib.import_module(module.name)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of the distribution and nothing else of the clone."""
    target = tmp_path_factory.mktemp("site")
    for package in SHIPPED:
        to = target / package.split("/", 1)[1]
        shutil.copytree(ROOT / package, to, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "firmware/sabot/__init__.py", target / "sabot/__init__.py")
    return target


def run(installed: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        env=surroundings,
        cwd=installed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_module_of_the_host_is_there_without_the_firmware(installed: Path) -> None:
    done = run(installed, IMPORT_ALL)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [["demo"], ["run", "x.scn"], ["fuzz"], ["serve"], ["play"]])
def test_the_simulator_says_that_it_needs_the_clone(installed: Path, words: list[str]) -> None:
    done = run(installed, "import sys; from sabot_host.cli.main import main; sys.exit(main())", "sim", *words)
    assert done.returncode == Exit.MISSING, done.stderr
    assert "[sim-sources-missing]" in done.stderr
