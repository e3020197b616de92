"""Every version of every game that a house can choose, found by the fingerprint in a lock. Entry point: `version`."""

from __future__ import annotations

from functools import cache
from itertools import product

from sabot.rules.game import Game, fingerprint
from sabot.rules.games import GAMES, load
from sabot.rules.variants import configure, options


def version(game_hash: bytes) -> Game | None:
    """The game with this fingerprint (8 bytes), or None when no version of this tool's games has it."""
    return _versions().get(game_hash)


@cache
def _versions() -> dict[bytes, Game]:
    found = {}
    for game in GAMES:
        plain = load(game)
        known = options(plain)
        names = [name for name, _ in known]
        for choice in product(*[allowed for _, allowed in known]):
            made = configure(plain, **dict(zip(names, choice, strict=True)))
            found[fingerprint(made)] = made
    return found
