"""The duties of every spot in its course through the round. Entry point: :func:`follow`."""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.duties import WORTHLESS, After, Duty
from hwsim.fuzz.bookkeeper.locks import Held, Locked
from hwsim.fuzz.bookkeeper.spots import early, idle, never
from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot

_BOUND_NS = 400_000_000  # by when a card that has left the shoe is bound to its place
_DOUBTS = frozenset(("ambiguous", "ambiguous_large", "equal_swap", "handled"))


def follow(case: Case) -> None:
    """Collect what must and may be told of the motions at every spot."""
    course, law = case.course, case.law
    confirmed = course.first("confirmed")
    begin = max(case.edges.values())
    judged = confirmed.when if confirmed is not None else begin
    for seat in case.seats:
        done = min(course.done_at(seat), case.out_at.get(seat, FOREVER), course.end)
        for bet in law.bets:
            spot = (seat, bet)
            if seat not in case.hands:
                case.duties += idle(spot, begin, judged, course.end, case.stays, case.visits, case.locked)
                continue
            until = min(course.due_at(spot), course.end) if spot in course.settled else done
            due = min(until, held_at(case, seat), _reached(case, spot))
            if bet == law.opens:
                _opened(case, spot, due, until)
            else:
                _after(case, spot, case.edges[bet], due, until)
            paid = spot in course.settled
            case.duties += idle(spot, until, FOREVER, course.end, case.stays, case.visits, Locked(), settled=paid)
    for spot, held in case.held.items():
        _worthless(case, spot, held)


def held_at(case: Case, seat: int) -> int:
    """When the settlement of a seat was reached and had to wait; FOREVER when it did not."""
    return min(
        (
            entry.when
            for entry in case.course.all("seat_state")
            if entry.fields["seat"] == seat and entry.fields["trigger"] == "hold"
        ),
        default=FOREVER,
    )


def _reached(case: Case, spot: Spot) -> int:
    """When the settlement of a bet was reached at a seat that goes on deciding: no record says that it waits."""
    seat, bet = spot
    if bet == case.law.asks:
        return case.half_at(seat)
    deal = case.course.first("deal")
    return deal.when if deal is not None and case.law.equal_only and bet in case.law.side else FOREVER  # 67.40


def _worthless(case: Case, spot: Spot, held: Held) -> None:
    """Chips that are worth nothing and lay there at the lock."""
    for stay in [*held.counted, *held.came]:
        if stay.sort in WORTHLESS:
            words = f"{stay.label} lay there from {stay.came / 1e9:.3f}"
            kinds = frozenset((WORTHLESS[stay.sort],))
            case.duties.append(Duty(spot, stay.uid, (stay.came,), kinds, stay in held.counted, words))


def _after(case: Case, spot: Spot, edge: int, due: int, until: int) -> None:
    after = After(spot, edge, due, until, case.stays, case.visits, case.locked)
    law, seat = case.law, spot[0]
    after.lost = case.out_at.get(seat, FOREVER)
    if law.opens and spot[1] not in law.side and case.hands[seat].decision == law.refused:
        after.lost = min(after.lost, case.fold_at(seat))
    held = case.held[spot]
    case.duties += after.duties(held)
    for stay in [*held.came, *held.went]:
        words = f"{stay.label} came or went at the lock"
        case.duties.append(Duty(spot, stay.uid, (stay.came, stay.went), _DOUBTS, False, words))
    case.wanted += [(spot, when, words) for when, words in after.changes]


def _opened(case: Case, spot: Spot, due: int, until: int) -> None:
    """The spot that the seat's decision opens."""
    law, seat, course = case.law, spot[0], case.course
    decides = case.ever_asked(seat) and law.decides(case.hands[seat].cards, case.dealer)
    kind = "early_play" if case.ever_asked(seat) else "play_without_ante"
    begin = max(case.edges.values())
    if decides:
        served = max(case.served.get(seat, FOREVER), case.asked_from(seat))
        opens = (min(served, course.end), min(served + _BOUND_NS, course.end))
        case.duties += early(spot, begin, opens, kind, case.stays, case.visits, case.locked)
    else:
        case.duties += never(spot, begin, until, course.end, kind, case.stays, case.visits, case.locked)
    if spot not in case.held:
        return
    if case.hands[seat].decision == law.refused:
        until = case.close
        case.duties += idle(spot, case.close, FOREVER, course.end, case.stays, case.visits, Locked())
    _after(case, spot, case.close, due, until)
