"""Reports without chips, and what rulings make of the bets.

Entry points: `put_out`, `bare`, `standing`, `rule`.
"""

from __future__ import annotations

from hwsim.fuzz.bookkeeper.case import Case
from hwsim.fuzz.bookkeeper.deciding import NOBODY
from hwsim.fuzz.bookkeeper.findings import FALSE, MISSED, MONEY, WRONG
from hwsim.fuzz.bookkeeper.matching import AMOUNTS
from hwsim.fuzz.bookkeeper.visits import FOREVER


def put_out(case: Case) -> None:
    """A ruling that says what a bet was at the lock: what it breaks puts its seat out, as at the lock (LATE-LIMIT)."""
    course, law = case.course, case.law
    confirmed, decisions = course.first("confirmed"), course.first("decisions")
    begin = confirmed.when if confirmed is not None else FOREVER
    end = decisions.when if decisions is not None else FOREVER
    put: list[int] = []
    for ruled in case.ruled():
        report = case.report(ruled.number)
        if report is None or report.spot[1] not in law.laid or ruled.by == "none" or not begin < ruled.when < end:
            continue
        seat, after = report.spot[0], ruled.when + 1
        if seat not in case.live or any(case.holds((seat, bet), after) for bet in law.bets):
            continue
        bets = {bet: case.before((seat, bet), after) for bet in law.laid}
        wrong = law.wrong({bet: cents for bet, cents in bets.items() if cents}, case.limits)
        if wrong is not None:
            put.append(seat)
            case.live.remove(seat)
            case.out[seat], case.out_at[seat] = wrong, ruled.when
    told = [int(entry.fields["seat"]) for entry in course.all("seat_state") if entry.fields["trigger"] == "out"]
    if told != put:
        case.findings.add(WRONG, begin, f"seats that rulings put out: {told}, not {put}")


def bare(case: Case) -> None:
    """Reports that name no chip."""
    law = case.law
    for report in case.course.reports:
        if report.uids:
            continue
        seat = report.spot[0]
        if report.kind == "moved":
            right = any("moved" in duty.kinds and duty.spot[0] == seat for duty in case.duties)
            words = "nothing was moved there"
        elif report.kind == "relation" and report.spot[1] == law.opens and report.spot in case.held:
            cents = case.held[report.spot].cents
            stands = case.before(report.spot, report.when)  # another ruling may have taken it away
            low, high = law.play(case.before((seat, law.asks), report.when))
            right = not low <= cents <= high or not low <= stands <= high or case.refused(seat, case.close)
            words = f"{cents} is what it must be"
        elif report.kind == "play_too_high" and report.spot in case.held:
            most = _most(case, seat, report.when)
            right = case.before(report.spot, report.when) == report.before > most == report.after
            words = f"its cards allow {most}"
        elif report.kind in ("limit", "relation", "missing") and report.severity == 1:
            right, words = seat in case.out and case.out[seat][0] == report.kind, "the seat's bets stand"
        else:
            right, words = False, "nothing happened"
        if not right:
            case.findings.add(FALSE, report.when, f"{report}: {words}", report.severity)


def _most(case: Case, seat: int, when: int) -> int:
    """Most that the seat may have bet on its decision, once its cards are seen."""
    return case.law.most(case.hands[seat].cards, case.before((seat, case.law.asks), when))


def standing(case: Case) -> None:
    """The bet that a report says it changes is the one that stood then."""
    decisions = case.course.first("decisions")  # a bet that a decision opens is confirmed by its record
    closed = decisions.when if decisions is not None else FOREVER
    for report in case.course.reports:
        if report.kind not in AMOUNTS or not report.uids or report.spot not in case.held:
            continue
        cents = case.before(report.spot, report.when)
        if report.spot[1] == case.law.opens and report.when < closed:
            cents = 0  # nothing is locked there yet
        if report.kind == "clone" and report.before != cents:
            cents -= report.after - report.before  # one that was counted already
        if report.before != cents:
            case.findings.add(WRONG, report.when, f"{report}: the bet was {cents} then")
        if report.kind in ("late", "capped") and (report.kind == "late") != (cents == 0):
            case.findings.add(WRONG, report.when, f"{report}: a bet of {cents} cents was {report.kind}")


def rule(case: Case) -> None:
    """Follow the rulings to the amounts that stand in the end, and to what was decided by them."""
    law = case.law
    for ruled in case.ruled():
        report = case.report(ruled.number)
        if report is None or ruled.word not in ("valid", "refused") or ruled.by == "none":
            continue
        expected = (
            0 if case.out_at.get(report.spot[0], FOREVER) < ruled.when else case.rule(case.amounts, report, ruled)
        )
        if ruled.amount != expected:
            words = f"{report} ruled {ruled.word}: the bet is then {ruled.amount}, not {expected}"
            case.findings.add(MONEY, ruled.when, words)
    high = {report.spot[0] for report in case.course.reports if report.kind == "play_too_high"}
    for seat in case.live:
        hand = case.hands[seat]
        hand.bets = {bet: case.amounts.cents.get((seat, bet), 0) for bet in law.bets}
        hand.bets = {bet: cents for bet, cents in hand.bets.items() if cents}
        if hand.decision == NOBODY:
            hand.decision = law.taken if law.opens in hand.bets or not law.opens else law.refused
        elif hand.decision == law.taken and law.opens and law.opens not in hand.bets:
            hand.decision = law.refused  # a ruling took the play away, and nobody made it good (PLAY-AMOUNT)
        if law.opens in hand.bets and hand.decision == law.taken and seat not in high:
            most = _most(case, seat, case.course.end)
            if hand.bets[law.opens] > most:
                words = f"no 'play_too_high' at seat {seat}: {hand.bets[law.opens]}, its cards allow {most}"
                case.findings.add(MISSED, case.course.end, words)
