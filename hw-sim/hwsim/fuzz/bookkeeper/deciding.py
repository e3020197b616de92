"""The decisions of the seats and their close. Entry point: :func:`decide`."""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.findings import MISSED, WRONG
from hwsim.fuzz.bookkeeper.locks import Held
from hwsim.fuzz.bookkeeper.visits import Spot
from hwsim.scenario.claims import Entry

KEYS = {"close": "devoiler", "announce": "rnvp"}
NOBODY = "none"


def decide(case: Case) -> None:
    """Judge the close: its instant, each seat's decision, the bets that it locks."""
    course, law = case.course, case.law
    entry = course.first("decisions")
    if entry is None:
        if course.first("void") is None:
            case.findings.add(MISSED, course.end, "the decisions were not recorded")
        return
    told = {int(row["seat"]): str(row["decision"]) for row in entry.rows if "decision" in row}
    case.close = case.true_edge(entry, KEYS[law.course[0]]) if told else entry.when
    rows: list[Spot] = []
    for seat in case.live:
        hand = case.hands[seat]
        if not (case.asked(seat, entry.when) and law.decides(hand.cards, case.dealer)):
            if seat in told:
                case.findings.add(WRONG, entry.when, f"seat {seat} has nothing to decide and decides {told[seat]}")
            continue
        if law.at_once and case.refused(seat, case.close) and seat not in told:
            hand.decision = law.refused
            continue
        spot = (seat, law.opens)
        held = case.look(spot, case.close) if law.opens else Held()
        hand.decision, cents = _decided(case, seat, held, entry)
        if law.opens:
            case.lock(spot, held, cents)
            rows.append(spot)
        if told.get(seat) != hand.decision:
            words = f"seat {seat} decides {told.get(seat)}, it is {hand.decision}: {held.cents} lie there"
            case.findings.add(WRONG, entry.when, words)
    case.rows(entry, rows)


def _decided(case: Case, seat: int, held: Held, entry: Entry) -> tuple[str, int]:
    """The decision as recorded, ``none`` while a ruling is awaited, and the cents that are its bet."""
    law = case.law
    asked = (seat, law.asks)
    if held.doubted or case.holds(asked, entry.when):
        return NOBODY, held.cents
    if not law.opens:
        return law.taken, 0
    if not held.cents:
        return law.refused, 0
    low, high = law.play(case.before(asked, entry.when))
    if (case.refused(seat, case.close) and not law.at_once) or held.cents < low:
        return NOBODY, held.cents
    return law.taken, min(held.cents, high)
