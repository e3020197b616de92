"""Many lives of every game: `python -m tests.torture.long [SEEDS]`, so many in all, the games by turns.

Entry points: `main` (lives them, and writes results/torture.json), `rows` (what docs/torture.md shows of that record).
A life takes some ten seconds of one core, and there is a process for each core. The record is written after each ten,
and one that was broken off goes on where it was, as long as faults and checks are the same: it says how many lives were
lived at which commit. A life in which something was violated stays named in it; whoever goes on lives it again first,
and when nothing is violated any more it is told among those that were mended.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from sabot_host.sim.fuzz import GAMES
from sabot_host.sim.torture import Result, command, line, torture
from tests.records import RESULTS, ROOT, begun, head, write_record

RESULT = RESULTS / "torture.json"
COMMAND = "make torture SEEDS="
COVERED = sorted((ROOT / "hw-sim" / "hwsim" / "torture").glob("*.py"))
SEED = 1000
SEEDS = 500
_EVERY = 10


_COUNTS = ("lives", "rounds", "voided", "stuck", "cuts", "cuts_in_recovery", "records", "bets_judged")


class Sum:
    """What many lives add up to; ``before``: a record of some of them."""

    def __init__(self, before: Mapping[str, Any]) -> None:
        self.counts = {name: before.get(name, 0) for name in _COUNTS}
        self.seconds = before.get("virtual_hours", 0.0) * 3600
        self.faults: dict[str, int] = dict(before.get("faults", {}))
        self.found: dict[str, dict[str, Any]] = dict(before.get("found", {}))
        """what is violated still, by the life's number"""
        self.mended: dict[str, dict[str, Any]] = dict(before.get("mended", {}))
        """what was, and is no more"""
        self.lived_at: dict[str, int] = dict(before.get("lived_at", {}))
        """how many lives at which commit"""
        self._commit = head()

    def add(self, number: int, result: Result) -> None:
        """One more life, with this number from 0."""
        own = (
            1,
            result.played,
            result.voided,
            result.stuck,
            result.cuts,
            result.in_recovery,
            result.records,
            result.judged,
        )
        for name, more in zip(self.counts, own, strict=True):
            self.counts[name] += more
        for kind, times in result.faults.items():
            self.faults[kind] = self.faults.get(kind, 0) + times
        self.seconds += result.seconds
        self.lived_at[self._commit] = self.lived_at.get(self._commit, 0) + 1
        if not result.good:
            again, violated = command(result), result.violations
            self.found[str(number)] = {"lived_at": self._commit, "again": again, "violated": violated}

    def look_again(self, number: int, result: Result) -> None:
        """A life in which something was violated, lived once more."""
        if result.good:
            self.mended[str(number)] = self.found.pop(str(number)) | {"good_at": self._commit}
        else:
            self.found[str(number)]["violated"] = result.violations

    def as_dict(self) -> dict[str, Any]:
        """For the record."""
        return {
            "seed": SEED,
            "lived_at": self.lived_at,
            **self.counts,
            "virtual_hours": round(self.seconds / 3600, 4),
            "faults": dict(sorted(self.faults.items())),
            "violations": sum(len(life["violated"]) for life in self.found.values()),
            "found": self.found,
            "mended": self.mended,
        }


def rows(record: Mapping[str, Any]) -> list[str]:
    """The lines of the table in docs/torture.md."""
    faults = ", ".join(f"{number:,} {kind.replace('_', ' ')}" for kind, number in record["faults"].items())
    return [
        f"| lives, the games by turns | {record['lives']:,} |",
        f"| rounds played to their end | {record['rounds']:,} |",
        f"| hours of the table's time | {record['virtual_hours']:.1f} |",
        f"| power cuts; of these inside a recovery | {record['cuts']:,}; {record['cuts_in_recovery']:,} |",
        f"| faults | {faults} |",
        f"| records pulled and judged | {record['records']:,} |",
        f"| settled bets held against what lay there | {record['bets_judged']:,} |",
        f"| violations | {record['violations']:,} |",
        f"| lives that had some when they were lived first, until the fault was mended | {len(record['mended']):,} |",
    ]


def life(number: int) -> Result:
    """The life with this number, from 0."""
    return torture(GAMES[number % len(GAMES)], SEED + number)


def broken_off(seeds: int) -> Mapping[str, Any]:
    """The record to go on from: of these faults and checks, of fewer lives, or with violations; empty: none."""
    record = begun(RESULT, COVERED)
    if "lived_at" not in record or record["seed"] != SEED:
        return {}
    return record if record["lives"] < seeds or record["found"] else {}


def main(words: Sequence[str]) -> int:
    """Live so many and write the record; the exit status is 1 when something was violated."""
    parser = argparse.ArgumentParser(prog="make torture", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", type=int, nargs="?", default=SEEDS, help=f"lives in all ({SEEDS} unless told)")
    seeds = parser.parse_args(words).seeds
    if seeds < 1:
        parser.error("SEEDS is a number of lives, from 1")
    so_far = Sum(broken_off(seeds))
    first = so_far.counts["lives"]
    with multiprocessing.get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool:
        again = [int(number) for number in so_far.found]
        for number, result in zip(again, pool.imap(life, again), strict=True):
            so_far.look_again(number, result)
            _tell(result)
            write_record(RESULT, f"{COMMAND}{first}", COVERED, so_far.as_dict())
        for number, result in enumerate(pool.imap(life, range(first, seeds)), first):
            so_far.add(number, result)
            _tell(result)
            if (number + 1) % _EVERY == 0 or number + 1 == seeds:
                write_record(RESULT, f"{COMMAND}{number + 1}", COVERED, so_far.as_dict())
    return int(bool(so_far.found))


def _tell(result: Result) -> None:
    print(f"{result.game} {line(result)}", flush=True)
    for text in result.violations:
        print(f"  violated: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
