"""A person at the keyboard is the dealer and the players of a simulated table, in real time. Entry point: :func:`live`.

Strokes press the panel's keys and draw cards; typed lines are those of scenarios (docs/scenarios.md). The screen is the
monitor's, with each hand as it was dealt, and what can be done next.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.live import Live
from rich.text import Text

from hwsim.core import NS_PER_MS, SimFault
from hwsim.process import ControllerDied
from hwsim.provisioning import configuration
from hwsim.scenario.errors import ScenarioError
from hwsim.scenario.runner import Line
from hwsim.scenario.stage import UNTIL_THE_GATE
from sabot.rules import games
from sabot.rules.game import Game
from sabot_host.errors import SabotError
from sabot_host.journal.show import Words
from sabot_host.link.core import Event, Prompt, Record
from sabot_host.monitor.changes import moved
from sabot_host.monitor.picture import Picture
from sabot_host.monitor.telling import asked, recorded
from sabot_host.sim.coach import Coach
from sabot_host.sim.hands import Hands
from sabot_host.sim.keyboard import DRAW, HELP, KEY, QUIT, Keyboard, Stroke
from sabot_host.sim.lexicon import bets_of
from sabot_host.sim.play import Session, Verdict, perform
from sabot_host.sim.view import View
from sabot_host.terminal import raw

_TURN_MS = 50
_DRAW_NS = 150 * NS_PER_MS
_READ_BYTES = 1024
_MOST_STROKES = 200
_KEYS = (
    "F fin (opens the table)  R rien ne va plus  D dévoiler  O oui  N non  A abandon",
    "M maldonne  S superviseur  P plus  1-7 seats  space: a card  ? help  Ctrl-C: end",
)
_ANSWER_NS = 1000 * NS_PER_MS  # within which a key that does something shows it
_KEY_RECORD = "key"  # says why nothing came of one
_GAP = "   "  # between two hands
# What the controller records and a person wants to know at once; the bets, the cards and the state are on the screen.
_TOLD = (
    *("lock", "unlock", "first_card", "decisions", "settlement", "rounded", "paid", "round_end", "void", "change"),
    *("irregularity", "card_fault", "resolved", "seconded", "alert", "declared", "key", "redealt", "cut_card"),
    *("fault", "fault_cleared"),
)


class _Pressed(NamedTuple):
    """A key, when it was pressed (ns), and what could be seen then."""

    key: str
    when: int
    seen: object


class _Table:
    """One table under a person's hands."""

    def __init__(self, session: Session, view: View, game: Game) -> None:
        self.over = False
        self._session = session
        self._view = view
        self._say = view.say
        self._coach = Coach(game)
        self._hands = Hands(session, game)
        self._bets = bets_of(game.id)
        self._words = Words(self._bets)
        self._picture: Picture | None = None
        self._pressed: _Pressed | None = None
        self._answers = 0
        self._page = 0  # of the help, that comes next
        session.host.on_event = self._heard
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
        self._follow()
        self._prompt()
        self._view.draw()
        self._session.table.scheduler.after(_DRAW_NS, self._tick)

    def _prompt(self) -> None:
        keys = [Text(line, "grey50", no_wrap=True) for line in _KEYS]
        cards = [Text(line, "bold") for line in packed(self._hands.told(), self._view.width)]
        now = Text(f"now: {self._now()}", "green", no_wrap=True, overflow="ellipsis")
        self._view.below = [*keys, *cards, now, Text(f"> {self._keyboard.line}_", "bold", no_wrap=True)]

    def _now(self) -> str:
        return self._coach.now(self._session.host.picture)

    def _heard(self, event: Event) -> None:
        """The controller says something of its own accord."""
        if isinstance(event, Prompt):
            self._say(asked(event, self._bets))
        elif isinstance(event, Record):
            text = recorded(event, self._words)
            name = text.split()[1].rstrip(":")
            self._answers += name != _KEY_RECORD
            if name in _TOLD:
                self._say(text)

    def _follow(self) -> None:
        """Tell the table's new state, and of a key that nothing came of."""
        picture = self._session.host.picture
        if picture is not None:
            for text in moved(self._picture, picture):
                self._say(text)
            self._picture = picture
        pressed = self._pressed
        if pressed is not None and self._session.table.now - pressed.when >= _ANSWER_NS:
            self._pressed = None
            if pressed.seen == self._seen():
                self._say(f"{pressed.key} does nothing here; {self._now()}")

    def _seen(self) -> object:
        """What changes when a key does something: the display, the records beside the key's own."""
        return self._session.display_lines(), self._answers

    def _press(self, key: str) -> None:
        self._say(f"key {key}")
        self._pressed = _Pressed(key, self._session.table.now, self._seen())
        self._session.table.press(key)

    def _serve(self, stroke: Stroke) -> None:
        if stroke.kind == KEY:
            self._press(stroke.text)
        elif stroke.kind == DRAW:
            self._do("draw")
        elif stroke.kind == HELP:
            for line in self._coach.help[self._page]:
                self._say(line)
            self._page = (self._page + 1) % len(self._coach.help)
        elif stroke.kind != QUIT:
            self._do(stroke.text)

    def _do(self, text: str) -> None:
        self._busy = True
        try:
            perform(text, self.stage, self._session, self._told)
        except ScenarioError as error:
            self._say(f"no: {error.message}; {self._now() if error.hint == UNTIL_THE_GATE else error.hint}")
        finally:
            self._busy = False

    def _told(self, line: Line) -> None:
        self._say(("" if line.good else "not so: ") + line.text + (f": {line.detail}" if line.detail else ""))


def packed(texts: Sequence[str], width: int) -> list[str]:
    """Texts side by side, in as many lines of that width as they need."""
    lines: list[str] = []
    for text in texts:
        if lines and len(lines[-1]) + len(_GAP) + len(text) <= width:
            lines[-1] += _GAP + text
        else:
            lines.append(text)
    return lines


def live(game: str, seats: int, seed: int) -> Verdict:
    """Give a person a table in the terminal, until the end; what its journal is worth.

    SabotError for a firmware that ends, and for what no real part forgives.
    """
    console = Console(markup=False, highlight=False)
    with Session(configuration(game, seats), seed=seed, realtime=True) as session:
        with raw() as descriptor, Live(console=console, auto_refresh=False, vertical_overflow="crop") as drawn:
            view = View(drawn, session, f"Table 1: {game} with {seats} seats")
            table = _Table(session, view, games.load(game))
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
