"""Bataille settled straight from articles 67.33 to 67.40. Entry point: `settle_player` (lawful bets only)."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, half_back, loses, player_answer, pushes, wins
from tests.model.hands_reference import values


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    (own,), (other,) = values(player["cards"]), values(dealer)
    initial = bets["initial"]
    out: dict[str, Line] = {}
    if "tie" in bets:  # 67.40
        out["tie"] = wins(bets["tie"], 10) if own == other else loses(bets["tie"])
    if own > other:  # 67.38 1°
        out["initial"] = wins(initial, 1)
    elif own < other:  # 67.38 2°
        out["initial"] = loses(initial)
    elif player["decision"] == "surrender":  # 67.38 3°
        out["initial"] = half_back(initial)
    else:  # 67.39
        additional = bets["additional"]
        (own,), (other,) = values([player["war_player"]]), values([player["war_dealer"]])
        if own > other:
            out["initial"], out["additional"] = wins(initial, 1), pushes(additional)
        elif own < other:
            out["initial"], out["additional"] = loses(initial), loses(additional)
        else:
            out["initial"], out["additional"] = wins(initial, 1), wins(additional, 1)
    return player_answer(bets, out, ["initial", "tie", "additional"])
