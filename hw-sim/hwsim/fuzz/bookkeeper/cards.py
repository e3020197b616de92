"""Which cards went where, and what was shown of them. Entry points: `first_deal`, `later_deal`, `shown`."""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.findings import WRONG
from hwsim.fuzz.bookkeeper.visits import FOREVER
from hwsim.fuzz.laws.law import Hand
from hwsim.world.shoe import BEAM_BLOCKED, DEALT

_PART = 8  # numbers of hands: the seat, and so much for each part
_BURNED = 3


def first_deal(case: Case) -> None:
    """Cards to every seat that plays, then to the dealer."""
    law = case.law
    cards = [fact.label for fact in case.course.facts if fact.act == DEALT]
    edges = [fact.when for fact in case.course.facts if fact.act == BEAM_BLOCKED]
    at = 0
    for seat in case.live:
        case.hands[seat] = Hand(cards[at : at + law.cards_each])
        at += law.cards_each
        case.served[seat] = edges[at - 1] if at <= len(edges) else FOREVER
    case.dealer = cards[at : at + law.cards_dealer]
    at += law.cards_dealer
    if law.equal_only:
        last = edges[at - 1] if at <= len(edges) else FOREVER
        case.served = dict.fromkeys(case.live, last)
    case.dealt = at


def later_deal(case: Case) -> None:
    """Cards after the decisions: the second deal to those who stay, or the wars."""
    law = case.law
    cards = [fact.label for fact in case.course.facts if fact.act == DEALT][case.dealt :]
    staying = [seat for seat in case.live if case.hands[seat].decision in (law.taken, "none")]
    at = 0
    if "war" in law.course:
        for seat in staying:
            drawn = cards[at : at + 2 * (_BURNED + 1)]
            at += 2 * (_BURNED + 1)
            if len(drawn) == 2 * (_BURNED + 1):
                case.hands[seat].war = (drawn[_BURNED], drawn[-1])
    elif law.more_dealer and staying:
        for seat in staying:
            case.hands[seat].cards += cards[at : at + law.more_each]
            at += law.more_each
        case.dealer += cards[at : at + law.more_dealer]


def shown(case: Case) -> None:
    """Every hand that is shown holds the cards that were dealt to it."""
    for entry in case.course.all("reveal"):
        for row in entry.rows:
            whose = str(row["seat"])
            number = 0 if whose == "dealer" else int(whose)
            cards = str(row["cards"]).split()
            if cards != _hand(case, number % _PART, number // _PART):
                words = f"seat {whose} shows {row['cards']}, not {_hand(case, number % _PART, number // _PART)}"
                case.findings.add(WRONG, entry.when, words)


def _hand(case: Case, seat: int, part: int) -> list[str]:
    law = case.law
    if "war" in law.course and part:
        mine, dealers = case.hands[seat].war if seat in case.hands else ("", "")
        return [mine] if part == 1 else [dealers]
    if seat:
        cards = case.hands[seat].cards if seat in case.hands else []
        return cards[law.cards_each :] if part else cards[: law.cards_each]
    first = law.dealer_parts[0] if law.dealer_parts else law.cards_dealer
    return case.dealer[first:] if part else case.dealer[:first]
