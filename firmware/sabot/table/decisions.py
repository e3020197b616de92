"""The decisions of the seats and their close. Entry point: `Decisions`.

A decision opens at the seat's last card, or with a later bet that may give it; chips placed and taken back before the
close are free. The close is an announcement of its own, with the lock's rules. A play bet that is not what the article
asks for (67.28) is never corrected silently: too high, the excess goes back and the dealer is told; too low, the seat
waits for the supervisor.
"""

from sabot.rules.bets import bounds
from sabot.rules.game import REFUSED
from sabot.table.issues import QUESTION, SEAT_HOLD
from sabot.wire.codes import DECISIONS, LAMP_OFF, LAMP_OPEN

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.rules.game import Game
    from sabot.table.confirm import Found
    from sabot.table.core import Core
    from sabot.table.issues import Issues
    from sabot.table.watch import Watch

_UNBOUNDED = (1 << 30) - 1
PENDING = 0  # index of "none" in DECISIONS: not made, or waiting for a ruling


def halved(game: "Game") -> "list[str]":
    """Names of the bets of which a refused decision takes only a part: that is done at once."""
    names = []
    for bet in game.bets:
        for outcome in bet.outcomes:
            if outcome.end == REFUSED and outcome.pays < outcome.per:
                names.append(bet.name)
    return names


class Decisions:
    """Play or fold, seat by seat."""

    def __init__(self, core: "Core", issues: "Issues", watch: "Watch") -> None:
        self._core = core
        self._issues = issues
        self.watch = watch
        self.at_once = bool(halved(core.game))  # a refusal takes half of a bet there and then (67.38, 67.47)
        self._taken = DECISIONS.index(core.game.decision.taken)
        self._refused = DECISIONS.index(core.game.decision.refused)
        self.spot_of = core.spots.opened

    def open(self, seat: int, recorded: bool = False) -> None:
        """The seat has its last card: its decision opens, if a bet of its asks for one, or may.

        `recorded`: the deal record has said that the seat does not decide, so this is recorded too.
        """
        core = self._core
        ante = core.asked_spot(seat)
        if core.spots.seat_state(seat) != "in" or not (core.spots.locked[ante] or self._issues.holds_spot(ante)):
            return
        if recorded:
            core.append("seat_state", {"seat": seat, "trigger": "decide"})
        core.spots.seat_machines.fire("decide", seat)
        spot = self.spot_of[seat]
        if spot >= 0:
            for kind in ("early_play", "play_without_ante"):
                early = self._issues.at(spot, kind)
                if early is not None:
                    self._issues.close(early, "expired", 0, 0)
            core.spots.machines.fire("open", spot)
            core.lamp(spot, LAMP_OPEN)
            core.show()

    def excuse(self, seat: int, recorded: bool) -> None:
        """Before the close: when the bet that gave a decision has been refused, nothing is left to decide.

        `recorded`: the deal record has said that the seat decides, so this is recorded too.
        """
        core = self._core
        if core.spots.locked[core.asked_spot(seat)]:
            return
        if recorded:
            core.append("seat_state", {"seat": seat, "trigger": "excuse"})
        core.spots.seat_machines.fire("excuse", seat)
        spot = self.spot_of[seat]
        if spot >= 0:
            core.spots.machines.fire("shut", spot)
            core.lamp_of_state(spot)
            core.show()

    def toggle_fold(self, seat: int) -> bool:
        """The dealer keys a fold, or takes it back before the close; False when the seat has nothing to decide."""
        if seat not in self._core.spots.seats or self._core.spots.seat_state(seat) != "deciding":
            return False
        self.watch.folding[seat] ^= 1
        spot = self.spot_of[seat]
        if spot >= 0:
            self._core.lamp(spot, LAMP_OFF if self.watch.folding[seat] else LAMP_OPEN)
            self._core.show()
        return True

    def open_spots(self) -> "list[int]":
        """Spots that decisions have opened, and that the close locks."""
        return [spot for spot in range(self._core.spots.count) if self.is_open(spot)]

    def is_open(self, spot: int) -> bool:
        """Whether a decision has opened the spot. Allocates nothing."""
        return spot == self.spot_of[self._core.spots.seat(spot)] and self._core.spots.state(spot) == "open"

    def close(
        self, found: "dict[int, Found]", lost: bytes
    ) -> "tuple[list[tuple[int, int]], list[tuple[int, int, int]]]":
        """Judge every seat at the close: `found` on its opened spot, which could not be read where `lost` says so.

        Returns the rows of the decisions record: (seat, decision) and (place, amount, flags). Raises no irregularity
        yet: the record comes first.
        """
        core = self._core
        seats = []
        rows = []
        for seat in core.spots.seats:
            if core.spots.seat_state(seat) != "deciding":
                continue
            spot = self.spot_of[seat]
            waits = self._issues.holds_spot(core.asked_spot(seat))
            if spot >= 0:
                core.spots.locked[spot] = found[spot].base
                waits = waits or found[spot].doubted or bool(lost[spot]) or self._issues.holds_spot(spot)
            decision = PENDING if waits else self._judged(seat)
            core.decision[seat] = decision
            seats.append((seat, decision))
            if spot < 0:
                continue
            if decision == self._taken:
                core.spots.locked[spot] = min(found[spot].base, self._bounds(seat)[1])
            if core.spots.locked[spot] or decision == PENDING:
                rows.append((core.spots.places[spot], core.spots.locked[spot], int(decision == PENDING)))
        return seats, rows

    def _bounds(self, seat: int) -> "tuple[int, int]":
        bets = self._core.bets(seat)
        bets.pop(self._core.game.decision.bet, None)
        return bounds(self._core.game, bets, self._core.game.decision.bet)

    def _judged(self, seat: int) -> int:
        """The seat's decision by what is locked on its spot, or PENDING when only a supervisor can tell."""
        if self.spot_of[seat] < 0:
            return self._taken  # 67.47: who does not withdraw the bet stays
        placed = self._core.spots.locked[self.spot_of[seat]]
        if placed == 0:
            return self._refused
        if self.watch.folding[seat] or placed < self._bounds(seat)[0]:
            return PENDING
        return self._taken

    def question(self, seat: int, placed: int, span: "tuple[int, int]") -> None:
        """Raise what is wrong with a bet of `placed` cents that a decided, or pending, seat made at the close."""
        core = self._core
        spot = self.spot_of[seat]
        if spot < 0:
            return
        low, high = self._bounds(seat)
        if core.decision[seat] == self._refused:
            return
        if core.decision[seat] == self._taken:
            if placed > high:
                issue = self._issues.raise_at("relation", spot, placed, high, span, (), QUESTION)
                if issue is not None:
                    issue.on_valid = 0
            return
        amount = min(max(placed, low), high)
        issue = self._issues.raise_at("relation", spot, placed, amount, span, (), SEAT_HOLD)
        if issue is not None:
            issue.on_valid = amount - placed
            issue.on_refused = -placed

    def highest(self, seat: int, spot: int) -> int:
        """The most that a ruling may leave on a spot after the close: what 67.28 allows, when the ante is certain."""
        ante = self._core.asked_spot(seat)
        if spot != self.spot_of[seat] or self._issues.holds_spot(ante) or not self._core.spots.locked[ante]:
            return _UNBOUNDED
        return self._bounds(seat)[1]

    def settle_pending(self, seat: int, span: "tuple[int, int]") -> str:
        """Nothing is open at a seat that is still deciding after the close: judge it now.

        Returns the trigger of its machine, or "" when a new question was raised.
        """
        core = self._core
        spot = self.spot_of[seat]
        if not core.spots.locked[core.asked_spot(seat)]:
            core.decision[seat] = PENDING
            return "excuse"
        placed = core.spots.locked[spot] if spot >= 0 else 0
        decision = self._judged(seat)
        if spot >= 0 and placed > self._bounds(seat)[1]:
            decision = PENDING
        core.decision[seat] = decision
        if decision == PENDING:
            self.question(seat, placed, span)
            return ""
        return "fold" if decision == self._refused else "play"
