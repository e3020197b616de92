"""Speed of the simulator: virtual seconds a second of processor time, both processes together, and a real second.

Goal: 3. They take turns on one processor, so a second of processor time is a real second on a machine that has nothing
else to do. *Idle*: the table is open and empty; *betting*: six chips lie there; *dealing*: a lock and six cards, one
every 250 ms. Round trips are the calls that the simulator had to answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.bench.dealer import Dealer
from tests.bench.rig import BenchTable

SECONDS = 10
ROUNDS = 5


def _speed(bench: BenchTable, act: Callable[[], None]) -> dict[str, float]:
    controller = bench.table.controller
    virtual, real = bench.table.now, time.monotonic()
    processor = time.process_time() + controller.cpu_seconds
    calls, trips = controller.calls, controller.round_trips
    act()
    virtual_s = (bench.table.now - virtual) / 1e9
    return {
        "virtual_s_a_cpu_s": round(virtual_s / (time.process_time() + controller.cpu_seconds - processor), 1),
        "virtual_s_a_real_s": round(virtual_s / (time.monotonic() - real), 1),
        "calls_a_virtual_s": round((controller.calls - calls) / virtual_s),
        "round_trips_a_virtual_s": round((controller.round_trips - trips) / virtual_s),
    }


def measure() -> dict[str, Any]:
    """Return the speed of three states of the table."""
    with BenchTable() as bench:
        bench.start(host=True)
        figures = {"idle": _speed(bench, lambda: bench.table.run_for(SECONDS * 1000))}
        figures["dealing"] = _speed(bench, lambda: Dealer(bench).play(ROUNDS))
        for seat in (1, 2):
            bench.lay(seat, "ante", 2)
            bench.lay(seat, "pair_plus", 1)
        bench.go_round()
        figures["betting"] = _speed(bench, lambda: bench.table.run_for(SECONDS * 1000))
        return figures
