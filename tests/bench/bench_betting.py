"""What the firmware allocates while bets are open, and how long betting may last before a collection is forced.

*Still*: a table in `betting` with three chips lying there, no host. *Busy*: the host follows the journal, and a chip is
laid down and taken away every ten seconds. The heap is larger than the board's, so that nothing is collected in the
minute that is measured. Entry point beside `measure`: `allocated`.
"""

from __future__ import annotations

from typing import Any

from tests.bench.rig import BenchTable, task_beside

HEAP = "2M"
START_MS = 10_000
MINUTE_MS = 60_000
CHIP_MS = 10_000
FREE_BYTES = 90_000  # what 20 % of 448 KiB is
LINE_BYTES = 64  # what the watcher itself allocates between its two looks

_WATCHER = """
    await asyncio.sleep_ms({start})
    while True:
        sys.stderr.write("%d\\n" % gc.mem_alloc())
        await asyncio.sleep_ms({watched})
"""


def allocated(watched_ms: int, *, busy: bool) -> int:
    """Bytes allocated in ``watched_ms`` of betting."""
    watcher = task_beside(_WATCHER.format(start=START_MS, watched=watched_ms))
    with BenchTable(heap=HEAP, main=watcher) as bench:
        table = bench.table
        bench.start(host=busy)
        bench.lay(1, "ante", 2)
        bench.lay(2, "pair_plus")
        bench.until(lambda: "\n" in table.controller.stderr, "the watcher does not start", 2 * START_MS)
        while table.controller.stderr.count("\n") < 2:
            chips = bench.lay(1, "pair_plus") if busy else []
            table.run_for(CHIP_MS / 2)
            table.remove(chips)
            table.run_for(CHIP_MS / 2)
        first, second = (int(line) for line in table.controller.stderr.split())
        return second - first - LINE_BYTES


def measure() -> dict[str, Any]:
    """Return bytes a minute, and the minutes until 20 % of the board's heap are used up where that happens."""
    busy = allocated(MINUTE_MS, busy=True)
    return {
        "still": {"allocated_bytes_a_minute": allocated(MINUTE_MS, busy=False)},
        "busy": {
            "allocated_bytes_a_minute": busy,
            "minutes_to_a_forced_collection": round(FREE_BYTES / busy, 1),
        },
    }
