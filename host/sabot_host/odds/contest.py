"""How a player's hand fares against the dealer's: exact counts of the dealer's hands, by inclusion and exclusion.

Entry point: `count`. The number of dealer's hands that hold none of the player's cards is the alternating sum, over the
parts S of the player's hand, of the number of hands that hold all of S. That number is kept up to date for every class
of parts while the dealer's hands are added from the lowest rank up: when those below a rank are in, every player's hand
of that rank is answered from the sums, then those of the rank itself are added, and it is answered again.

A card of the dealer's that lies face up is part of every S.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .packs import PACK, Cards, Counts, Hands, Numbers, hands, parts


class Counted(NamedTuple):
    """The player's hands, and how many of the dealer's hands each meets.

    The arrays of counts have one row a class of `player`, and one column a card of the dealer's that lies open (52 of
    them), or a single column when none does. `ways` is how often the player's hand and the open card come: 0 when
    the packs cannot give both. `total` is the number of the dealer's hands in each place.
    """

    player: Hands
    ranks: Numbers
    ways: Counts
    not_open: Counts
    higher: Counts
    equal: Counts
    lower: Counts
    total: int


class _Sums:
    """The number of the dealer's hands added so far that hold given cards."""

    def __init__(self, decks: int, player: Hands, dealer_cards: int, best: int, face_up: bool) -> None:
        self.player = player
        self.face_up = face_up
        dealer = hands(decks, dealer_cards)
        ranks = dealer.ranks(best)
        order = np.argsort(ranks, kind="stable")
        self._ranks = ranks[order]
        self._cards = dealer.cards[order]
        self._ways = dealer.ways[order]
        self._added = 0
        self._low = int(face_up)
        self._levels = [hands(decks, size) for size in range(min(player.size + self._low, dealer_cards) + 1)]
        self._sums = [np.zeros(len(level), np.int64) for level in self._levels]

    def add_below(self, rank: int) -> None:
        """Add every dealer's hand below that rank that is not in yet."""
        until = int(np.searchsorted(self._ranks, rank))
        for start in range(self._added, until, 1 << 16):
            piece = slice(start, min(start + (1 << 16), until))
            ways = self._ways[piece]
            for size, level in enumerate(self._levels):
                if size >= self._low:
                    found = parts(self._cards[piece], size, level)
                    np.add.at(self._sums[size], found.ravel(), np.tile(ways, len(found)))
        self._added = max(self._added, until)

    def free_of(self, cards: Cards) -> Counts:
        """How many hands added so far hold none of these player's cards, and the open card (a column each)."""
        opened = np.arange(52, dtype=np.uint8) if self.face_up else np.zeros(1, np.uint8)
        shape = (len(cards), len(opened))
        total = np.zeros(shape, np.int64)
        for held in range(len(self._levels) - self._low):
            level, sums = self._levels[held + self._low], self._sums[held + self._low]
            for choice in combinations(range(self.player.size), held):
                given = np.repeat(cards[:, list(choice)], len(opened), axis=0)
                if self.face_up:
                    given = np.hstack([given, np.tile(opened, len(cards))[:, None]])
                where = level.find(given)
                found = (sums[where] // level.ways[where]).reshape(shape)
                total += -found if held & 1 else found
        return total


def _groups(ranks: Numbers) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each rank, lowest first, with the places that have it."""
    order = np.argsort(ranks, kind="stable")
    starts = np.flatnonzero(np.diff(ranks[order], prepend=-1))
    for piece in np.split(order, starts[1:]):
        yield int(ranks[piece[0]]), piece


def count(
    decks: int, player_cards: int, dealer_cards: int, best: int, opens: int | None = None, face_up: bool = False
) -> Counted:
    """Count the dealer's hands against every hand of the player.

    Args:
        decks: packs in play.
        player_cards: cards of the player, the best `best` of which count.
        dealer_cards: cards of the dealer, of which likewise.
        best: size of the hands compared.
        opens: the lowest rank with which the dealer opens; None when he always does.
        face_up: one of the dealer's cards is known.
    """
    player = hands(decks, player_cards)
    ranks = player.ranks(best)
    sums = _Sums(decks, player, dealer_cards, best, face_up)
    shape = (len(player), 52 if face_up else 1)
    below, up_to, not_open = (np.zeros(shape, np.int64) for _ in range(3))
    waiting = opens
    for rank, group in _groups(ranks):
        if waiting is not None and rank >= waiting:
            sums.add_below(waiting)
            not_open = sums.free_of(player.cards)
            waiting = None
        sums.add_below(rank)
        below[group] = sums.free_of(player.cards[group])
        sums.add_below(rank + 1)
        up_to[group] = sums.free_of(player.cards[group])
    enough = (ranks >= (opens or 0))[:, None]
    unseen = PACK * decks - player_cards
    ways = np.broadcast_to(player.ways[:, None], shape)
    if face_up:
        held = np.stack([(player.cards == card).sum(axis=1) for card in range(52)], axis=1)
        ways = ways * (decks - held)
        unseen -= 1
    total = comb(unseen, dealer_cards - int(face_up))
    higher = np.where(enough, below - not_open, 0)
    equal = np.where(enough, up_to - below, 0)
    return Counted(player, ranks, ways, not_open, higher, equal, total - not_open - higher - equal, total)
