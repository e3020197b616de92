"""What an analysis finds. Entry points: `GameOdds`, `BetOdds`, `Result`, `Strategy`."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt


@dataclass(frozen=True)
class Result:
    """One way a bet can end: what the player sees, what he nets and has staked (in units of the bet), how likely."""

    label: str
    net: Fraction
    staked: Fraction
    probability: Fraction


@dataclass(frozen=True)
class Strategy:
    """The best decisions, found by comparing the exact values of all choices for every hand.

    `rule` states them, one line an entry. `shares` says how often each choice is the best one. `cost` is what the rule
    as stated gives away, in units of the bet, against the best choice for every single hand: 0 when it is that choice
    everywhere.
    """

    rule: tuple[str, ...]
    shares: tuple[tuple[str, Fraction], ...]
    cost: Fraction = Fraction(0)


@dataclass(frozen=True)
class BetOdds:
    """One bet, with the best decisions. A bet that others must accompany is counted with them, in units of itself."""

    name: str
    article: str
    results: tuple[Result, ...]
    accompanied_by: tuple[str, ...] = ()
    strategy: Strategy | None = None

    def __post_init__(self) -> None:
        total = sum(result.probability for result in self.results)
        if total != 1:
            raise ValueError(f"the results of {self.name} have probability {total}")

    @property
    def house_edge(self) -> Fraction:
        """The player's mean loss a unit of this bet; negative when the player has the edge."""
        return -sum((result.probability * result.net for result in self.results), Fraction(0))

    @property
    def staked(self) -> Fraction:
        """The mean total stake a unit of this bet."""
        return sum((result.probability * result.staked for result in self.results), Fraction(0))

    @property
    def element_of_risk(self) -> Fraction:
        """The player's mean loss a unit staked in all."""
        return self.house_edge / self.staked

    @property
    def deviation(self) -> float:
        """Standard deviation of the net, in units of this bet."""
        second = sum((result.probability * result.net**2 for result in self.results), Fraction(0))
        return sqrt(second - self.house_edge**2)


@dataclass(frozen=True)
class GameOdds:
    """The odds of a game's bets with so many packs in play."""

    game: str
    decks: int
    fingerprint: str
    bets: tuple[BetOdds, ...] = field(default=())

    def favoured(self) -> tuple[str, ...]:
        """The bets that favour the player."""
        return tuple(bet.name for bet in self.bets if bet.house_edge < 0)
