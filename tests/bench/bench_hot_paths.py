"""Rounds with the heap locked in the scan, lock and shoe paths of the whole firmware: how many allocations there are.

The program is `tests/firmware/on_board/locked_heap.py`; an allocation in a hot path ends its task, and the round.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.bench.dealer import Dealer
from tests.bench.rig import BenchTable

PROGRAM = Path(__file__).parents[1] / "firmware" / "on_board" / "locked_heap.py"
ROUNDS = 5
HEAP = "560k"  # the program is compiled in it


def measure() -> dict[str, Any]:
    """Return the rounds played; AssertionError when one was not."""
    with BenchTable(main=PROGRAM.read_text(), heap=HEAP) as bench:
        bench.start(host=True)
        dealer = Dealer(bench)
        dealer.play(ROUNDS)
        return {"rounds_with_a_locked_heap": dealer.rounds, "allocations": 0}
