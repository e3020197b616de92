"""The locks before the deal, and who plays. Entry point: :func:`lock_bets`."""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.findings import MISSED, WRONG
from hwsim.fuzz.bookkeeper.visits import Spot
from hwsim.scenario.claims import Entry
from hwsim.world.shoe import BEAM_BLOCKED


def lock_bets(case: Case, lock: Entry) -> None:
    """Judge the announcement's lock, and the first card's where that locks bets."""
    course, law = case.course, case.law
    edge = case.true_edge(lock, "rnvp")
    case.edges = dict.fromkeys(law.laid, edge)
    announced = [bet for bet in law.laid if bet not in law.carded]
    _look(case, announced)
    if law.carded:
        part = course.first("confirmed_part")
        if part is None:
            case.findings.add(MISSED, edge, "the announcement's lock was not confirmed")
        else:
            case.rows(part, [(seat, bet) for seat in case.seats for bet in announced])
        _first_card(case)
    confirmed = course.first("confirmed")
    if confirmed is None:
        case.findings.add(MISSED, edge, "the lock was not confirmed")
        return
    case.rows(confirmed, [(seat, bet) for seat in case.seats for bet in law.laid])
    _who_plays(case, confirmed)


def _look(case: Case, bets: list[str]) -> None:
    for seat in case.seats:
        for bet in bets:
            spot: Spot = (seat, bet)
            case.lock(spot, case.look(spot, case.edges[bet]))


def _first_card(case: Case) -> None:
    entry = case.course.first("first_card")
    edges = [fact.when for fact in case.course.facts if fact.act == BEAM_BLOCKED]
    if entry is None or not edges:
        case.findings.add(MISSED, case.course.begin, "the first card's lock was not recorded")
        return
    edge = case.same(entry, edges[0], f"the first card broke the beam at {edges[0]} ns")
    for bet in case.law.carded:
        case.edges[bet] = edge
    _look(case, list(case.law.carded))


def _who_plays(case: Case, confirmed: Entry) -> None:
    law = case.law
    out = case.out
    for entry in case.course.entries:
        if entry.name in ("confirmed", "confirmed_part"):
            out.update(
                {int(row["seat"]): (str(row["kind"]), str(row["article"])) for row in entry.rows if "kind" in row}
            )
    for seat in case.seats:
        bets = {bet: case.before((seat, bet), confirmed.when) for bet in law.laid}
        bets = {bet: cents for bet, cents in bets.items() if cents}
        doubted = _waits(case, seat, bets)
        wrong = law.wrong(bets, case.limits) if bets and not doubted else None
        if wrong != out.get(seat):
            case.findings.add(WRONG, confirmed.when, f"seat {seat} with {bets}: out {out.get(seat)}, not {wrong}")
        if wrong is not None:
            case.out_at[seat] = min(case.edges.values())
            case.locked.returned.add(seat)
        elif bets or doubted:
            case.live.append(seat)


def _waits(case: Case, seat: int, bets: dict[str, int]) -> bool:
    """Whether the seat's bets are judged when a doubt has been ruled: unless it lacks a bet in any case."""
    doubted = [bet for bet in case.law.laid if case.held[seat, bet].doubted]
    wrong = case.law.wrong({**bets, **{bet: bets.get(bet, 1) for bet in doubted}}, {})
    return bool(doubted) and (wrong is None or wrong[0] != "missing")
