"""Free heap after 1,000 rounds at one seat: the whole firmware from .mpy, on the board's 448 KiB, with a host.

Goal: 20 % free at the end, the simulator's own part of the heap measured and subtracted; no growth from round to round.
The heap is looked at after a collection. On the 64-bit interpreter pointers are twice as wide as on the board.
"""

from __future__ import annotations

import time
from typing import Any

from tests.bench.dealer import Dealer
from tests.bench.rig import HEAP, BenchTable, board_heap

ROUNDS = 1000
LOOKS = 10


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Play ``rounds`` rounds and return bytes of heap on the way, and what is free at the end."""
    with BenchTable(heap=HEAP) as bench:
        bench.start(host=True)
        dealer = Dealer(bench)
        dealer.play(1)
        controller = bench.table.controller
        used, free, overlay = controller.heap()
        heap, taken = board_heap(used, free, overlay)
        usage = {dealer.rounds: taken}
        began, cpu, real = bench.table.now, time.process_time() + controller.cpu_seconds, time.monotonic()
        for look in range(1, LOOKS + 1):
            dealer.play(rounds * look // LOOKS - dealer.rounds)
            used, free, overlay = controller.heap()
            usage[dealer.rounds] = used - overlay
        virtual_s = (bench.table.now - began) / 1e9
        return {
            "rounds": dealer.rounds,
            "heap_bytes": heap,
            "overlay_bytes": overlay,
            "used_bytes_by_round": usage,
            "free_percent": round(100 * (heap - usage[rounds]) / heap, 1),
            "virtual_s_a_round": round(virtual_s / (rounds - 1), 2),
            "virtual_s_a_cpu_s": round(virtual_s / (time.process_time() + controller.cpu_seconds - cpu), 1),
            "virtual_s_a_real_s": round(virtual_s / (time.monotonic() - real), 1),
        }
