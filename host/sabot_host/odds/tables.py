"""Bets that a paytable settles by itself. Entry points: `side_bet`, `withdrawable`."""

from fractions import Fraction
from functools import reduce
from math import comb, lcm

import numpy as np

from sabot.rules.game import NO_CONTEST, REFUSED, Bet, Game, Row, Table
from sabot.rules.ranking import matches
from sabot.rules.settle import settle_end

from .model import BetOdds, Result
from .naming import row_name
from .packs import Counts, Hands, Numbers, hands, parts
from .strategy import refused_hands

_PIECE = 1 << 20


def unit(game: Game) -> int:
    """A stake that no ratio of the game divides into parts of a cent."""
    tables = [bet.table for bet in game.bets if bet.table] + ([game.extra.table] if game.extra else [])
    pers = [row.per for table in tables for row in table.rows]
    pers += [outcome.per for bet in game.bets for outcome in bet.outcomes]
    return reduce(lcm, pers, 1)


class _Rows:
    """The hands of a paytable, sorted by the row that pays them; the last row is that of the hands it does not list."""

    def __init__(self, game: Game, bet: Bet, decks: int) -> None:
        table: Table = bet.table
        self.hands: Hands = hands(decks, table.cards)
        ranks = self.hands.ranks(table.size)
        distinct, first, which = np.unique(ranks, return_index=True, return_inverse=True)
        rows = [_row_of(table, int(rank)) for rank in distinct]
        self.row: Numbers = np.array(rows, np.int32)[which]
        stake = unit(game)
        self.net: list[Fraction] = [Fraction(-1)] * (len(table.rows) + 1)
        for place, row in zip(first, rows, strict=True):
            hand = self.hands.cards[place].tolist()
            due = settle_end(game, hand, {bet.name: stake}, game.decision.taken, NO_CONTEST, (bet.name,))
            self.net[row] = Fraction(due.net, stake)
        self.labels = [row_name(row, _next_lead(table.rows, number)) for number, row in enumerate(table.rows)]
        self.labels.append("anything else")

    def by_row(self, ways: Counts) -> Counts:
        """How many hands each row pays, given how often each class of hands comes."""
        counts = np.zeros(len(self.labels), np.int64)
        np.add.at(counts, self.row, ways)
        return counts

    def results(self, counts: Counts, total: int) -> list[Result]:
        """The results, given how many hands of a total each row pays."""
        return [
            Result(label, net, Fraction(1), Fraction(int(count), total))
            for label, net, count in zip(self.labels, self.net, counts, strict=True)
            if count
        ]


def side_bet(game: Game, bet: Bet, decks: int) -> BetOdds:
    """The odds of a bet that its paytable alone decides."""
    rows = _Rows(game, bet, decks)
    results = rows.results(rows.by_row(rows.hands.ways), comb(52 * decks, rows.hands.size))
    return BetOdds(bet.name, bet.table.article, tuple(results))


def withdrawable(game: Game, bet: Bet, decks: int) -> BetOdds:
    """The odds of a bet of which the player may take back a part after he saw his own cards (67.47)."""
    rows = _Rows(game, bet, decks)
    seen = hands(decks, game.cards[0])
    stake = unit(game)
    refused = Fraction(settle_end(game, (), {bet.name: stake}, game.decision.refused, REFUSED, (bet.name,)).net, stake)
    # Of the hands that hold the cards seen, how many each row pays: one row a row, one column a class of cards seen.
    counts = np.zeros((len(rows.labels), len(seen)), np.int64)
    for start in range(0, len(rows.hands), _PIECE):
        piece = slice(start, start + _PIECE)
        found = parts(rows.hands.cards[piece], seen.size, seen)
        row = np.broadcast_to(rows.row[piece], found.shape)
        np.add.at(counts, (row, found), np.broadcast_to(rows.hands.ways[piece], found.shape))
    unseen = comb(52 * decks - seen.size, rows.hands.size - seen.size)
    worth = sum(count.astype(object) * net for count, net in zip(counts, rows.net, strict=True))
    stays = np.array(worth > seen.ways.astype(object) * unseen * refused, np.bool_)
    total = comb(52 * decks, rows.hands.size) * comb(rows.hands.size, seen.size)
    results = rows.results(counts[:, stays].sum(axis=1), total)
    share = Fraction(int(seen.ways[~stays].sum()), comb(52 * decks, seen.size))
    if share:
        results.append(Result(game.decision.refused, refused, Fraction(1), share))
    strategy = refused_hands(game, seen, stays, share)
    return BetOdds(bet.name, bet.table.article, tuple(results), strategy=strategy)


def _row_of(table: Table, rank: int) -> int:
    for number, row in enumerate(table.rows):
        if matches(rank, table.size, row.kind, row.lead):
            return number
    return len(table.rows)


def _next_lead(rows: tuple[Row, ...], number: int) -> int:
    above = [row.lead for row in rows[:number] if row.kind == rows[number].kind]
    return min(above, default=13)
