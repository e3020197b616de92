"""The games of the by-law, one file each. Entry points: `GAMES`, `load`. A table loads only its own game."""

from ..game import Game

GAMES = ("three_card", "bataille", "poker_357", "boston", "four_card", "crazy_four")


def load(game_id: str) -> Game:
    """The game of that id, imported now and nothing else with it; KeyError when there is none."""
    if game_id not in GAMES:
        raise KeyError(game_id)
    module = __import__("sabot.rules.games." + game_id, None, None, ("GAME",))
    game: Game = module.GAME
    return game
