"""The main bet of a game in which the player's hand meets the dealer's. Entry point: `contested`.

The player pays the opening bets, sees his cards (all, or those of the first deal) and the dealer's open card if there
is one, and then refuses, or takes the decision with the lowest or the highest bet it allows: what he nets is linear in
that bet, so nothing between is better than both. For every class of hands the choice of the highest exact value counts.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from sabot.rules.bets import bet_named, can_decide
from sabot.rules.game import EQUAL, HIGHER, LOWER, NOT_OPEN, REFUSED, TO_DEALER, UP, Game
from sabot.rules.ranking import at_least
from sabot.rules.settle import settle_end

from .contest import Counted, count
from .model import BetOdds, Result, Strategy
from .naming import rank_names
from .packs import Counts, Numbers, hands, parts, weighted
from .strategy import by_rank, refused_hands
from .tables import unit

_NEVER = -(1 << 50)  # the value of a choice that a hand has no right to
_WORDS = {
    REFUSED: "",
    NOT_OPEN: ", dealer does not open",
    HIGHER: ", higher hand",
    EQUAL: ", equal hands",
    LOWER: ", lower hand",
}


@dataclass
class _Choice:
    """One choice of the player: its name in words, the decision and the bets that it leaves on the table."""

    name: str
    decision: str
    bets: dict[str, int]


class _Contested:
    """The analysis of one game with so many packs."""

    def __init__(self, game: Game, decks: int) -> None:
        self.game = game
        self.decks = decks
        self.base = game.openings[0][0]
        self.unit = unit(game)
        self.choices = self._choices()
        contest = game.contest
        first = game.deal[0].deal
        self.face_up = any(step.to == TO_DEALER and step.face == UP and step.deal == first for step in game.deal)
        opens = None
        if contest.opens is not None:
            kind, lead = contest.opens
            opens = at_least(kind, lead, contest.size)
        self.counted: Counted = count(decks, contest.cards, contest.dealer_cards, contest.size, opens, self.face_up)
        _, self.first, self.which = np.unique(self.counted.ranks, return_index=True, return_inverse=True)
        self.hands = [self.counted.player.cards[place].tolist() for place in self.first]
        self.ends = [end for end in (NOT_OPEN, HIGHER, EQUAL, LOWER) if end != NOT_OPEN or opens is not None]
        self.allowed = [
            np.array([can_decide(game, choice.bets, choice.decision, False, hand) for hand in self.hands])
            for choice in self.choices
        ]

    def _choices(self) -> list[_Choice]:
        game, decision = self.game, self.game.decision
        bets = {self.base: self.unit}
        for name in game.openings[0][1:]:
            bets[name] = bet_named(game, name).relation.low * self.unit
        relation = bet_named(game, decision.bet).relation
        choices = [_Choice(decision.refused, decision.refused, bets)]
        for times in sorted({relation.low, relation.high}):
            name = decision.taken if relation.low == relation.high else f"{decision.taken} {times} ×"
            choices.append(_Choice(name, decision.taken, {**bets, decision.bet: times * self.unit}))
        return choices

    def ended(self, choice: _Choice) -> list[str]:
        """How the contest can end after this choice."""
        return [REFUSED] if choice.decision == self.game.decision.refused else self.ends

    def hands_ended(self, end: str) -> Counts:
        """How many of the dealer's hands end it so: one row a class of the player's hands."""
        if end == REFUSED:
            return np.full(self.counted.ways.shape, self.counted.total, np.int64)
        found = {
            NOT_OPEN: self.counted.not_open,
            HIGHER: self.counted.higher,
            EQUAL: self.counted.equal,
            LOWER: self.counted.lower,
        }
        return found[end]

    def nets(self, choice: _Choice, end: str) -> list[int]:
        """What the seat nets, in parts of `unit`: one entry a rank."""
        return [settle_end(self.game, hand, choice.bets, choice.decision, end).net for hand in self.hands]

    def values(self, choice: _Choice) -> Counts:
        """The sum of what the seat nets over all the dealer's hands."""
        total = np.zeros(self.counted.ways.shape, np.int64)
        for end in self.ended(choice):
            total += self.hands_ended(end) * np.array(self.nets(choice, end), np.int64)[self.which][:, None]
        return total

    def results(self, weights: list[Counts], deals: int) -> list[Result]:
        """The results, given how often each class of hands makes each choice."""
        found: dict[tuple[str, int, int], int] = {}
        for choice, weight in zip(self.choices, weights, strict=True):
            staked = sum(choice.bets.values())
            for end in self.ended(choice):
                counts = np.zeros(len(self.hands), np.int64)
                np.add.at(counts, self.which, (weight * self.hands_ended(end)).sum(axis=1))
                for net, number in zip(self.nets(choice, end), counts.tolist(), strict=True):
                    key = (choice.name + _WORDS[end], net, staked)
                    found[key] = found.get(key, 0) + number
        return [
            Result(label, Fraction(net, self.unit), Fraction(staked, self.unit), Fraction(number, deals))
            for (label, net, staked), number in found.items()
            if number
        ]

    def deals(self) -> int:
        """The number of ways to deal the player's and the dealer's cards."""
        unseen = 52 * self.decks - self.game.contest.cards
        dealt = comb(52 * self.decks, self.game.contest.cards) * self.counted.total
        return dealt * (unseen if self.face_up else 1)

    def on_whole_hands(self) -> tuple[list[Result], Strategy]:
        """Decide with all cards seen."""
        values = [self.values(choice) for choice in self.choices]
        for choice, allowed in enumerate(self.allowed):
            values[choice][~allowed[self.which]] = _NEVER
        best = np.argmax(np.stack(values), axis=0)
        weights = [np.where(best == choice, self.counted.ways, 0) for choice in range(len(self.choices))]
        reached = int(self._by_open_card(np.max(np.stack(values), axis=0)).sum(axis=1).sum())
        for choice, allowed in enumerate(self.allowed):
            values[choice][~allowed[self.which]] = 0
        worth = [self._by_open_card(value) for value in values]
        words = [choice.name for choice in self.choices]
        names = rank_names(self.hands, self.game.contest.size)
        lowest = [int(np.argmax(allowed)) for allowed in self.allowed]
        rule, kept = by_rank(words, worth, lowest, names, self.face_up)
        deals = self.deals()
        shares = [
            (word, Fraction(int(weight.sum(axis=1).sum()) * self.counted.total, deals))
            for word, weight in zip(words, weights, strict=True)
        ]
        cost = Fraction(reached - kept, deals * self.unit)
        return self.results(weights, deals), Strategy(rule, tuple(shares), cost)

    def _by_open_card(self, values: Counts) -> Counts:
        """Values summed by rank of the dealer's open card (rows) and rank of the hand (columns)."""
        sums = np.zeros((len(self.hands), values.shape[1]), np.int64)
        np.add.at(sums, self.which, weighted(values, self.counted.ways))
        return sums.reshape(len(self.hands), 13, 4).sum(axis=2).T if self.face_up else sums.T

    def on_first_cards(self) -> tuple[list[Result], Strategy]:
        """Decide with the cards of the first deal, before the others come."""
        seen = hands(self.decks, self.game.cards[0])
        found: Numbers = parts(self.counted.player.cards, seen.size, seen)
        sums = []
        for choice in self.choices:
            value = weighted(len(found) * self.values(choice)[:, 0], self.counted.player.ways) // len(found)
            sums.append(np.zeros(len(seen), np.int64))
            np.add.at(sums[-1], found.ravel(), np.tile(value, len(found)))
        best = np.argmax(np.stack(sums), axis=0)
        ways = self.counted.ways
        weights = [ways * (best[found] == choice).sum(axis=0)[:, None] for choice in range(len(self.choices))]
        takes = best > 0
        share = Fraction(int(seen.ways[~takes].sum()), int(seen.ways.sum()))
        return self.results(weights, self.deals() * len(found)), refused_hands(self.game, seen, takes, share)


def contested(game: Game, decks: int) -> BetOdds:
    """The odds of the opening bets with the decision's bet and the extra line, in units of the first opening bet."""
    work = _Contested(game, decks)
    results, strategy = work.on_whole_hands() if game.cards[1] is None else work.on_first_cards()
    with_it = tuple(bet.name for bet in game.bets if bet.name in (*game.openings[0][1:], game.decision.bet))
    return BetOdds(work.base, bet_named(game, work.base).article, tuple(results), with_it, strategy)
