"""The screen of a simulated table: what `sabot monitor` shows of it, and what people do there.

Entry points: :class:`View` (draws one table), :func:`watch` (demonstrations in the terminal, one after the other). The
time of a demonstration is virtual and only held back to the wall clock, so the same seed shows the same rounds.
"""

from __future__ import annotations

import textwrap
import time
from collections import deque
from collections.abc import Sequence

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hwsim.core import NS_PER_MS
from hwsim.scenario.values import clock
from sabot_host.monitor.screen import DISPLAY_COLUMNS, Title, render
from sabot_host.sim.demo import Demo, Report
from sabot_host.sim.floor import Floor
from sabot_host.sim.play import Session
from sabot_host.sim.tables import Plan

LOOK_NS = 250 * NS_PER_MS
_FRAMES_A_SECOND = 10
_TALES = 100
_KEPT = 3
_FRAMES = 8  # columns of the borders of the two panels, and of the space within
_NARROWEST = 20


class View:
    """Draws the table of ``session`` under ``title`` into ``live``, from its own views over the link."""

    def __init__(self, live: Live, session: Session, title: str) -> None:
        self.below: list[Text] = []
        """Lines under the table."""
        self._live = live
        self._session = session
        self._title = title
        self._tales: deque[str] = deque(maxlen=_TALES)
        self._looked = 0

    def say(self, text: str) -> None:
        """One more thing that happens, in as many lines as it needs."""
        room = max(self.width - DISPLAY_COLUMNS - _FRAMES, _NARROWEST)
        self._tales.extend(textwrap.wrap(text, room, subsequent_indent="  "))

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return self._live.console.width

    def draw(self) -> None:
        """Draw, and ask for the next view when it is time."""
        now, host = self._session.table.now, self._session.host
        if now - self._looked >= LOOK_NS:
            self._looked = now
            host.look()
        link = "the host is connected" if host.up else "no host is connected"
        title = Title(self._title, f"{clock(now)} s; {link}", "" if host.up else "yellow")
        height = self._live.console.height - 1
        self._live.update(render(host.picture, title, list(self._tales), height, self.below), refresh=True)


class _Paced:
    """Draws a demonstration and holds it back to the wall clock times ``speed``.

    It draws ten times a second, and twice a second of the table: where that passes quickly nothing is skipped.
    """

    def __init__(self, live: Live, speed: float, title: str) -> None:
        self._live = live
        self._speed = speed
        self._title = title
        self._view: View | None = None
        self._floor: Floor | None = None
        self._began = self._drawn = time.monotonic()
        self._drawn_at = 0

    def prepare(self, floor: Floor) -> None:
        """Look at this floor from now on."""
        self._floor = floor
        self._view = View(self._live, floor.session, self._title)
        self._began, self._drawn_at = time.monotonic(), 0
        floor.on_slice = self._slice

    def say(self, text: str) -> None:
        """One more line of what happens."""
        if self._view is not None:
            self._view.say(text)

    def _slice(self) -> None:
        """A piece of the table's time is over."""
        if self._floor is None or self._view is None:
            return
        ahead = self._floor.table.now / 1e9 / self._speed - (time.monotonic() - self._began)
        now = self._floor.table.now
        if time.monotonic() - self._drawn > 1 / _FRAMES_A_SECOND or now - self._drawn_at >= 2 * LOOK_NS:
            self._drawn, self._drawn_at = time.monotonic(), now
            self._view.draw()
        if ahead > 0:
            time.sleep(ahead)


def watch(plans: Sequence[Plan], speed: float) -> list[Report]:
    """Show demonstrations in the terminal, one after the other; their last lines stay when they are over."""
    console = Console(markup=False, highlight=False)
    reports = []
    for plan in plans:
        demo = Demo(*plan)
        tales: deque[str] = deque(maxlen=_KEPT)
        with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
            paced = _Paced(live, speed, demo.title)

            def say(text: str, paced: _Paced = paced, tales: deque[str] = tales) -> None:
                tales.append(text)
                paced.say(text)

            reports.append(demo.play(say, paced.prepare))
        console.print("\n".join(tales))
    return reports
