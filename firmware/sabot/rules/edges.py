"""Which bets favour the player. Entry point: `favoured`. Written by `make odds`: do not edit.

Odds are counted on the host, never here; the records are in results/odds/. A paytable that favours the player is lawful
where the by-law prints it, but a table deals it only after two authorities have accepted it.
"""

from .game import Game, fingerprint
from .variants import configure, options

# Fingerprint of the game with every option at its default, packs in play, bets that favour the player.
_KNOWN = (
    ("669a0270775cdc22", 1, ()),  # three_card
    ("669a0270775cdc22", 2, ("pair_plus",)),  # three_card
    ("5bac2b002870108d", 6, ()),  # bataille
    ("5bac2b002870108d", 8, ()),  # bataille
    ("6f85c892fb34394a", 1, ()),  # poker_357
    ("6f85c892fb34394a", 2, ("three", "five", "seven")),  # poker_357
    ("4b43d1767b3be459", 1, ()),  # boston
    ("4b43d1767b3be459", 2, ("bonus",)),  # boston
    ("1c76ff74805b2e0a", 1, ()),  # four_card
    ("1c76ff74805b2e0a", 2, ("ante", "aces_up")),  # four_card
    ("5566edf6b9137c07", 1, ("ante",)),  # crazy_four
    ("5566edf6b9137c07", 2, ("ante", "queens_up")),  # crazy_four
)


def favoured(game: Game, decks: int) -> "tuple[str, ...] | None":
    """The bets of a game that favour the player with so many packs in play; None when its odds were never counted.

    A main bet stands for all that is staked with it. No option gives the player more than its default does, so that the
    answer for the default holds for every choice of options; a house's own paytable is another game.
    """
    defaults = {}
    for name, words in options(game):
        defaults[name] = words[0]
    mark = fingerprint(configure(game, **defaults)).hex()
    for known, packs, bets in _KNOWN:
        if known == mark and packs == decks:
            return bets
    return None
