"""An independent account of one journal's money. Entry points: `audit`, `Account`.

Reads parsed records only, with arithmetic of its own, and knows nothing of the table: every cent locked in a round
must be settled once, or given back once, and every settled line must balance.
"""

from typing import Any

from sabot.wire import codes

RETURNED = 2  # flag of a row in the confirmed record
MONEY_BACK = {"win": True, "push": True, "lose": False}


class Account:
    """The books of one journal; AssertionError where they do not balance."""

    def __init__(self) -> None:
        self.bets: dict[int, int] = {}  # bets of the running round that nobody has settled or returned
        self.done: set[int] = set()  # seats that have been settled, or got their bets back
        self.settled: set[int] = set()  # places of the running round
        self.carded: set[int] = set()  # places that the first card has locked
        self.places: dict[int, int] = {}  # of the open irregularities
        self.kinds: dict[int, str] = {}
        self.staked = self.paid = self.returned = self.void = 0
        self.rounds = 0
        self.confirmed = False
        self.running = False

    def take(self, name: str, fields: dict[str, Any]) -> None:
        """Enter one record."""
        method = getattr(self, "_" + name, None)
        if method is not None:
            method(fields)

    def _lock(self, fields: dict[str, Any]) -> None:
        assert not self.running
        self.running = True
        self.done = set()
        self.settled, self.carded = set(), set()
        self.confirmed = False
        self.bets = {place: amount for place, amount in fields["spots"] if amount}

    def _confirmed(self, fields: dict[str, Any]) -> None:
        out = {row[0] for row in fields["out"]}
        self.bets = {}
        self.confirmed = True
        self.done |= out
        for place, amount, flags in fields["spots"]:
            assert (codes.place_seat(place) in out) == bool(flags & RETURNED)
            if not flags & RETURNED:
                self.bets[place] = amount

    def _confirmed_part(self, fields: dict[str, Any]) -> None:
        out = {row[0] for row in fields["out"]}
        carded = {place: cents for place, cents in self.bets.items() if place in self.carded}
        self._confirmed(fields)
        self.bets.update({place: cents for place, cents in carded.items() if codes.place_seat(place) not in out})

    def _first_card(self, fields: dict[str, Any]) -> None:
        self.carded = {place for place, _amount in fields["spots"]}
        self.bets.update({place: amount for place, amount in fields["spots"] if amount})

    def _unlock(self, fields: dict[str, Any]) -> None:
        self.bets = {}
        self.running = self.confirmed = False

    def _decisions(self, fields: dict[str, Any]) -> None:
        for place, amount, _flags in fields["spots"]:
            assert not self.bets.get(place)
            self.bets[place] = amount

    def _irregularity(self, fields: dict[str, Any]) -> None:
        self.places[fields["id"]] = fields["place"]
        self.kinds[fields["id"]] = codes.kind_name(fields["kind"])

    def _resolved(self, fields: dict[str, Any]) -> None:
        place = self.places.pop(fields["id"], None)
        if self.kinds.get(fields["id"]) == "keyed_bet":
            return  # it says what will be bet; what is bet, the lock or the close says
        if place is None or not self.confirmed or codes.place_seat(place) in self.done or place in self.settled:
            return
        if codes.RESOLUTIONS[fields["resolution"]] in ("valid", "refused", "cleared", "keyed"):
            self.bets[place] = fields["amount"]

    def _seat_state(self, fields: dict[str, Any]) -> None:
        if fields["trigger"] == "out":
            self.done.add(fields["seat"])
            self.bets = {
                place: cents for place, cents in self.bets.items() if codes.place_seat(place) != fields["seat"]
            }

    def _settlement(self, fields: dict[str, Any]) -> None:
        for place, result, stake, paid, returned in fields["bets"]:
            word = codes.RESULTS[result]
            if stake:
                assert self.bets.pop(place) == stake
                self.settled.add(place)
                back = {stake if MONEY_BACK.get(word, False) else 0}
                assert returned in (back if word != "forfeit" else {0, (stake + 1) // 2})
                assert (paid > 0) == (word == "win")
            else:
                assert word == "win"
                assert returned == 0
                assert paid > 0
            self.staked += stake
            self.paid += paid
            self.returned += returned
        for seat in {codes.place_seat(row[0]) for row in fields["bets"]}:
            if not any(cents for place, cents in self.bets.items() if codes.place_seat(place) == seat):
                self.done.add(seat)

    def _void(self, fields: dict[str, Any]) -> None:
        assert dict(fields["spots"]) == {place: cents for place, cents in self.bets.items() if cents}
        self.void += sum(self.bets.values())
        self.bets = {}
        self.running = self.confirmed = False

    def _round_end(self, fields: dict[str, Any]) -> None:
        assert not any(self.bets.values()), f"neither settled nor returned: {self.bets}"
        self.bets = {}
        self.running = self.confirmed = False
        self.rounds += 1


def audit(records: list[dict[str, Any]]) -> Account:
    """Enter every record; AssertionError where a cent is lost, doubled or made up."""
    account = Account()
    for record in records:
        before = dict(account.bets)
        try:
            account.take(record["name"], record["fields"])
        except (AssertionError, KeyError) as wrong:
            raise AssertionError(f"record {record['sequence']} {record['name']}, books {before}: {wrong}") from wrong
    return account
