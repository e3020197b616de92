"""Poker 3 cartes, articles 67.22 to 67.32. Entry point: :class:`ThreeCard`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.laws.law import Due, Hand, Law, Limits, forfeit, lose, outside, push, win
from hwsim.fuzz.laws.ranking import rank, three

_BONUS = {"straight_flush": 5, "trips": 4, "straight": 1}  # 67.31
_PAIR_PLUS = {"straight_flush": 40, "trips": 30, "straight": 6, "flush": 4, "pair": 1}  # 67.32


class ThreeCard(Law):
    """The law."""

    game = "three_card"
    bets = ("ante", "pair_plus", "play")
    laid = ("ante", "pair_plus")
    main = ("ante",)
    side = ("pair_plus",)
    asks, opens = "ante", "play"
    cards_each = cards_dealer = 3

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.26: ante or pair plus or both; limits where the house has some."""
        return ("limit", "67.26") if outside(bets, limits, self.laid) else None

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.28 to 67.32."""
        bets = hand.bets
        name, key = three(hand.cards)
        other, its = three(dealer)
        due: dict[str, Due] = {}
        if "ante" in bets and hand.decision == "fold":
            due["ante"] = forfeit(bets["ante"])
        elif "ante" in bets:
            opens = other != "high" or max(rank(card) for card in dealer) >= 12  # 67.29: queen high
            for bet in ("ante", "play"):
                if not opens:
                    due[bet] = win(bets[bet]) if bet == "ante" else push(bets[bet])
                else:
                    due[bet] = win(bets[bet]) if key > its else lose(bets[bet]) if key < its else push(bets[bet])
            if name in _BONUS:
                due["ante_bonus"] = Due("win", 0, bets["ante"] * _BONUS[name], 0)
        if "pair_plus" in bets:
            pays = _PAIR_PLUS.get(name)
            due["pair_plus"] = win(bets["pair_plus"], pays) if pays else lose(bets["pair_plus"])
        return due

    def worth_it(self, cards: Sequence[str]) -> bool:
        """Queen, six, four or better."""
        return three(cards)[1] >= three(["Qc", "6d", "4h"])[1]
