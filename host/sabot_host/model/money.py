"""The bets of a journal: what is locked is settled once, or goes back once, cent by cent. Entry: `Money`, `Astray`.

What is settled must be the bet as the locks and the rulings left it, and a void gives back all that was neither settled
nor returned, no more and no less. It knows the records and nothing of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sabot.wire import codes

# What these words say of a bet counts; with others the bet has gone back, or stays as it was.
_KEEPS = ("valid", "refused", "cleared", "keyed")
_POWER_CUT = codes.VOID_REASONS.index("power_cut")


class Astray(Exception):
    """Money that comes from nowhere or goes nowhere."""


class Money:
    """Feed it the records of one table in their order (`check`). Places are bytes of `codes.place`, amounts cents."""

    def __init__(self) -> None:
        self._played: int | None = None  # rounds that have ended, as the last round_end says
        self._asked: dict[int, tuple[int, str]] = {}  # place and kind of each open irregularity
        self._over()

    def _over(self) -> None:
        self._bets: dict[int, int] = {}
        self._first: set[int] = set()  # places that the first card has locked
        self._gone: set[int] = set()  # seats whose bets are settled or have gone back
        self._settled: set[int] = set()
        self._running = False
        self._ruled = False  # bets are confirmed, all or those that the announcement locks: rulings change them
        self._confirmed = False
        self._cut = False  # the power has ended the running round
        self._told = False  # ... and a record says so

    def check(self, name: str, values: dict[str, Any]) -> None:
        """Take one record; Astray says what does not add up."""
        method = getattr(self, "_on_" + name, None)
        if method is not None:
            method(values)

    # --- the power ----------------------------------------------------------------------------------------------------

    def _on_power_on(self, values: dict[str, Any]) -> None:
        self._asked.clear()
        self._cut = self._running

    def _on_power_lost_in_play(self, values: dict[str, Any]) -> None:
        if not self._cut or self._told:
            raise Astray("the power is said to be lost in a round that it has not ended, or for the second time")
        self._told = True

    # --- bets ---------------------------------------------------------------------------------------------------------

    def _on_lock(self, values: dict[str, Any]) -> None:
        if self._running:
            raise Astray("the round before has neither ended nor been voided")
        self._over()
        self._running = True
        self._bets = _rows(values["spots"])

    def _on_first_card(self, values: dict[str, Any]) -> None:
        rows = _rows(values["spots"])
        self._first = set(rows)
        self._bets.update(rows)

    def _on_confirmed_part(self, values: dict[str, Any]) -> None:
        carded = {place: cents for place, cents in self._bets.items() if place in self._first}
        self._confirm(values)
        self._bets.update(
            {place: cents for place, cents in carded.items() if codes.place_seat(place) not in self._gone}
        )

    def _on_confirmed(self, values: dict[str, Any]) -> None:
        if self._confirmed:
            raise Astray("the lock is confirmed for the second time")
        self._confirm(values)
        self._confirmed = True

    def _confirm(self, values: dict[str, Any]) -> None:
        self._ruled = True
        self._gone |= {seat for seat, *_ in values["out"]}
        rows = _rows(values["spots"])
        self._bets = {place: cents for place, cents in rows.items() if codes.place_seat(place) not in self._gone}

    def _on_decisions(self, values: dict[str, Any]) -> None:
        for place, cents in _rows(values["spots"]).items():
            if self._bets.get(place):
                raise Astray(f"{_words(place)} has a bet already when the decisions are closed")
            self._bets[place] = cents

    def _on_irregularity(self, values: dict[str, Any]) -> None:
        self._asked[values["id"]] = values["place"], codes.kind_name(values["kind"])

    def _on_resolved(self, values: dict[str, Any]) -> None:
        place, kind = self._asked.pop(values["id"], (0, ""))
        seat = codes.place_seat(place)
        if kind == "keyed_bet" or not seat or not self._ruled or seat in self._gone or place in self._settled:
            return
        if codes.RESOLUTIONS[values["resolution"]] in _KEEPS:
            self._bets[place] = values["amount"]

    def _on_seat_state(self, values: dict[str, Any]) -> None:
        if values["trigger"] == "out":
            self._gone.add(values["seat"])
            self._bets = {
                place: cents for place, cents in self._bets.items() if codes.place_seat(place) != values["seat"]
            }

    # --- where they go ------------------------------------------------------------------------------------------------

    def _on_settlement(self, values: dict[str, Any]) -> None:
        if not self._confirmed or self._cut:
            raise Astray("a settlement, and no confirmed round is running")
        for place, _result, stake, _paid, _returned in values["bets"]:
            if not stake:
                continue  # a bonus: it has no stake of its own
            held = self._bets.pop(place, 0)
            if held != stake:
                raise Astray(f"{_words(place)} is settled on {stake} cents; {held} were bet")
            self._settled.add(place)
        for seat in {codes.place_seat(row[0]) for row in values["bets"]}:
            if not any(cents for place, cents in self._bets.items() if codes.place_seat(place) == seat):
                self._gone.add(seat)

    def _on_unlock(self, values: dict[str, Any]) -> None:
        self._over()

    def _on_void(self, values: dict[str, Any]) -> None:
        if not self._running:
            raise Astray("no round is running that could be void")
        if (values["reason"] == _POWER_CUT) != self._cut or self._cut != self._told:
            raise Astray(
                "a round that the power has ended is void for that reason, which power_lost_in_play tells first"
            )
        rows, left = _rows(values["spots"]), {place: cents for place, cents in self._bets.items() if cents}
        for place in sorted({*rows, *left}):
            if rows.get(place, 0) != left.get(place, 0):
                raise Astray(
                    f"{_words(place)} gets {rows.get(place, 0)} cents back; {left.get(place, 0)} were not settled"
                )
        self._over()

    def _on_round_end(self, values: dict[str, Any]) -> None:
        left = sorted(place for place, cents in self._bets.items() if cents)
        if self._cut or not self._running:
            raise Astray("the end of a round, and none is running")
        if left:
            raise Astray(f"the bet of {_words(left[0])} is neither settled nor given back")
        if self._played is not None and values["rounds"] != self._played + 1:
            raise Astray(f"{values['rounds']} rounds are said to be played, and {self._played} were before this one")
        self._played = values["rounds"]
        self._over()


def _rows(rows: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Cents by place; a place that stands there twice is a contradiction."""
    found: dict[int, int] = {}
    for place, cents, *_ in rows:
        if place in found:
            raise Astray(f"{_words(place)} stands there twice")
        found[place] = cents
    return found


def _words(place: int) -> str:
    return f"seat {codes.place_seat(place)}, spot {codes.place_spot(place)}"
