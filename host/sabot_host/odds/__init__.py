"""Exact odds of the games, counted over whole packs with the rules module of the firmware.

Entry points: `analysis.analyse` (a game to its odds), `report.as_json`, `report.as_text`, `plot.draw`,
`edges.favoured` (which bets favour the player). Needs the extra `odds` (numpy; matplotlib for the plot).

Nothing is sampled. Hands that differ by a renaming of suits are counted once (`packs`), the dealer's hands are counted
by inclusion and exclusion of the player's cards (`contest`), and every payment is asked of `sabot.rules.settle`.
"""
