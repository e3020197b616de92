"""The dealer's panel: what each key means in each state. Entry point: `Keys`.

A key that does nothing leaves its record, and nothing else. Keys that act are told by the record of what they did;
those of the dealer's menu (`menu`) and of the supervisor's desk (`desk`) by the record of what was said. Both are
loaded when they are opened, and let go when they are shut: most rounds need neither.
"""

from sabot.table.ticks import since
from sabot.wire.codes import KEY_NOTES, KEYS, ROLES, clears

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

    from sabot.table.desk import Desk
    from sabot.table.issues import Issue
    from sabot.table.menu import Menu
    from sabot.table.round import Round
    from sabot.table.rulings import Rulings
    from sabot.table.staff import Staff

_WAIT_US = const(10000000)  # MALDONNE waits this long for OUI, ABANDON for a seat key
_MINUTE_US = const(60000000)
# Nobody reads and answers a question sooner: the key was for the one that it took the place of.
_READ_US = const(200000)
_MOST_NOTES = const(60)  # records a minute of keys that did nothing: a bad key must not fill the journal
_DEALER = ROLES.index("dealer")
_SEAT_KEYS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7")
_SELDOM = ("menu", "desk", "entry", "declared")  # modules of this package that need not stay in the heap


class Keys:
    """Answers the keys. By a person of `codes.ROLES`: `opens` a closed table, `closes` it, the `last_call` for bets."""

    def __init__(
        self,
        course: "Round",
        rulings: "Callable[[], Rulings]",
        staff: "Staff",
        opens: "Callable[[int], bool]",
        closes: "Callable[[int], bool]",
        last_call: "Callable[[int], bool]",
    ) -> None:
        self._round = course
        self._rulings = rulings
        self._staff = staff
        self._menu: Menu | None = None
        self._stood = False  # whether the table was stopped when time passed last
        self._desk: Desk | None = None
        self._opens = opens
        self._closes = closes
        self._last_call = last_call
        self._armed = ""  # "maldonne" or "abandon", waiting for a second key
        self._armed_at = 0
        self._asked: Issue | None = None  # what OUI and NON answer, ...
        self._asked_at = 0  # ... since when, ...
        self._before: Issue | None = None  # ... and what they answered until then
        self._notes = 0  # records of this minute
        self._minute_at = 0

    def tick(self, now: int) -> None:
        """Time passes: what has waited too long waits no more."""
        if self._armed and since(now, self._armed_at) > _WAIT_US:
            self._armed = ""
        self._let_go(now)
        self._ask(now)
        if since(now, self._minute_at) > _MINUTE_US or not self._notes:
            self._minute_at = now
            self._notes = 0

    def note(self, name: str, note: str, edge: int) -> None:
        """Record a key that did nothing, and why (`codes.KEY_NOTES`).

        Not where the journal keeps its last room for the running round, nor endlessly: the last record of a minute
        says `stuck`.
        """
        core = self._round.core
        if core.ports.journal.full or self._notes >= _MOST_NOTES:
            return
        self._notes += 1
        if self._notes == _MOST_NOTES:
            note = "stuck"
        values = {"key": KEYS.index(name), "note": KEY_NOTES.index(note), "edge": core.time(edge)}
        values["table_state"] = core.machine.state()
        core.append("key", values)

    def announcement(self, edge: int) -> None:
        """Rien ne va plus: never refused while bets or decisions are open."""
        course = self._round
        state = course.core.machine.name
        if self._menu is not None:
            self._menu.shut()  # what was being said is overtaken
        if course.core.halted:
            self.note("rnvp", "elsewhere", edge)
        elif state == "dealer_change" and self._staff.missing:
            self.note("rnvp", "nobody", edge)
            self._staff.acted_alone(edge)
        elif state in ("betting", "last_bets"):
            course.announce(edge)
        elif state == "deciding" and not course.closing.key:
            course.close(edge, KEYS.index("rnvp"))
        else:
            self.note("rnvp", "no_bets" if state == "idle" else "elsewhere", edge)

    def press(self, name: str, ticks: int) -> None:
        """Any other key, pressed at the raw instant `ticks`."""
        if self._said(name, ticks):
            return
        armed = self._armed
        self._armed = ""
        if armed and since(ticks, self._armed_at) > _WAIT_US:
            armed = ""
        if not self._acted(name, armed, ticks):
            core = self._round.core
            held = name == "fin" and core.machine.name == "settling" and core.complete
            nobody = name == "fin" and core.machine.name == "closed" and self._staff.missing
            called = name == "superviseur" and not core.halted
            self.note(name, "held_seat" if held else "nobody" if nobody else "called" if called else "elsewhere", ticks)

    def _said(self, name: str, ticks: int) -> bool:
        """Whether the key belongs to the supervisor's desk, or to the dealer's menu."""
        if self._round.core.halted:
            return False
        if self._desk is not None and self._desk.step:
            self._desk.key(name, ticks)
        elif self._menu is not None and self._menu.open:
            self._menu.key(name, ticks)
        else:
            return False
        return True

    def _opened(self) -> "Menu":
        """The dealer's menu."""
        if self._menu is None:
            from sabot.table.menu import Menu

            self._menu = Menu(self._round, self._closes, self._last_call)
        return self._menu

    def begin_menu(self, by: int, ticks: int) -> bool:
        """Show the dealer's menu to a person of `codes.ROLES`."""
        return self._opened().begin(by, ticks)

    def _let_go(self, now: int) -> None:
        """Time passes for the menu and the desk; what is shut leaves the heap."""
        stands = self._round.core.machine.name == "suspended"
        if stands and not self._stood and self._menu is not None:
            self._menu.shut()  # what was being said is overtaken: the display has to tell why the table stands
        self._stood = stands
        if self._menu is None and self._desk is None:
            return
        gone = not self._staff.supervisor  # he has signed off, and what he left open is nobody's
        if self._menu is not None:
            self._menu.tick(now)
            if gone and self._menu.open and self._menu.by != _DEALER:
                self._menu.shut()
            if not self._menu.step:
                self._menu = None
        if self._desk is not None:
            self._desk.tick(now)
            if gone or not self._desk.step:
                self._desk = None
        if self._menu is None and self._desk is None:
            for name in _SELDOM:
                self._round.core.ports.forget("sabot.table." + name)

    def status(self) -> "dict[str, Any]":
        """What is being keyed on the panel, empty when nothing is (`docs/panel.md`), or nobody hears it any more."""
        if self._round.core.halted:
            return {}
        found: dict[str, Any] = self._desk.status() if self._desk is not None else {}
        if not found and self._menu is not None:
            found = self._menu.status()
        return found

    def _acted(self, name: str, armed: str, ticks: int) -> bool:
        course = self._round
        if course.core.halted:
            return False
        if name == "maldonne" and course.core.in_round:
            return self._arm(name, ticks)
        if name == "abandon" and course.core.machine.name in ("dealing", "deciding") and not course.closing.key:
            return self._arm(name, ticks)
        if name in ("oui", "non"):
            return self._answer(name == "oui", armed, ticks)
        if name in _SEAT_KEYS and armed == "abandon" and not course.closing.key:
            return course.give_up(1 + _SEAT_KEYS.index(name))
        if name == "devoiler":
            return self._show(ticks)
        if name == "fin":
            return self._end()
        if name == "plus":
            return self.begin_menu(_DEALER, ticks)
        if name == "superviseur":
            return self._call(ticks)
        return name in _SEAT_KEYS and self._by_hand(1 + _SEAT_KEYS.index(name), ticks)

    def _call(self, ticks: int) -> bool:
        """SUPERVISEUR: the desk, when a supervisor has signed on; else he is called, and the record says so."""
        if not self._staff.supervisor:
            self._round.core.prompt("call_supervisor")
            return False
        if self._desk is None:
            from sabot.table.desk import Desk

            self._desk = Desk(self._round, self._rulings, self.begin_menu)
        self._desk.begin(ticks)
        return True

    def _by_hand(self, seat: int, ticks: int) -> bool:
        """A seat key where no reader sees the cards: an equal seat (67.38), or how the seat's bets ended."""
        by_hand = self._round.by_hand
        if by_hand is None:
            return False
        return by_hand.name_equal(seat) or self._opened().judge(seat, ticks)

    def _arm(self, name: str, ticks: int) -> bool:
        self._armed = name
        self._armed_at = ticks
        return True

    def _answer(self, yes: bool, armed: str, ticks: int) -> bool:
        """OUI or NON: to a misdeal, else to what the dealer could read when he pressed."""
        course = self._round
        if armed == "maldonne":
            if yes and course.core.config.consequences["misdeal"] == "dealer":
                course.ending.void("misdeal", _DEALER)
            elif yes:
                course.dealing.misdeal()
            return True
        self._ask(course.core.now)
        issue = self._asked
        if self._before is not None and since(ticks, self._asked_at) < _READ_US:
            issue = self._before if self._before in course.issues.open else None
        if issue is None:
            return False
        self._before = None
        if issue is self._asked:
            self._asked = None
        if issue is course.issues.ruled():
            self._rulings().second(issue, yes)
            return True
        return self._rulings().rule(issue.id, "valid" if yes else "refused", 0, _DEALER)

    def _ask(self, now: int) -> None:
        """Know since when the dealer is asked what he is asked: a keyed card, a ruling to second, else a question."""
        issue = self._round.issues.ruled() or self._round.issues.question()
        if issue is not self._asked:
            before = self._asked  # what ends by itself is told of, and not asked
            self._before = None if before is None or clears(before.kind) == "A" else before
            self._asked = issue
            self._asked_at = now

    def _show(self, ticks: int) -> bool:
        course = self._round
        state = course.core.machine.name
        if state == "deciding" and not course.closing.key and course.core.config.close_by == "reveal":
            course.close(ticks, KEYS.index("devoiler"))
            return True
        if course.reveal_is_due():
            course.reveal_asked = True
            return True
        return course.by_hand is not None and course.by_hand.finish_deal()

    def _end(self) -> bool:
        course = self._round
        state = course.core.machine.name
        if state == "closed":
            return self._opens(_DEALER)
        if state == "shuffle":
            return course.ending.shuffled(_DEALER)
        payment = course.ending.payment
        if payment is not None and course.core.in_round and state != "suspended":
            turned = payment.turn()
            if payment.open() or payment.current() is not None or state != "settling":
                return turned
        return state == "settling" and course.ending.finish()
