"""Players who know the games: what they bet, and what they decide when they have seen their cards.

Entry point: :class:`Player`. They know the rules from the games' data, as the firmware does; what they do with them is
theirs: a purse, a temper from a seed, and a hand that each game's players find worth playing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from hwsim.core import NS_PER_MS
from hwsim.world.chips import Chip
from sabot.rules.bets import bounds, decides
from sabot.rules.cards import card_from_name
from sabot.rules.game import LOCK_DECISIONS, Game
from sabot.rules.ranking import at_least, rank_hand
from sabot_host.sim.floor import Floor

PURSE = 200_000
STAKES = (500, 1000, 1500, 2500, 5000)
SIDE_BETS = (100, 500, 1000)
BET_WITHIN_MS = 1500
DECIDE_WITHIN_MS = 1200

# The weakest hand worth playing, and the weakest worth the highest bet; where there is no such hand, luck decides.
_WORTH = {
    "three_card": ("Qc 6d 4h", "Ac Ad Ah"),
    "boston": ("2c 2d 3h", "Ac Ad Ah"),
    "four_card": ("Ac Kd 9h 7s", "Tc Td 2h 3s"),
    "crazy_four": ("Kc Qd 8h 4s", "Ac Ad 2h 3s"),
    "poker_357": ("2c 2d 3h", "Ac Ad Ah"),
}
_PLAYS_AT_WAR = 0.75
_PLAYS_ANYWAY = 0.15


class Player:
    """One seat's player of ``game``, with a purse in cents."""

    def __init__(self, floor: Floor, game: Game, seat: int, seed: int) -> None:
        self.seat = seat
        self.purse = PURSE
        self.bets: dict[str, int] = {}
        """Cents put down in this round, by bet."""
        self.holds_back = ""
        """A bet that this player keeps in the hand in the next round."""
        self.insists = ""
        """A bet that this player makes in the next round for certain."""
        self._floor = floor
        self._game = game
        self._limits = floor.table.config["limits"]
        self._random = random.Random(f"player/{game.id}/{seed}/{seat}")

    def bet(self, something: bool = False) -> None:
        """Put the bets of a round down in the next second or two; now and then none, unless it must be something."""
        self.bets = {}
        something = something or bool(self.holds_back or self.insists)
        if self._random.random() < 0.1 and not something:
            return
        certain = (*self._game.openings[0], self.insists)
        at = self._soon(BET_WITHIN_MS - 400)
        for bet in self._game.bets:
            if bet.lock == LOCK_DECISIONS or bet.name == self.holds_back:
                continue
            if bet.name in certain or self._random.random() < 0.5:
                self._put(bet.name, self._stake(bet.name), at)
                at += self._random.randrange(80, 200) * NS_PER_MS
        self.holds_back = self.insists = ""

    def decide(self, cards: Sequence[str]) -> bool:
        """Look at the cards and decide; whether the decision's bet, if there is one, is being put down."""
        decision = self._game.decision
        taken = self._takes(cards)
        if taken and decision.bet is not None:
            low, high = bounds(self._game, self.bets, decision.bet)
            self._put(decision.bet, high if self._dares(cards) else low, self._soon(DECIDE_WITHIN_MS))
        return taken

    @property
    def won(self) -> int:
        """Cents won since the first round."""
        return self.purse - PURSE

    def decides(self, equal: bool) -> bool:
        """Whether this seat has something to decide; ``equal``: its card is of the rank of the dealer's."""
        return decides(self._game, self.bets, equal)

    def lying(self, bets: Sequence[str] = ()) -> list[Chip]:
        """The chips on this seat's spots, or on those of ``bets`` only."""
        found: list[Chip] = []
        for seat, bet in self._floor.table.spots:
            if seat == self.seat and (not bets or bet in bets):
                pieces = self._floor.table.felt.lying_on(self._floor.table.spot(seat, bet))
                found += [piece for piece in pieces if isinstance(piece, Chip)]
        return found

    def _soon(self, within_ms: int) -> int:
        return self._floor.table.now + self._random.randrange(100, within_ms) * NS_PER_MS

    def _stake(self, bet: str) -> int:
        low, high = bounds(self._game, self.bets, bet) if self._related(bet) else (0, 0)
        if high:
            return self._random.choice((low, high))
        low, high = self._limits.get(bet, (1, STAKES[-1]))
        return self._random.choice(
            [cents for cents in (SIDE_BETS if low < STAKES[0] else STAKES) if low <= cents <= high]
        )

    def _related(self, name: str) -> bool:
        return any(bet.name == name and bet.relation is not None for bet in self._game.bets)

    def _takes(self, cards: Sequence[str]) -> bool:
        if self._game.id not in _WORTH:
            return self._random.random() < _PLAYS_AT_WAR
        return (
            self._rank(cards) >= self._rank(_WORTH[self._game.id][0].split()) or self._random.random() < _PLAYS_ANYWAY
        )

    def _dares(self, cards: Sequence[str]) -> bool:
        """Whether the hand is worth the highest bet, and gives the right to it (67.81)."""
        if self._game.id not in _WORTH or self._rank(cards) < self._rank(_WORTH[self._game.id][1].split()):
            return False
        relation = next(bet.relation for bet in self._game.bets if bet.name == self._game.decision.bet)
        size = self._size(len(cards))
        return relation.kind is None or self._rank(cards) >= at_least(relation.kind, relation.lead, size)

    def _rank(self, cards: Sequence[str]) -> int:
        return rank_hand([card_from_name(card) for card in cards], len(cards), self._size(len(cards)))

    def _size(self, count: int) -> int:
        contest = self._game.contest
        return min(count, contest.size if contest is not None else count)

    def _put(self, bet: str, cents: int, at: int) -> None:
        self._floor.table.place(self.seat, bet, cents, at)
        self.bets[bet] = cents
        self.purse -= cents
