"""Hands in words. Entry points: `rank_names` (by what ranks them), `cards_name` (ranks, suits by their pattern)."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from sabot.rules import ranking
from sabot.rules.cards import RANKS
from sabot.rules.game import Row
from sabot.rules.ranking import kind_of, rank_hand

KINDS = {
    ranking.HIGH: "high card",
    ranking.PAIR: "pair",
    ranking.TWO_PAIR: "two pair",
    ranking.TRIPS: "three of a kind",
    ranking.STRAIGHT: "straight",
    ranking.FLUSH: "flush",
    ranking.FULL_HOUSE: "full house",
    ranking.QUADS: "four of a kind",
    ranking.STRAIGHT_FLUSH: "straight flush",
    ranking.ROYAL: "royal flush",
}


def rank_names(hands: Sequence[Sequence[int]], best: int) -> list[str]:
    """The best hands of hands given weakest first, as the lowest of a set of hands: `Q-6-4`, `pair of 9 with K-2`.

    The first hand of a kind and leading rank is named by these alone: `pair of 9`.
    """
    names = []
    before = ""
    for cards in hands:
        short, full = _hand_name(cards, best)
        names.append(full if short == before else short)
        before = short
    return names


def _hand_name(cards: Sequence[int], best: int) -> tuple[str, str]:
    """A hand by its kind and leading rank, and by all its ranks."""
    whole = rank_hand(list(cards), len(cards), best)
    hand = next(each for each in combinations(cards, best) if rank_hand(each, best, best) == whole)
    kind = kind_of(whole, best)
    counts = Counter(card >> 2 for card in hand)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    letters = ["10" if rank == 8 else RANKS[rank] for rank in ranks for _ in range(counts[rank])]
    if kind == ranking.HIGH:
        return f"{letters[0]} high", "-".join(letters)
    if kind == ranking.PAIR:
        return f"pair of {letters[0]}", f"pair of {letters[0]} with {'-'.join(letters[2:])}"
    if kind == ranking.TWO_PAIR:
        short = f"two pair {letters[0]} and {letters[2]}"
        return short, short + (f" with {letters[4]}" if best > 4 else "")
    return f"{KINDS[kind]} {letters[0]}", f"{KINDS[kind]} {'-'.join(letters)}"


def cards_name(cards: Sequence[int]) -> str:
    """The ranks of a hand, high to low, and how its suits lie: `9-4-2 of three suits`."""
    ordered = sorted(cards, reverse=True)
    suits = len({card & 3 for card in ordered})
    words = {1: "of one suit", 2: "of two suits", 3: "of three suits", 4: "of four suits"}
    return "-".join("10" if card >> 2 == 8 else RANKS[card >> 2] for card in ordered) + " " + words[suits]


def row_name(row: Row, next_lead: int) -> str:
    """What a row of a paytable pays: `flush`, `pair of queens or better` as `pair of Q`, with its lead if it has one.

    `next_lead` is the lowest lead of a row of the same kind that stands above it, 13 without one.
    """
    name = KINDS[row.kind]
    if row.lead == 0:
        return name
    letter = "10" if row.lead == 8 else RANKS[row.lead]
    return f"{name}, {letter}" if next_lead == row.lead + 1 else f"{name}, {letter} or better"
