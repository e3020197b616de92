"""A person at the keyboard is the dealer and the players of a simulated table, in real time. Entry point: :func:`live`.

Strokes press the panel's keys and draw cards; typed lines are those of scenarios (docs/scenarios.md). The screen is the
monitor's.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hwsim.core import NS_PER_MS, SimFault
from hwsim.process import ControllerDied
from hwsim.provisioning import configuration
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.runner import Line
from sabot_host.errors import SabotError
from sabot_host.sim.keyboard import DRAW, HELP, KEY, QUIT, Keyboard, Stroke, raw
from sabot_host.sim.play import Session, Verdict, perform
from sabot_host.sim.view import View

_TURN_MS = 50
_DRAW_NS = 150 * NS_PER_MS
_READ_BYTES = 1024
_MOST_STROKES = 200
_KEYS = (
    "R rien ne va plus  D dévoiler  F fin  O oui  N non  A abandon  M maldonne",
    "S superviseur  P plus  1-7 seats  space: a card  ? help  Ctrl-C: the end",
)
_HELP = (
    "seat 1 ante 25.00   take all from seat 1 ante   draw 6   shuffle",
    "move 5.00 from seat 1 ante to seat 2 ante   lift all from seat 1 ante for 1",
    "supervisor rules late seat 2 pair_plus refused   docs/scenarios.md has all",
    "arrow up: the line before   quit: the end, and the journal is judged",
)


class _Table:
    """One table under a person's hands."""

    def __init__(self, session: Session, view: View, say: Callable[[str], None]) -> None:
        self.over = False
        self._session = session
        self._view = view
        self._say = say
        self.stage = session.stage()
        self._keyboard = Keyboard()
        self._strokes: deque[Stroke] = deque(maxlen=_MOST_STROKES)
        self._busy = False
        self._descriptor = -1

    def run(self, descriptor: int) -> None:
        """Switch on, and serve the person until the end."""
        self._descriptor = descriptor
        self._session.table.controller.realtime.watch(descriptor, self._struck)
        self._tick()
        self._do("power on")
        self._do("plug host")
        while not self.over:
            self._session.table.run_for(_TURN_MS)
            while self._strokes and not self.over:
                self._serve(self._strokes.popleft())

    def _struck(self) -> None:
        """The keyboard has something; called between two steps of the simulation."""
        data = os.read(self._descriptor, _READ_BYTES)
        strokes = self._keyboard.take(data) if data else [Stroke(QUIT)]
        self._strokes.extend(strokes)
        if any(stroke.kind == QUIT for stroke in strokes):
            self.over = True
            if self._busy:
                raise KeyboardInterrupt  # what is being done may take a minute more
        self._prompt()

    def _tick(self) -> None:
        """Draw again and again, whatever else goes on."""
        self._prompt()
        self._view.draw()
        self._session.table.scheduler.after(_DRAW_NS, self._tick)

    def _prompt(self) -> None:
        keys = [Text(line, "grey50", no_wrap=True) for line in _KEYS]
        self._view.below = [*keys, Text(f"> {self._keyboard.line}_", "bold", no_wrap=True)]

    def _serve(self, stroke: Stroke) -> None:
        if stroke.kind == KEY:
            self._session.table.press(stroke.text)
        elif stroke.kind == DRAW:
            self._do("draw")
        elif stroke.kind == HELP:
            for line in _HELP:
                self._say(line)
        elif stroke.kind != QUIT:
            self._do(stroke.text)

    def _do(self, text: str) -> None:
        self._busy = True
        try:
            perform(text, self.stage, self._session, self._told)
        except ScenarioError as error:
            self._say(f"no: {error.message}; {error.hint}")
        finally:
            self._busy = False

    def _told(self, line: Line) -> None:
        self._say(("" if line.good else "not so: ") + line.text + (f": {line.detail}" if line.detail else ""))


def live(game: str, seats: int, seed: int) -> Verdict:
    """Give a person a table in the terminal, until the end; what its journal is worth.

    SabotError for a firmware that ends, and for what no real part forgives.
    """
    console = Console(markup=False, highlight=False)
    with Session(configuration(game, seats), seed=seed, realtime=True) as session:
        with raw() as descriptor, Live(console=console, auto_refresh=False, vertical_overflow="crop") as drawn:
            view = View(drawn, session, f"Table 1: {game} with {seats} seats")
            table = _Table(session, view, view.say)
            try:
                table.run(descriptor)
            except KeyboardInterrupt:
                session.table.stop()  # in the middle of something: the power is cut, as it may be at any time
                table.stage.powered = False
            except (SimFault, ControllerDied) as error:
                raise SabotError("sim-firmware", str(error), "this is a mistake of the firmware: report it") from error
            finally:
                session.table.controller.realtime.unwatch(descriptor)
        return session.finish(table.stage)[0]
