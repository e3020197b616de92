"""A table to be measured: the whole firmware from its .mpy files on the board's own heap, and what can be seen of it.

Entry points: :class:`BenchTable`, :func:`board_heap`, and :func:`task_beside`, a ``main.py`` that runs one more task.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Any, Self

from hwsim import costs
from hwsim.chips.mb85rs import Write
from hwsim.compiled import compiled
from hwsim.core import NS_PER_MS
from hwsim.provisioning import small_table
from hwsim.rf.air import AirFrame
from hwsim.rf.antenna import Antenna, Reply
from hwsim.table import REPOSITORY, SOURCES, SimTable
from hwsim.world.chips import Chip
from sabot.wire.records import code_of, whole
from sabot_build.compiler import LINES_DROPPED
from sabot_host.sim.station import Station

HEAP = "512k"  # the board's 448 KiB, and 64 KiB for the simulator's own part
OVERLAY_ROOM = 64 * 1024
BETS = ("ante", "pair_plus", "play")
THE_DEALER_VOIDS = {"misdeal": "dealer"}
"""A measured round ends by keys alone."""
FRAM_BYTE_NS = 400  # 20 Mbit/s
HOLD_NS = 30 * NS_PER_MS
LIMIT_MS = 5000
CODE_AT = 2  # of a record

_BESIDE = """
import asyncio, gc, sys
import micropython
micropython.kbd_intr(-1)
gc.threshold(16384)
from sabot import app
from sabot.boards import pico2

async def beside(app):
{body}

class Watched(app.App):
    async def main(self):
        asyncio.create_task(beside(self))
        await super().main()

app.App = Watched
app.run(pico2)
"""


def board_heap(used: int, free: int, overlay: int) -> tuple[int, int]:
    """Bytes of the board's heap, and those of them that the firmware uses, of :data:`HEAP` as it stands."""
    return used + free - OVERLAY_ROOM, used - overlay


def task_beside(body: str) -> str:
    """A ``main.py`` that starts the firmware as its own does, and ``body`` (indented lines) as one task more.

    The task knows the application as ``app``.
    """
    return _BESIDE.format(body=body.strip("\n"))


class FieldProbe:
    """A tag that never answers: ``off()`` is called when the antenna's field goes off."""

    def __init__(self, off: Callable[[], None]) -> None:
        self.antenna: Antenna | None = None
        self.deaf_until = 0
        self._off = off

    def power_up(self, now: int) -> None:
        """Nothing wakes."""

    def power_down(self, now: int) -> None:
        """The field is off."""
        self._off()

    def hear(self, request: AirFrame) -> Reply | None:
        """Say nothing."""
        return None

    def hear_eof(self, start: int, end: int, early: bool) -> Reply | None:
        """Say nothing."""
        return None

    def hear_garbage(self, start: int) -> None:
        """Say nothing."""


class BenchTable:
    """A small table with a host, in a folder of its own that is gone at the end; a context manager.

    ``frame_us`` is what a PN5180 frame costs: a key of ``costs.CALL_NS_BY_FRAME_US``. ``main`` replaces the board's
    ``main.py``.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        frame_us: int = 40,
        heap: str = HEAP,
        main: str = "",
        bets: Sequence[str] = BETS,
        **options: Any,
    ) -> None:
        self.call_ns = costs.CALL_NS_BY_FRAME_US[frame_us]
        self._root = Path(mkdtemp(prefix="bench-table-"))
        code = [compiled(SOURCES, REPOSITORY / "build" / "sim", LINES_DROPPED, main)]
        options.setdefault("config", small_table(consequences=THE_DEALER_VOIDS))
        self.table = SimTable(self._root, seed=seed, heap=heap, code=code, call_ns=self.call_ns, **options)
        if main:
            (self._root / "main.py").write_text(main)
        self.table.hardware.fram.journal = []
        self.station = Station(self.table, tuple(bets))
        self.at_scan_end: Callable[[], None] | None = None
        """Called once, when the last antenna's field goes off."""
        last = list(self.table.spots)[-1]
        self.table.spot(*last).enter(FieldProbe(self._field_off))

    def __enter__(self) -> Self:
        """Give the table; it is still off."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Switch it off and remove its files."""
        self.table.controller.kill()
        shutil.rmtree(self._root)

    def start(self, *, host: bool) -> None:
        """Power up, with a host that follows the journal or with none, and open the table."""
        table = self.table
        table.start()
        if host:
            self.station.plug()
        self.go_round()
        table.press("fin", hold=HOLD_NS)
        self.until(lambda: self.written("table") is not None, "the table does not open")

    def lay(self, seat: int, bet: str, count: int = 1, cents: int = 2500) -> list[Chip]:
        """New chips of ``cents`` each on a spot, now."""
        table = self.table
        chips = [table.mint.chip(cents) for _ in range(count)]
        for chip in chips:
            table.felt.place(chip, table.spot(seat, bet), table.now)
        return chips

    def lay_known(self, seat: int, bet: str, count: int = 1, cents: int = 2500) -> list[Chip]:
        """As :meth:`lay`, until they count: one visit hears a chip, the next reads what it is worth."""
        chips = self.lay(seat, bet, count, cents)
        self.go_round()
        self.go_round()
        return chips

    def until(self, condition: Callable[[], bool], otherwise: str, limit_ms: int = LIMIT_MS) -> None:
        """Let time pass until ``condition()``; AssertionError with ``otherwise`` when it does not come."""
        if not self.table.run_while(lambda: not condition(), limit_ms):
            raise AssertionError(f"{otherwise}\n{self.table.controller.stderr}")

    def go_round(self) -> None:
        """Let time pass until every antenna has been visited, from now on."""
        ends: list[int] = []

        def count() -> None:
            ends.append(self.table.now)
            self.at_scan_end = count

        self.at_scan_end = count
        self.until(lambda: len(ends) == 2, "the scanner stands still")
        self.at_scan_end = None

    def written(self, name: str) -> Write | None:
        """The body of the first record called ``name`` since :meth:`forget`."""
        code = code_of(name)
        for write in self.table.hardware.fram.journal or ():
            if len(write.data) > CODE_AT and write.data[CODE_AT] == code and whole(write.data, len(write.data)):
                return write
        return None

    def forget(self) -> None:
        """Forget what has been written to the journal so far."""
        self.table.hardware.fram.journal = []

    def _field_off(self) -> None:
        act, self.at_scan_end = self.at_scan_end, None
        if act is not None:
            act()
