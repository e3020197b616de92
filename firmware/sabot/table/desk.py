"""The supervisor's keys: SUPERVISEUR, once a supervisor has signed on. Entry point: `Desk`.

It shows the open irregularities one after the other, the gravest first: OUI lets it stand (of a stopped table: play
goes on), NON refuses it, FIN finds nothing to change, PLUS keys the amount or the card, MALDONNE voids, with a reason,
the seat's bets or the round. Without an irregularity PLUS opens the dealer's menu in the supervisor's name.
"""

from sabot.table.entry import Entry, digit
from sabot.table.issues import TABLE_STOP
from sabot.table.ticks import since
from sabot.wire.codes import ROLES, VOID_REASONS

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot.table.issues import Issue
    from sabot.table.round import Round
    from sabot.table.rulings import Rulings

_WAIT_US = const(60000000)
_SHOWN_US = const(800000)  # an irregularity that took the place of another by itself can have been read by then
_SUPERVISOR = ROLES.index("supervisor")
_FACES = ("unread_card", "alien_card", "two_cards")  # stops that end with the keyed card


class Desk:
    """One ruling after another; `menu(by, ticks)` opens the dealer's menu."""

    def __init__(self, course: "Round", rulings: "Callable[[], Rulings]", menu: "Callable[[int, int], bool]") -> None:
        self._round = course
        self._rulings = rulings
        self._menu = menu
        self._entry = Entry()
        self._number = 0  # of the irregularity that is shown, 0: none
        self.step = ""  # "": shut; "ruling", "amount", "card", "reason"
        self._at = 0
        self._moves = False  # what is shown has just taken the place of another by itself, ...
        self._moved_at = 0  # ... at this instant

    def shut(self) -> None:
        """The supervisor is done."""
        self.step = ""
        self._number = 0

    def tick(self, now: int) -> None:
        """Time passes."""
        if self.step and since(now, self._at) > _WAIT_US:
            self.shut()
        elif self._number and self._round.issues.find(self._number) is None:  # the host, or time, has ended it
            self.step = "ruling"
            self._moves = True
            self._moved_at = now
            self._round.core.ports.changed()
            if not self._next():
                self.shut()

    def begin(self, ticks: int) -> None:
        """Show the first irregularity, or none."""
        self._at = ticks
        self.step = "ruling"
        self._number = 0
        self._moves = False
        self._next()

    def _open(self) -> "list[Issue]":
        found = list(self._round.issues.open)
        found.sort(key=lambda issue: (-issue.severity, issue.id))
        return found

    def _next(self) -> bool:
        """Show the irregularity after the one that is shown; False when that was the last."""
        numbers = [issue.id for issue in self._open()]
        at = numbers.index(self._number) + 1 if self._number in numbers else 0
        self._number = numbers[at] if at < len(numbers) else 0
        return self._number != 0

    def key(self, name: str, ticks: int) -> None:
        """A key while the desk is open: taken, or without effect."""
        self._at = ticks
        if self._moves and since(ticks, self._moved_at) < _SHOWN_US:
            return  # it was meant for what was there before
        self._moves = False
        issue = self._round.issues.find(self._number)
        if self.step in ("amount", "card"):
            self._enter(name, issue)
        elif self.step == "reason":
            self._void(name, issue, ticks)
        elif name == "superviseur":
            if not self._next():
                self.shut()
        elif name == "maldonne":
            self.step = "reason"
            self._entry.text = ""
        elif name == "plus":
            self._plus(issue, ticks)
        elif issue is not None and name in ("oui", "non", "fin"):
            self._rule(issue, {"oui": "valid", "non": "refused", "fin": "cleared"}[name], 0)

    def _plus(self, issue: "Issue | None", ticks: int) -> None:
        if issue is None:
            self.shut()
            self._menu(_SUPERVISOR, ticks)
        elif issue.severity < TABLE_STOP or issue.kind in _FACES:
            self.step = "amount" if issue.severity < TABLE_STOP else "card"
            self._entry.text = ""

    def _rule(self, issue: "Issue", word: str, amount: int) -> None:
        if self._rulings().rule(issue.id, word, amount, _SUPERVISOR) and not self._next():
            self.shut()
        else:
            self.step = "ruling"

    def _enter(self, name: str, issue: "Issue | None") -> None:
        if issue is None or (name == "non" and not self._entry.text):
            self.step = "ruling"
        elif name != "oui":
            self._entry.key(name, 8 if self.step == "amount" else 3)
        elif self.step == "amount":
            self._rule(issue, "keyed", self._entry.cents())
        else:
            cards = self._entry.cards()
            if cards:
                self._rule(issue, "keyed", cards[0])

    def _void(self, name: str, issue: "Issue | None", ticks: int) -> None:
        """MALDONNE, the reason's digit, OUI: one seat's bets go back, or all of the round that are not settled."""
        value = digit(name)
        if value >= 0:
            self._entry.text = str(value)
        elif name == "non":
            self.step = "ruling"
        elif name == "oui" and self._entry.text:
            reason = int(self._entry.text)
            if issue is not None and issue.severity < TABLE_STOP:
                self._rule(issue, "void", 0)
            elif 0 < reason < len(VOID_REASONS):
                self._round.ending.void(VOID_REASONS[reason], _SUPERVISOR)
                self.shut()

    def status(self) -> "dict[str, Any]":
        """What the supervisor is asked, empty when nothing is; `docs/panel.md` says what the entries mean."""
        if not self.step:
            return {}
        return {"item": "ruling", "step": self.step, "text": self._entry.text, "id": self._number}
