"""Many rounds of every game at tables of five seats: `python -m tests.fuzz.long [ROUNDS]`, so many of each game.

Entry points: `main` (plays, and writes results/fuzz.json), `rows` (what docs/figures.md shows of that record). How
often the table stops, holds, asks or calls for nothing is counted a round; an hour is 60 rounds. The 50 rounds a game
that are played when nothing else is said take some 15 minutes on one core. The record is written after each game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from hwsim.fuzz.tally import TOLERANCES, Tally, bounded, upper_bound
from sabot_host.sim.fuzz import GAMES, command, fuzz, lines
from tests.records import RESULTS, write_record

RESULT = RESULTS / "fuzz.json"
COMMAND = "python -m tests.fuzz.long"
SEATS = 5
SEED = 1000
ROUNDS = 50
AN_HOUR = 60


def summary(tally: Tally) -> dict[str, Any]:
    """False alarms of each sort with the upper bound of their rate (95 %), and what operations tolerate."""
    return {
        name: {
            **bounded(tally.false[name], tally.rounds),
            "an_hour_upper_95": round(upper_bound(tally.false[name]) / tally.rounds * AN_HOUR, 3),
            "an_hour_tolerated": round(AN_HOUR / one_in, 4),
        }
        for name, one_in in TOLERANCES.items()
    }


def rows(record: Mapping[str, Any]) -> list[str]:
    """The lines of the table in docs/figures.md."""
    played = record["all"]
    wrong = [f"| {name} | {_said(played[name])} | 0 |" for name in ("missed", "wrong", "money", "instant")]
    false = [
        f"| false {name} | {_said(one)}, {one['an_hour_upper_95']:.2f} an hour | {one['an_hour_tolerated']:g} an hour |"
        for name, one in record["false_an_hour"].items()
    ]
    keys = [
        f"| keys a round | {played['keys_a_round']:.2f} | |",
        f"| keys a clean round | {played['keys_a_clean_round']:.2f} in {played['clean_rounds']} rounds | ≤ 3 |",
    ]
    return [*wrong, *false, *keys]


def _said(one: Mapping[str, Any]) -> str:
    return f"{one['n']} in {one['in']} rounds, at most {one['upper_95']:.4f} a round"


def main(words: Sequence[str]) -> int:
    """Play so many rounds of each game and write the record; the exit status is 1 when something was found."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rounds", type=int, nargs="?", default=ROUNDS, help=f"of each game ({ROUNDS} unless told)")
    rounds = parser.parse_args(words).rounds
    if rounds < 1:
        parser.error("ROUNDS is a number of rounds, from 1")
    everything = Tally()
    games: dict[str, Any] = {}
    found: list[str] = []
    for game in GAMES:
        result = fuzz(game, SEED, rounds, seats=SEATS)
        if result.told or result.broken:
            found.append(command(result, rounds))
            print("\n".join(lines(result, rounds)), file=sys.stderr, flush=True)
        print(f"{game}: {result.tally.rounds} rounds", flush=True)
        everything.add(result.tally)
        games[game] = result.tally.as_dict()
        so_far = {
            "seats": SEATS,
            "seed": SEED,
            "false_an_hour": summary(everything),
            "all": everything.as_dict(),
            "games": games,
            "found": found,
        }
        write_record(RESULT, f"{COMMAND} {rounds}", (), so_far)
    print("\n".join(everything.lines()))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
