"""The live view of the demonstration: what a person at the table sees, and what the journal says of it.

Entry point: :func:`watch`. The table's time is virtual and only held back to the wall clock, so the same seed shows the
same rounds.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hwsim.scenario.script import Spot
from hwsim.scenario.values import clock, dollars
from hwsim.world.chips import Chip
from sabot_host.sim.demo import Demo, Report
from sabot_host.sim.floor import Floor
from sabot_host.sim.tables import Plan

_STYLES = {
    "dark": "grey37",
    "green": "bright_green",
    "red": "bright_red",
    "amber": "yellow",
    "white": "white",
    "violet": "magenta",
    "blue": "blue",
    "mixed": "grey50",
}
_RECORDS = 8
_TALES = 8
_PROMPTS = 4
_FRAMES_A_SECOND = 10
_ACROSS = 4
_KEPT = 3


class _View:
    """Draws a floor, ten times a second at most, and holds its time back to the wall clock times ``speed``."""

    def __init__(self, live: Live, speed: float, title: str) -> None:
        self._live = live
        self._title = title
        self._speed = speed
        self._tales: deque[str] = deque(maxlen=_TALES)
        self._floor: Floor | None = None
        self._began = time.monotonic()
        self._drawn = 0.0

    def prepare(self, floor: Floor) -> None:
        """Look at this floor from now on."""
        self._floor = floor
        self._began = time.monotonic()
        floor.on_slice = self.slice

    def say(self, text: str) -> None:
        """One more line of what happens."""
        self._tales.append(text)
        self._draw()

    def slice(self) -> None:
        """A piece of the table's time is over."""
        if self._floor is None:
            return
        ahead = self._floor.table.now / 1e9 / self._speed - (time.monotonic() - self._began)
        if time.monotonic() - self._drawn > 1 / _FRAMES_A_SECOND:
            self._draw()
        if ahead > 0:
            time.sleep(ahead)

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        if self._floor is not None:
            self._live.update(self.render(self._floor), refresh=True)

    def render(self, floor: Floor) -> RenderableType:
        """The whole screen."""
        floor.session.witness.look()
        seats = [self._seat(floor, seat) for seat in floor.seats]
        return Group(
            self._header(floor),
            *(_beside(*seats[first : first + _ACROSS]) for first in range(0, len(seats), _ACROSS)),
            _beside(self._told(), self._prompts(floor)),
            self._records(floor),
        )

    def _header(self, floor: Floor) -> RenderableType:
        bar = floor.stage.bar()
        line = Text.assemble(
            (f" {clock(floor.table.now)} s  ", "bold"),
            ("■■■■■■■■", _STYLES[bar]),
            ("  RIEN NE VA PLUS  " if bar == "red" else "  faites vos jeux   " if bar == "green" else " " * 19, "bold"),
            f"table {floor.session.witness.state}   gate {'open' if floor.table.hardware.gate.open else 'shut'}   ",
            f"host {'up' if floor.session.host.up else 'away'}",
        )
        return Panel(line, title=f"Sabot: {self._title}")

    def _seat(self, floor: Floor, seat: int) -> RenderableType:
        table = Table(box=None, expand=True, show_header=False)
        for number, bet in floor.table.spots:
            if number != seat:
                continue
            lying = [chip for chip in floor.table.felt.lying_on(floor.table.spot(seat, bet)) if isinstance(chip, Chip)]
            chips = " ".join(chip.label.split("#")[0] for chip in lying)
            total = dollars(sum(chip.cents for chip in lying)) if lying else ""
            table.add_row(Text("●", _STYLES[floor.stage.lamp(Spot(seat, bet))]), bet, total, Text(chips, "dim"))
        return Panel(table, title=f"seat {seat}: {floor.session.witness.model.seat(seat)}")

    def _prompts(self, floor: Floor) -> RenderableType:
        heard = floor.session.host.prompts[-_PROMPTS:]
        lines = [f"{clock(one.when):>9}  {one.prompt} {one.spot or ''}" for one in heard]
        return Panel(Text("\n".join(lines)), title="asked of the dealer", height=_TALES + 2)

    def _told(self) -> RenderableType:
        return Panel(
            Text("\n".join(self._tales), no_wrap=True, overflow="ellipsis"), title="what happens", height=_TALES + 2
        )

    def _records(self, floor: Floor) -> RenderableType:
        entries = floor.session.witness.entries[-_RECORDS:]
        lines = [f"{clock(entry.when):>9}  {entry.sequence:>4}  {entry}" for entry in entries]
        return Panel(Text("\n".join(lines), no_wrap=True, overflow="ellipsis"), title="journal", height=_RECORDS + 2)


def _beside(*parts: RenderableType) -> Table:
    """Parts of the same width, side by side."""
    grid = Table.grid(expand=True)
    for _ in parts:
        grid.add_column(ratio=1)
    grid.add_row(*parts)
    return grid


def watch(plans: Sequence[Plan], speed: float) -> list[Report]:
    """Show demonstrations in the terminal, one after the other; their last lines stay when they are over."""
    console = Console()
    reports = []
    for plan in plans:
        demo = Demo(*plan)
        tales: deque[str] = deque(maxlen=_KEPT)
        with Live(console=console, auto_refresh=False, screen=False) as live:
            view = _View(live, speed, demo.title)

            def say(text: str, view: _View = view, tales: deque[str] = tales) -> None:
                tales.append(text)
                view.say(text)

            reports.append(demo.play(say, view.prepare))
        console.print("\n".join(tales), markup=False, highlight=False)
    return reports
