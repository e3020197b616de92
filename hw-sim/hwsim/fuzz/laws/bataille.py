"""Bataille, articles 67.33 to 67.40. Entry point: :class:`Bataille`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hwsim.fuzz.laws.law import Due, Hand, Law, Limits, forfeit, lose, outside, push, win
from hwsim.fuzz.laws.ranking import rank

_TIE = 10  # 67.40


class Bataille(Law):
    """The law. The tie bet locks with the announcement, the initial bet with the first card (67.36, 67.40)."""

    game = "bataille"
    bets = ("initial", "tie", "additional")
    laid = ("initial", "tie")
    carded = ("initial",)
    main = ("initial",)
    side = ("tie",)
    asks, opens = "initial", "additional"
    taken, refused = "war", "surrender"
    equal_only = at_once = True
    cards_each = cards_dealer = 1
    course = ("announce", "war")

    def wrong(self, bets: Mapping[str, int], limits: Limits) -> tuple[str, str] | None:
        """67.36: the initial bet is mandatory; 67.40: the tie bet is laid beside it."""
        if "initial" not in bets:
            return "missing", "67.36"
        if outside(bets, limits, ("initial",)):
            return "limit", "67.36"
        return ("limit", "67.40") if outside(bets, limits, ("tie",)) else None

    def decides(self, cards: Sequence[str], dealer: Sequence[str]) -> bool:
        """67.38: only equal cards."""
        return bool(cards) and bool(dealer) and rank(cards[0]) == rank(dealer[0])

    def settle(self, hand: Hand, dealer: Sequence[str]) -> dict[str, Due]:
        """67.38 to 67.40."""
        bets = hand.bets
        mine, its = rank(hand.cards[0]), rank(dealer[0])
        due: dict[str, Due] = {}
        if "initial" in bets:
            due["initial"] = self._initial(hand, mine, its)
        if "additional" in bets:
            card, other = (rank(code) for code in hand.war)
            due["additional"] = (
                lose(bets["additional"])
                if card < other
                else win(bets["additional"])
                if card == other  # 67.39 3°: both are paid
                else push(bets["additional"])
            )
        if "tie" in bets:
            due["tie"] = win(bets["tie"], _TIE) if mine == its else lose(bets["tie"])
        return due

    def _initial(self, hand: Hand, mine: int, its: int) -> Due:
        stake = hand.bets["initial"]
        if mine != its:
            return win(stake) if mine > its else lose(stake)
        if hand.decision == self.refused:
            return forfeit(stake, (stake + 1) // 2)  # 67.38 3°
        card, other = (rank(code) for code in hand.war)
        return lose(stake) if card < other else win(stake)

    def worth_it(self, cards: Sequence[str]) -> bool:
        """War costs less than surrender."""
        return True
