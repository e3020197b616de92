"""The firmware's table of edges as a module. Entry point: `module_text`.

A controller cannot count odds; it looks up whether the rules it is configured with favour the player.
"""

from collections.abc import Iterable

_HEAD = '''"""Which bets favour the player. Entry point: `favoured`. Written by `make odds`: do not edit.

Odds are counted on the host, never here; the records are in results/odds/. A paytable that favours the player is lawful
where the by-law prints it, but a table deals it only after two authorities have accepted it.
"""

from .game import Game, fingerprint
from .variants import configure, options

# A line a game and number of packs: fingerprint with every option at its default, packs, bets that favour the player.
# One text: the names of other games' bets would each take a place in the interpreter's table of names.
_KNOWN = """
'''

_TAIL = '''"""


def favoured(game: Game, decks: int) -> "tuple[str, ...] | None":
    """The bets of a game that favour the player with so many packs in play; None when its odds were never counted.

    A main bet stands for all that is staked with it. No option gives the player more than its default does, so that the
    answer for the default holds for every choice of options; a house's own paytable is another game.
    """
    defaults = {}
    for name, words in options(game):
        defaults[name] = words[0]
    mark = fingerprint(configure(game, **defaults)).hex()
    for line in _KNOWN.strip().split("\\n"):
        known = line.split(" ")
        if known[0] == mark and known[1] == str(decks):
            return tuple(known[2:])
    return None
'''


def module_text(found: Iterable[tuple[str, str, int, tuple[str, ...]]]) -> str:
    """The text of `sabot.rules.edges`, from (game, fingerprint, packs, bets that favour the player)."""
    lines = []
    for _game, mark, decks, bets in found:
        lines.append(" ".join((mark, str(decks), *bets)) + "\n")
    return _HEAD + "".join(lines) + _TAIL
