"""The firmware boots and plays on the heap of the board, from .mpy, and a round leaves nothing behind in it."""

from __future__ import annotations

import pytest

from sabot.rules.games import GAMES
from tests.bench.bench_betting import allocated
from tests.bench.dealer import Dealer
from tests.bench.full_table import FullTable
from tests.bench.rig import HEAP, BenchTable, board_heap

WARM_UP = 4
ROUNDS = 8
AT_A_FULL_TABLE = 1
FREE_PERCENT = 20
WATCHED_MS = 10_000
MENU_MS = 3000
LOOKS, LOOK_MS = 12, 97
MENU_BYTES = 8000  # of the menu and its page while it is open
INDEX_BYTES = 64  # one allocation block or two: the journal's index grows by an entry every 32 records


@pytest.mark.campaign
def test_rounds_leave_nothing_behind() -> None:
    with BenchTable(heap=HEAP) as bench:
        bench.start(host=True)
        dealer = Dealer(bench)
        dealer.play(WARM_UP)
        before, _, _ = bench.table.controller.heap()
        dealer.play(ROUNDS)
        used, free, overlay = bench.table.controller.heap()
        assert bench.table.controller.restarts == 0
    assert used - before <= INDEX_BYTES * (1 + ROUNDS // 2), (before, used)
    whole, taken = board_heap(used, free, overlay)
    assert 100 * (whole - taken) / whole >= FREE_PERCENT, (whole, taken)


def at_rest(bench: BenchTable) -> int:
    """Bytes used when no task holds anything for the moment: the least of some looks."""
    used = []
    for _ in range(LOOKS):
        bench.table.run_for(LOOK_MS)
        used.append(bench.table.controller.heap()[0])
    return min(used)


@pytest.mark.campaign
def test_a_menu_that_is_shut_leaves_nothing_behind() -> None:
    with BenchTable(heap=HEAP) as bench:
        bench.start(host=True)
        used = []
        for key in ("plus", "non", "plus", "non"):
            bench.table.press(key)
            bench.table.run_for(MENU_MS)
            used.append(at_rest(bench))
        assert bench.table.controller.restarts == 0
    _, shut, opened, again = used  # the first time its names come into the table of names, for good
    assert opened - shut > MENU_BYTES, used
    assert again - shut <= INDEX_BYTES, used


@pytest.mark.timeout(900)
@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_has_room_left_after_its_rounds(game: str) -> None:
    """With a badge reader, whose part is the same whatever is played, at Bataille."""
    with FullTable(game, badge_reader=game == "bataille") as table:
        table.play(AT_A_FULL_TABLE)
        whole, taken = table.heap()
    assert 100 * (whole - taken) / whole >= FREE_PERCENT, (whole, taken)


@pytest.mark.campaign
def test_a_table_with_bets_that_lie_still_allocates_nothing() -> None:
    assert allocated(WATCHED_MS, busy=False) == 0
