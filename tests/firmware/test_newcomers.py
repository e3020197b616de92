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


class Fault(Exception):
    """The reader has failed."""

    code = "busy"


class Visits:
    """A visit hears what ``heard`` is: stranger, unknown, answered, silent or nobody; or ends with a fault."""

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
        elif self.heard == "silent":
            self.listener.silent(0, self._table.now & MASK, 8)
        elif self.heard == "answered":
            self.listener.answered(0, began, self._table.now & MASK)
        elif self.heard == "fault":
            raise Fault
        self.listener.finished(self.heard != "unknown", self._table.now & MASK)
        return -1


class Table:
    """One reader with one antenna; ``came`` and ``went`` are the intervals of arrivals and departures."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        half = (MASK + 1) >> 1
        stand_ins = {"micropython": ModuleType("micropython"), "time": ModuleType("time")}
        stand_ins["micropython"].__dict__.update(const=lambda value: value)
        stand_ins["time"].__dict__.update(
            ticks_ms=lambda: self.now // 1000 & MASK,
            ticks_us=lambda: self.now & MASK,
            ticks_add=lambda ticks, delta: (ticks + delta) & MASK,
            ticks_diff=lambda end, start: ((end - start + half) & MASK) - half,
        )
        for name, module in stand_ins.items():
            monkeypatch.setitem(sys.modules, name, module)
        for name in ("sabot.services.reader_scan", "sabot.services.bouts"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        module = importlib.import_module("sabot.services.reader_scan")
        del sys.modules["sabot.services.reader_scan"]
        self.came: list[tuple[int, int]] = []
        self.went: list[tuple[int, int]] = []
        self.dead = False  # the reader does not start
        self.visits = Visits(self)
        nothing = SimpleNamespace(
            ok=False,
            start=lambda uid, first, count: None,
            step=lambda: -1,
            start_off=lambda: None,
            select=lambda port: None,
            check=lambda: None,
            begin_start=lambda: None,
            step_start=self._start,
            chip_in=lambda antenna, chip, low, high: self.came.append((low, high)),
            chip_out=lambda antenna, chip, low, high: self.went.append((low, high)),
            chip_unsure=lambda antenna, chip, low: None,
            visit_done=lambda antenna, begun, ended, clean: None,
        )
        chips = Chips(4, 1, b"key")
        make = SimpleNamespace(visit=self.visits, blocks=nothing, field=nothing, fault=Fault)
        given = (nothing, nothing, (0,), (0,), make, Presence(1, 4, nothing), chips, Lying(chips, 4))
        self._scan = module.ReaderScan(*given, Newcomers(chips, 4), lambda code: None)

    def _start(self) -> int:
        if self.dead:
            raise Fault
        return -1

    def outage(self, seconds: int) -> None:
        """The reader fails, and is back after so long; it is tried once a second."""
        self.dead = True
        self.visits.heard = "fault"
        for _ in range(seconds):
            for _ in range(4):
                self._scan.step()
            self.now += 1_000_000
        self.dead = False

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
    for heard in ("stranger", "answered", "answered"):
        table.visit(heard)
    ((_low, high),) = table.came
    assert 0 <= since(table.now & MASK, high) <= 5 * MINUTE_US


@pytest.mark.parametrize("minutes", [1, 5, 10, 17])
def test_what_came_or_went_while_its_reader_was_dead_has_an_interval_that_compares(
    monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    table = Table(monkeypatch)
    table.visit("nobody")
    table.outage(minutes * 60)
    for heard in ("stranger", "answered", "answered"):
        table.visit(heard)
    ((low, high),) = table.came
    assert since(high, low) > 0
    table.outage(minutes * 60)
    for heard in ("silent", "nobody"):
        table.visit(heard)
    ((low, high),) = table.went
    assert since(high, low) > 0


@pytest.mark.parametrize("minutes", [1, 10])
def test_a_chip_that_a_reader_heard_between_two_outages_is_new_after_the_second(
    monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    table = Table(monkeypatch)
    table.visit("nobody")
    for _ in range(9):  # so often of late that it is not in order as soon as it is back
        table.visit("fault")
        table.visit("nobody")
    table.outage(4)
    table.visit("stranger")
    table.outage(minutes * 60)
    back = table.now
    table.visit("stranger")
    for _ in range(3):
        table.visit("answered")
    ((_low, high),) = table.came
    assert 0 <= since(table.now & MASK, high) <= table.now - back


def test_a_chip_that_leaves_soon_left_after_the_last_visit_that_heard_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch)
    table.visit("nobody")
    table.visit("stranger")
    table.now += 100_000
    begun = table.now
    table.visit("answered")
    table.now += 100_000
    table.visit("silent")
    ((low, high),) = table.went
    assert low >= begun
    assert high > low
