"""Bataille (Casino War), articles 67.33 to 67.40 of the by-law. Entry point: `GAME`."""

from ..game import (
    ALWAYS,
    BURN,
    EQUAL,
    FORFEIT,
    HIGHER,
    LOCK_ANNOUNCEMENT,
    LOCK_DECISIONS,
    LOCK_FIRST_CARD,
    LOSE,
    LOWER,
    PUSH,
    REFUSED,
    TO_DEALER,
    TO_IN,
    TO_SEATS,
    UP,
    WAR_EQUAL,
    WAR_HIGHER,
    WAR_LOWER,
    WIN,
    Bet,
    Contest,
    Decision,
    Game,
    Outcome,
    Relation,
    Step,
)

GAME = Game(
    id="bataille",
    version=1,
    article="67.33",
    decks=(6, 8),
    decks_article="67.33",
    max_players=None,
    players_article="67.35",
    bets=(
        Bet(
            "initial",
            LOCK_FIRST_CARD,
            "settle",
            None,
            "67.36",
            None,
            (
                Outcome(HIGHER, WIN, 1, 1),  # 67.38 1°
                Outcome(LOWER, LOSE, 0, 1),  # 67.38 2°
                Outcome(REFUSED, FORFEIT, 1, 2),  # 67.38 3°, decision HALF-CENT
                Outcome(WAR_HIGHER, WIN, 1, 1),  # 67.39 1°
                Outcome(WAR_LOWER, LOSE, 0, 1),  # 67.39 2°
                Outcome(WAR_EQUAL, WIN, 1, 1),  # 67.39 3°
            ),
            False,
        ),
        Bet(
            "tie",
            LOCK_ANNOUNCEMENT,
            "settle_unequal",
            None,
            "67.40",
            None,
            (
                Outcome(HIGHER, LOSE, 0, 1),
                Outcome(LOWER, LOSE, 0, 1),
                Outcome(ALWAYS, WIN, 10, 1),  # equal first cards, whatever is decided then
            ),
            False,
        ),
        Bet(
            "additional",
            LOCK_DECISIONS,
            "settle",
            Relation("initial", 1, 1, 1, None, 0),  # 67.39
            "67.36",
            None,
            (
                Outcome(WAR_HIGHER, PUSH, 0, 1),  # 67.39 1° pays the initial bet only: decision WAR-RAISE
                Outcome(WAR_LOWER, LOSE, 0, 1),  # 67.39 2°
                Outcome(WAR_EQUAL, WIN, 1, 1),  # 67.39 3°
            ),
            False,
        ),
    ),
    openings=(("initial",),),
    bets_article="67.36",
    decision=Decision("war", "surrender", "additional", "initial", EQUAL, "67.38", "67.39"),
    contest=Contest(1, 1, 1, None, True),  # 67.34, 67.38
    extra=None,
    deal=(
        Step("deal", TO_SEATS, 1, UP),  # 67.37
        Step("deal", TO_DEALER, 1, UP),
        Step("war", BURN, 3, ""),  # 67.39, for each seat at war
        Step("war", TO_IN, 1, UP),
        Step("war", BURN, 3, ""),
        Step("war", TO_DEALER, 1, UP),
    ),
    course=("deal", "settle_unequal", "decide", "close", "war", "settle"),
    cards=(1, None),
    dealer_cards=(1, None),
    card_articles=("67.37", "67.37"),
    pooled=False,
    fold_side_bets=None,
    half_stakes="any",
    war_dealer_card="own",
)
