"""Open irregularities: raised with a record, ended with a record. Entry points: `Issues`, `Issue`.

Severities and who may end what are those of `sabot.wire.codes`. The effect of a ruling on bets and cards is the
business of `rulings`.
"""

from sabot.wire.codes import LAMP_ATTENTION, RESOLUTIONS, clears, kind_number, visibility
from sabot.wire.codes import severity as severity_of

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
    from collections.abc import Iterable
    from typing import Any

    from sabot.table.core import Core

NOTICE = 0
QUESTION = 1
SEAT_HOLD = 2
TABLE_STOP = 3

_MAX_A_SPOT = const(
    4
)  # questions, and holds, open at one spot; more would say nothing new, and the change records go on
_MAX_CARD_FAULTS = const(8)  # open at once; the table is stopped anyway, and the records go on
_MAX_UIDS = const(40)  # told in one record
_MONEY = ("ambiguous",)  # questions on which an amount depends: the seat is not settled before the answer
_SAID = ("keyed_bet",)  # the dealer's own word: nothing is asked of him
_PROMPT_OF = {
    "next_round": "next_round",
    "early_play": "early",
    "play_without_ante": "early",
    "relation": "amount",
    "ambiguous": "doubt",
    "ambiguous_large": "do_not_pay",
    "late": "do_not_pay",
    "capped": "do_not_pay",
    "pinched": "do_not_pay",
    "withdrawn": "do_not_pay",
    "bad_mac": "do_not_pay",
    "dispute": "do_not_pay",
    "seen_late": "do_not_pay",
}


class Issue:
    """One open irregularity. `spot` is -1 for a card; `on_valid`, `on_refused`: what that word adds to the bet."""

    def __init__(self, number: int, kind: str, severity: int, spot: int, at: int) -> None:
        self.id = number
        self.kind = kind
        self.severity = severity
        self.spot = spot
        self.at = at  # raw ticks when it was raised
        self.on_valid = 0
        self.on_refused = 0
        self.only_went = False  # ambiguous: chips were lifted, none came
        self.origin = -1  # moved: the spot that the chips come from
        self.chips: list[int] = []  # moved: the chips that have not gone back
        self.page: Any = None  # of the payment that went wrong
        self.by = 0  # the role (codes.ROLES) that alone may end it; 0: as its kind says
        self.keyed = -1  # the card that the supervisor keyed, waiting for the dealer's word
        self.word = ""  # the supervisor's ruling, where the dealer must second it, ...
        self.amount = 0  # ... and the cents that go with it
        self.hands = 0  # a card that went astray: the hand's number, the other one's times 16


class Issues:
    """The irregularities of one table that are open, oldest first."""

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._next = 1
        self.open: list[Issue] = []

    def _number(self) -> int:
        number = self._next
        self._next = 1 if number == 0xFFFF else number + 1
        return number

    def raise_at(
        self,
        kind: str,
        spot: int,
        before: int,
        after: int,
        interval: "tuple[int, int]",
        items: "Iterable[int]" = (),
        severity: int = -1,
        asking: bool = True,
    ) -> "Issue | None":
        """Record an irregularity at a spot; returns what is open from now on.

        `before`, `after`: cents without and with the change; `interval`: raw ticks; `items`: the chips, in the ledger;
        `asking`: the dealer is asked about it, where the kind has a question.
        None is returned for a notice, and when too much is open at the spot already.
        """
        core = self._core
        if severity < 0:
            severity = severity_of(kind)
        here = [
            issue for issue in self.open if issue.spot == spot and (issue.severity > QUESTION) == (severity > QUESTION)
        ]
        if severity and len(here) >= _MAX_A_SPOT:
            return None
        chips = core.ports.chips
        uids = [(chips.uid(core.ledger.chip[item]),) for item in list(items)[:_MAX_UIDS]]
        number = self._number()
        place = core.spots.places[spot]
        core.append(
            "irregularity",
            {
                "id": number,
                "kind": kind_number(kind),
                "severity": severity,
                "place": place,
                "before": before,
                "after": max(after, 0),
                "earliest": core.time(interval[0]),
                "latest": core.time(interval[1]),
                "uids": uids,
            },
        )
        if severity == NOTICE:
            return None
        issue = Issue(number, kind, severity, spot, core.now)
        issue.on_valid = after - before
        self.open.append(issue)
        if self.visible(kind) == "public":
            core.lamp(spot, LAMP_ATTENTION)
            core.show()
        if asking and kind not in _SAID:
            ask = _PROMPT_OF.get(kind, "doubt" if severity == QUESTION else "call_supervisor")
            core.prompt(ask, place, max(after, 0))
        return issue

    def visible(self, kind: str) -> str:
        """Who may see an irregularity: `public` (a lamp), `dealer` (his display) or `silent`, by the house's choice."""
        word: str = self._core.config.visibility.get(kind) or visibility(kind)
        return word

    def raise_card(self, kind: str, at: int, index: int) -> "Issue | None":
        """Record a fault of the deal at its card number `index` (from 0), seen at the raw instant `at`.

        When too many are open already, it is recorded with number 0 and needs no ruling of its own.
        """
        core = self._core
        more = len([issue for issue in self.open if issue.severity == TABLE_STOP]) >= _MAX_CARD_FAULTS
        number = 0 if more else self._number()
        core.append("card_fault", {"id": number, "kind": kind_number(kind), "at": core.time(at), "index": index})
        if more:
            return None
        return self._stop(number, kind)

    def raise_closed(self, kind: str, at: int) -> Issue:
        """Record something at the raw instant `at` that must be ruled before the table, which is closed, plays."""
        number = self._number()
        instant = self._core.time(at)
        values: "dict[str, Any]" = {"id": number, "kind": kind_number(kind), "severity": TABLE_STOP, "place": 0}
        values["before"] = values["after"] = 0
        values["earliest"] = values["latest"] = instant
        values["uids"] = ()
        self._core.append("irregularity", values)
        return self._stop(number, kind)

    def _stop(self, number: int, kind: str) -> Issue:
        issue = Issue(number, kind, TABLE_STOP, -1, self._core.now)
        self.open.append(issue)
        self._core.prompt("call_supervisor")
        return issue

    def note_card(self, kind: str, at: int) -> None:
        """Record something of that kind that stops nothing, at the raw instant `at`."""
        self._core.append("card_fault", {"id": 0, "kind": kind_number(kind), "at": self._core.time(at), "index": 0})

    def close(self, issue: Issue, resolution: str, by: int, amount: int) -> None:
        """Record the end of an irregularity: the word, whose it is (`codes.ROLES`), the bet there from now on."""
        self._core.append(
            "resolved", {"id": issue.id, "resolution": RESOLUTIONS.index(resolution), "by": by, "amount": amount}
        )
        self.open.remove(issue)

    def close_seat(self, seat: int, by: int) -> None:
        """The seat's bets go back: what is open there has no object any more."""
        for issue in list(self.open):
            if issue.spot >= 0 and self._core.spots.seat(issue.spot) == seat:
                self.close(issue, "void", by, 0)

    def find(self, number: int) -> "Issue | None":
        """The open irregularity of that number."""
        for issue in self.open:
            if issue.id == number:
                return issue
        return None

    def of(self, kind: str) -> "list[Issue]":
        """Those of a kind, oldest first."""
        return [issue for issue in self.open if issue.kind == kind]

    def at(self, spot: int, kind: str) -> "Issue | None":
        """The oldest open irregularity of a kind at a spot."""
        for issue in self.open:
            if issue.spot == spot and issue.kind == kind:
                return issue
        return None

    def question(self) -> "Issue | None":
        """The oldest question that the dealer may answer: first those that do not end by themselves."""
        for who in ("D", "A"):
            for issue in self.open:
                if issue.severity == QUESTION and clears(issue.kind) == who:
                    return issue
        return None

    def ruled(self) -> "Issue | None":
        """The irregularity that the supervisor has ruled, or keyed a card for, and that waits for the dealer's word."""
        for issue in self.open:
            if issue.keyed >= 0 or issue.word:
                return issue
        return None

    def stops(self) -> bool:
        """Whether the table is stopped."""
        for issue in self.open:
            if issue.severity == TABLE_STOP:
                return True
        return False

    def public_stop(self) -> bool:
        """Whether the table is stopped by something that everybody may see."""
        for issue in self.open:
            if issue.severity == TABLE_STOP and self.visible(issue.kind) == "public":
                return True
        return False

    def serious(self) -> bool:
        """Whether anything is open that must be answered before the round can end."""
        for issue in self.open:
            if issue.severity >= SEAT_HOLD or issue.kind in _MONEY:
                return True
        return False

    def holds_spot(self, spot: int) -> bool:
        """Whether the bet at a spot waits for a ruling."""
        for issue in self.open:
            if issue.spot == spot and (issue.severity >= SEAT_HOLD or issue.kind in _MONEY):
                return True
        return False

    def holds(self, seat: int) -> bool:
        """Whether the seat waits for a ruling: it is not settled before."""
        for spot in self._core.spots.of_seat(seat):
            if self.holds_spot(spot):
                return True
        return False
