"""What becomes of a card that went astray: the house's consequences. Entry point: `carry_out`.

An exposed card is burned, and the next one takes its place; hands that lie at the wrong seats are exchanged; or a hand,
or the round, is void. Where a card lies is assumed from the plan, so all of this is the dealer's and the supervisor's
word. Loaded when a supervisor says so, while the table is stopped.
"""

from sabot.table.deal import DEALER

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot.table.issues import Issue
    from sabot.table.rulings import Rulings

_SEAT = 7


def carry_out(rulings: "Rulings", issue: "Issue", by: int) -> bool:
    """Do what the house's table says for the irregularity, which ends; False when it is too late for that."""
    course = rulings.course
    word: str = course.core.config.consequences[issue.kind]
    if issue.kind == "misdeal":
        return course.ending.void("misdeal", by)
    hand, other = issue.hands & _SEAT, issue.hands >> 4
    if word == "void_round" or (word == "void_hand" and hand == DEALER):
        return course.ending.void("house", by)
    if word == "void_hand":
        return _void_hand(rulings, issue, hand, by)
    if word == "burn" and not course.deal.burn_last(hand):
        return False
    if word == "swap":
        shown = course.showdown.settlement.shown
        if hand in shown or other in shown or not course.deal.swap(hand, other):
            return False
        rows = [course.deal.commit(number) for number in (hand, other) if course.deal.dealt(number)]
        if rows:
            course.core.append("redealt", {"round": course.core.round, "by": by, "hands": rows})
    rulings.end_card(issue, "valid", by)
    return True


def _void_hand(rulings: "Rulings", issue: "Issue", seat: int, by: int) -> bool:
    """The seat's bets go back, and it is dealt no more."""
    course = rulings.course
    if not course.core.is_live(seat):
        return False
    course.deal.skip(seat)
    rulings.out(seat, by)
    rulings.end_card(issue, "valid", by)
    return True
