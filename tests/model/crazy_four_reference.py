"""Fou du poker settled straight from articles 67.75 to 67.87. Entry points: `settle_player`, `may_triple`."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.model.answer import Line, forfeits, loses, player_answer, pushes, table_bet, wins
from tests.model.hands_reference import LIST_4, best, best4, combination


def pair_of(hand: Sequence[str], rank: str) -> bool:
    """Whether the hand is a pair of that rank."""
    return combination(hand)[0] == "paire" and sum(card[0] == rank for card in hand) == 2


def may_triple(cards: Sequence[str]) -> bool:
    """67.81: a pair of aces or a higher combination."""
    hand = best(cards, 4)
    return pair_of(hand, "A") or combination(hand)[0] in LIST_4[:-1]


def opens(dealer: Sequence[str]) -> bool:
    """67.82: a king, an ace, or a combination, in the best four of five."""
    hand = best(dealer, 4)
    return combination(hand)[0] != "" or any(card[0] in "KA" for card in hand)


def super_bonus_ratio(hand: Sequence[str]) -> int | None:
    """67.85, as printed."""
    name = combination(hand)[0]
    if name == "carré" and hand[0][0] == "A":
        return 200
    return {"carré": 30, "suite couleur": 15, "brelan": 2, "couleur": 3, "séquence": 1}.get(name)


def settle_player(player: Mapping[str, Any], dealer: Sequence[str]) -> Line:
    """What one player is due."""
    bets: dict[str, int] = dict(player["bets"])
    hand = best(player["cards"], 4)
    name = combination(hand)[0]
    out: dict[str, Line] = {}
    if "queens_up" in bets:  # 67.87
        ratios = {"carré": 50, "suite couleur": 30, "brelan": 7, "couleur": 4, "séquence": 3, "double paire": 2}
        queens = any(pair_of(hand, rank) for rank in "AKQ")
        out["queens_up"] = table_bet(bets["queens_up"], 1 if queens else ratios.get(name))
    ante, bonus = bets["ante"], bets["super_bonus"]
    if player["decision"] == "fold":  # 67.81
        out["ante"], out["super_bonus"] = forfeits(ante), forfeits(bonus)
        return player_answer(bets, out, ["ante", "super_bonus", "queens_up", "play"])
    play = bets["play"]
    own, other = best4(player["cards"]), best4(dealer)
    if not opens(dealer):  # 67.82
        out["ante"], out["play"], out["super_bonus"] = pushes(ante), wins(play, 1), pushes(bonus)
    elif own == other:  # 67.83
        out["ante"], out["play"], out["super_bonus"] = pushes(ante), pushes(play), pushes(bonus)
    elif own > other:  # 67.84, 67.86
        out["ante"], out["play"], out["super_bonus"] = wins(ante, 1), wins(play, 1), pushes(bonus)
    else:  # 67.86
        out["ante"], out["play"], out["super_bonus"] = loses(ante), loses(play), loses(bonus)
    ratio = super_bonus_ratio(hand)
    if ratio is not None:  # whatever the dealer's hand
        out["super_bonus"] = wins(bonus, ratio)
    return player_answer(bets, out, ["ante", "super_bonus", "queens_up", "play"])
