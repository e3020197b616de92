"""Lock latency: a press of the "Rien ne va plus" key at every call boundary of a cold scan, whatever the host does.

Goal: at most 10 ms from the end of the bounce until the lock record is durable and the lamps are red, 20 ms where a
collection comes in between; the recorded instant is that of the first edge, to the microsecond. How a press is made:
:mod:`tests.bench.presses`. A PN5180 frame costs 40 us; every 16th boundary is pressed at 25 and at 100 us too, and
every 8th with a heap that is collected all the time, and every 4th while display and lamps are written all the time.

All boundaries take about a quarter of an hour on two cores; BENCH_LOCK_EVERY=n in the environment takes every n-th.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from tests.bench.presses import ALIVE, COLLECTING, HOSTS, READING_BADGES, REFRESHING, Press, PressTable

BOARD_FACTOR = 60  # Python on the board, by a rule of thumb, against this computer; virtual time does not charge it
PRESSES_A_BOOT = 256  # the journal of a host that acknowledges nothing has room for them


class Job(NamedTuple):
    """Presses of one boot: boundaries ``first``, ``first + step`` ... of the scan, for the figure ``name``."""

    name: str
    host: str
    frame_us: int
    main: str
    first: int
    step: int


def run(job: Job) -> tuple[Job, int, list[Press]]:
    """Make the presses; returns them with the number of calls of the scan."""
    with PressTable(job.host, seed=job.first, frame_us=job.frame_us, main=job.main) as table:
        calls = table.scan_calls()
        return job, calls, [table.press(boundary) for boundary in range(job.first, calls + 1, job.step)]


def jobs(every: int) -> list[Job]:
    """What there is to press: every ``every``-th boundary for each host, fewer for the rest."""
    wanted = [(f"host_{host}", host, 40, "", every) for host in HOSTS]
    wanted += [(f"frame_{frame_us}_us", ALIVE, frame_us, "", 16 * every) for frame_us in (25, 100)]
    wanted.append(("collecting", ALIVE, 40, COLLECTING, 8 * every))
    wanted.append(("refreshing", ALIVE, 40, REFRESHING, 4 * every))
    wanted.append(("reading_badges", ALIVE, 40, READING_BADGES, 4 * every))
    found = []
    for name, host, frame_us, main, step in wanted:
        boots = max(1, 4096 // (step * PRESSES_A_BOOT))
        found += [Job(name, host, frame_us, main, 1 + step * boot, step * boots) for boot in range(boots)]
    return found


def _figures(calls: int, presses: list[Press]) -> dict[str, Any]:
    durable = [press.durable_us for press in presses]
    red = [press.red_us for press in presses]
    return {
        "boundaries_of_the_scan": calls,
        "presses": len(presses),
        "record_durable_us": {"worst": max(durable), "median": statistics.median(durable)},
        "lamps_red_us": {"worst": max(red), "median": statistics.median(red)},
        "worst_at_boundary": max(presses, key=lambda press: press.red_us).boundary,
        "edge_error_us": max((press.edge_error_us for press in presses), key=abs),
        "board_cpu_estimate_us": round(BOARD_FACTOR * statistics.median(press.cpu_us for press in presses)),
    }


def measure(every: int = 0) -> dict[str, Any]:
    """Press at every ``every``-th boundary and return latencies by host, cost of a frame, and while collecting."""
    every = every or int(os.environ.get("BENCH_LOCK_EVERY", "1"))
    presses: dict[str, list[Press]] = {}
    calls: dict[str, int] = {}
    # Workers start afresh: they pin themselves to processors of their own.
    with ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn")) as pool:
        for job, count, made in pool.map(run, jobs(every)):
            presses.setdefault(job.name, []).extend(made)
            calls[job.name] = max(count, calls.get(job.name, 0))
    return {"every": every, **{name: _figures(calls[name], made) for name, made in presses.items()}}
