"""The demonstration: rounds of Three Card Poker at the small table, a hand that bets too late among them.

Entry point: :class:`Demo`: :meth:`Demo.play` plays and tells, line by line; the live view puts itself into the same
rounds. What the table settled is worked out again by `sabot settle` from what people did, and compared to the cent.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from hwsim.scenario.claims import Entry, Row
from hwsim.scenario.script import Spot
from hwsim.scenario.values import dollars
from sabot_host.settle import settle_line
from sabot_host.sim.people import Dealer, Floor, Hooks, Player, Stuck
from sabot_host.sim.play import Session

ROUNDS = 10
_LATE_ROUND = 3
_LATE_BET = "pair_plus"
_LATE_CENTS = 500
_LATE_AFTER_MS = 600  # behind the announcement's key

Say = Callable[[str], None]


class Demo(Hooks):
    """``rounds`` rounds with players from ``seed``. ``prepare`` is called with the floor before the first round."""

    def __init__(self, rounds: int = ROUNDS, seed: int = 0) -> None:
        self.rounds = rounds
        self.seed = seed
        self._say: Say = lambda text: None
        self._caught = 0
        self._wrong = 0

    def play(self, say: Say, prepare: Callable[[Floor], None] = lambda floor: None) -> bool:
        """Play everything and judge the journal; whether all is well."""
        self._say = say
        with Session(seed=self.seed) as session:
            floor = self._floor = Floor(session)
            prepare(floor)
            dealer = Dealer(floor)
            seats = sorted({seat for seat, _ in session.table.spots})
            self._players = {seat: Player(floor, seat, self.seed) for seat in seats}
            say(f"Table 1, Poker 3 cartes, {len(seats)} seats: the firmware runs on simulated chips (seed {self.seed})")
            try:
                dealer.open_table()
                for number in range(1, self.rounds + 1):
                    self._round(number, dealer)
            except Stuck as error:
                say(f"the table stands still: {error}")
                say(session.table.controller.stderr)
                return False
            return self._end(session)

    def _round(self, number: int, dealer: Dealer) -> None:
        self._say(f"Round {number}")
        self._late: Spot | None = None
        cheat = next(iter(self._players.values()))
        cheat.holds_back = number == _LATE_ROUND
        dealer.round(self._players, self)

    def locked(self, lock: Entry, pressed: int) -> None:
        """Tell the bets, and how long the lock took; in one round somebody is late."""
        self._say("  bets: " + "; ".join(_bets(player) for player in self._players.values() if player.bets))
        ms = (lock.when - pressed) / 1e6
        self._say(f'  "Rien ne va plus": bets locked and on record {ms:.1f} ms after the key')
        for player in self._players.values():
            if player.holds_back:
                self._late = self._late_hand(player)

    def dealt(self, lock: Entry) -> None:
        """The late hand has been caught meanwhile."""
        if self._late is not None:
            self._caught_late(self._late, lock.sequence)

    def settled(self, settlement: Entry, hands: dict[int, list[str]], folded: list[int]) -> None:
        """Tell the settlement and work it out again."""
        self._tell(settlement, hands, folded)

    # --- the late hand ------------------------------------------------------------------------------------------------

    def _late_hand(self, player: Player) -> Spot:
        """A player who held the side bet back puts it down when it is too late."""
        spot = Spot(player.seat, _LATE_BET)
        self._floor.wait(_LATE_AFTER_MS)
        self._floor.table.place(spot.seat, spot.bet, _LATE_CENTS)
        self._say(f"  a hand at {spot} puts {dollars(_LATE_CENTS)} down too late")
        return spot

    def _caught_late(self, spot: Spot, after: int) -> None:
        floor = self._floor
        found = floor.record("late", after)
        width = (int(found.fields["latest"]) - int(found.fields["earliest"])) / 1e6
        self._say(
            f"  caught: late at {spot}, {found.fields['after']} instead of {found.fields['before']}, known to "
            f"{width:.0f} ms; the supervisor refuses it"
        )
        floor.session.host.rule(int(found.fields["id"]), "refused", 0)
        floor.record("resolved", found.sequence)
        floor.table.clear(spot.seat, spot.bet)
        self._caught += 1

    # --- telling and judging ------------------------------------------------------------------------------------------

    def _tell(self, settlement: Entry, hands: dict[int, list[str]], folded: list[int]) -> None:
        self._say("  dealer " + " ".join(hands[0]))
        for seat, player in self._players.items():
            rows = [row for row in settlement.rows if row["seat"] == seat]
            if not player.bets:
                continue
            told = ", ".join(f"{row['bet']} {row['result']} {_change(row)}" for row in rows)
            self._say(f"  seat {seat} {' '.join(hands[seat])} {'folds' if seat in folded else 'plays'}: {told}")
        if self._expected(hands, folded) != _sums(settlement):
            self._wrong += 1
            self._say("  WRONG: the settlement is not what the cards and bets make it")

    def _expected(self, hands: dict[int, list[str]], folded: list[int]) -> dict[tuple[int, str], tuple[int, int]]:
        """Paid and returned for each bet, by `sabot settle`, from what people put down and were dealt."""
        seats = [seat for seat, player in self._players.items() if player.bets]
        line = {
            "game": "three_card",
            "decks": 1,
            "dealer": hands[0],
            "players": [
                {
                    "cards": hands[seat],
                    "bets": self._players[seat].bets,
                    "decision": "fold" if seat in folded else "play",
                }
                for seat in seats
            ],
        }
        answer = json.loads(settle_line(json.dumps(line))[0])
        sums: dict[tuple[int, str], tuple[int, int]] = {}
        for seat, player in zip(seats, answer["players"], strict=True):
            for bet, due in player["bets"].items():
                sums[(seat, bet)] = (due["paid"], due["returned"])
        return sums

    def _end(self, session: Session) -> bool:
        verdict, pulled = session.judge()
        for line in verdict.lines():
            self._say(line)
        late = f", {self._caught} late bet caught" if self._caught else ""
        purses = ", ".join(f"seat {seat} {_signed(player.purse - 100_000)}" for seat, player in self._players.items())
        self._say(f"{self.rounds} rounds played{late}; {purses}; {pulled.path.stat().st_size} bytes of journal")
        return verdict.good and not self._wrong and (self._caught == 1 or self.rounds < _LATE_ROUND)


def _bets(player: Player) -> str:
    return f"seat {player.seat} " + ", ".join(f"{bet} {dollars(cents)}" for bet, cents in player.bets.items())


def _change(row: Row) -> str:
    return _signed(int(row["paid"]) + int(row["returned"]) - int(row["stake"]))


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def _sums(settlement: Entry) -> dict[tuple[int, str], tuple[int, int]]:
    return {
        (int(row["seat"]), str(row["bet"])): (int(row["paid"]), int(row["returned"]))
        for row in settlement.rows
        if int(row["stake"]) or int(row["paid"])
    }
