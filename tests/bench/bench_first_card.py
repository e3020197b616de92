"""First card of Bataille: from the beam's edge until the initial bets are locked (67.36), durable and shown.

The goals are those of the announcement's key: 10 ms, 20 ms where a collection comes in between, and the recorded
instant exact. How a card is drawn at a chosen call boundary of a scan: :mod:`tests.bench.draws`.

BENCH_DRAW_EVERY=n in the environment takes every n-th boundary, by default every 16th; each is a round of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tests.bench.draws import Draw, DrawTable
from tests.bench.presses import COLLECTING, REFRESHING

MAINS = {"quiet": "", "collecting": COLLECTING, "refreshing": REFRESHING}
EVERY = 16


def run(name: str, every: int) -> tuple[int, list[Draw]]:
    """Draw at every ``every``-th boundary; returns the draws with the number of calls of the scan."""
    with DrawTable(main=MAINS[name]) as table:
        calls = table.scan_calls()
        return calls, [table.draw(boundary) for boundary in range(1, calls + 1, every)]


def measure(every: int = 0) -> dict[str, Any]:
    """Return latencies from the beam's edge, by what else the controller is made to do."""
    every = every or int(os.environ.get("BENCH_DRAW_EVERY", str(EVERY)))
    result: dict[str, Any] = {"every": every}
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        for name, (calls, draws) in zip(MAINS, pool.map(run, MAINS, [every] * len(MAINS)), strict=True):
            durable = [draw.durable_us for draw in draws]
            red = [draw.red_us for draw in draws]
            result[name] = {
                "boundaries_of_the_scan": calls,
                "draws": len(draws),
                "record_durable_us": {"worst": max(durable), "median": statistics.median(durable)},
                "lamps_red_us": {"worst": max(red), "median": statistics.median(red)},
                "edge_error_us": max((draw.edge_error_us for draw in draws), key=abs),
            }
    return result
