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
from collections.abc import Sequence
from typing import Any, NamedTuple

from hwsim import costs
from hwsim.chips.switches import Stroke
from hwsim.core import NS_PER_MS, NS_PER_US
from hwsim.provisioning import small_table
from hwsim.table import BAR_LAMPS
from hwsim.world.chips import Chip
from sabot.wire.records import parse
from tests.bench.rig import FRAM_BYTE_NS, HOLD_NS, THE_DEALER_VOIDS, BenchTable, task_beside

ALIVE, DEAD, SILENT, FLOOD = "alive", "dead", "not_reading", "flooding"
HOSTS = (ALIVE, DEAD, SILENT, FLOOD)
"""A host that pulls and acknowledges the journal; none at all; one that holds the port open and reads nothing from
before the scan until after the lock; one that sends garbage without end."""

KNOWN_BET = (2, "pair_plus")
NEW_BETS = ((1, "ante", 2), (1, "pair_plus", 1), (2, "ante", 1))
"""Seat, bet, chips: antennas with one chip and with collisions; the play spots stay empty."""

FLOOD_BYTES = 4096

COLLECTING = task_beside(
    """
    while True:
        gc.collect()
        await asyncio.sleep_ms(7)
"""
)
"""A collection (10 ms) is under way about half of the time."""

REFRESHING = task_beside(
    """
    while True:
        if app.ready:
            app.display._panel.touch_all()
            app.table.ports.lamps._changed = True
            app.table.ports.lamps.show()
        await asyncio.sleep_ms(2)
"""
)
"""The whole display is sent again and again, and between its pieces the whole chain of lamps."""


READING = task_beside(
    """
    number = 0
    while True:
        if app.ready:
            number += 1
            app.journal.read(1 + number % 1000 if number % 10 else 1 + number * 37 % 1000)
        await asyncio.sleep_ms(2)
"""
)
"""Records are read from segments in the flash, every tenth time somewhere else."""


READING_BADGES = task_beside(
    """
    import time
    while True:
        if app.badges:
            app.badges.turn(time.ticks_ms())
        await asyncio.sleep_ms(2)
"""
)
"""A badge is held to its reader, which searches without a pause and is asked every 2 ms."""


class Press(NamedTuple):
    """One press: latencies from the end of the bounce to the record's last byte, and to the latch of the red lamps.

    ``edge_error_us`` is the recorded instant less the true one: first edge, interrupt latency, one call. ``cpu_us`` is
    the interpreter's processor time (real) from the end of the bounce to the red lamps, the overlay's part included.
    """

    boundary: int
    durable_us: float
    red_us: float
    edge_error_us: int
    cpu_us: float


class PressTable(BenchTable):
    """A table that is open, with one bet known and a ``host`` of :data:`HOSTS` at the port.

    ``main`` may be :data:`COLLECTING`, :data:`REFRESHING` or :data:`READING_BADGES`, whose configuration is its own.
    For the rest see :class:`~tests.bench.rig.BenchTable`.
    """

    def __init__(self, host: str, *, seed: int = 0, frame_us: int = 40, main: str = "", **options: Any) -> None:
        if main == READING_BADGES:
            options["config"] = small_table(consequences=THE_DEALER_VOIDS, badge_reader=True)
        super().__init__(seed=seed, frame_us=frame_us, main=main, **options)
        self._host = host
        self._garbage = random.Random(seed)
        spots = list(self.table.spots)
        announced = [index for index, (_, bet) in enumerate(spots) if bet != "play"]
        self._red = [*announced, *range(len(spots), len(spots) + BAR_LAMPS)]

    def __enter__(self) -> PressTable:
        """Switch it on."""
        if self.table.hardware.badge_reader is not None:
            self.table.hardware.pad.enter(self.table.badge("nobody"))
        self.start(host=self._host != DEAD)
        self.lay_known(*KNOWN_BET, cents=1000)
        self._host_after_scan()
        return self

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
        cpu_s: list[float] = []

        def strike() -> None:
            stroke = hardware.keys["rnvp"].press(table.now, bounce_ns)
            hardware.keys["rnvp"].release(stroke.settled + HOLD_NS)
            strokes.append(stroke)
            table.scheduler.at(stroke.settled, lambda: cpu_s.append(controller.cpu_seconds))

        def lay() -> None:
            chips.extend(self._lay_new_bets())
            table.fabric.at_call(controller.calls + boundary, strike)

        self.at_scan_end = lay
        self.until(lambda: bool(strokes), f"boundary {boundary}: no press, host {self._host}")
        lamps = len(hardware.lamps.changed)
        self.until(
            lambda: self.written("lock") is not None and self._red_since(lamps) is not None,
            f"boundary {boundary}: the press locks nothing, host {self._host}",
        )
        cpu_s.append(controller.cpu_seconds)
        edge, settled = strokes[0]
        written, red = self.written("lock"), self._red_since(lamps)
        assert written is not None and red is not None
        handler_ticks = (edge + costs.IRQ_LATENCY_NS + self.call_ns - controller.ticks_zero) // NS_PER_US
        result = Press(
            boundary,
            (written.when + len(written.data) * FRAM_BYTE_NS - settled) / NS_PER_US,
            (red - settled) / NS_PER_US,
            parse(written.data)["fields"]["edge"] - handler_ticks,
            max(0.0, cpu_s[-1] - cpu_s[0]) * 1e6,
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
            self.at_scan_end = end

        def lay() -> None:
            chips.extend(self._lay_new_bets())
            end()

        self.at_scan_end = lay
        self.until(lambda: len(ends) == 2, "the scanner stands still")
        self._make_cold(chips)
        return ends[1] - ends[0]

    # --- the course of things ---------------------------------------------------------------------------------------

    def _lay_new_bets(self) -> list[Chip]:
        chips = []
        for seat, bet, count in NEW_BETS:
            chips += self.lay(seat, bet, count)
        return chips

    def _make_cold(self, chips: Sequence[Chip]) -> None:
        """Take the new bets away, end the round if there is one, and wait until every spot has been found so."""
        table = self.table
        self._host_after_scan()
        table.remove(chips)
        if self.written("lock") is not None:
            # Long enough for every key to be at rest: one that moved less than 20 ms ago is still taken to bounce.
            table.run_for(2 * HOLD_NS / NS_PER_MS)
            for _ in range(2):  # a menu that other keys have opened, and what they have keyed in it
                table.press("non", hold=HOLD_NS)
                table.run_for(45)
            table.press("maldonne", hold=HOLD_NS)
            table.run_for(45)
            table.press("oui", hold=HOLD_NS)
            self.until(lambda: self.written("void") is not None, "the round does not end")
        self.go_round()
        self.forget()

    def _host_before_scan(self) -> None:
        if self._host == SILENT:
            self.station.reads(False)
        elif self._host == FLOOD:
            self._flood()

    def _host_after_scan(self) -> None:
        if self._host == SILENT:
            self.station.reads(True)
        if self._host in (ALIVE, SILENT):
            self.station.acknowledge()

    def _flood(self) -> None:
        """Fill the cable with garbage, in which zeros end frames now and then; there is more than a press lasts."""
        self.station.send(bytes(self._garbage.randrange(64) * 4 for _ in range(FLOOD_BYTES)))

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _red_since(self, first: int) -> int | None:
        """Instant at which every announced spot and the bar were red, among the latches from ``first`` on."""
        for change in self.table.hardware.lamps.changed[first:]:
            if all(red and not green and not blue for red, green, blue in (change.pixels[i] for i in self._red)):
                return change.when
        return None
