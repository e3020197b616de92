"""Poker de Boston (Boston 5), articles 67.51 to 67.63 of the by-law. Entry point: `GAME`."""

from .. import ranking
from ..game import (
    ALWAYS,
    DOWN,
    EQUAL,
    FORFEIT,
    HIGHER,
    LOCK_ANNOUNCEMENT,
    LOCK_DECISIONS,
    LOSE,
    LOWER,
    PUSH,
    REFUSED,
    TO_DEALER,
    TO_IN,
    TO_SEATS,
    WIN,
    Bet,
    Contest,
    Decision,
    Game,
    Outcome,
    Relation,
    Row,
    Step,
    Table,
)

_TEN = 8

# On the first three cards, whatever the seat decides.
_BONUS = Table(
    "bonus",
    1,
    3,
    3,
    (
        Row(ranking.STRAIGHT_FLUSH, 0, 40, 1),
        Row(ranking.TRIPS, 0, 30, 1),
        Row(ranking.STRAIGHT, 0, 6, 1),
        Row(ranking.FLUSH, 0, 4, 1),
        Row(ranking.PAIR, 0, 1, 1),
    ),
    False,
    "67.59",
)

# The ante wins by this table whatever the dealer holds (decision BOS-ANTE). Two pair below tens is not in it
# (BOS-LOW2P).
_ANTE = Table(
    "ante",
    1,
    5,
    5,
    (
        Row(ranking.ROYAL, 0, 1000, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 200, 1),
        Row(ranking.QUADS, 0, 100, 1),
        Row(ranking.FULL_HOUSE, 0, 25, 1),
        Row(ranking.FLUSH, 0, 15, 1),
        Row(ranking.STRAIGHT, 0, 8, 1),
        Row(ranking.TRIPS, 0, 5, 1),
        Row(ranking.TWO_PAIR, _TEN, 2, 1),
    ),
    True,
    "67.63",
)

# 67.62 for both additional bets; equal hands: 67.55, decision BOS-TIE.
_AGAINST_DEALER = (
    Outcome(HIGHER, WIN, 1, 1),
    Outcome(EQUAL, PUSH, 0, 1),
    Outcome(LOWER, LOSE, 0, 1),
)
_FOLDED = (Outcome(REFUSED, FORFEIT, 1, 1),)  # 67.58
_DOUBLE = Relation("ante", 2, 2, 2, None, 0)

GAME = Game(
    id="boston",
    version=1,
    article="67.51",
    decks=(1, 2),
    decks_article="67.51",
    max_players=7,
    players_article="67.52",
    bets=(
        Bet(
            "ante",
            LOCK_ANNOUNCEMENT,
            "settle",
            None,
            "67.56",
            _ANTE,
            _FOLDED
            + (
                Outcome(HIGHER, PUSH, 0, 1),  # 67.62
                Outcome(EQUAL, PUSH, 0, 1),  # decision BOS-TIE
                Outcome(LOWER, LOSE, 0, 1),
            ),
            False,
        ),
        Bet("first", LOCK_ANNOUNCEMENT, "settle", _DOUBLE, "67.56", None, _FOLDED + _AGAINST_DEALER, False),
        Bet("second", LOCK_DECISIONS, "settle", _DOUBLE, "67.56", None, _AGAINST_DEALER, False),
        Bet("bonus", LOCK_ANNOUNCEMENT, "settle", None, "67.56", _BONUS, (Outcome(ALWAYS, LOSE, 0, 1),), True),
    ),
    openings=(("ante", "first"),),
    bets_article="67.56",
    decision=Decision("play", "fold", "second", "ante", None, "67.58", "67.58"),
    contest=Contest(5, 5, 5, None, False),  # 67.61, 67.62
    extra=None,
    deal=(
        Step("deal", TO_SEATS, 3, DOWN),  # 67.57
        Step("deal", TO_DEALER, 3, DOWN),
        Step("deal_second", TO_IN, 2, DOWN),  # 67.60
        Step("deal_second", TO_DEALER, 2, DOWN),
    ),
    course=("deal", "decide", "close", "deal_second", "reveal_dealer", "settle"),
    cards=(3, 5),
    dealer_cards=(3, 5),
    card_articles=("67.57", "67.60"),
    pooled=False,
    fold_side_bets="live",
    half_stakes=None,
    war_dealer_card=None,
)
