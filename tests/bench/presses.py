"""Presses of the "Rien ne va plus" key at chosen boundaries of one cold scan, and what became of each.

Entry points: :class:`PressTable` (one boot of the whole firmware that takes any number of presses), :class:`Press`
(one measurement), :data:`HOSTS` (what the computer at the other end of the cable does meanwhile).

A cold scan: one bet is known, so that the announcement locks; the chips on all other spots are new. They are laid down
at the instant at which the last antenna's field goes off, and boundary *n* is the one just before the n-th call from
there. When the press has been judged the round is void by the dealer's own keys, the chips go, the scanner finds the
spots empty, and the next press meets new chips. The firmware's other tasks stand at another phase at each press, so the
presses see more interleavings than one scan has, not fewer.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from hwsim import costs
from hwsim.chips.mb85rs import Write
from hwsim.chips.switches import Stroke
from hwsim.core import NS_PER_MS, NS_PER_US
from hwsim.rf.air import AirFrame
from hwsim.rf.antenna import Antenna, Reply
from hwsim.table import BAR_LAMPS, SimTable
from hwsim.world.chips import Chip
from sabot.wire.records import code_of, parse, whole
from sabot_host.sim.station import Station

ALIVE, DEAD, SILENT, FLOOD = "alive", "dead", "not_reading", "flooding"
HOSTS = (ALIVE, DEAD, SILENT, FLOOD)
"""A host that pulls and acknowledges the journal; none at all; one that holds the port open and reads nothing from
before the scan until after the lock; one that sends garbage without end."""

BETS = ("ante", "pair_plus", "play")
KNOWN_BET = (2, "pair_plus")
NEW_BETS = ((1, "ante", 2), (1, "pair_plus", 1), (2, "ante", 1))
"""Seat, bet, chips: antennas with one chip and with collisions; the play spots stay empty."""

HEAP = "640k"
HOLD_NS = 30 * NS_PER_MS
FRAM_BYTE_NS = 400  # 20 Mbit/s
FLOOD_BYTES = 4096
LIMIT_MS = 5000
CODE_AT = 2  # of a record
TABLE = code_of("table")
LOCK = code_of("lock")
VOID = code_of("void")

COLLECTING_MAIN = """
import micropython
micropython.kbd_intr(-1)
import asyncio, gc
from sabot import app
from sabot.boards import pico2

async def collect():
    while True:
        gc.collect()
        await asyncio.sleep_ms(7)

class Collecting(app.App):
    async def main(self):
        asyncio.create_task(collect())
        await super().main()

app.App = Collecting
app.run(pico2)
"""
"""Starts the firmware with one task more, so that a collection (10 ms) is under way about half of the time."""


class Press(NamedTuple):
    """One press: latencies from the end of the bounce to the record's last byte, and to the latch of the red lamps.

    ``edge_error_us`` is the recorded instant less the true one: first edge, interrupt latency, one call.
    """

    boundary: int
    durable_us: float
    red_us: float
    edge_error_us: int


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


class PressTable:
    """A small table that is open, with one bet known and a ``host`` of :data:`HOSTS` at the port.

    ``frame_us`` is what a PN5180 frame costs: a key of ``costs.CALL_NS_BY_FRAME_US``. ``collecting`` has the heap
    collected again and again, whatever the table does.
    """

    def __init__(self, host: str, *, seed: int = 0, frame_us: int = 40, collecting: bool = False) -> None:
        self._host = host
        self._call_ns = costs.CALL_NS_BY_FRAME_US[frame_us]
        self._root = Path(mkdtemp(prefix="presses-"))
        self.table = SimTable(self._root, seed=seed, heap=HEAP, call_ns=self._call_ns)
        if collecting:
            (self._root / "main.py").write_text(COLLECTING_MAIN)
        self.table.hardware.fram.journal = []
        self._station = Station(self.table, BETS)
        self._garbage = random.Random(seed)
        self._at_scan_end: Callable[[], None] | None = None
        spots = list(self.table.spots)
        announced = [index for index, (_, bet) in enumerate(spots) if bet != "play"]
        self._red = [*announced, *range(len(spots), len(spots) + BAR_LAMPS)]
        self.table.spot(*spots[-1]).enter(FieldProbe(self._field_off))
        self._open()

    def __enter__(self) -> PressTable:
        """Give the table."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Switch it off and remove its files."""
        self.table.controller.kill()
        shutil.rmtree(self._root)

    # --- a press ----------------------------------------------------------------------------------------------------

    def press(self, boundary: int, bounce_ns: Sequence[int] | None = None) -> Press:
        """Press at the ``boundary``-th call boundary of a cold scan, 1 the first; then make the table cold again.

        ``bounce_ns`` are the edges after the first one, by default some of the key's own. AssertionError when the press
        locks nothing.
        """
        table, controller, hardware = self.table, self.table.controller, self.table.hardware
        self._host_before_scan()
        chips: list[Chip] = []
        strokes: list[Stroke] = []

        def strike() -> None:
            stroke = hardware.keys["rnvp"].press(table.now, bounce_ns)
            hardware.keys["rnvp"].release(stroke.settled + HOLD_NS)
            strokes.append(stroke)

        def lay() -> None:
            chips.extend(self._lay_new_bets())
            table.fabric.at_call(controller.calls + boundary, strike)

        self._at_scan_end = lay
        self._until(lambda: bool(strokes), f"boundary {boundary}: no press, host {self._host}")
        lamps = len(hardware.lamps.changed)
        self._until(
            lambda: self._written(LOCK) is not None and self._red_since(lamps) is not None,
            f"boundary {boundary}: the press locks nothing, host {self._host}",
        )
        edge, settled = strokes[0]
        written, red = self._written(LOCK), self._red_since(lamps)
        assert written is not None and red is not None
        handler_ticks = (edge + costs.IRQ_LATENCY_NS + self._call_ns - controller.ticks_zero) // NS_PER_US
        result = Press(
            boundary,
            (written.when + len(written.data) * FRAM_BYTE_NS - settled) / NS_PER_US,
            (red - settled) / NS_PER_US,
            parse(written.data)["fields"]["edge"] - handler_ticks,
        )
        self._make_cold(chips)
        return result

    def scan_calls(self) -> int:
        """Calls of one whole cold scan that nobody disturbs; then make the table cold again."""
        controller = self.table.controller
        self._host_before_scan()
        chips: list[Chip] = []
        ends: list[int] = []

        def end() -> None:
            ends.append(controller.calls)
            self._at_scan_end = end

        def lay() -> None:
            chips.extend(self._lay_new_bets())
            end()

        self._at_scan_end = lay
        self._until(lambda: len(ends) == 2, "the scanner stands still")
        self._make_cold(chips)
        return ends[1] - ends[0]

    # --- the course of things ---------------------------------------------------------------------------------------

    def _open(self) -> None:
        table = self.table
        table.start()
        if self._host != DEAD:
            self._station.plug()
        self._go_round("the firmware does not start")
        table.press("fin", hold=HOLD_NS)
        self._until(lambda: self._written(TABLE) is not None, "the table does not open")
        table.place(*KNOWN_BET, 1000)
        self._go_round("the scanner stands still")
        self._host_after_scan()

    def _lay_new_bets(self) -> list[Chip]:
        table = self.table
        chips = []
        for seat, bet, count in NEW_BETS:
            for _ in range(count):
                chips.append(table.mint.chip(2500))
                table.felt.place(chips[-1], table.spot(seat, bet), table.now)
        return chips

    def _make_cold(self, chips: Sequence[Chip]) -> None:
        """Take the new bets away, end the round if there is one, and wait until every spot has been found so."""
        table = self.table
        self._host_after_scan()
        table.remove(chips)
        if self._written(LOCK) is not None:
            table.run_for(HOLD_NS / NS_PER_MS)
            table.press("maldonne", hold=HOLD_NS)
            table.run_for(45)
            table.press("oui", hold=HOLD_NS)
            self._until(lambda: self._written(VOID) is not None, "the round does not end")
        self._go_round("the scanner stands still")
        table.hardware.fram.journal = []

    def _go_round(self, otherwise: str) -> None:
        """Wait until every antenna has been visited from now on; AssertionError with ``otherwise`` when that fails."""
        scans: list[int] = []

        def count() -> None:
            scans.append(self.table.now)
            self._at_scan_end = count

        self._at_scan_end = count
        self._until(lambda: len(scans) == 2, otherwise)
        self._at_scan_end = None

    def _field_off(self) -> None:
        """The last antenna's field goes off: a scan is over."""
        act, self._at_scan_end = self._at_scan_end, None
        if act is not None:
            act()

    def _until(self, condition: Callable[[], bool], otherwise: str) -> None:
        if not self.table.run_while(lambda: not condition(), LIMIT_MS):
            raise AssertionError(f"{otherwise}\n{self.table.controller.stderr}")

    def _host_before_scan(self) -> None:
        if self._host == SILENT:
            self._station.reads(False)
        elif self._host == FLOOD:
            self._flood()

    def _host_after_scan(self) -> None:
        if self._host == SILENT:
            self._station.reads(True)
        if self._host in (ALIVE, SILENT):
            self._station.acknowledge()

    def _flood(self) -> None:
        """Fill the cable with garbage, in which zeros end frames now and then; there is more than a press lasts."""
        self._station.send(bytes(self._garbage.randrange(64) * 4 for _ in range(FLOOD_BYTES)))

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _written(self, code: int) -> Write | None:
        """The body of the first record with ``code`` that was written since the table was cold."""
        for write in self.table.hardware.fram.journal or ():
            if len(write.data) > CODE_AT and write.data[CODE_AT] == code and whole(write.data, len(write.data)):
                return write
        return None

    def _red_since(self, first: int) -> int | None:
        """Instant at which every announced spot and the bar were red, among the latches from ``first`` on."""
        for change in self.table.hardware.lamps.changed[first:]:
            if all(red and not green and not blue for red, green, blue in (change.pixels[i] for i in self._red)):
                return change.when
        return None
