"""Poker 4 cartes settled straight from articles 67.64 to 67.74. Entry point: `settle_player` (lawful bets only)."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, forfeits, line, loses, player_answer, table_bet, wins
from tests.model.hands_reference import best, best4, combination


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    hand = best(player["cards"], 4)  # 67.72
    name = combination(hand)[0]
    out: dict[str, Line] = {}
    if "aces_up" in bets:  # 67.74
        ratios = {"carré": 50, "suite couleur": 30, "brelan": 7, "couleur": 5, "séquence": 4, "double paire": 2}
        aces = name == "paire" and sum(card[0] == "A" for card in hand) == 2
        out["aces_up"] = table_bet(bets["aces_up"], 1 if aces else ratios.get(name))
    if "ante" in bets:
        ante = bets["ante"]
        if player["decision"] == "fold":  # 67.70
            out["ante"] = forfeits(ante)
        else:
            higher_or_equal = best4(player["cards"]) >= best4(dealer)  # 67.71, 67.72
            for bet in ("ante", "play"):
                out[bet] = wins(bets[bet], 1) if higher_or_equal else loses(bets[bet])
            bonus = {"carré": 25, "suite couleur": 20, "brelan": 2}.get(name)  # 67.73
            if bonus is not None:
                out["ante_bonus"] = line("win", 0, ante * bonus, 0)
    return player_answer(bets, out, ["ante", "aces_up", "play", "ante_bonus"])
