"""What the fuzz knows of a game. Entry points: :class:`Law`, :class:`Due` (what a bet is due), :class:`Hand`.

Amounts are cents. Words of a result are those of the settlement: ``win lose push forfeit``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Limits = Mapping[str, Sequence[int]]


class Due(NamedTuple):
    """What becomes of one bet."""

    result: str
    stake: int
    paid: int
    returned: int


def win(stake: int, pays: int = 1) -> Due:
    """Stake back and ``pays`` times the stake."""
    return Due("win", stake, stake * pays, stake)


def lose(stake: int) -> Due:
    """Nothing back."""
    return Due("lose", stake, 0, 0)


def push(stake: int) -> Due:
    """Stake back, nothing paid."""
    return Due("push", stake, 0, stake)


def forfeit(stake: int, returned: int = 0) -> Due:
    """Lost by the player's own act, wholly or by half."""
    return Due("forfeit", stake, 0, returned)


def by_table(stake: int, pays: int | None) -> Due:
    """Paid by a table, or lost where the table has nothing."""
    return win(stake, pays) if pays else lose(stake)


@dataclass
class Hand:
    """One seat in one round: its cards, its bets that stand, what it decided (``""``: nothing to decide)."""

    cards: list[str] = field(default_factory=list)
    bets: dict[str, int] = field(default_factory=dict)
    decision: str = ""
    war: tuple[str, str] = ("", "")
    """the seat's card and the dealer's, in a war"""


class Law:
    """One game. Subclasses fill it in."""

    game = ""
    bets: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    """bets made before the deal"""
    carded: tuple[str, ...] = ()
    """of those, the ones that the first card locks and not the announcement"""
    main: tuple[str, ...] = ()
    """of those, the ones that everybody makes who plays in the usual way"""
    side: tuple[str, ...] = ()
    multiples: Mapping[str, int] = {}
    """bets that must be so many times the first of the main bets"""
    asks = ""
    """the bet that gives a decision"""
    opens = ""
    """the bet that the decision opens; "" when there is none"""
    taken, refused = "play", "fold"
    equal_only = False
    """only a seat whose card equals the dealer's decides"""
    at_once = False
    """a refusal costs half a bet, and is settled when it is keyed"""
    cards_each, cards_dealer = 0, 0
    more_each, more_dealer = 0, 0
    """cards of a second deal, to those who stay"""
    course: tuple[str, ...] = ("close",)
    """what the dealer does after the decisions: ``close`` (DEVOILER: closes them and shows a hand), ``announce``,
    ``second`` (cards to those who stay), ``war``, ``reveal`` (DEVOILER)"""
    dealer_parts: tuple[int, ...] = ()
    """cards of the dealer's hand that are shown together, when not all are"""

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """Kind and article of what is wrong with a seat's bets at the lock, or None."""
        raise NotImplementedError

    def amount(self, bet: str, cents: int) -> int:
        """What somebody lays on ``bet`` whose first bet is ``cents``: those that must be a multiple of it are."""
        return cents * self.multiples.get(bet, 1)

    def stakes(self, cards: Sequence[str], asked: int) -> list[int]:
        """Amounts that a player with these cards may lawfully lay on the decision's bet."""
        return [self.play(asked)[0]]

    def most(self, cards: Sequence[str], asked: int) -> int:
        """Most that the decision's bet may be once these cards are seen."""
        return self.play(asked)[1]

    def play(self, asked: int) -> tuple[int, int]:
        """Least and most that the decision's bet may be, where the bet that asks for it is ``asked``."""
        return asked, asked

    def decides(self, cards: Sequence[str], dealer: Sequence[str]) -> bool:
        """Whether a seat with these cards, and a bet that asks for it, has a decision."""
        return not self.equal_only

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """What every bet of a seat is due, the bonus that has no stake of its own included."""
        raise NotImplementedError

    def worth_it(self, cards: Sequence[str]) -> bool:
        """Whether a sensible player goes on with these cards."""
        raise NotImplementedError


def outside(bets: Mapping[str, int], limits: Limits, names: Sequence[str]) -> bool:
    """Whether one of these bets is outside its limits."""
    return any(
        name in bets and name in limits and not limits[name][0] <= bets[name] <= limits[name][1] for name in names
    )


def unequal(bets: Mapping[str, int], multiples: Mapping[str, int], base: str) -> bool:
    """Whether a bet that must be a multiple of ``base`` is not."""
    return any(name in bets and bets[name] != times * bets.get(base, 0) for name, times in multiples.items())
