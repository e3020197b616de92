"""The dealer's display: composes its page when something has changed, and sends it in short pieces.

Entry point: :class:`Display`; :meth:`Display.run` is its task. Its prompt is the table's port; whoever changes what the
display shows calls :meth:`Display.changed`, which allocates nothing and may be called from the lock's path. A piece is
one I2C transaction of at most 1.5 ms, and every other task has its turn between two of them. A display that fails is
told of once and started again every second; the table plays on without it.
"""

import asyncio
import time

from micropython import const

from sabot.display import pages
from sabot.display.prompts import Prompts
from sabot.display.screen import Screen
from sabot.display.words import ENGLISH, FRENCH, SELDOM
from sabot.wire.codes import PROMPTS

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

IDLE_MS = const(20)
PIECE_MS = const(1)  # between two transactions
_SOON_MS = const(150)  # pages are composed no more often, each takes some kilobytes of heap
_AMOUNTS_MS = const(500)  # and no more often than this when no more than amounts have changed
_BEAT_MS = const(2000)  # where there is no room for all, the lines shown take turns
_CHOICE_MS = const(1500)  # the page that confirms a language
_RETURNS_MS = const(20000)  # the bets of a void round are shown this long
_BADGE_MS = const(4000)  # what became of a badge is shown this long
_RENEW_MS = const(10000)  # the panel gets all anew so often: it cannot be asked what it has lost
_RETRY_MS = const(1000)
_SECOND_TRY_MS = const(100)
_MENU_MS = const(1000)  # what is being keyed is looked at so often: it ends by itself
_LANGUAGE = PROMPTS.index("language")
_FIRST_OF_BADGES = PROMPTS.index("badge_on")
_BETS_OPEN = ("idle", "betting", "last_bets")


class Display:
    """Shows a table on ``panel`` (`ssd1306.SSD1306`, or its like with ``buffer``, ``touch``, ``step`` ...).

    ``fault`` is the exception that the panel raises, with a ``code``; ``on_fault(code)`` is told once, and with ``""``
    when the panel is back. ``faults`` is the controller's own list, code by part. ``forget(name)`` lets a module go, to
    be loaded again when it is needed.
    """

    def __init__(
        self,
        panel: "Any",
        fault: "Any",
        faults: "dict[str, str]",
        on_fault: "Callable[[str], None]",
        forget: "Callable[[str], None]",
    ) -> None:
        self.beats = 0
        self.language = FRENCH
        self.prompts = Prompts()
        self._panel = panel
        self._fault = fault
        self._faults = faults
        self._on_fault = on_fault
        self._forget = forget
        self._forgets = True  # something may have been loaded that is shown no more
        self._screen = Screen(panel.buffer, panel.touch)
        self._table: Any = None
        self._announcement: Any = None  # the key whose press must not wait for a piece
        self._refused = ""
        self._status: dict[str, Any] = {}  # the table's, as long as its page may turn
        self._state = ""  # of the table that the page tells of, and whether something is being keyed there
        self._menu = False
        self._changed = False  # amounts
        self._soon = True  # anything else
        self.shown: list[str] = []  # line by line
        self._turning = False  # lines may have to take turns
        self._told_faults = 0  # which the page tells of, `_sum`
        self._beat = 0
        self._down = "unknown"  # the panel's fault, or that it was never started
        self._told = False  # of that fault
        now = time.ticks_ms()
        self._tried = time.ticks_add(now, -_RETRY_MS)
        self._composed = time.ticks_add(now, -_AMOUNTS_MS)
        self._chosen = now
        self._choosing = False
        self._returned = now
        self._badge_at = now

    def attend(self, table: "Any", announcement: "Any" = None) -> None:
        """Show ``table`` (`sabot.table.table.Table`) from now on; nothing is sent while ``announcement`` is waiting."""
        self._table = table
        self._announcement = announcement
        self._refused = ""
        self._soon = True

    def refuse(self, code: str) -> None:
        """Show that the controller does not play, and why."""
        self._refused = code
        self._soon = True

    def power_lost(self, returned: "list[tuple[int, int]]") -> None:
        """Show, until the table opens, that the power went in a round, and the bets (place, cents) that go back."""
        self.prompts.power_lost = True
        self.prompts.returns = returned
        self._soon = True

    def changed(self) -> None:
        """An amount, or an open question, has changed. Allocates nothing."""
        self._changed = True

    def prompt(self, kind: int, place: int, amount: int) -> None:
        """What the dealer is asked to do: the table's port (`codes.PROMPTS`, a place byte or 0, cents)."""
        if kind == _LANGUAGE:
            self.choose(ENGLISH if self.language == FRENCH else FRENCH)
            return
        if self._table is not None:
            self.prompts.follow(self._table.state)
        self.prompts.take(kind, place, amount)
        self._returned = time.ticks_ms()
        if kind >= _FIRST_OF_BADGES:
            self._badge_at = self._returned
        self._soon = True

    def choose(self, language: int) -> None:
        """Change the language (`words.FRENCH`, `words.ENGLISH`); a page shows for a moment which one it is now."""
        self.language = language
        self._choosing = True
        self._chosen = time.ticks_ms()
        self._soon = True

    def turn(self, now: int) -> int:
        """Compose when it is time, send one piece; returns the milliseconds until the next turn. ``now``: ticks_ms."""
        self.beats = (self.beats + 1) & 0x3FFFFFFF
        if self._announcement is not None and self._announcement.waiting:
            return PIECE_MS
        try:
            if self._down and not self._start(now):
                return IDLE_MS
            self._compose(now)
            if self._panel.step():
                return PIECE_MS
            if time.ticks_diff(now, self._tried) >= _RENEW_MS:
                self._tried = now
                self._panel.renew()  # whatever a discharge, or a supply that dropped, has done to it
            return IDLE_MS
        except self._fault as error:
            self._failed(now, error.code)
            return IDLE_MS

    async def run(self) -> None:
        """The task."""
        while True:
            await asyncio.sleep_ms(self.turn(time.ticks_ms()))

    def _start(self, now: int) -> bool:
        if time.ticks_diff(now, self._tried) < _RETRY_MS:
            return False
        self._tried = now
        self._panel.start()
        self._down = ""
        if self._told:
            self._told = False
            self._on_fault("")
        return True

    def _failed(self, now: int, code: str) -> None:
        """Told when the panel cannot even be started again: a disturbance of the bus is over by then."""
        if self._down and not self._told:
            self._told = True
            self._on_fault(code)
        self._tried = now if self._down else time.ticks_add(now, _SECOND_TRY_MS - _RETRY_MS)
        self._down = code

    def _compose(self, now: int) -> None:
        passed = time.ticks_diff(now, self._composed)
        if passed < _SOON_MS:
            return
        if self._choosing and time.ticks_diff(now, self._chosen) >= _CHOICE_MS:
            self._choosing = False
            self._soon = True
        if self._menu and passed >= _MENU_MS:
            self._soon = True
        playing = self._table is not None and not self._refused
        if playing:
            self._follow(now)
        if self._soon or (self._changed and passed >= _AMOUNTS_MS):
            self._composed = now
            self._soon = self._changed = False
            if playing:
                self._look()
            self._show(self._page())
            self._turning = True
        elif self._turning and passed >= _BEAT_MS:
            self._composed = now
            self._beat += 1
            page = self._page()
            self._turning = page != self.shown
            self._show(page)
            if not self._turning:
                self._status = {}

    def _follow(self, now: int) -> None:
        state = self._table.state
        if self._state and (state != self._state or _sum(self._faults) != self._told_faults):
            self._soon = True
        if self.prompts.badge[0] and time.ticks_diff(now, self._badge_at) >= _BADGE_MS:
            self.prompts.badge = ("", 0)
            self._forgets = True  # its words are seldom said
            self._soon = True
        if self.prompts.returns and state in _BETS_OPEN:
            if time.ticks_diff(now, self._returned) >= _RETURNS_MS:
                self.prompts.forget_returns()
                self._soon = True

    def _look(self) -> None:
        """Take in the table's state."""
        status = self._table.status()
        self._status = status
        self._state = status["state"]
        self._menu = bool(status["menu"])
        self._told_faults = _sum(self._faults)
        self.prompts.follow(self._state)

    def _show(self, page: "list[str]") -> None:
        self.shown = page
        self._screen.show(page)

    def _page(self) -> "list[str]":
        if self._choosing or self._refused:
            from sabot.display import menu_page

            if self._choosing:
                self._forgets = True
                return menu_page.languages(self.language)
            return menu_page.refused(self._refused, self.language)
        if not self._status:
            return [""] * 8
        if self._menu:
            self._forgets = True
            from sabot.display import menu_page

            return menu_page.compose(self._status, self.language, self._beat)
        page = pages.compose(self._status, self.prompts, self._faults, self.language, self._beat)
        if self._forgets:
            self._forgets = False
            for name in SELDOM:
                self._forget("sabot.display." + name)
        return page


def _sum(faults: "dict[str, str]") -> int:
    """A number that is another one when a fault comes, goes, or becomes another; allocates nothing."""
    found = 0
    for part in faults:
        found = (found + 1 + hash(faults[part])) & 0x3FFFFFFF
    return found
