"""Poker de Boston settled straight from articles 67.51 to 67.63. Entry point: `settle_player` (lawful bets only)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, forfeits, loses, player_answer, pushes, table_bet, wins
from tests.model.hands_reference import combination, value, values


def ante_ratio(hand: Sequence[str]) -> int | None:
    """67.63."""
    name = combination(hand)[0]
    if name == "double paire":
        pairs = [rank for rank, count in Counter(values(hand)).items() if count == 2]
        return 2 if max(pairs) >= 10 else None
    return {
        "quinte royale": 1000,
        "quinte": 200,
        "carré": 100,
        "main pleine": 25,
        "couleur": 15,
        "séquence": 8,
        "brelan": 5,
    }.get(name)


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    cards = player["cards"]
    out: dict[str, Line] = {}
    if "bonus" in bets:  # 67.59, on the first three cards
        ratios = {"suite couleur": 40, "brelan": 30, "séquence": 6, "couleur": 4, "paire": 1}
        out["bonus"] = table_bet(bets["bonus"], ratios.get(combination(cards[:3])[0]))
    ante, first = bets["ante"], bets["first"]
    if player["decision"] == "fold":  # 67.58
        out["ante"], out["first"] = forfeits(ante), forfeits(first)
    else:
        second = bets["second"]
        own, other = value(cards), value(dealer)
        if own > other:  # 67.62
            out["ante"], out["first"], out["second"] = pushes(ante), wins(first, 1), wins(second, 1)
        elif own == other:  # 67.55
            out["ante"], out["first"], out["second"] = pushes(ante), pushes(first), pushes(second)
        else:
            out["ante"], out["first"], out["second"] = loses(ante), loses(first), loses(second)
        ratio = ante_ratio(cards)
        if ratio is not None:
            out["ante"] = wins(ante, ratio)
    return player_answer(bets, out, ["ante", "first", "second", "bonus"])
