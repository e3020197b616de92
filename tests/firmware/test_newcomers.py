"""A chip that was heard once, and then may be there or not for minutes: when it came is told in ticks that compare.

The reader's round is the firmware's own; what it imports of MicroPython, and the drivers, are replaced; so is the time.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from sabot.services.chips import Chips, Lying
from sabot.services.newcomers import Newcomers
from sabot.table.presence import Presence
from sabot.table.ticks import since

MASK = (1 << 30) - 1
MINUTE_US = 60_000_000
VISIT_US = 5000
UID = bytearray(range(8))


class Visits:
    """A visit hears what ``heard`` is: stranger, unknown or answered."""

    def __init__(self, table: Table) -> None:
        self.listener: Any = None
        self.keep_field = False
        self.heard = ""
        self._table = table

    def start(self, known: Any, confirm: bool) -> None:
        """Nothing is to be prepared."""

    def step(self) -> int:
        """All at once."""
        began = self._table.now & MASK
        self._table.now += VISIT_US
        self.listener.begun(began)
        if self.heard == "stranger":
            self.listener.stranger(UID, began, self._table.now & MASK)
        elif self.heard == "unknown":
            self.listener.unknown(0)
        else:
            self.listener.answered(0, began, self._table.now & MASK)
        self.listener.finished(self.heard != "unknown", self._table.now & MASK)
        return -1


class Table:
    """One reader with one antenna; ``came`` are the intervals of arrivals."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        half = (MASK + 1) >> 1
        stand_ins = {"micropython": ModuleType("micropython"), "time": ModuleType("time")}
        stand_ins["micropython"].__dict__.update(const=lambda value: value)
        stand_ins["time"].__dict__.update(
            ticks_ms=lambda: self.now // 1000 & MASK,
            ticks_add=lambda ticks, delta: (ticks + delta) & MASK,
            ticks_diff=lambda end, start: ((end - start + half) & MASK) - half,
        )
        for name, module in stand_ins.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.delitem(sys.modules, "sabot.services.reader_scan", raising=False)
        module = importlib.import_module("sabot.services.reader_scan")
        del sys.modules["sabot.services.reader_scan"]
        self.came: list[tuple[int, int]] = []
        self.visits = Visits(self)
        nothing = SimpleNamespace(
            ok=False,
            start=lambda uid, first, count: None,
            step=lambda: -1,
            start_off=lambda: None,
            select=lambda port: None,
            begin_start=lambda: None,
            step_start=lambda: -1,
            chip_in=lambda antenna, chip, low, high: self.came.append((low, high)),
            chip_unsure=lambda antenna, chip, low: None,
            visit_done=lambda antenna, begun, ended, clean: None,
        )
        chips = Chips(4, 1, b"key")
        make = SimpleNamespace(visit=self.visits, blocks=nothing, field=nothing, fault=OSError)
        given = (nothing, nothing, (0,), (0,), make, Presence(1, 4, nothing), chips, Lying(chips, 4))
        self._scan = module.ReaderScan(*given, Newcomers(chips, 4), lambda code: None)

    def visit(self, heard: str) -> None:
        """Until the reader has made a visit that hears this."""
        self.visits.heard = heard
        begun = self.now
        while self.now == begun or not self._scan.rests():
            self._scan.step()


@pytest.mark.parametrize("minutes", [1, 9, 10, 17, 18])
def test_a_chip_that_may_have_been_there_for_minutes_came_when_it_compares(
    monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    table = Table(monkeypatch)
    table.visit("stranger")
    for _ in range(minutes * 6):
        table.now += MINUTE_US // 6
        table.visit("unknown")
    assert table.came == []
    for heard in ("stranger" if minutes > 4 else "answered", "answered", "answered"):
        table.visit(heard)
    ((_low, high),) = table.came
    assert 0 <= since(table.now & MASK, high) <= 5 * MINUTE_US
