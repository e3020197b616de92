"""Poker 4 cartes (Four Card Poker), articles 67.64 to 67.74 of the by-law. Entry point: `GAME`."""

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
    REFUSED,
    TO_DEALER,
    TO_SEATS,
    UP,
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

_ACE = 12

_ACES_UP = Table(
    "aces_up",
    1,
    5,
    4,
    (
        Row(ranking.QUADS, 0, 50, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 30, 1),
        Row(ranking.TRIPS, 0, 7, 1),
        Row(ranking.FLUSH, 0, 5, 1),
        Row(ranking.STRAIGHT, 0, 4, 1),
        Row(ranking.TWO_PAIR, 0, 2, 1),
        Row(ranking.PAIR, _ACE, 1, 1),
    ),
    False,
    "67.74",
)

_ANTE_BONUS = Table(
    "ante_bonus",
    1,
    5,
    4,
    (
        Row(ranking.QUADS, 0, 25, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 20, 1),
        Row(ranking.TRIPS, 0, 2, 1),
    ),
    True,
    "67.73",
)

# 67.72: an equal hand wins too; that a lower one loses is implied.
_AGAINST_DEALER = (
    Outcome(HIGHER, WIN, 1, 1),
    Outcome(EQUAL, WIN, 1, 1),
    Outcome(LOWER, LOSE, 0, 1),
)

GAME = Game(
    id="four_card",
    version=1,
    article="67.64",
    decks=(1, 2),
    decks_article="67.64",
    max_players=7,
    players_article="67.67",
    bets=(
        Bet(
            "ante",
            LOCK_ANNOUNCEMENT,
            "settle",
            None,
            "67.68",
            None,
            (Outcome(REFUSED, FORFEIT, 1, 1),) + _AGAINST_DEALER,  # 67.70
            False,
        ),
        Bet("aces_up", LOCK_ANNOUNCEMENT, "settle", None, "67.68", _ACES_UP, (Outcome(ALWAYS, LOSE, 0, 1),), True),
        Bet(
            "play", LOCK_DECISIONS, "settle", Relation("ante", 1, 3, 3, None, 0), "67.68", None, _AGAINST_DEALER, False
        ),
    ),
    openings=(("ante",), ("aces_up",)),
    bets_article="67.68",
    decision=Decision("play", "fold", "play", "ante", None, "67.70", "67.70"),
    contest=Contest(5, 6, 4, None, False),  # 67.71, 67.72
    extra=Extra("ante_bonus", "ante", _ANTE_BONUS),
    deal=(  # 67.69
        Step("deal", TO_SEATS, 5, DOWN),
        Step("deal", TO_DEALER, 5, DOWN),
        Step("deal", TO_DEALER, 1, UP),
    ),
    course=("deal", "decide", "close", "reveal_dealer", "settle"),
    cards=(5, None),
    dealer_cards=(6, None),
    card_articles=("67.69", "67.69"),
    pooled=False,
    fold_side_bets="live",
    half_stakes=None,
    war_dealer_card=None,
)
