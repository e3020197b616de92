"""Hands of one or more packs, one for each class of hands that differ only by a renaming of suits.

Entry point: `Hands`. A hand is a multiset of cards (0 to 51, `sabot.rules.cards`), of which each occurs at most as
often as there are packs. `ways` counts the hands of physical cards that a class stands for, so that the sum over all
classes of n cards is C(52 * decks, n).

A class is a multiset of four *holdings*, one a suit; a holding is a multiset of ranks. Holdings are numbered by size
first, so that the four numbers of a class, highest first, begin with the longest suit.
"""

from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from sabot.rules.ranking import rank_hand

Cards = NDArray[np.uint8]
Counts = NDArray[np.int64]
Numbers = NDArray[np.int32]

RANKS = 13
PACK = 52
_TOO_GREAT = 2.0**62
_DIRECT = 4  # classes of up to so many cards are looked up in one table, those of more by search


class Holdings:
    """The multisets of ranks of up to `longest` cards that one suit of so many packs can hold."""

    def __init__(self, decks: int, longest: int) -> None:
        self.base = decks + 1
        self.first: list[int] = []  # by size: number of the first holding of that size, and a last entry past all
        self.ranks: list[Cards] = []  # by size: the ranks of each holding
        codes: list[int] = []
        ways: list[int] = []
        for size in range(longest + 1):
            self.first.append(len(codes))
            found = [
                ranks
                for ranks in combinations_with_replacement(range(RANKS), size)
                if all(ranks.count(rank) <= decks for rank in set(ranks))
            ]
            self.ranks.append(np.array(found, np.uint8).reshape(len(found), size))
            for ranks in found:
                codes.append(sum(self.base**rank for rank in ranks))
                product = 1
                for rank in set(ranks):
                    product *= comb(decks, ranks.count(rank))
                ways.append(product)
        self.first.append(len(codes))
        self.ways: Counts = np.array(ways, np.int64)
        self.number: Numbers = np.full(self.base**RANKS, -1, np.int32)
        self.number[codes] = np.arange(len(codes), dtype=np.int32)

    def tuples(self, size: int, count: int) -> Numbers:
        """All `count`-tuples of numbers of holdings of that size, none higher than the one before it."""
        numbers = range(self.first[size + 1] - 1, self.first[size] - 1, -1)
        if count == 1:
            return np.array(numbers, np.int32)[:, None]
        return np.array(list(combinations_with_replacement(numbers, count)), np.int32)


@lru_cache(maxsize=4)
def _holdings(decks: int, longest: int) -> Holdings:
    return Holdings(decks, longest)


class Hands:
    """Every class of hands of `size` cards from `decks` packs."""

    def __init__(self, decks: int, size: int) -> None:
        self.decks = decks
        self.size = size
        self._holdings = _holdings(decks, max(size, 1))
        numbers, cards = zip(*[self._of_shape(shape) for shape in _shapes(size)], strict=True)
        self.holdings: Numbers = np.concatenate(numbers)
        self.cards: Cards = np.concatenate(cards)
        equal = np.zeros(len(self.holdings), np.int64)
        ways = np.ones(len(self.holdings), np.int64)
        renamings = np.full(len(self.holdings), factorial(4), np.int64)
        for suit in range(4):
            equal = np.where(self.holdings[:, suit] == self.holdings[:, suit - 1], equal + 1, 1) if suit else equal + 1
            renamings //= equal
            ways *= self._holdings.ways[self.holdings[:, suit]]
        self.ways: Counts = ways * renamings

    def __len__(self) -> int:
        return len(self.cards)

    def _of_shape(self, shape: tuple[int, ...]) -> tuple[Numbers, Cards]:
        """The classes whose suits hold so many cards, longest first."""
        rows = np.zeros((1, 0), np.int32)
        for size in sorted(set(shape), reverse=True):
            group = self._holdings.tuples(size, shape.count(size))
            rows = np.hstack([np.repeat(rows, len(group), axis=0), np.tile(group, (len(rows), 1))])
        columns = [np.zeros((len(rows), 0), np.uint8)]
        for suit, size in enumerate(shape):
            ranks = self._holdings.ranks[size][rows[:, suit] - self._holdings.first[size]]
            columns.append(ranks * 4 + suit)
        return rows, np.hstack(columns).astype(np.uint8)

    def ranks(self, best: int) -> Numbers:
        """The rank of the best `best`-card hand of each class, by `rank_hand`.

        Two hands rank alike that hold the same ranks, and the same ranks in the suit that is long enough for a flush;
        only one suit can be. `rank_hand` is asked once for all of them.
        """
        if self.size >= 2 * best:
            raise ValueError("two suits could hold a flush")
        long_suit = self.holdings[:, 0].astype(np.int64)
        long_suit[long_suit < self._holdings.first[min(best, self.size)]] = 0
        key = long_suit << 3 * RANKS
        for column in range(self.size):
            key += np.int64(1) << 3 * (self.cards[:, column].astype(np.int64) >> 2)
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        ranks = [rank_hand(hand, self.size, best) for hand in self.cards[first].tolist()]
        return np.array(ranks, np.int32)[which]

    def find(self, cards: Cards) -> Numbers:
        """The class of each hand, given one a row, in any order. A row that the packs cannot give finds any class."""
        if self.size <= _DIRECT:
            place = np.zeros(len(cards), np.int32)
            for column in range(self.size):
                place = place * 52 + cards[:, column]
            return self._table[place]
        order, keys = self._sorted
        found = np.searchsorted(keys, self._keys(cards))
        return order[np.minimum(found, len(keys) - 1)]

    @cached_property
    def _table(self) -> Numbers:
        places = np.arange(52**self.size)
        columns = [places // 52 ** (self.size - 1 - column) % 52 for column in range(self.size)]
        order, keys = self._sorted
        cards = np.stack(columns, axis=1).astype(np.uint8) if columns else np.zeros((1, 0), np.uint8)
        found = np.searchsorted(keys, self._keys(cards))
        return order[np.minimum(found, len(keys) - 1)]

    @cached_property
    def _sorted(self) -> tuple[Numbers, NDArray[np.uint64]]:
        keys = _packed([self.holdings[:, suit] for suit in range(4)])
        order = np.argsort(keys).astype(np.int32)
        return order, keys[order]

    def _keys(self, cards: Cards) -> NDArray[np.uint64]:
        suits = []
        most = self._holdings.base**RANKS - 1
        for suit in range(4):
            powers = np.array([self._holdings.base ** (card >> 2) * (card & 3 == suit) for card in range(52)], np.int32)
            code = np.zeros(len(cards), np.int32)
            for column in range(self.size):
                code += powers[cards[:, column]]
            suits.append(self._holdings.number[np.minimum(code, most)])
        for low, high in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
            suits[low], suits[high] = np.maximum(suits[low], suits[high]), np.minimum(suits[low], suits[high])
        return _packed(suits)


@lru_cache(maxsize=16)
def hands(decks: int, size: int) -> Hands:
    """The classes of hands of that size; the last ones asked for are kept."""
    return Hands(decks, size)


def parts(cards: Cards, size: int, into: Hands) -> Numbers:
    """The class of each choice of `size` of a hand's cards: one row a choice, one column a hand."""
    choices = combinations(range(cards.shape[1]), size)
    return np.stack([into.find(cards[:, list(choice)]) for choice in choices])


def weighted(values: Counts, ways: Counts) -> Counts:
    """Each value as often as it comes; OverflowError when their sum could be too great for the integers of arrays."""
    products: Counts = values * ways
    if np.abs(values.astype(np.float64) * ways).sum() >= _TOO_GREAT:
        raise OverflowError("the ratios of this paytable are too fine to be counted exactly here")
    return products


def _shapes(size: int) -> list[tuple[int, ...]]:
    """How many cards the four suits hold, longest first."""
    return [
        (a, b, c, size - a - b - c)
        for a in range(size, -1, -1)
        for b in range(min(a, size - a), -1, -1)
        for c in range(min(b, size - a - b), -1, -1)
        if 0 <= size - a - b - c <= c
    ]


def _packed(numbers: list[Numbers]) -> NDArray[np.uint64]:
    key = np.zeros(len(numbers[0]), np.uint64)
    for each in numbers:
        key = key << np.uint64(16) | each.astype(np.uint16).astype(np.uint64)
    return key
