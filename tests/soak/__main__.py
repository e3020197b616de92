"""The field soak: `make soak HOURS=`, so many virtual hours of play; writes results/soak.json as it goes.

Entry points: `main`; `rows` (what docs/figures.md shows of that record). The exit status is 1 when a chip was missed or
misattributed, or the heap has grown.
"""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from tests.records import RESULTS, ROOT, write_record
from tests.soak.field import GAME, SEED, Found, soak

RESULT = RESULTS / "soak.json"
COVERED = [ROOT / "tests/soak/field.py", ROOT / "tests/soak/judge.py", ROOT / "hw-sim/hwsim/rf/weather.py"]
HOUR_S = 3600


def rows(record: Mapping[str, Any]) -> list[str]:
    """The lines of the table in docs/figures.md."""
    heap, weather = record["heap_used_bytes"], record["weather"]
    return [
        f"| chips missed | {record['missed']} | 0 |",
        f"| chips misattributed | {record['misattributed']} | 0 |",
        f"| virtual seconds, rounds | {record['virtual_s']:,}, {record['rounds']:,} | |",
        f"| spots judged, in so many looks | {record['spots_judged']:,}, {record['looks']:,} | |",
        f"| bets of locks judged | {record['bets_judged']:,} | |",
        f"| asked of people who did nothing | {sum(record['asked'].values()):,} | |",
        f"| heap in use at rest, bytes: first, last | {heap['first']:,}, {heap['last']:,} | flat |",
        "| weather | " + ", ".join(f"{number:,} {name}" for name, number in weather.items()) + " | |",
    ]


def main(words: list[str]) -> int:
    """Play, print the figures and write them."""
    parser = argparse.ArgumentParser(prog="make soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("hours", type=float, help="virtual hours; one takes some ten minutes")
    hours = parser.parse_args(words).hours
    if not 0 < hours <= 1000:
        parser.error("HOURS is a number of hours, up to 1000")
    found = soak(GAME, SEED, round(hours * HOUR_S), _so_far)
    _write(found)
    print("\n".join(found.lines()))
    return int(not found.good)


def _so_far(found: Found) -> None:
    """One that is broken off leaves the record of what it has played."""
    _write(found)
    figures = found.figures()
    print(
        ", ".join(f"{name} {figures[name]}" for name in ("virtual_s", "rounds", "missed", "misattributed")), flush=True
    )


def _write(found: Found) -> None:
    hours = found.figures()["virtual_s"] / HOUR_S
    write_record(RESULT, f"make soak HOURS={hours:.2f}", COVERED, found.figures())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
