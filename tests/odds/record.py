"""The odds of every game with every number of packs, as committed records: `make odds`.

Entry points: `main` (writes results/odds/GAME-DECKS.json, some minutes each), `records`, `covered` and `edges_text`. A
record is what was computed at its commit, for a reader and for the firmware's table of edges (`sabot.rules.edges`, made
of the records); `sabot odds` never reads one.
"""

import sys
import time
from pathlib import Path
from typing import Any

from sabot.rules.games import GAMES, load
from sabot_host.odds.analysis import analyse
from sabot_host.odds.edges import module_text
from sabot_host.odds.model import GameOdds
from sabot_host.odds.report import as_json, warnings
from tests.records import RESULTS, ROOT, read_record, write_record

COMMAND = "make odds"
_RULES = ("bets", "cards", "errors", "game", "ranking", "settle")
_NOT_COUNTING = ("edges.py", "plot.py", "report.py")
EDGES = ROOT / "firmware/sabot/rules/edges.py"


def records() -> list[tuple[str, int, Path]]:
    """Each game with each number of packs, and where its record lies."""
    return [(game, decks, RESULTS / "odds" / f"{game}-{decks}.json") for game in GAMES for decks in load(game).decks]


def covered(game: str) -> list[Path]:
    """The source files that a game's odds rest on."""
    rules = ROOT / "firmware/sabot/rules"
    counting = [path for path in (ROOT / "host/sabot_host/odds").glob("*.py") if path.name not in _NOT_COUNTING]
    return [rules / "games" / f"{game}.py", *[rules / f"{name}.py" for name in _RULES], *counting]


def in_full(odds: GameOdds) -> dict[str, Any]:
    """The odds as a record holds them: what `--json` prints, with the best decisions and the warnings."""
    said = as_json(odds)
    for bet in odds.bets:
        entry: dict[str, Any] = said["bets"][bet.name]
        entry["staked"] = str(bet.staked)
        entry["deviation"] = round(bet.deviation, 6)
        if bet.strategy is not None:
            entry["best_decisions"] = list(bet.strategy.rule)
            entry["shares"] = {choice: str(share) for choice, share in bet.strategy.shares}
            entry["cost_of_the_statement"] = str(bet.strategy.cost)
    return {"fingerprint": odds.fingerprint, "exact": True, **said, "warnings": warnings(odds)}


def edges_text() -> str:
    """The firmware's table of edges, from the records."""
    found = []
    for _, decks, path in records():
        record = read_record(path)
        bets = [name for name, entry in record["bets"].items() if entry["house_edge"].startswith("-")]
        found.append((record["game"], record["fingerprint"], decks, tuple(bets)))
    return module_text(found)


def main(wanted: list[str]) -> int:
    """Write the records of the games named, or of all, and then the table of edges."""
    for game, decks, path in records():
        if wanted and game not in wanted:
            continue
        started = time.monotonic()
        found = in_full(analyse(load(game), decks))
        seconds = round(time.monotonic() - started)
        write_record(path, COMMAND, covered(game), {"seconds": seconds, **found})
        print(f"{path.relative_to(ROOT)}: {seconds} s", flush=True)
    EDGES.write_text(edges_text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
