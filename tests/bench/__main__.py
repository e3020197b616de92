"""Runs the measurements and prints them as one JSON object: `make bench`, or `python -m tests.bench NAME...` for some.

With `--document` they are put into docs/figures.json and docs/figures.md too. Entry point: `main()`. A measurement is a
module `bench_NAME.py` beside this one with a function `measure()` that returns what is to stand under NAME: plain JSON
values, each key with its unit. Figures are in virtual time unless their key says otherwise. The whole object is also
written to build/bench.json.
"""

import importlib
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.bench import documented

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "build" / "bench.json"
DRIVERS = ROOT / "drivers"  # packages of the board's: no part of what is installed here


def names() -> list[str]:
    """List the measurements there are."""
    return sorted(path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py"))


def measurement(name: str) -> Any:
    """The module that measures; some measure the drivers themselves."""
    if str(DRIVERS) not in sys.path:
        sys.path.append(str(DRIVERS))
    return importlib.import_module(f"tests.bench.bench_{name}")


def context() -> dict[str, object]:
    """Describe what was measured, and on what: the commit, and the machine as far as figures depend on it."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return {
        "commit": commit.stdout.strip() or None,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


def main(wanted: list[str]) -> int:
    """Run the measurements named, or all, and return the exit status: 2 for a name that does not exist."""
    if {"-h", "--help"} & set(wanted):
        print(f"{__doc__}\nNames: {' '.join(names())}")
        return 0
    document = "--document" in wanted
    wanted = [name for name in wanted if name != "--document"]
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"error: no measurement is called {', '.join(unknown)}", file=sys.stderr)
        print(f"what to do: choose from {', '.join(names())}", file=sys.stderr)
        return 2
    result: dict[str, object] = context()
    for name in wanted or names():
        print(f"measuring {name}", file=sys.stderr)
        started = time.monotonic()
        figures = measurement(name).measure()
        result[name] = {**figures, "measured_in_real_s": round(time.monotonic() - started, 1)}
    text = json.dumps(result, indent=2)
    print(text)
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(text + "\n")
    if document:
        documented.update(result)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
