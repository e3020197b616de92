"""A record as triggers of the state machines, so that a journal alone drives the reference model.

Entry points: :class:`Expander` (one journal, record after record) and :data:`RESET`. Records aggregate: one lock record
moves every spot. What no record tells (first bet, emptied table, a chip laid down and taken back) is filled in here
from the model's own states, and nothing else is: a record that does not fit shows as a trigger that is not listed.
"""

from .codes import DECISIONS, KINDS, place_seat

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
        yield "table", 0, "lock"
        for where, amount in fields["spots"]:
            seat = place_seat(where)
            if amount and self._view.seat(seat) == "empty":
                yield "seat", seat, "bet"
            if self._view.spot(where) in ("shut", "released"):
                yield "spot", where, "open"
            yield "spot", where, "lock"

    def _confirmed(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        live = [place_seat(row[0]) for row in fields["spots"]]
        out = [row[0] for row in fields["out"]]
        for seat in sorted(set(self._view.seats() + live)):
            if seat in live and self._view.seat(seat) == "empty":
                yield "seat", seat, "bet"
            elif seat not in live and self._view.seat(seat) == "in":
                yield "seat", seat, "unbet"
        for seat in out:
            yield "seat", seat, "out"
        for where in self._view.spots():
            seat = place_seat(where)
            if self._view.spot(where) == "locked" and (seat not in live or seat in out):
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
        yield "table", 0, "first_card"
        for seat, _cards, decides, _commitment in fields["hands"]:
            if decides:
                yield "seat", seat, "decide"
        yield "table", 0, "all_dealt"

    def _decisions(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        for seat, decision in fields["seats"]:
            if decision != _PENDING:
                yield "seat", seat, "play" if DECISIONS[decision] in _PLAYS else "fold"
        for where, _amount, _flags in fields["spots"]:
            yield "spot", where, "open"
            yield "spot", where, "lock"
        yield "table", 0, "close"

    # --- the end ------------------------------------------------------------------------------------------------------

    def _reveal(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if [row for row in fields["hands"] if row[0] == 0]:
            yield "table", 0, "reveal"

    def _settlement(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        done = []
        for where, _result, stake, _paid, _returned in fields["bets"]:
            if stake:  # a bonus has no stake and no spot of its own
                yield "spot", where, "settle"
            if place_seat(where) not in done:
                done.append(place_seat(where))
        for seat in done:
            yield "seat", seat, "done"

    def _seat_state(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        seat, trigger = fields["seat"], fields["trigger"]
        yield "seat", seat, trigger
        if trigger == "out":
            for where in self._view.spots():
                if place_seat(where) == seat and self._view.spot(where) == "locked":
                    yield "spot", where, "free"

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

    def _card_fault(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if fields["id"] and KINDS[fields["kind"]][1] == _TABLE_STOP:  # number 0: the table is stopped already
            if not self._stops:
                yield "table", 0, "suspend"
            self._stops.append(fields["id"])

    def _resolved(self, fields: "dict[str, Any]") -> "Iterator[Trigger]":
        if fields["id"] in self._stops:
            self._stops.remove(fields["id"])
            if not self._stops:
                yield "table", 0, "resume"
