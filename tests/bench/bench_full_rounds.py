"""Free heap after rounds of each game at the reference table: seven seats on four readers, paid in the table's order.

The whole firmware from .mpy on the board's 448 KiB, with a host. Goal: 20 % free at rest, the simulator's own part of
the heap measured and subtracted; the heap is looked at after a collection. :mod:`tests.bench.bench_rounds` has many
more rounds at a small table.
"""

from __future__ import annotations

from typing import Any

from sabot.rules.games import GAMES
from tests.bench.full_table import FullTable

ROUNDS = 2


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Play ``rounds`` rounds of each game; bytes in use after the first and the last, and what is free then."""
    games = {}
    for game in GAMES:
        with FullTable(game) as table:
            table.play(1)
            heap, first = table.heap()
            table.play(rounds - 1)
            heap, last = table.heap()
        games[game] = {
            "used_bytes_after_the_first": first,
            "used_bytes": last,
            "free_percent": round(100 * (heap - last) / heap, 1),
        }
    return {"rounds": rounds, "heap_bytes": heap, **games}
