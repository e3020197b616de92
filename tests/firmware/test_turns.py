"""Readers whose antennas couple take turns: the one that has waited longest is next, whatever the ticks say.

The scanner is the firmware's own; what it imports of MicroPython is replaced while it is imported, and its time is the
test's.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

MASK = (1 << 30) - 1
NOBODY = 32
POLL_US = 300
PATIENCE_US = 30_000
MINUTE_US = 60_000_000
A, B, C, D = 0, 8, 16, 24  # the first antenna of each reader


class Table:
    """Four readers of one antenna each, all of which couple; ``now`` is microseconds, without a wrap."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        half = (MASK + 1) >> 1
        stand_ins = {
            "asyncio": ModuleType("asyncio"),
            "micropython": ModuleType("micropython"),
            "time": ModuleType("time"),
        }
        stand_ins["micropython"].__dict__.update(const=lambda value: value)
        stand_ins["time"].__dict__.update(
            ticks_us=lambda: self.now & MASK, ticks_diff=lambda end, start: ((end - start + half) & MASK) - half
        )
        for name, module in stand_ins.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "sabot.services.scanner", raising=False)
        scanner = importlib.import_module("sabot.services.scanner")
        del sys.modules["sabot.services.scanner"]
        couples = [bytes(other for other in (A, B, C, D) if other != own and own in (A, B, C, D)) for own in range(32)]
        self.scans: dict[int, Any] = {
            antenna: SimpleNamespace(on=NOBODY, rests=lambda: True) for antenna in (A, B, C, D)
        }
        self._scanner = scanner.Scanner(list(self.scans.values()), tuple(range(32)), tuple(couples))

    def visit(self, antenna: int) -> None:
        """Its field goes on."""
        assert self.free(antenna)
        self.scans[antenna].on = antenna

    def free(self, antenna: int) -> bool:
        """Whether the antenna's reader, which has nothing else to do, may visit it."""
        return bool(self._scanner.free(antenna, True))

    def let_pass(self, us: int, waiting: str = "") -> None:
        """Time passes, in which the antennas ask again and again; none of them may be visited."""
        for _ in range(0, us, POLL_US):
            self.now += POLL_US
            for antenna in waiting:
                assert not self.free(globals()[antenna])


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)


def test_who_has_waited_longest_is_next(table: Table) -> None:
    table.visit(D)
    table.let_pass(5000, "A")
    table.let_pass(5000, "AB")
    table.let_pass(PATIENCE_US, "CAB")
    table.scans[D].on = NOBODY
    for antenna in (D, C, B):
        assert not table.free(antenna)
    table.visit(A)
    table.let_pass(5000, "DCB")
    table.scans[A].on = NOBODY
    for antenna in (A, D, C):
        assert not table.free(antenna)
    table.visit(B)


def test_who_has_not_waited_for_long_leaves_the_gap_to_anybody(table: Table) -> None:
    table.visit(D)
    table.let_pass(5000, "AB")
    table.scans[D].on = NOBODY
    table.visit(B)


@pytest.mark.parametrize("minutes", [1, 8, 9, 10, 13, 17, 19, 60])
def test_a_wait_that_was_given_up_long_ago_is_forgotten(table: Table, minutes: int) -> None:
    """Its reader died meanwhile; when it is back it waits like any other, and is let pass after 30 ms."""
    table.visit(D)
    table.let_pass(5000, "A")
    table.scans[D].on = NOBODY
    table.scans[A].rests = lambda: False
    table.now += minutes * MINUTE_US
    table.visit(D)
    table.scans[A].rests = lambda: True
    table.let_pass(PATIENCE_US + 2 * POLL_US, "AB")
    table.scans[D].on = NOBODY
    assert not table.free(D), "the reader that is back at once lets it pass"
    table.visit(A)


def test_who_died_while_it_waited_holds_nobody(table: Table) -> None:
    table.visit(D)
    table.let_pass(PATIENCE_US + 2 * POLL_US, "A")
    table.scans[D].on = NOBODY
    table.scans[A].rests = lambda: False
    table.visit(B)
