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
    main: tuple[str, ...] = ()
    """of those, the ones that everybody makes who plays in the usual way"""
    side: tuple[str, ...] = ()
    asks = ""
    """the bet that gives a decision"""
    opens = ""
    """the bet that the decision opens"""
    taken, refused = "play", "fold"
    cards_each, cards_dealer = 0, 0

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """Kind and article of what is wrong with a seat's bets at the lock, or None."""
        raise NotImplementedError

    def amount(self, bet: str, cents: int) -> int:
        """What somebody lays on ``bet`` whose first bet is ``cents``: those that must be a multiple of it are."""
        return cents

    def play(self, asked: int) -> tuple[int, int]:
        """Least and most that the decision's bet may be, where the bet that asks for it is ``asked``."""
        return asked, asked

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
