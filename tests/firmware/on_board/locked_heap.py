"""Started in place of main.py: the whole firmware, with the heap locked while its hot paths run.

Hot are the scanner's step, the judgement of the keys, both announcements up to the lamps, and the shoe's step with the
binding of an edge to its card. The heap is open again, inside them, for what may allocate: a reader's start, a chip's
MAC, a card that is dealt, and what the table does about a chip while bets are closed. An allocation elsewhere raises
MemoryError; its task dies, and the journal has a fault.
"""

import gc

import micropython
from micropython import heap_lock, heap_unlock

micropython.kbd_intr(-1)
gc.threshold(16384)

from sabot import app  # noqa: E402
from sabot.boards import pico2  # noqa: E402
from sabot.services.shoe import Shoe  # noqa: E402

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

whole: "Any" = app  # what is always loaded is one module on the board
PN5180 = whole.PN5180
Chips = whole.Chips
AnnouncementKey = whole.AnnouncementKey
KeyPad = whole.KeyPad
Scanner = whole.Scanner
LockPath = whole.LockPath
Table = whole.table_Table  # the rules have a Table too

BETS_OPEN = ("idle", "betting", "last_bets")


class Heap:
    """Whether the heap is locked by a hot path now."""

    depth = 0

    @staticmethod
    def lock() -> None:
        Heap.depth += 1
        heap_lock()

    @staticmethod
    def unlock() -> None:
        heap_unlock()
        Heap.depth -= 1


def step(kind: "Any") -> None:
    """Lock the heap in ``kind.step()``."""
    inner = kind.step

    def locked(self: "Any") -> "Any":
        Heap.lock()
        try:
            return inner(self)
        finally:
            Heap.unlock()

    kind.step = locked


def poll(kind: "Any", name: str) -> None:
    """Lock the heap in a method of one argument."""
    inner = getattr(kind, name)

    def locked(self: "Any", argument: "Any") -> "Any":
        Heap.lock()
        try:
            return inner(self, argument)
        finally:
            Heap.unlock()

    setattr(kind, name, locked)


def strike_close() -> None:
    inner = LockPath.strike_close

    def locked(self: "Any", edge: int, key: int) -> None:
        Heap.lock()
        try:
            inner(self, edge, key)
        finally:
            Heap.unlock()

    LockPath.strike_close = locked


def identify() -> None:
    inner = Chips.identify

    def free(self: "Any", handle: int, memory: "Any") -> "Any":
        Heap.unlock()
        try:
            return inner(self, handle, memory)
        finally:
            Heap.lock()

    Chips.identify = free


def start() -> None:
    inner = PN5180.step_start

    def free(self: "Any") -> "Any":
        Heap.unlock()
        try:
            return inner(self)
        finally:
            Heap.lock()

    PN5180.step_start = free


def card() -> None:
    inner = Table.card

    def free(self: "Any", code: int, ticks: int) -> None:
        Heap.unlock()
        try:
            inner(self, code, ticks)
        finally:
            Heap.lock()

    Table.card = free


# A closure over five arguments allocates when it is called, so these three are plain functions.
table_chip_in = Table.chip_in
table_chip_out = Table.chip_out
table_visit_done = Table.visit_done


def chip_in(self: "Any", antenna: int, handle: int, low: int, high: int) -> None:
    if self.state in BETS_OPEN:
        table_chip_in(self, antenna, handle, low, high)
        return
    Heap.unlock()
    try:
        table_chip_in(self, antenna, handle, low, high)
    finally:
        Heap.lock()


def chip_out(self: "Any", antenna: int, handle: int, low: int, high: int) -> None:
    if self.state in BETS_OPEN:
        table_chip_out(self, antenna, handle, low, high)
        return
    Heap.unlock()
    try:
        table_chip_out(self, antenna, handle, low, high)
    finally:
        Heap.lock()


def visit_done(self: "Any", antenna: int, begun: int, ended: int, clean: bool) -> None:
    if self.state in BETS_OPEN:
        table_visit_done(self, antenna, begun, ended, clean)
        return
    Heap.unlock()
    try:
        table_visit_done(self, antenna, begun, ended, clean)
    finally:
        Heap.lock()


step(Scanner)
step(Shoe)
poll(AnnouncementKey, "poll")
poll(KeyPad, "poll")
poll(LockPath, "strike")
strike_close()
identify()
start()
card()
for name, function in (("chip_in", chip_in), ("chip_out", chip_out), ("visit_done", visit_done)):
    setattr(Table, name, function)
# SPOILT

app.run(pico2)
