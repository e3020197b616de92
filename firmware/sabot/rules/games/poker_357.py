"""Poker 3-5-7, articles 67.41 to 67.50 of the by-law. Entry point: `GAME`.

No hand of the dealer's and no comparison: each bet is paid by its own table, on three, five and seven cards.
"""

from .. import ranking
from ..game import (
    ALWAYS,
    DOWN,
    FORFEIT,
    LOCK_ANNOUNCEMENT,
    LOSE,
    REFUSED,
    TO_DEALER,
    TO_SEATS,
    Bet,
    Decision,
    Game,
    Outcome,
    Row,
    Step,
    Table,
)

_SIX = 4
_TEN = 8

# The player's three cards, then with the first two of the dealer's (as dealt), then with all four: best five of seven.
_THREE = Table(
    "three",
    1,
    3,
    3,
    (
        Row(ranking.STRAIGHT_FLUSH, 0, 40, 1),
        Row(ranking.TRIPS, 0, 25, 1),
        Row(ranking.STRAIGHT, 0, 6, 1),
        Row(ranking.FLUSH, 0, 4, 1),
        Row(ranking.PAIR, 0, 1, 1),
    ),
    False,
    "67.48",
)

_FIVE = Table(
    "five",
    1,
    5,
    5,
    (
        Row(ranking.ROYAL, 0, 500, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 100, 1),
        Row(ranking.QUADS, 0, 40, 1),
        Row(ranking.FULL_HOUSE, 0, 12, 1),
        Row(ranking.FLUSH, 0, 9, 1),
        Row(ranking.STRAIGHT, 0, 6, 1),
        Row(ranking.TRIPS, 0, 4, 1),
        Row(ranking.TWO_PAIR, 0, 3, 1),
        Row(ranking.PAIR, _SIX, 1, 1),
    ),
    False,
    "67.49",
)

_SEVEN = Table(
    "seven",
    1,
    7,
    5,
    (
        Row(ranking.ROYAL, 0, 100, 1),
        Row(ranking.STRAIGHT_FLUSH, 0, 20, 1),
        Row(ranking.QUADS, 0, 7, 1),
        Row(ranking.FULL_HOUSE, 0, 5, 1),
        Row(ranking.FLUSH, 0, 4, 1),
        Row(ranking.STRAIGHT, 0, 3, 1),
        Row(ranking.TRIPS, 0, 2, 1),
        Row(ranking.TWO_PAIR, _TEN, 1, 1),
    ),
    False,
    "67.50",
)

_OTHERWISE = (Outcome(ALWAYS, LOSE, 0, 1),)

GAME = Game(
    id="poker_357",
    version=1,
    article="67.41",
    decks=(1, 2),
    decks_article="67.41",
    max_players=7,
    players_article="67.42",
    bets=(
        Bet("three", LOCK_ANNOUNCEMENT, "settle_three", None, "67.45", _THREE, _OTHERWISE, False),
        Bet("five", LOCK_ANNOUNCEMENT, "settle_five", None, "67.45", _FIVE, _OTHERWISE, False),
        # 67.47: half is lost, decision HALF-CENT.
        Bet(
            "seven",
            LOCK_ANNOUNCEMENT,
            "settle_seven",
            None,
            "67.45",
            _SEVEN,
            (Outcome(REFUSED, FORFEIT, 1, 2),) + _OTHERWISE,
            False,
        ),
    ),
    openings=(("three", "five"),),
    bets_article="67.45",
    decision=Decision("stay", "withdraw", None, "seven", None, "67.47", "67.47"),
    contest=None,
    extra=None,
    deal=(Step("deal", TO_SEATS, 3, DOWN), Step("deal", TO_DEALER, 4, DOWN)),  # 67.46
    course=(
        "deal",
        "decide",
        "close",
        "reveal_seats",
        "settle_three",
        "reveal_dealer_two",
        "settle_five",
        "reveal_dealer_rest",
        "settle_seven",
    ),
    cards=(3, None),
    dealer_cards=(4, None),
    card_articles=("67.46", "67.46"),
    pooled=True,
    fold_side_bets=None,
    half_stakes="any",
    war_dealer_card=None,
)
