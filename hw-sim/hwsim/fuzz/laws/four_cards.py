"""Poker 4 cartes and Fou du poker, articles 67.64 to 67.87. Entry points: :class:`FourCard`, :class:`CrazyFour`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.laws.law import Due, Hand, Law, Limits, by_table, forfeit, lose, outside, push, unequal, win
from hwsim.fuzz.laws.ranking import ACE, four, rank

_ACES_UP = {"quads": 50, "straight_flush": 30, "trips": 7, "flush": 5, "straight": 4, "two_pair": 2}  # 67.74
_BONUS = {"quads": 25, "straight_flush": 20, "trips": 2}  # 67.73
_QUEENS_UP = {"quads": 50, "straight_flush": 30, "trips": 7, "flush": 4, "straight": 3, "two_pair": 2}  # 67.87
_SUPER = {"quads": 30, "straight_flush": 15, "trips": 2, "flush": 3, "straight": 1}  # 67.85
_FOUR_ACES = 200
_QUEEN, _KING = 12, 13
_PAIR_OF_ACES = four(["Ac", "Ad", "3h", "2s"])[1]


class FourCard(Law):
    """67.64 to 67.74."""

    game = "four_card"
    bets = ("ante", "aces_up", "play")
    laid = ("ante", "aces_up")
    main = ("ante",)
    side = ("aces_up",)
    asks, opens = "ante", "play"
    cards_each, cards_dealer = 5, 6
    dealer_parts = (5, 1)

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.68: ante or aces up or both, within limits."""
        return ("limit", "67.68") if outside(bets, limits, self.laid) else None

    def play(self, asked: int) -> tuple[int, int]:
        """67.70: one to three times the ante."""
        return asked, 3 * asked

    def stakes(self, cards: Sequence[str], asked: int) -> list[int]:
        """67.70: any amount between."""
        return [asked, 2 * asked, 3 * asked]

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.70 to 67.74."""
        bets = hand.bets
        name, key = four(hand.cards)
        due: dict[str, Due] = {}
        if "ante" in bets and hand.decision == self.refused:
            due["ante"] = forfeit(bets["ante"])
        elif "ante" in bets:
            wins = key >= four(dealer)[1]  # 67.72: equal wins
            due = {bet: win(bets[bet]) if wins else lose(bets[bet]) for bet in ("ante", "play")}
            if name in _BONUS:
                due["ante_bonus"] = Due("win", 0, bets["ante"] * _BONUS[name], 0)
        if "aces_up" in bets:
            due["aces_up"] = by_table(bets["aces_up"], 1 if name == "pair" and key[1] == ACE else _ACES_UP.get(name))
        return due

    def worth_it(self, cards: Sequence[str]) -> bool:
        """A pair of threes, or better."""
        return four(cards)[1] >= four(["3c", "3d", "4h", "5s"])[1]


class CrazyFour(Law):
    """67.75 to 67.87, with the ratios as printed."""

    game = "crazy_four"
    bets = ("ante", "super_bonus", "queens_up", "play")
    laid = ("ante", "super_bonus", "queens_up")
    main = ("ante", "super_bonus")
    side = ("queens_up",)
    multiples: Mapping[str, int] = {"super_bonus": 1}
    asks, opens = "ante", "play"
    cards_each = cards_dealer = 5

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.79: the super bonus equals the ante, both are mandatory."""
        if "ante" not in bets or "super_bonus" not in bets:
            return "missing", "67.79"
        if unequal(bets, self.multiples, "ante"):
            return "relation", "67.79"
        if outside(bets, limits, ("ante", "super_bonus")):
            return "limit", "67.79"
        return ("limit", "67.87") if outside(bets, limits, ("queens_up",)) else None

    def play(self, asked: int) -> tuple[int, int]:
        """67.81: up to three times the ante, which only the reveal can judge."""
        return asked, 3 * asked

    def stakes(self, cards: Sequence[str], asked: int) -> list[int]:
        """67.81: more than the ante only with a pair of aces, or better."""
        return [asked, 2 * asked, 3 * asked] if four(cards)[1] >= _PAIR_OF_ACES else [asked]

    def most(self, cards: Sequence[str], asked: int) -> int:
        """67.81: the most that such a player may lay."""
        return max(self.stakes(cards, asked))

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.81 to 67.87."""
        bets = hand.bets
        name, key = four(hand.cards)
        due: dict[str, Due] = {}
        if hand.decision == self.refused:
            due = {bet: forfeit(bets[bet]) for bet in ("ante", "super_bonus") if bet in bets}
        elif "ante" in bets:
            due = self._against(bets, name, key, dealer)
        if "queens_up" in bets:
            pair = name == "pair" and key[1] >= _QUEEN
            due["queens_up"] = by_table(bets["queens_up"], 1 if pair else _QUEENS_UP.get(name))
        return due

    @staticmethod
    def _against(bets: Mapping[str, int], name: str, key: tuple[int, ...], dealer: Sequence[str]) -> dict[str, Due]:
        other, its = four(dealer)
        opens = other != "high" or max(rank(card) for card in dealer) >= _KING  # 67.82
        due: dict[str, Due] = {}
        for bet in ("ante", "play"):
            if not opens:
                due[bet] = push(bets[bet]) if bet == "ante" else win(bets[bet])
            else:
                due[bet] = win(bets[bet]) if key > its else push(bets[bet]) if key == its else lose(bets[bet])
        stake = bets["super_bonus"]
        aces = name == "quads" and key[1] == ACE
        pays = _FOUR_ACES if aces else _SUPER.get(name)
        null = not opens or key >= its
        due["super_bonus"] = win(stake, pays) if pays else push(stake) if null else lose(stake)
        return due

    def worth_it(self, cards: Sequence[str]) -> bool:
        """King, queen, eight, four, or better."""
        return four(cards)[1] >= four(["Kc", "Qd", "8h", "4s"])[1]
