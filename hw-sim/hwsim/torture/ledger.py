"""The money of a whole journal, kept once more. Entry point: :class:`Ledger`.

Every cent that is locked is settled once or given back once, a round that the power ended is void with its bets as
they were, and nothing is shown before its time. It knows records by name, and nothing of the table.
"""

from __future__ import annotations

from collections.abc import Iterable

from hwsim.fuzz.bookkeeper.course import spot_of
from hwsim.fuzz.bookkeeper.visits import Spot
from hwsim.fuzz.laws.law import Law
from hwsim.scenario.claims import Entry

_FACE_UP = {"four_card": {8: 1}}  # hands dealt face up: the dealer's second part (number 8), one card
_KEEPS = {"valid", "refused", "cleared", "keyed"}
_BACK = {"win": True, "push": True, "lose": False}


class Ledger:
    """The books of one journal of a game with this ``law``; ``wrong`` is what does not balance, in words."""

    def __init__(self, law: Law) -> None:
        self.wrong: list[str] = []
        self.meters = dict.fromkeys(
            ("rounds", "voids", "void_returned", "boots", "power_lost", "settlements", "staked", "paid", "returned"), 0
        )
        """sums over the records, by the names of the meters"""
        self._law = law
        self._bets: dict[Spot, int] = {}
        self._carded: set[Spot] = set()
        self._settled: set[Spot] = set()
        self._done: set[int] = set()
        self._asked: dict[int, tuple[Spot, str]] = {}
        self._running = self._confirmed = self._closed = self._dealt = False
        self._lost = False  # the power has ended the running round

    def take(self, entries: Iterable[Entry]) -> None:
        """Enter records."""
        for entry in entries:
            method = getattr(self, "_enter_" + entry.family, None)
            if method is not None:
                method(entry)

    def _say(self, entry: Entry, text: str) -> None:
        self.wrong.append(f"record {entry.sequence} {entry.name}: {text}")

    def _count(self, name: str, number: int = 1) -> None:
        self.meters[name] += number

    # --- power --------------------------------------------------------------------------------------------------------

    def _enter_power_on(self, entry: Entry) -> None:
        self._count("boots")
        self._lost = self._running
        self._asked.clear()

    def _enter_power_lost_in_play(self, entry: Entry) -> None:
        self._count("power_lost")
        if not self._running:
            self._say(entry, "no round was running")

    # --- locks --------------------------------------------------------------------------------------------------------

    def _enter_lock(self, entry: Entry) -> None:
        if self._running:
            self._say(entry, "the round before has neither ended nor been voided")
        self._running, self._confirmed, self._closed, self._dealt, self._lost = True, False, False, False, False
        self._done, self._settled, self._carded = set(), set(), set()
        self._bets = {spot_of(row): int(row["amount"]) for row in entry.rows if row["amount"]}

    def _enter_first_card(self, entry: Entry) -> None:
        self._carded = {spot_of(row) for row in entry.rows}
        self._bets.update({spot_of(row): int(row["amount"]) for row in entry.rows if row["amount"]})

    def _enter_confirmed_part(self, entry: Entry) -> None:
        carded = {spot: cents for spot, cents in self._bets.items() if spot in self._carded}
        self._enter_confirmed(entry)
        self._bets.update({spot: cents for spot, cents in carded.items() if spot[0] not in self._done})

    def _enter_confirmed(self, entry: Entry) -> None:
        out = {int(row["seat"]) for row in entry.rows if "article" in row}
        self._confirmed = True
        self._done |= out
        rows = {spot_of(row): int(row["amount"]) for row in entry.rows if "amount" in row}
        self._bets = {spot: cents for spot, cents in rows.items() if spot[0] not in out}

    def _enter_unlock(self, entry: Entry) -> None:
        self._bets = {}
        self._running = self._confirmed = False

    # --- decisions and rulings ----------------------------------------------------------------------------------------

    def _enter_deal(self, entry: Entry) -> None:
        self._dealt = True

    def _enter_decisions(self, entry: Entry) -> None:
        self._closed = True
        for row in entry.rows:
            if "amount" in row:
                if self._bets.get(spot_of(row)):
                    self._say(entry, f"{spot_of(row)} had a bet already")
                self._bets[spot_of(row)] = int(row["amount"])

    def _enter_reveal(self, entry: Entry) -> None:
        if not (self._running and self._dealt) or self._lost:
            self._say(entry, "no hand of a running round was dealt")
        elif not self._closed and not self._law.equal_only and not self._face_up(entry):
            self._say(entry, "a hand is shown before the decisions are closed")

    def _face_up(self, entry: Entry) -> bool:
        """Whether only those of the dealer's cards are shown that are dealt face up."""
        shown = {row["seat"]: len(str(row["cards"]).split()) for row in entry.rows}
        return shown == _FACE_UP.get(self._law.game)

    def _enter_irregularity(self, entry: Entry) -> None:
        self._asked[int(entry.fields["id"])] = spot_of(entry.fields), entry.name

    def _enter_resolved(self, entry: Entry) -> None:
        spot, kind = self._asked.pop(int(entry.fields["id"]), ((0, ""), ""))
        if kind == "keyed_bet" or not spot[0] or not self._confirmed:
            return
        if spot[0] in self._done or spot in self._settled or entry.fields["resolution"] not in _KEEPS:
            return
        self._bets[spot] = int(entry.fields["amount"])

    def _enter_seat_state(self, entry: Entry) -> None:
        if entry.fields["trigger"] == "out":
            self._done.add(int(entry.fields["seat"]))
            self._bets = {spot: cents for spot, cents in self._bets.items() if spot[0] != int(entry.fields["seat"])}

    # --- ends ---------------------------------------------------------------------------------------------------------

    def _enter_settlement(self, entry: Entry) -> None:
        self._count("settlements")
        if not self._confirmed or self._lost:
            self._say(entry, "nothing was confirmed that could be settled")
        for row in entry.rows:
            spot, word = spot_of(row), str(row["result"])
            stake, paid, returned = int(row["stake"]), int(row["paid"]), int(row["returned"])
            if stake:
                held = self._bets.pop(spot, 0)
                if held != stake:
                    self._say(entry, f"{spot} is settled with {stake} cents, {held} were bet")
                self._settled.add(spot)
                half = {0, (stake + 1) // 2}
                if returned not in (half if word == "forfeit" else {stake if _BACK.get(word, False) else 0}):
                    self._say(entry, f"{spot}: of {stake} cents {returned} go back for {word}")
            elif word != "win" or returned:
                self._say(entry, f"{spot} has no stake and is settled as {word}")
            if (paid > 0) != (word == "win"):
                self._say(entry, f"{spot}: {paid} cents are paid for {word}")
            self._count("staked", stake)
            self._count("paid", paid)
            self._count("returned", returned)
        for seat in {int(row["seat"]) for row in entry.rows}:
            if not any(cents for spot, cents in self._bets.items() if spot[0] == seat):
                self._done.add(seat)

    def _enter_void(self, entry: Entry) -> None:
        self._count("voids")
        rows = {spot_of(row): int(row["amount"]) for row in entry.rows}
        self._count("void_returned", sum(rows.values()))
        left = {spot: cents for spot, cents in self._bets.items() if cents}
        if not self._running:
            self._say(entry, "no round was running")
        elif rows != left:
            self._say(entry, f"{rows} go back, {left} had neither been settled nor returned")
        self._over()

    def _enter_round_end(self, entry: Entry) -> None:
        self._count("rounds")
        left = {spot: cents for spot, cents in self._bets.items() if cents}
        if left:
            self._say(entry, f"{left} were neither settled nor returned")
        if self._lost:
            self._say(entry, "the power had ended this round")
        self._over()

    def _over(self) -> None:
        self._bets = {}
        self._running = self._confirmed = self._lost = False
