"""One player: a purse, a seat, bets as his game wants them. Entry point: :class:`Player`.

What he does beyond playing is in :mod:`hwsim.fuzz.acts`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hwsim.fuzz.chips import making
from hwsim.fuzz.crew import Script, Until
from hwsim.fuzz.floor import Floor, shown
from hwsim.scenario.values import dollars
from hwsim.world.cards import Card
from hwsim.world.chips import Chip

MAIN = (500, 1000, 1500, 2500, 3000, 5000)
SIDE = (100, 500, 1000)
_BUY_IN = (10000, 10000, 2500, 2500, 2500, 2500, *[500] * 8, *[100] * 10)
_POOR = 20_000


class Player:
    """The player at ``seat``; ``seed`` is that of his temper."""

    def __init__(self, floor: Floor, seat: int, seed: str) -> None:
        self.floor = floor
        self.seat = seat
        self.name = f"seat {seat}"
        self.rng = random.Random(f"player/{seed}/{seat}")
        self.chips: list[Chip] = []
        self.betting = False
        """he has not made his bets yet"""
        self.deciding = False
        """he has not made up his mind yet"""
        self.held: list[Card] = []
        """cards that he was dealt"""
        self.asked = False
        """he had a decision to make in this round"""
        self.folds = False
        """he has said so"""
        self.owes: dict[str, list[Chip]] = {}
        """by bet: chips he took from it and still holds"""
        self.strays: dict[str, tuple[list[Chip], str]] = {}
        """by bet: chips that he moved there, and the bet that they come from"""
        self.tucked: list[Card] = []
        """cards of his under his chips"""
        self.quiet = False
        """this round he lays no side bet, because an act of his wants the spot empty"""

    # --- chips --------------------------------------------------------------------------------------------------------

    def stock(self, cents: int) -> list[Chip]:
        """Chips of his that make up an amount; he changes, or buys, when he has none that do."""
        tray = self.floor.tray
        if self.worth < max(cents, _POOR):
            self.chips += [tray.make(value) for value in _BUY_IN]
        chosen = making(self.chips, cents)
        while chosen is None:
            largest = max(self.chips, key=lambda chip: chip.cents)
            self.chips.remove(largest)
            tray.put([largest])
            self.chips += tray.small(largest.cents)
            chosen = making(self.chips, cents)
        for chip in chosen:
            self.chips.remove(chip)
        return chosen

    @property
    def worth(self) -> int:
        """Cents in his purse."""
        return sum(chip.cents for chip in self.chips)

    def pocket(self, chips: Sequence[Chip]) -> None:
        """Put chips back into the purse; those that are not the house's are gone for good."""
        self.chips += [chip for chip in chips if chip not in self.floor.strange]

    def say(self, text: str) -> None:
        """Enter an act of his in the diary."""
        self.floor.diary.say(self.name, text)

    @property
    def cards(self) -> list[str]:
        """Codes of the cards that he was dealt."""
        return [card.code for card in self.held]

    # --- motions ------------------------------------------------------------------------------------------------------

    def lays(self, chips: Sequence[Chip], bet: str) -> None:
        """He lays chips on a spot of his."""
        self.say(f"lays {shown(chips)} on {bet}")
        self.floor.lay(chips, self.seat, bet)

    def lifts(self, chips: Sequence[Chip], bet: str) -> None:
        """He takes chips from a spot of his into his hand."""
        self.say(f"takes {shown(chips)} from {bet}")
        self.floor.lift(chips)

    def on(self, bet: str) -> list[Chip]:
        """The chips on a spot of his."""
        return self.floor.lying(self.seat, bet)

    # --- a round ------------------------------------------------------------------------------------------------------

    def sits(self) -> None:
        """Another round begins."""
        for chips in self.owes.values():
            self.pocket(chips)
        self.owes, self.strays = {}, {}
        self.held = []
        self.asked = self.folds = self.quiet = self.betting = self.deciding = False

    def bets(self) -> Script:
        """He makes his bets."""
        self.betting = True
        yield from self.floor.busy(self._bets())
        self.betting = False

    def _bets(self) -> Script:
        law, rng = self.floor.law, self.rng
        yield rng.uniform(50, 700)
        cents = max(rng.choice(MAIN), self.floor.cents(self.seat, law.main[0]))
        for bet in law.main:
            yield from self._make(bet, law.amount(bet, cents))
        for bet in law.side:
            if not self.quiet and rng.random() < 0.55:
                yield rng.uniform(60, 250)
                lowest = self.floor.table.config["limits"].get(bet, (0, 0))[0]
                yield from self._make(bet, max(rng.choice(SIDE), lowest))

    def _make(self, bet: str, cents: int) -> Script:
        """Bring a spot to an amount; what lies there already stays."""
        lying = self.floor.cents(self.seat, bet)
        if lying < cents:
            chips = self.stock(cents - lying)
            if len(chips) > 1 and self.rng.random() < 0.4:
                half = len(chips) // 2
                self.lays(chips[:half], bet)
                yield self.rng.uniform(80, 300)
                chips = chips[half:]
            self.lays(chips, bet)
            yield self.rng.uniform(60, 200)

    def decides(self) -> Script:
        """He looks at his cards and goes on, or does not."""
        yield from self.floor.busy(self._decides())
        self.deciding = False

    def _decides(self) -> Script:
        floor, law, rng = self.floor, self.floor.law, self.rng
        if law.opens:
            yield Until(lambda: self._may_decide() or self._out(), f"a decision at seat {self.seat}")
            if not self._may_decide():
                return
        yield rng.uniform(150, 600)
        goes_on = law.worth_it(self.cards) if rng.random() < 0.85 else rng.random() < 0.5
        if goes_on and law.opens:
            stakes = law.stakes(self.cards, floor.cents(self.seat, law.asks))
            yield from self._make(law.opens, rng.choice(stakes))
        elif not goes_on:
            yield from self._take_off(law.opens)
            if law.at_once or rng.random() < 0.3:
                self.folds = True
                self.say(f"says {law.refused}")

    def _may_decide(self) -> bool:
        return self.floor.lamp(self.seat, self.floor.law.opens) == "green"

    def _out(self) -> bool:
        """A ruling has given his bets back, for which his lamps are dark."""
        return self.floor.lamp(self.seat, self.floor.law.asks) == "dark"

    def put_right(self, bet: str, uids: Sequence[str]) -> Script:
        """A change at a spot of his does not count: chips that came are taken off, chips that went come back."""
        rng = self.rng
        yield rng.uniform(150, 400)
        lying = [chip for chip in self.on(bet) if chip.uid[::-1].hex().upper() in uids]
        stray, origin = self.strays.pop(bet, ([], ""))
        if stray and all(chip in self.on(bet) for chip in stray):
            self.lifts(stray, bet)
            yield rng.uniform(150, 400)
            self.lays(stray, origin)
        elif lying:
            self.lifts(lying, bet)
            self.pocket(lying)
        held = self.owes.pop(bet, [])
        if held:
            yield rng.uniform(150, 400)
            self.lays(held, bet)
        yield 30

    def _take_off(self, bet: str) -> Script:
        """What he laid there too soon he takes back."""
        chips = self.on(bet) if bet else []
        if chips:
            self.lifts(chips, bet)
            self.pocket(chips)
            yield self.rng.uniform(60, 200)

    def collect(self, bets: Sequence[str]) -> Script:
        """He takes what is his from these spots of his."""
        yield self.rng.uniform(80, 250)
        for bet in bets:
            chips = self.on(bet)
            if chips:
                self.lifts(chips, bet)
                self.pocket(chips)
                yield self.rng.uniform(40, 120)

    def takes(self, cents: Sequence[Chip]) -> None:
        """The dealer gives him chips into the hand."""
        self.say(f"gets {dollars(sum(chip.cents for chip in cents))} into the hand")
        self.pocket(cents)
