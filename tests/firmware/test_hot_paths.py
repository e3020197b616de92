"""Scan, lock and shoe paths of the whole firmware allocate nothing: rounds are played with the heap locked in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hwsim.provisioning import small_table
from sabot.wire.records import parse
from tests.bench.dealer import Dealer
from tests.bench.rig import BETS, THE_DEALER_VOIDS, BenchTable

MAIN = (Path(__file__).parent / "on_board" / "locked_heap.py").read_text()
ROUNDS = 3
HEAP = "560k"  # the program that locks the heap is compiled in it

# One allocation each, put into the firmware where there must be none.
SPOILT = {
    "scan": ("Presence", "visit_begun", "self, a, b"),
    "lock": ("Lamps", "show", "self"),
    "shoe": ("Deck", "card", "self, a"),
}


def spoilt(kind: str, method: str, arguments: str) -> str:
    lines = (
        f"{kind} = whole.{kind}",
        f"inner = {kind}.{method}",
        f"def allocating({arguments}):",
        "    bytearray(64)",
        f"    return inner({arguments})",
        f"{kind}.{method} = allocating",
    )
    return MAIN.replace("# SPOILT", "\n".join(lines))


def test_rounds_with_the_heap_locked_in_the_hot_paths() -> None:
    with BenchTable(main=MAIN, heap=HEAP) as bench:
        bench.start(host=True)
        Dealer(bench).play(ROUNDS)
        assert bench.table.controller.restarts == 0
        assert bench.written("fault") is None


def test_readers_that_wait_for_coupled_antennas_allocate_nothing() -> None:
    """Two readers, every antenna of one couples with every one of the other."""
    readers = [[[seat, bet] for bet in BETS] for seat in (1, 2)]
    config = small_table(consequences=THE_DEALER_VOIDS, readers=readers, couples_with=[[1, 2]])
    with BenchTable(main=MAIN, heap=HEAP, config=config) as bench:
        bench.start(host=True)
        for seat in (1, 2):
            bench.lay(seat, "ante", 3)
        bench.table.run_for(1000)
        bench.table.press("rnvp")
        bench.until(lambda: bench.written("confirmed") is not None, "the lock is not confirmed")
        assert bench.table.controller.restarts == 0
        assert bench.written("fault") is None


@pytest.mark.campaign
@pytest.mark.parametrize("path", sorted(SPOILT))
def test_an_allocation_in_a_hot_path_is_found(path: str) -> None:
    with BenchTable(main=spoilt(*SPOILT[path]), heap=HEAP) as bench:
        with pytest.raises(AssertionError):
            bench.start(host=True)
            Dealer(bench).play(1)
        fault = bench.written("fault")
        assert fault is not None
        assert parse(fault.data)["fields"]["detail"].endswith("MemoryError: memory allocation failed, heap is locked")
