"""Poker 3-5-7, articles 67.41 to 67.50. Entry point: :class:`Poker357`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.laws.law import Due, Hand, Law, Limits, by_table, forfeit, outside
from hwsim.fuzz.laws.ranking import five, three

_THREE = {"straight_flush": 40, "trips": 25, "straight": 6, "flush": 4, "pair": 1}  # 67.48
_FIVE = {
    "royal": 500, "straight_flush": 100, "quads": 40, "full": 12, "flush": 9, "straight": 6, "trips": 4, "two_pair": 3,
}  # 67.49 # fmt: skip
_SEVEN = {"royal": 100, "straight_flush": 20, "quads": 7, "full": 5, "flush": 4, "straight": 3, "trips": 2}  # 67.50
_SIX, _TEN = 6, 10


class Poker357(Law):
    """The law."""

    game = "poker_357"
    bets = laid = ("three", "five", "seven")
    main = ("three", "five")
    side = ("seven",)
    asks = "seven"
    taken, refused = "stay", "withdraw"
    at_once = True
    cards_each, cards_dealer = 3, 4
    course = ("close", "reveal", "reveal")
    dealer_parts = (2, 2)

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.45: three and five are mandatory."""
        if "three" not in bets or "five" not in bets:
            return "missing", "67.45"
        return ("limit", "67.45") if outside(bets, limits, self.laid) else None

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.47 to 67.50."""
        bets = hand.bets
        due: dict[str, Due] = {}
        if "three" in bets:
            due["three"] = by_table(bets["three"], _THREE.get(three(hand.cards)[0]))
        if "five" in bets:
            name, key = five([*hand.cards, *dealer[:2]])
            due["five"] = by_table(bets["five"], 1 if name == "pair" and key[1] >= _SIX else _FIVE.get(name))
        if "seven" in bets and hand.decision == self.refused:
            due["seven"] = forfeit(bets["seven"], (bets["seven"] + 1) // 2)
        elif "seven" in bets:
            name, key = five([*hand.cards, *dealer])
            due["seven"] = by_table(bets["seven"], 1 if name == "two_pair" and key[1] >= _TEN else _SEVEN.get(name))
        return due

    def worth_it(self, cards: Sequence[str]) -> bool:
        """A pair, or better."""
        return three(cards)[0] != "high"
