"""Who shows his hand and what each bet is due. Entry point: `Settlement`.

The amounts are the locked ones, whatever lies on the spots by then; the arithmetic is `sabot.rules.settle`. A game
settles in as many stages as its course has; what a seat is due is what the stages reached so far settle and have not
settled yet.
"""

from sabot.rules.settle import SeatResult, settle_seat, stage
from sabot.table.deal import DEALER, LATER, WAR
from sabot.wire.codes import DECISIONS, LAMP_SETTLED, RESULTS, place, place_seat

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.by_hand import ByHand
    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.payment import Payment

    Row = tuple[int, int, int, int, int]  # of the settlement record

_PROMPT_OF = {"win": "pay", "lose": "take", "push": "push", "forfeit": "take"}


class Settlement:
    """Reveal and settlement records, and the payment prompts. `stages`: the settlements reached so far."""

    def __init__(self, core: "Core", deal: "Deal") -> None:
        self._core = core
        self._deal = deal
        self.shown: list[int] = []  # numbers of hands
        self.stages: list[str] = []
        self.by_hand: ByHand | None = None  # of a table without a card reader
        self.payment: Payment | None = None  # of a table that pays in an order
        self._behind = bytearray(8)  # by seat: how many stages have been settled there

    def clear(self) -> None:
        """Another round."""
        self.shown = []
        self.stages = []
        if self.by_hand is not None:
            self.by_hand.clear()
        for seat in range(8):
            self._behind[seat] = 0

    # --- hands --------------------------------------------------------------------------------------------------------

    def dealer_shown(self) -> bool:
        """Whether the dealer's first cards lie open."""
        return DEALER in self.shown

    def _must_show(self, seat: int) -> bool:
        """Whether the seat's hand decides a bet: a folded hand stays hidden unless a side bet lives."""
        core = self._core
        state = core.spots.seat_state(seat)
        if state != "folded":
            return state == "in"
        if core.game.fold_side_bets != "live":
            return False
        for bet in core.game.bets:
            if bet.side and bet.name in core.bets(seat):
                return True
        return False

    def reveal(self, seats: "list[int]", dealer: "list[int]") -> None:
        """Record the hands that are turned up now: these of the dealer's, and those of `seats` that decide a bet."""
        numbers = list(dealer)
        for seat in seats:
            if self._must_show(seat):
                numbers += [seat, LATER + seat]
        self.show(numbers)

    def show(self, numbers: "list[int]") -> None:
        """Record these hands, as far as they have been dealt and not been shown yet."""
        numbers = [number for number in numbers if number not in self.shown and self._deal.dealt(number)]
        if numbers:
            self.shown += numbers
            rows = [self._deal.opened(number) for number in numbers]
            self._core.append("reveal", {"round": self._core.round, "hands": rows})

    def _cards(self, seat: int) -> bytes:
        """Cards of a seat, or of the dealer, that lie open; not those of a war."""
        numbers = (seat,) if self._at_war() else (seat, LATER + seat)
        return b"".join([self._deal.hand(number) for number in numbers if number in self.shown])

    def _at_war(self) -> bool:
        contest = self._core.game.contest
        return contest is not None and bool(contest.war)

    # --- amounts ------------------------------------------------------------------------------------------------------

    def behind(self, seat: int) -> bool:
        """Whether a stage has been reached that has not been settled at the seat. Allocates nothing."""
        return self._behind[seat] < len(self.stages)

    def spots(self, seat: int) -> "list[int]":
        """The spots whose bets are due by the stages reached, and not settled."""
        core = self._core
        bets = core.bets(seat)
        decides = core.decision[seat] != 0 or core.spots.seat_state(seat) == "deciding"
        due: list[str] = []
        for step in self.stages:
            due += stage(core.game, step, bets, decides)
        return [
            spot for spot in core.spots.of_seat(seat) if core.spots.state(spot) == "locked" and self._bet(spot) in due
        ]

    def _bet(self, spot: int) -> str:
        name: str = self._core.game.bets[self._core.spots.bet(spot)].name
        return name

    def due(self, seat: int) -> "list[Row]":
        """Rows of the settlement record for one seat; RuleError when a ruling has left bets that cannot stand."""
        core = self._core
        names = [self._bet(spot) for spot in self.spots(seat)]
        bets = core.bets(seat)
        if not names and bets:
            return []
        if self.by_hand is not None and not self.by_hand.hands_known(seat):
            return self.rows(seat, self.by_hand.result(seat, names))
        decision = DECISIONS[core.decision[seat]] if core.decision[seat] else None
        player = dealer = None
        if self._at_war() and decision == core.game.decision.taken:
            own = self._deal.hand(LATER + seat)
            dealers = self._deal.hand(WAR + seat) or self._deal.hand(LATER)
            if own and dealers:
                player, dealer = own[0], dealers[0]
            else:
                decision = None  # the seat was on hold when the first cards were settled, which no decision touches
        only = None if len(names) == len(bets) else names
        hand, others = tuple(self._cards(seat)), tuple(self._cards(DEALER))
        return self.rows(seat, settle_seat(core.game, hand, others, bets, decision, player, dealer, only))

    def known(self, seat: int) -> bool:
        """Whether what is due to the seat can be told: always, where a reader sees the cards."""
        return self.by_hand is None or self.by_hand.ready(seat, [self._bet(spot) for spot in self.spots(seat)])

    def rows(self, seat: int, result: "SeatResult") -> "list[Row]":
        """A seat's result as rows of the settlement record."""
        found = []
        for line in result.lines:
            where = self._place(seat, line.bet)
            found.append((where, RESULTS.index(line.result), line.stake, line.paid, line.returned))
        return found

    def settle(self, rows: "list[Row]", seats: "list[int]") -> None:
        """Record what these seats are due, then tell the dealer what to pay and take, from his right to his left."""
        core = self._core
        now = core.ports.clock.ticks()
        if rows:
            core.append("settlement", {"round": core.round, "bets": rows})
        for seat in seats:
            core.spots.owed[seat] = sum([row[3] for row in rows if place_seat(row[0]) == seat])
        for where, _result, stake, paid, _returned in rows:
            if stake:
                spot = core.spots.find(where)
                core.spots.due[spot] = paid
                core.spots.machines.fire("settle", spot)
                core.spots.settled_at[spot] = now
                core.lamp(spot, LAMP_SETTLED)
        for seat in seats:
            if not core.unsettled(seat):
                if not [row for row in rows if place_seat(row[0]) == seat]:
                    core.append("seat_state", {"seat": seat, "trigger": "done"})
                core.spots.seat_machines.fire("done", seat)
        core.show()
        rows = [self._rounded(row) for row in rows]
        if self.payment is not None:
            self.payment.add(rows)
            return
        for where, result, stake, paid, returned in reversed(rows):
            kind = _PROMPT_OF[RESULTS[result]]
            core.prompt(kind, where, paid if kind == "pay" else returned if kind == "push" else stake - returned)

    def _rounded(self, row: "Row") -> "Row":
        """What the dealer is told of a bet: half of it goes back in chips that there are; the rest has its record."""
        where, result, stake, paid, returned = row
        unit: int = self._core.config.half_rounding
        if RESULTS[result] != "forfeit" or not 0 < returned < stake or returned % unit == 0:
            return row
        back = min(returned + unit - returned % unit, stake)
        self._core.append("rounded", {"place": where, "amount": back - returned})
        return where, result, stake, paid, back

    def caught_up(self, seat: int) -> None:
        """Every stage reached so far has been settled at the seat."""
        self._behind[seat] = len(self.stages)

    def _place(self, seat: int, name: str) -> int:
        """Place of a bet; the extra line, which has no spot, takes the number after the last bet."""
        names = [bet.name for bet in self._core.game.bets]
        return place(seat, names.index(name) if name in names else len(names))
