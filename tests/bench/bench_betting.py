"""What the firmware allocates while bets are open, and how long betting may last before a collection is forced.

A table in `betting` with three chips lying still, the host following the journal, and a chip laid down and taken away
every ten seconds; and the same without host and hands. The heap is larger than the board's, so that nothing is
collected in the minute that is measured; overlay and interpreter are those of the simulator.
"""

from __future__ import annotations

from typing import Any

from tests.bench.rig import BenchTable, task_beside

HEAP = "2M"
MINUTE_MS = 60_000
CHIP_MS = 10_000
FREE_BYTES = 90_000  # what 20 % of 448 KiB is

# The line itself allocates some hundred bytes; it is written twice.
WATCHER = task_beside(
    """
    await asyncio.sleep_ms(10000)
    while True:
        sys.stderr.write("%d\\n" % gc.mem_alloc())
        await asyncio.sleep_ms(60000)
"""
)


def _allocated(*, busy: bool) -> int:
    """Bytes allocated in a minute of betting."""
    with BenchTable(heap=HEAP, main=WATCHER) as bench:
        table = bench.table
        bench.start(host=busy)
        bench.lay(1, "ante", 2)
        bench.lay(2, "pair_plus")
        bench.until(lambda: "\n" in table.controller.stderr, "the watcher does not start", MINUTE_MS)
        while table.controller.stderr.count("\n") < 2:
            chips = bench.lay(1, "pair_plus") if busy else []
            table.run_for(CHIP_MS / 2)
            table.remove(chips)
            table.run_for(CHIP_MS / 2)
        first, second = (int(line) for line in table.controller.stderr.split())
        return second - first


def measure() -> dict[str, Any]:
    """Return bytes a minute and the minutes until 20 % of the board's heap are used up."""
    figures: dict[str, Any] = {}
    for name, busy in (("still", False), ("busy", True)):
        allocated = _allocated(busy=busy)
        figures[name] = {
            "allocated_bytes_a_minute": allocated,
            "minutes_to_a_forced_collection": round(FREE_BYTES / allocated, 1),
        }
    return figures
