"""`make model DEPTH=`: the search of both games, to a depth behind every station; writes results/model.json.

Entry points: `main`, `explore`, `COVERED`, `RESULT`.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from tests.explore.search import Fault, Found, Search
from tests.explore.stations import stations
from tests.explore.world import World
from tests.records import RESULTS, ROOT, write_record

RESULT = RESULTS / "model.json"
GAMES = ("three_card", "bataille")
"""One lock, and two."""
_SABOT = ROOT / "firmware/sabot"
COVERED = sorted(
    [
        *(_SABOT / "table").glob("*.py"),
        *(_SABOT / "rules").glob("*.py"),
        _SABOT / "wire/states.py",
        *(_SABOT / "rules/games" / f"{game}.py" for game in GAMES),
        _SABOT / "journal/recovery.py",
        *(ROOT / "tests/explore").glob("[a-su-z]*.py"),
    ]
)
"""What the search proves something of, and the search itself; layouts, codes and the start change without it."""


def explore(game: str, depth: int) -> Found:
    """Search one game; Fault for the first thing that does not hold."""
    return Search(World(game)).run(stations(game), depth)


def report(game: str, depth: int) -> dict[str, Any]:
    """Search one game and say what was seen."""
    started = time.monotonic()
    found = explore(game, depth)
    seconds = round(time.monotonic() - started, 1)
    print(f"{game}: {found.states:,} states, {found.events:,} events, depth {depth}, {seconds} s", flush=True)
    return {
        "depth": depth,
        "stations": len(stations(game)),
        "states": found.states,
        "events": found.events,
        "states at each depth": found.levels,
        "states by the table's state": dict(sorted(found.table_states.items())),
        "rounds ended with a settlement": found.rounds_ended,
        "states that only a void of the whole round ends": [", ".join(path) for path in found.voided],
        "seconds": seconds,
    }


def main(words: list[str]) -> int:
    """Search both games; the exit status is 1 when something does not hold."""
    parser = argparse.ArgumentParser(prog="make model", description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=1, help="events behind each station, 1 to 6")
    depth = parser.parse_args(words).depth
    if not 1 <= depth <= 6:
        print(f"error: DEPTH={depth}: 1 to 6 events\nwhat to do: make model DEPTH=1", file=sys.stderr)
        return 2
    games = {}
    for game in GAMES:
        try:
            games[game] = report(game, depth)
        except Fault as wrong:
            print(f"error: {game}: {wrong}", file=sys.stderr)
            return 1
    write_record(Path(RESULT), f"make model DEPTH={depth}", COVERED, {"games": games})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
