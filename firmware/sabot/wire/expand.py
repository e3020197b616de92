"""A record as triggers of the state machines, so that a journal alone drives the reference model.

Entry points: :class:`Expander` (one journal, record after record) and :data:`RESET`. Records aggregate: one lock record
moves every spot. What no record tells (first bet, emptied table, a chip laid down and taken back) is filled in here
from the model's own states, and nothing else is: a record that does not fit shows as a trigger that is not listed.
"""

from .codes import DECISIONS, kind_name, place_seat, severity

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Protocol

    class View(Protocol):
        """The states that the model is in."""

        def table(self) -> str:
            """State of the table."""

        def seat(self, number: int) -> str:
            """State of a seat."""

        def spot(self, place: int) -> str:
            """State of a spot."""

        def seats(self) -> "list[int]":
            """Seats met so far, in order."""

        def spots(self) -> "list[int]":
            """Places of the spots met so far, in order."""

    Trigger = tuple[str, int, str]

RESET = "@reset"  # trigger of the table: every machine is in its first state again (the controller has restarted)

_PENDING = 0
_TABLE_STOP = 3
_PLAYS = ("play", "stay", "war")
_DEALER = 0  # number of his first hand


class Expander:
    """Expands the records of one journal in their order.

    Triggers are ``(machine, number, trigger)``: machine is ``table`` (number 0), ``seat`` (its number) or ``spot`` (its
    place byte).
    """

    def __init__(self, view: "View") -> None:
        self._view = view
        self._stops: list[int] = []  # ids of the card faults that are open
        self._playing = False  # between a lock and the end of its round
        self._cut = False  # the power was cut in a round whose void is still to come
        self._bets: dict[int, int] = {}  # place: cents of the round that are neither settled nor given back
        self._asked: dict[int, int] = {}  # place of each open irregularity, by its number
        self._shown = False  # the dealer's first hand lies open
        self._edge = -1  # of the card that has locked bets, and their places
        self._carded: list[int] = []
        self._confirms = False  # a lock has not been confirmed yet: what seats have laid is not known

    def expand(self, name: str, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        """Triggers of one record, to be fired one by one: later ones depend on what the earlier ones did."""
        method = getattr(self, "_" + name, None)
        if method is not None:
            yield from method(fields)

    # --- the controller -----------------------------------------------------------------------------------------------

    def _power_on(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._stops = []
        if self._playing:
            self._cut = True
        else:
            yield "table", 0, RESET

    def _table(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        trigger = fields["trigger"]
        if trigger == "shut_down" and self._view.table() == "betting":
            yield "table", 0, "emptied"
        if trigger == "last_call" and self._view.table() == "idle":
            yield "table", 0, "first_bet"
        yield "table", 0, trigger

    # --- the lock -----------------------------------------------------------------------------------------------------

    def _lock(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if self._view.table() == "idle":
            yield "table", 0, "first_bet"
        self._playing = True
        self._bets = {}
        self._shown = False
        self._confirms = True
        yield "table", 0, "lock"
        yield from self._lock_spots(fields["spots"])

    def _first_card(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._edge = fields["edge"]
        self._carded = [where for where, _amount in fields["spots"]]
        yield from self._lock_spots(fields["spots"])

    def _cut_card(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        """What the cut card has locked, as if it were the first one dealt, is open again."""
        if fields["at"] != self._edge:
            return
        for where in self._carded:
            self._bets[where] = 0
            if self._view.spot(where) == "locked":
                yield "spot", where, "unlock"
        for seat in self._view.seats():
            laid = [where for where in self._bets if self._bets[where] and place_seat(where) == seat]
            if not laid and self._view.seat(seat) == "in":
                yield "seat", seat, "unbet"

    def _lock_spots(self, spots: "Any") -> "Iterator[Trigger]":
        for where, amount in spots:
            seat = place_seat(where)
            self._bets[where] = amount
            if amount and self._view.seat(seat) == "empty":
                yield "seat", seat, "bet"
            if self._view.spot(where) in ("shut", "released"):
                yield "spot", where, "open"
            yield "spot", where, "lock"

    def _confirmed(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        live = [place_seat(row[0]) for row in fields["spots"]]
        out = [row[0] for row in fields["out"]]
        self._confirms = False
        yield from self._confirm_spots(fields["spots"])
        for seat in self._view.seats():
            if seat not in live and self._view.seat(seat) == "in":
                yield "seat", seat, "unbet"
        yield from self._out(out)
        for where in self._view.spots():
            if self._view.spot(where) == "locked" and place_seat(where) not in live:
                yield "spot", where, "free"

    def _confirmed_part(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        yield from self._confirm_spots(fields["spots"])
        yield from self._out([row[0] for row in fields["out"]])

    def _confirm_spots(self, spots: "Any") -> "Iterator[Trigger]":
        self._bets = {}  # a spot without a row holds no bet, whatever the lock saw there
        for where, amount, _flags in spots:
            self._bets[where] = amount
            if self._view.seat(place_seat(where)) == "empty":
                yield "seat", place_seat(where), "bet"

    def _out(self, seats: "list[int]") -> "Iterator[Trigger]":
        """Seats whose bets go back."""
        for seat in seats:
            if self._confirms and self._view.seat(seat) == "empty":
                yield "seat", seat, "bet"
            yield "seat", seat, "out"
        for where in self._view.spots():
            if place_seat(where) in seats:
                self._bets[where] = 0
                if self._view.spot(where) == "locked":
                    yield "spot", where, "free"

    def _unlock(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._playing = False
        yield "table", 0, "unlock"
        for where in self._view.spots():
            if self._view.spot(where) == "locked":
                yield "spot", where, "unlock"
        for seat in self._view.seats():
            if self._view.seat(seat) == "in":
                yield "seat", seat, "unbet"
            elif self._view.seat(seat) == "out":
                yield "seat", seat, "clear"

    # --- deal and decisions -------------------------------------------------------------------------------------------

    def _deal(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        again = self._view.table() == "revealing"
        yield "table", 0, "deal_again" if again else "first_card"
        for hand, _cards, decides, _commitment in fields["hands"]:
            if decides:
                yield "seat", hand, "decide"
        yield "table", 0, "dealt_again" if again else "all_dealt"
        if again and self._shown and not fields["hands"]:
            yield "table", 0, "reveal"  # a ruling has left nobody to be dealt to: nothing more will be shown

    def _decisions(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        waits = False  # for a second deal
        for seat, decision in fields["seats"]:
            plays = DECISIONS[decision] in _PLAYS
            waits = waits or plays or decision == _PENDING
            if decision != _PENDING:
                yield "seat", seat, "play" if plays else "fold"
        for where, amount, _flags in fields["spots"]:
            self._bets[where] = amount
            yield "spot", where, "open"
            yield "spot", where, "lock"
        yield "table", 0, "close"
        if self._shown and not waits:
            yield "table", 0, "reveal"

    # --- the end ------------------------------------------------------------------------------------------------------

    def _reveal(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._shown = self._shown or _DEALER in [row[0] for row in fields["hands"]]
        if self._shown and self._view.table() == "revealing":
            yield "table", 0, "reveal"

    def _settlement(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        settled = []
        for where, _result, stake, _paid, _returned in fields["bets"]:
            if stake:  # a bonus has no stake and no spot of its own
                self._bets[where] = 0
                yield "spot", where, "settle"
            if place_seat(where) not in settled:
                settled.append(place_seat(where))
        for seat in settled:
            if not [where for where in self._bets if self._bets[where] and place_seat(where) == seat]:
                yield "seat", seat, "done"

    def _seat_state(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if fields["trigger"] == "out":
            yield from self._out([fields["seat"]])
        else:
            yield "seat", fields["seat"], fields["trigger"]

    def _round_end(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._playing = False
        yield from self._clear()
        yield "table", 0, "finish"

    def _void(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        for seat in self._view.seats():
            if self._view.seat(seat) in ("in", "deciding", "folded", "held"):
                yield "seat", seat, "out"
        self._playing = False
        yield from self._clear()
        yield "table", 0, "void"
        if self._cut:
            self._cut = False
            yield "table", 0, RESET

    def _clear(self) -> "Iterator[Trigger]":
        """Seats empty, spots released: the same after a round's end and after a void."""
        for where in self._view.spots():
            if self._view.spot(where) == "settled":
                yield "spot", where, "release"
            elif self._view.spot(where) == "locked":
                yield "spot", where, "free"
        for seat in self._view.seats():
            if self._view.seat(seat) != "empty":
                yield "seat", seat, "clear"

    # --- irregularities -----------------------------------------------------------------------------------------------

    def _irregularity(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        self._asked[fields["id"]] = fields["place"]
        yield from ()

    def _card_fault(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if (
            fields["id"] and severity(kind_name(fields["kind"])) == _TABLE_STOP
        ):  # number 0: the table is stopped already
            if not self._stops:
                yield "table", 0, "suspend"
            self._stops.append(fields["id"])

    def _resolved(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        where = self._asked.pop(fields["id"], 0)
        if where and self._view.spot(where) == "locked":
            self._bets[where] = fields["amount"]  # what a ruling says is the bet there from then on
        if fields["id"] in self._stops:
            self._stops.remove(fields["id"])
            if not self._stops:
                yield "table", 0, "resume"
