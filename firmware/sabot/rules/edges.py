"""Which bets favour the player. Entry point: `favoured`. Written by `make odds`: do not edit.

Odds are counted on the host, never here; the records are in results/odds/. A paytable that favours the player is lawful
where the by-law prints it, but a table deals it only after two authorities have accepted it.
"""

from .game import Game, fingerprint
from .variants import configure, options

# A line a game and number of packs: fingerprint with every option at its default, packs, bets that favour the player.
# One text: the names of other games' bets would each take a place in the interpreter's table of names.
_KNOWN = """
669a0270775cdc22 1
669a0270775cdc22 2 pair_plus
5bac2b002870108d 6
5bac2b002870108d 8
6f85c892fb34394a 1
6f85c892fb34394a 2 three five seven
4b43d1767b3be459 1
4b43d1767b3be459 2 bonus
1c76ff74805b2e0a 1
1c76ff74805b2e0a 2 ante aces_up
5566edf6b9137c07 1 ante
5566edf6b9137c07 2 ante queens_up
"""


def favoured(game: Game, decks: int) -> "tuple[str, ...] | None":
    """The bets of a game that favour the player with so many packs in play; None when its odds were never counted.

    A main bet stands for all that is staked with it. No option gives the player more than its default does, so that the
    answer for the default holds for every choice of options; a house's own paytable is another game.
    """
    defaults = {}
    for name, words in options(game):
        defaults[name] = words[0]
    mark = fingerprint(configure(game, **defaults)).hex()
    for line in _KNOWN.strip().split("\n"):
        known = line.split(" ")
        if known[0] == mark and known[1] == str(decks):
            return tuple(known[2:])
    return None
