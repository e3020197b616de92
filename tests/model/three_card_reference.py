"""Poker 3 cartes settled straight from articles 67.22 to 67.32. Entry points: `settle_player`, `opens`.

Takes and gives the objects of the JSON lines, for lawful rounds only. Written article by article, with no table and
nothing of the project, so that it can disagree with the engine.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, line, player_answer
from tests.model.hands_reference import combination, value


def opens(dealer: Sequence[str]) -> bool:
    """67.29: a queen, a king, an ace, or one of the combinations of 67.23."""
    return combination(dealer)[0] != "" or any(card[0] in "QKA" for card in dealer)


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    cards: list[str] = player["cards"]
    name = combination(cards)[0]
    out: dict[str, Line] = {}
    ante = bets.get("ante")
    played = player.get("decision") == "play"
    if ante is not None and not played:  # 67.28
        out["ante"] = line("forfeit", ante, 0, 0)
    if "pair_plus" in bets:  # 67.32
        stake = bets["pair_plus"]
        ratio = {"suite couleur": 40, "brelan": 30, "séquence": 6, "couleur": 4, "paire": 1}.get(name)
        out["pair_plus"] = line("lose", stake, 0, 0) if ratio is None else line("win", stake, stake * ratio, stake)
    if ante is not None and played:
        play = bets["play"]
        if not opens(dealer):  # 67.29
            out["ante"] = line("win", ante, ante, ante)
            out["play"] = line("push", play, 0, play)
        elif value(cards) > value(dealer):  # 67.30
            out["ante"] = line("win", ante, ante, ante)
            out["play"] = line("win", play, play, play)
        elif value(cards) == value(dealer):  # 67.24
            out["ante"] = line("push", ante, 0, ante)
            out["play"] = line("push", play, 0, play)
        else:
            out["ante"] = line("lose", ante, 0, 0)
            out["play"] = line("lose", play, 0, 0)
        bonus = {"suite couleur": 5, "brelan": 4, "séquence": 1}.get(name)  # 67.31
        if bonus is not None:
            out["ante_bonus"] = line("win", 0, ante * bonus, 0)
    return player_answer(bets, out, ["ante", "pair_plus", "play", "ante_bonus"])
