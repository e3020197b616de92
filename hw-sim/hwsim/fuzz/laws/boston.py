"""Poker de Boston, articles 67.51 to 67.63. Entry point: :class:`Boston`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.laws.law import Due, Hand, Law, Limits, by_table, forfeit, lose, outside, push, unequal, win
from hwsim.fuzz.laws.ranking import five, three

_BONUS = {"straight_flush": 40, "trips": 30, "straight": 6, "flush": 4, "pair": 1}  # 67.59
_ANTE = {
    "royal": 1000, "straight_flush": 200, "quads": 100, "full": 25, "flush": 15, "straight": 8, "trips": 5,
}  # 67.63 # fmt: skip
_TEN = 10


class Boston(Law):
    """The law."""

    game = "boston"
    bets = ("ante", "first", "second", "bonus")
    laid = ("ante", "first", "bonus")
    main = ("ante", "first")
    side = ("bonus",)
    multiples: Mapping[str, int] = {"first": 2, "second": 2}
    asks, opens = "ante", "second"
    cards_each = cards_dealer = 3
    more_each = more_dealer = 2
    course = ("announce", "second", "reveal")
    dealer_parts = (3, 2)

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.56: the first bet is twice the ante, both are mandatory."""
        if "ante" not in bets or "first" not in bets:
            return "missing", "67.56"
        if unequal(bets, {"first": 2}, "ante"):
            return "relation", "67.56"
        return ("limit", "67.56") if outside(bets, limits, self.laid) else None

    def play(self, asked: int) -> tuple[int, int]:
        """67.58: twice the ante."""
        return 2 * asked, 2 * asked

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.58 to 67.63."""
        bets = hand.bets
        due: dict[str, Due] = {}
        if hand.decision == self.refused:
            due = {bet: forfeit(bets[bet]) for bet in ("ante", "first") if bet in bets}
        elif "ante" in bets:
            name, key = five(hand.cards)
            pays = 2 if name == "two_pair" and key[1] >= _TEN else _ANTE.get(name)
            higher, equal = self._beats(hand.cards, dealer)
            if pays:
                due["ante"] = win(bets["ante"], pays)
            else:
                due["ante"] = push(bets["ante"]) if higher or equal else lose(bets["ante"])
            for bet in ("first", "second"):
                due[bet] = win(bets[bet]) if higher else push(bets[bet]) if equal else lose(bets[bet])
        if "bonus" in bets:
            due["bonus"] = by_table(bets["bonus"], _BONUS.get(three(hand.cards[:3])[0]))
        return due

    @staticmethod
    def _beats(cards: Sequence[str], dealer: Sequence[str]) -> tuple[bool, bool]:
        mine, its = five(cards)[1], five(dealer)[1]
        return mine > its, mine == its

    def worth_it(self, cards: Sequence[str]) -> bool:
        """A pair, or a high card that is worth something."""
        return three(cards)[1] >= three(["Kc", "6d", "4h"])[1]
