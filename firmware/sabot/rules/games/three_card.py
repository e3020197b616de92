"""Poker 3 cartes (Three Card Poker), articles 67.22 to 67.32 of the by-law. Entry point: `GAME`."""

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
    Extra,
    Game,
    Outcome,
    Relation,
    Row,
    Step,
    Table,
)

_QUEEN = 10

_PAIR_PLUS = Table(
    "pair_plus",
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
    "67.32",
)

_ANTE_BONUS = Table(
    "ante_bonus",
    1,
    3,
    3,
    (
        Row(ranking.STRAIGHT_FLUSH, 0, 5, 1),
        Row(ranking.TRIPS, 0, 4, 1),
        Row(ranking.STRAIGHT, 0, 1, 1),
    ),
    True,
    "67.31",
)

GAME = Game(
    id="three_card",
    version=1,
    article="67.22",
    decks=(1, 2),
    decks_article="67.22",
    max_players=None,
    players_article="67.25",
    bets=(
        Bet(
            "ante",
            LOCK_ANNOUNCEMENT,
            "settle",
            None,
            "67.26",
            None,
            (
                Outcome(REFUSED, FORFEIT, 1, 1),  # 67.28
                Outcome(NOT_OPEN, WIN, 1, 1),  # 67.29
                Outcome(HIGHER, WIN, 1, 1),  # 67.30
                Outcome(EQUAL, PUSH, 0, 1),  # 67.24, decision P3-TIE
                Outcome(LOWER, LOSE, 0, 1),
            ),
            False,
        ),
        Bet("pair_plus", LOCK_ANNOUNCEMENT, "settle", None, "67.26", _PAIR_PLUS, (Outcome(ALWAYS, LOSE, 0, 1),), True),
        Bet(
            "play",
            LOCK_DECISIONS,
            "settle",
            Relation("ante", 1, 1, 1, None, 0),
            "67.26",
            None,
            (
                Outcome(NOT_OPEN, PUSH, 0, 1),  # 67.29
                Outcome(HIGHER, WIN, 1, 1),  # 67.30
                Outcome(EQUAL, PUSH, 0, 1),  # 67.24, decision P3-TIE
                Outcome(LOWER, LOSE, 0, 1),
            ),
            False,
        ),
    ),
    openings=(("ante",), ("pair_plus",)),
    bets_article="67.26",
    decision=Decision("play", "fold", "play", "ante", None, "67.28", "67.28"),
    contest=Contest(3, 3, 3, (ranking.HIGH, _QUEEN), False),  # 67.29
    extra=Extra("ante_bonus", "ante", _ANTE_BONUS),
    deal=(Step("deal", TO_SEATS, 3, DOWN), Step("deal", TO_DEALER, 3, DOWN)),  # 67.27
    course=("deal", "decide", "close", "reveal_dealer", "settle"),
    cards=(3, None),
    dealer_cards=(3, None),
    card_articles=("67.27", "67.27"),
    pooled=False,
    fold_side_bets="live",
    half_stakes=None,
    war_dealer_card=None,
)
