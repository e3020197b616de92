"""`make` on a fresh clone sets up everything, and a second one finds nothing to do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROUND = (
    '{"game": "three_card", "decks": 1, "dealer": ["Qs","3c","2d"], "players": '
    '[{"cards": ["2c","3d","5h"], "bets": {"ante": 1000, "play": 1000}, "decision": "play"}]}\n'
)


@pytest.mark.campaign
@pytest.mark.timeout(600)
def test_make_sets_up_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}

    def run(*command: str | Path, text: str | None = None) -> str:
        done = subprocess.run(
            command, cwd=clone, env=environment, input=text, capture_output=True, text=True, check=True, timeout=500
        )
        return done.stdout

    assert "make test" in run("make", f"PYTHON={sys.executable}")
    assert '"net": -2000' in run(".venv/bin/sabot", "settle", "--on-device", text=ROUND)
    assert "Nothing to be done" in run("make", "setup", f"PYTHON={sys.executable}")
    assert run("git", "status", "--short") == ""
