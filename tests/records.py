"""Result files of long computations: written with what made them, and stale when that has changed.

Entry points: `write_record`, `read_record`, `begun`, `stale`, `head`; `shown` reads what a page shows of one. A record
is a JSON file under results/ that names the commit it was made at, the command that makes it again, and the SHA-256 of
every source file that it covers. `make test` fails on a stale record.
"""

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"


def digests(covered: Iterable[Path]) -> dict[str, str]:
    """The SHA-256 of each file, by its path from the root, in the order of the paths."""
    return {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(covered)
    }


def write_record(path: Path, command: str, covered: Iterable[Path], result: dict[str, Any]) -> None:
    """Write a record; its commit is marked `-dirty` when a file that it covers was not as committed."""
    files = digests(covered)
    commit = head() + ("-dirty" if _git("status", "--porcelain", "--", *files) else "")
    record = {"commit": commit, "command": command, "covers": files, **result}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def head() -> str:
    """The commit that is checked out."""
    return _git("rev-parse", "--short=12", "HEAD")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def read_record(path: Path) -> dict[str, Any]:
    """A record as it was written."""
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def begun(path: Path, covered: Iterable[Path]) -> dict[str, Any]:
    """What a long computation that was broken off goes on from: the record, or nothing when it is of other code."""
    return read_record(path) if path.exists() and not stale(path, covered) else {}


def shown(page: str, name: str) -> list[str]:
    """The rows of the table between the marks ``name`` begin and end of a page of docs/; AssertionError: none."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(f"<!-- {name} begin -->\n(.*)<!-- {name} end -->", text, re.DOTALL)
    assert found is not None
    return found[1].splitlines()[2:]


def stale(path: Path, covered: Iterable[Path]) -> list[str]:
    """The files whose record is of another version, is missing, or is of a file that the record should not cover."""
    now = digests(covered)
    then = read_record(path)["covers"]
    return sorted(name for name in {*now, *then} if now.get(name) != then.get(name))
