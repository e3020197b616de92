"""A table without any card reader: hands are keyed, or judged by the dealer. Entry point: `ByHand` (`Table.by_hand`).

Bets, locks, decisions and journal are those of every table. The deal is done when the lock is confirmed (at Bataille
when the dealer says so, DEVOILER: before, he names the seats that are equal). A seat is settled when its hand and the
dealer's have been keyed, or when he has judged each bet that is due: one of the ends that the game's data give the
bet, by its number in `choices`. Loaded by tables that deal so.
"""

from sabot.rules.bets import bet_named
from sabot.rules.game import ALWAYS, EQUAL, FORFEIT, REFUSED, WIN, Bet, Outcome
from sabot.rules.settle import Line, SeatResult, settle_end
from sabot.table.deal import DEALER, LATER, WAR
from sabot.table.errors import NO_EDGE, TableError
from sabot.table.packets import fit
from sabot.wire.codes import DECISIONS, place_spot
from sabot.wire.codes import place as place_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot.table.core import Core
    from sabot.table.deal import Deal
    from sabot.table.dealing import Dealing
    from sabot.table.decisions import Decisions
    from sabot.table.showdown import Showdown

    End = tuple[str, int, int]  # result, pays, per


class _OneBet:
    """A game of one bet with one end: what `settle_end` needs of it."""

    fold_side_bets = None
    extra = None

    def __init__(self, bet: "Bet", end: "End") -> None:
        result, pays, per = end
        outcomes = (Outcome(ALWAYS, result, pays, per),)
        self.bets = (Bet(bet.name, bet.lock, bet.settles, None, bet.article, None, outcomes, bet.side),)


def _line(bet: "Bet", end: "End", stake: int) -> Line:
    """What a stake is due when its bet has that end."""
    game: Any = _OneBet(bet, end)
    line: Line = settle_end(game, (), {bet.name: stake}, None, ALWAYS).lines[0]
    return line


class ByHand:
    """What people say of the cards of one round after another."""

    def __init__(
        self,
        core: "Core",
        deal: "Deal",
        dealing: "Dealing",
        decisions: "Decisions",
        showdown: "Showdown",
        proceed: "Callable[[], None]",
    ) -> None:
        if core.spots.carded:
            raise TableError(NO_EDGE, "no reader sees the first card: the announcement must lock every bet (67.36)")
        self._core = core
        self._deal = deal
        self._dealing = dealing
        self._decisions = decisions
        self._showdown = showdown
        self._settlement = showdown.settlement
        self._settlement.by_hand = self
        self._proceed = proceed
        self._asks_equal = core.game.decision.on == EQUAL
        self._dealt = False
        self._equal = bytearray(8)  # seats that the dealer has named
        self._judged: dict[int, End] = {}  # by place
        self._keyed: list[int] = []  # numbers of hands

    def clear(self) -> None:
        """Another round: nothing has been said."""
        self._dealt = False
        self._judged = {}
        self._keyed = []
        for seat in range(8):
            self._equal[seat] = 0

    # --- the deal -----------------------------------------------------------------------------------------------------

    def plan(self, seats: "list[int]") -> None:
        """These seats play, and the dealer; none: nothing is dealt."""
        if seats:
            self._deal.unseen = seats + [DEALER]
            if not self._asks_equal:
                self.finish_deal()

    def finish_deal(self) -> bool:
        """The dealer has dealt where no reader sees it; False when that is no news."""
        core = self._core
        if self._dealt or not self._deal.planned() or core.machine.name != "locked":
            return False
        self._dealt = True
        core.machine.fire("first_card")
        for seat in core.spots.seats:
            if not self._asks_equal or self._equal[seat]:
                self._decisions.open(seat)
        for spot in range(core.spots.count):
            if self._equal[core.spots.seat(spot)] and core.spots.locked[spot]:
                end = core.game.bets[core.spots.bet(spot)].outcomes[-1]
                if end.end == ALWAYS:  # that the cards are equal is all that the tie bet asks (67.40)
                    self._judged[core.spots.places[spot]] = (end.result, end.pays, end.per)
        self._dealing.complete(core.now)
        return True

    def war(self) -> None:
        """Seats may have gone to war: their cards lie open, and the settlement begins."""
        if self._dealing.staying():
            self._core.append("reveal", {"round": self._core.round, "hands": []})
            self._showdown.open_dealer()

    # --- what is said -------------------------------------------------------------------------------------------------

    def name_equal(self, seat: int) -> bool:
        """The seat's card equals the dealer's (67.38), or not after all; False when that cannot be said now."""
        core = self._core
        if not self._asks_equal or self._dealt or core.machine.name != "locked" or not core.confirmed:
            return False
        if seat not in core.spots.seats or core.spots.seat_state(seat) != "in":
            return False
        self._equal[seat] ^= 1
        return True

    def key_hand(self, number: int, codes: "list[int]", by: int) -> bool:
        """Key a whole hand (its number, as in records) that lies open: 0 to 51 each; False when it cannot be."""
        core = self._core
        opened = self._asks_equal and core.in_round and core.confirmed  # at Bataille every card does
        if number & 7 not in core.spots.seats + (DEALER,) or not (opened or number in self._settlement.shown):
            return False
        if number in self._keyed or len(codes) != self._size(number) or not fit(self._deal, codes):
            return False
        for code in codes:
            self._deal.packs.take(code)
            self._deal.give(number, code)
        self._keyed.append(number)
        core.append("keyed_hands", {"round": core.round, "by": by, "hands": [(number, bytes(codes))]})
        self._go_on()
        return True

    def _size(self, number: int) -> int:
        """Cards of a hand in the end; a seat that has folded is not dealt to again (67.60)."""
        core = self._core
        first, second = core.game.cards if number & 7 else core.game.dealer_cards
        whole = second is not None and (number == DEALER or core.spots.seat_state(number) != "folded")
        size: int = second if whole else first
        return size

    def _go_on(self) -> None:
        self._core.now = self._core.ports.clock.ticks()
        self._proceed()

    def choices(self, place: int) -> "list[End]":
        """The ends that the game gives the bet at a place, or the extra line there: (result, pays, per), each once."""
        game = self._core.game
        spot = self._core.spots.find(place)
        if spot < 0:
            extra = game.extra if place_spot(place) == len(game.bets) else None
            return [(WIN, row.pays, row.per) for row in extra.table.rows] if extra is not None else []
        bet = game.bets[self._core.spots.bet(spot)]
        found = [(WIN, row.pays, row.per) for row in bet.table.rows] if bet.table is not None else []
        for outcome in bet.outcomes:
            end = (outcome.result, outcome.pays, outcome.per)
            if end not in found and outcome.result != FORFEIT:
                found.append(end)
        return found

    def judge(self, place: int, choice: int) -> bool:
        """The dealer's judgement of a bet, by its number in `choices`; False when it cannot be judged now.

        The extra line is judged before the bet that it is paid on: that bet's judgement may settle the seat.
        """
        core = self._core
        choices = self.choices(place)
        spot = core.spots.find(place)
        if not self._dealt or not core.in_round or not 0 <= choice < len(choices):
            return False
        if spot >= 0 and (core.spots.state(spot) != "locked" or not core.spots.locked[spot]):
            return False
        self._judged[place] = choices[choice]
        self._go_on()
        return True

    def waiting(self, seat: int) -> "list[int]":
        """Places whose bets are due at a seat and not judged, an extra line before the bet that it is paid on."""
        game = self._core.game
        if not self._dealt or seat not in self._core.spots.seats or self.hands_known(seat):
            return []
        names = [self._bet(spot) for spot in self._settlement.spots(seat)]
        found = []
        for name in self._unjudged(seat, names):
            extra = place_of(seat, len(game.bets))
            if game.extra is not None and game.extra.on == name and extra not in self._judged:
                found.append(extra)
            for spot in self._core.spots.of_seat(seat):
                if self._bet(spot) == name:
                    found.append(self._core.spots.places[spot])
        return found

    # --- what follows -------------------------------------------------------------------------------------------------

    def ready(self, seat: int, names: "list[str]") -> bool:
        """Whether it is known what these bets of a seat are due."""
        return not names or self.hands_known(seat) or not self._unjudged(seat, names)

    def hands_known(self, seat: int) -> bool:
        """Whether the cards that the seat's bets rest on have been keyed, the dealer's with them."""
        game = self._core.game
        wanted = [seat, DEALER]
        if game.contest is not None and game.contest.war:
            if DECISIONS[self._core.decision[seat]] == game.decision.taken:
                wanted += [LATER + seat, WAR + seat if game.war_dealer_card == "own" else LATER]
        return not [number for number in wanted if number not in self._keyed]

    def _unjudged(self, seat: int, names: "list[str]") -> "list[str]":
        """Names of the bets that must be judged: what a refused decision forfeits is not a matter of cards."""
        missing = []
        for spot in self._core.spots.of_seat(seat):
            name = self._bet(spot)
            if name in names and self._core.spots.places[spot] not in self._judged and not self._forfeit(seat, name):
                missing.append(name)
        return missing

    def _bet(self, spot: int) -> str:
        name: str = self._core.game.bets[self._core.spots.bet(spot)].name
        return name

    def _forfeit(self, seat: int, name: str) -> "End | None":
        """What the seat's refusal of its decision takes of a bet."""
        core = self._core
        if core.spots.seat_state(seat) != "folded":
            return None
        bet = bet_named(core.game, name)
        if bet.side and core.game.fold_side_bets == "forfeit":
            return FORFEIT, 1, 1
        for outcome in bet.outcomes:
            if outcome.end == REFUSED:
                return FORFEIT, outcome.pays, outcome.per
        return None

    def result(self, seat: int, names: "list[str]") -> SeatResult:
        """What a seat's bets are due, as they have been judged."""
        core = self._core
        extra = core.game.extra
        bonus = self._judged.get(place_of(seat, len(core.game.bets)))
        lines: list[Line] = []
        bonuses: list[Line] = []
        for spot in core.spots.of_seat(seat):
            name = self._bet(spot)
            if name not in names:
                continue
            bet = bet_named(core.game, name)
            stake = core.spots.locked[spot]
            end = self._forfeit(seat, name) or self._judged[core.spots.places[spot]]
            lines.append(_line(bet, end, stake))
            if extra is not None and extra.on == name and bonus is not None:
                bonuses.append(Line(extra.name, WIN, 0, _line(bet, bonus, stake).paid, 0))
        staked = sum([line.stake for line in lines])
        received = sum([line.paid + line.returned for line in lines + bonuses])
        return SeatResult(tuple(lines + bonuses), staked, received, received - staked)
