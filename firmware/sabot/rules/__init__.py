"""The by-law as pure code: cards, hand ranking, games as data, settlement.

Entry points: `games.load`, `settle.settle`, `settle.settle_seat`, `bets.verify_bets`, `ranking.rank_hand`,
`wireform.answer`. The same modules run on the controller and on the host; they import nothing but each other and
`hashlib`.
"""
