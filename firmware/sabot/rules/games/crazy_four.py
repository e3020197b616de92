"""Fou du poker (Crazy 4 Poker), articles 67.75 to 67.87 of the by-law. Entry point: `GAME`."""

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
    NOT_OPEN,
    PUSH,
    REFUSED,
    TO_DEALER,
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

_QUEEN = 10
_KING = 11
_ACE = 12

_QUEENS_UP = Table(
    "queens_up",
    1,
    5,
    4,
    (
        Row(ranking.QUADS, 0, 50, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 30, 1),
        Row(ranking.TRIPS, 0, 7, 1),
        Row(ranking.FLUSH, 0, 4, 1),
        Row(ranking.STRAIGHT, 0, 3, 1),
        Row(ranking.TWO_PAIR, 0, 2, 1),
        Row(ranking.PAIR, _ACE, 1, 1),
        Row(ranking.PAIR, _KING, 1, 1),
        Row(ranking.PAIR, _QUEEN, 1, 1),
    ),
    False,
    "67.87",
)

# Looked at before 67.82 to 67.86 (decisions FOU-SB-NOOPEN, FOU-SB-TIE, FOU-SB-LOSE); 3 to 1 as printed (FOU-FLUSH).
_SUPER_BONUS = Table(
    "super_bonus",
    1,
    5,
    4,
    (
        Row(ranking.QUADS, _ACE, 200, 1),
        Row(ranking.QUADS, 0, 30, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 15, 1),
        Row(ranking.TRIPS, 0, 2, 1),
        Row(ranking.FLUSH, 0, 3, 1),
        Row(ranking.STRAIGHT, 0, 1, 1),
    ),
    True,
    "67.85",
)

GAME = Game(
    id="crazy_four",
    version=1,
    article="67.75",
    decks=(1, 2),
    decks_article="67.75",
    max_players=7,
    players_article="67.78",
    bets=(
        Bet(
            "ante",
            LOCK_ANNOUNCEMENT,
            "settle",
            None,
            "67.79",
            None,
            (
                Outcome(REFUSED, FORFEIT, 1, 1),  # 67.81
                Outcome(NOT_OPEN, PUSH, 0, 1),  # 67.82
                Outcome(EQUAL, PUSH, 0, 1),  # 67.83
                Outcome(HIGHER, WIN, 1, 1),  # 67.84
                Outcome(LOWER, LOSE, 0, 1),
            ),
            False,
        ),
        Bet(
            "super_bonus",
            LOCK_ANNOUNCEMENT,
            "settle",
            Relation("ante", 1, 1, 1, None, 0),
            "67.79",
            _SUPER_BONUS,
            (
                Outcome(REFUSED, FORFEIT, 1, 1),  # 67.81
                Outcome(NOT_OPEN, PUSH, 0, 1),  # 67.82
                Outcome(EQUAL, PUSH, 0, 1),  # 67.83, 67.86
                Outcome(HIGHER, PUSH, 0, 1),  # 67.86
                Outcome(LOWER, LOSE, 0, 1),  # 67.86
            ),
            False,
        ),
        Bet("queens_up", LOCK_ANNOUNCEMENT, "settle", None, "67.87", _QUEENS_UP, (Outcome(ALWAYS, LOSE, 0, 1),), True),
        Bet(
            "play",
            LOCK_DECISIONS,
            "settle",
            Relation("ante", 1, 3, 1, ranking.PAIR, _ACE),  # 67.81, decision FOU-3X
            "67.79",
            None,
            (
                Outcome(NOT_OPEN, WIN, 1, 1),  # 67.82
                Outcome(EQUAL, PUSH, 0, 1),  # 67.83
                Outcome(HIGHER, WIN, 1, 1),  # 67.84
                Outcome(LOWER, LOSE, 0, 1),
            ),
            False,
        ),
    ),
    openings=(("ante", "super_bonus"),),
    bets_article="67.79",
    decision=Decision("play", "fold", "play", "ante", None, "67.81", "67.81"),
    contest=Contest(5, 5, 4, (ranking.HIGH, _KING), False),  # 67.82, 67.83
    extra=None,
    deal=(Step("deal", TO_SEATS, 5, DOWN), Step("deal", TO_DEALER, 5, DOWN)),  # 67.80
    course=("deal", "decide", "close", "reveal_dealer", "settle"),
    cards=(5, None),
    dealer_cards=(5, None),
    card_articles=("67.80", "67.80"),
    pooled=False,
    fold_side_bets="live",
    half_stakes=None,
    war_dealer_card=None,
)
