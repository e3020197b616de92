"""The field soak: `make soak HOURS=`, so many virtual hours of play in all; writes results/soak.json.

Entry points: `main`; `rows` (what docs/figures.md shows of that record). The tables are of an hour each, with a
process for each core, and the record is written after each; one that was broken off goes on where it was, as long as
weather and judge are the same. The exit status is 1 when a chip was missed or misattributed, or a heap has grown.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import as_completed
from itertools import count
from typing import Any

from tests.records import RESULTS, ROOT, begun, head, write_record
from tests.soak.cores import pool
from tests.soak.field import GAME, SEED, good, soak

RESULT = RESULTS / "soak.json"
COVERED = [ROOT / "tests/soak/field.py", ROOT / "tests/soak/judge.py", ROOT / "hw-sim/hwsim/rf/weather.py"]
HOUR_S = 3600
TABLE_S = HOUR_S


def rows(record: Mapping[str, Any]) -> list[str]:
    """The lines of the table in docs/figures.md."""
    tables = record["tables"]
    weather: Counter[str] = Counter()
    for table in tables:
        weather.update(table["weather"])

    def all_of(name: str) -> int:
        return sum(int(table[name]) for table in tables)

    longest = max(tables, key=lambda table: int(table["virtual_s"]))
    grown = max(tables, key=_growth)["heap_used_bytes"]
    return [
        f"| chips missed | {all_of('missed')} | 0 |",
        f"| chips misattributed | {all_of('misattributed')} | 0 |",
        f"| virtual hours in all, rounds | {all_of('virtual_s') / HOUR_S:.1f}, {all_of('rounds'):,} | 24 hours |",
        f"| tables; virtual hours of the longest | {len(tables)}; {longest['virtual_s'] / HOUR_S:.1f} | |",
        f"| spots judged, in so many looks | {all_of('spots_judged'):,}, {all_of('looks'):,} | |",
        f"| bets of locks judged | {all_of('bets_judged'):,} | |",
        f"| asked of people who did nothing | {sum(sum(table['asked'].values()) for table in tables):,} | |",
        f"| heap at rest where it grew most, bytes: early, at the end | {grown['early']:,}, {grown['late']:,} | flat |",
        "| weather | " + ", ".join(f"{number:,} {name}" for name, number in sorted(weather.items())) + " | |",
    ]


def _growth(table: Mapping[str, Any]) -> int:
    return int(table["heap_used_bytes"]["late"]) - int(table["heap_used_bytes"]["early"])


def main(words: list[str]) -> int:
    """Play what the record lacks, and write it; prints a line for each table."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("hours", type=float, help="virtual hours in all; one takes some half an hour of a core")
    hours = parser.parse_args(words).hours
    if not 0 < hours <= 1000:
        parser.error("HOURS is a number of hours, up to 1000")
    tables = list(begun(RESULT, COVERED).get("tables", []))
    missing = round(hours * HOUR_S) - sum(int(table["virtual_s"]) for table in tables)
    seeds = (seed for seed in count(SEED) if seed not in {table["seed"] for table in tables})
    plan = [(next(seeds), min(TABLE_S, missing - at)) for at in range(0, missing, TABLE_S)]
    with pool() as processes:
        for done in as_completed([processes.submit(soak, GAME, seed, seconds) for seed, seconds in plan]):
            tables.append({**done.result(), "played_at": head()})
            played = sum(int(each["virtual_s"]) for each in tables) / HOUR_S
            write_record(RESULT, f"make soak HOURS={played:.2f}", COVERED, {"tables": tables})
            print(", ".join(f"{name} {value}" for name, value in tables[-1].items()), flush=True)
    return int(not all(good(table) for table in tables))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
