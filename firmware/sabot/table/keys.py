"""The dealer's panel: what each key means in each state. Entry point: `Keys`.

A key that does nothing leaves its record, and nothing else. Keys that act are told by the record of what they did.
"""

from sabot.table.ticks import since
from sabot.wire.codes import KEY_NOTES, KEYS, ROLES

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

    from sabot.table.round import Round
    from sabot.table.rulings import Rulings

_WAIT_US = const(10000000)  # MALDONNE waits this long for OUI, ABANDON for a seat key
_MINUTE_US = const(60000000)
_MOST_NOTES = const(60)  # records a minute of keys that did nothing: a bad key must not fill the journal
_DEALER = ROLES.index("dealer")
_SEAT_KEYS = ("p1", "p2", "p3", "p4", "p5", "p6", "p7")


class Keys:
    """Answers the keys; `opens()` opens a closed table."""

    def __init__(self, course: "Round", rulings: "Rulings", opens: "Callable[[int], bool]") -> None:
        self._round = course
        self._rulings = rulings
        self._opens = opens
        self._armed = ""  # "maldonne" or "abandon", waiting for a second key
        self._armed_at = 0
        self._notes = 0  # records of this minute
        self._minute_at = 0

    def tick(self, now: int) -> None:
        """Time passes: what has waited too long waits no more."""
        if self._armed and since(now, self._armed_at) > _WAIT_US:
            self._armed = ""
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
        values["table_state"] = core.machine.state
        core.append("key", values)

    def announcement(self, edge: int) -> None:
        """Rien ne va plus: never refused while bets or decisions are open."""
        course = self._round
        state = course.core.machine.name
        if course.core.halted:
            self.note("rnvp", "elsewhere", edge)
        elif state in ("betting", "last_bets"):
            course.announce(edge)
        elif state == "deciding" and not course.closing.key:
            course.close(edge, KEYS.index("rnvp"))
        else:
            self.note("rnvp", "no_bets" if state == "idle" else "elsewhere", edge)

    def press(self, name: str, ticks: int) -> None:
        """Any other key, pressed at the raw instant `ticks`."""
        armed = self._armed
        self._armed = ""
        if armed and since(ticks, self._armed_at) > _WAIT_US:
            armed = ""
        if not self._acted(name, armed, ticks):
            core = self._round.core
            held = name == "fin" and core.machine.name == "settling" and core.complete
            self.note(name, "held_seat" if held else "elsewhere", ticks)

    def _acted(self, name: str, armed: str, ticks: int) -> bool:
        course = self._round
        if course.core.halted:
            return False
        if name == "maldonne" and course.core.in_round:
            return self._arm(name, ticks)
        if name == "abandon" and course.core.machine.name in ("dealing", "deciding") and not course.closing.key:
            return self._arm(name, ticks)
        if name in ("oui", "non"):
            return self._answer(name == "oui", armed)
        if name in _SEAT_KEYS and armed == "abandon" and not course.closing.key:
            return course.give_up(1 + _SEAT_KEYS.index(name))
        if name == "devoiler":
            return self._show(ticks)
        if name == "fin":
            return self._end()
        return False

    def _arm(self, name: str, ticks: int) -> bool:
        self._armed = name
        self._armed_at = ticks
        return True

    def _answer(self, yes: bool, armed: str) -> bool:
        """OUI or NON: to a misdeal, to a keyed card, else to the oldest question."""
        course = self._round
        if armed == "maldonne":
            if yes:
                course.ending.void("misdeal", _DEALER)
            return True
        keyed = course.issues.keyed()
        if keyed is not None:
            self._rulings.confirm_keyed(keyed, yes, ROLES.index("supervisor"))
            return True
        question = course.issues.question()
        if question is None:
            return False
        return self._rulings.rule(question.id, "valid" if yes else "refused", 0, _DEALER)

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
            self._opens(_DEALER)
            return True
        payment = course.ending.payment
        if payment is not None and course.core.in_round and state != "suspended":
            turned = payment.turn()
            if payment.open() or payment.current() is not None or state != "settling":
                return turned
        return state == "settling" and course.ending.finish()
