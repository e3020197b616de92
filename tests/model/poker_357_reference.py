"""Poker 3-5-7 settled straight from articles 67.41 to 67.50. Entry point: `settle_player` (lawful bets only)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, half_back, player_answer, table_bet
from tests.model.hands_reference import best, combination, values


def highest_pair(hand: Sequence[str]) -> int:
    """The value of the highest pair in a hand."""
    return max(rank for rank, count in Counter(values(hand)).items() if count == 2)


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    three = player["cards"]
    ratios = {"suite couleur": 40, "brelan": 25, "séquence": 6, "couleur": 4, "paire": 1}  # 67.48
    out: dict[str, Line] = {"three": table_bet(bets["three"], ratios.get(combination(three)[0]))}

    five = [*three, *dealer[:2]]  # 67.49
    name = combination(five)[0]
    ratios = {"quinte royale": 500, "quinte": 100, "carré": 40, "main pleine": 12, "couleur": 9, "séquence": 6}
    ratios |= {"brelan": 4, "double paire": 3}
    if name == "paire" and highest_pair(five) >= 6:
        ratios["paire"] = 1
    out["five"] = table_bet(bets["five"], ratios.get(name))

    if player.get("decision") == "withdraw":  # 67.47
        out["seven"] = half_back(bets["seven"])
    elif "seven" in bets:  # 67.50
        seven = best([*three, *dealer], 5)
        name = combination(seven)[0]
        ratios = {"quinte royale": 100, "quinte": 20, "carré": 7, "main pleine": 5, "couleur": 4, "séquence": 3}
        ratios |= {"brelan": 2}
        if name == "double paire" and highest_pair(seven) >= 10:
            ratios["double paire"] = 1
        out["seven"] = table_bet(bets["seven"], ratios.get(name))
    return player_answer(bets, out, ["three", "five", "seven"])
