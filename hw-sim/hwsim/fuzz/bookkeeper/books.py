"""The bookkeeper: follows the world, and judges each round when it is over. Entry point: :class:`Bookkeeper`."""

from __future__ import annotations

from itertools import pairwise

from hwsim.fuzz.bookkeeper import matching
from hwsim.fuzz.bookkeeper.course import Course, Report, spot_of
from hwsim.fuzz.bookkeeper.duties import WORTHLESS, After, Duty
from hwsim.fuzz.bookkeeper.findings import FALSE, INSTANT, MISSED, MONEY, WRONG, Findings
from hwsim.fuzz.bookkeeper.locks import Held, at_lock
from hwsim.fuzz.bookkeeper.money import Amounts, settlement
from hwsim.fuzz.bookkeeper.spots import early, idle
from hwsim.fuzz.bookkeeper.stays import Stays
from hwsim.fuzz.bookkeeper.visits import FOREVER, Spot, Visits
from hwsim.fuzz.floor import Floor
from hwsim.fuzz.laws.law import Hand
from hwsim.scenario.claims import Entry
from hwsim.world.shoe import BEAM_BLOCKED, DEALT

_EDGE_NS = 60_000  # an interrupt's latency, and one call
_KEPT_NS = 60_000_000_000
_BOUND_NS = 400_000_000  # by when a card that has left the shoe is bound to its place
FOLDED, PLAYED = "fold", "play"


class Bookkeeper:
    """Judges what the journal of ``floor``'s table says. It must be made before the table plays."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._law = floor.law
        spots = floor.table.spots
        self.visits = Visits(floor.table.scheduler, spots)
        self.stays = Stays(self.visits, {antenna.name: spot for spot, antenna in spots.items()}, floor.bodies.get)
        self.asked = self.prompts = self.holds = 0
        """of the last round: questions and holds together, and each"""
        self._last = 0

    def round(self, number: int, begin: int) -> Findings:
        """Judge the round that began at ``begin`` and is over now."""
        course = self._course(number, begin)
        findings = Round(self, self._floor, course).judge()
        false = [finding for finding in findings if finding.sort == FALSE]
        self.prompts = sum(report.severity == 1 for report in course.reports) - sum(one.severity == 1 for one in false)
        self.holds = sum(report.severity == 2 for report in course.reports) - sum(one.severity == 2 for one in false)
        self.asked = sum(report.severity > 0 for report in course.reports)
        return findings

    def _course(self, number: int, begin: int) -> Course:
        facts = self._floor.table.truth.facts
        self.stays.take(facts)
        entries = self._floor.entries(self._last)
        self._last = entries[-1].sequence if entries else self._last
        self.visits.forget(begin - _KEPT_NS)
        self.stays.forget(begin - _KEPT_NS)
        taken = tuple(facts)
        facts.clear()
        return Course(number, begin, self._floor.now, entries, taken)


class Round:
    """The judgement of one round."""

    def __init__(self, books: Bookkeeper, floor: Floor, course: Course) -> None:
        self.findings = Findings()
        self._floor = floor
        self._law = floor.law
        self._course = course
        self._stays = books.stays
        self._visits = books.visits
        self._held: dict[Spot, Held] = {}
        self._amounts = Amounts()
        self._locked: dict[str, Spot] = {}
        self._hands: dict[int, Hand] = {}
        self._dealer: list[str] = []
        self._live: list[int] = []
        self._duties: list[Duty] = []
        self._wanted: list[tuple[Spot, int, str]] = []
        self._served: dict[int, int] = {}
        self._close = FOREVER

    def judge(self) -> Findings:
        """Everything."""
        course, findings = self._course, self.findings
        lock = course.first("lock")
        if lock is None:
            findings.add(MISSED, course.begin, "no lock was recorded in this round")
            return findings
        self._unexpected()
        self._edge = self._true_edge(lock, "rnvp")
        self._lock_bets()
        self._cards()
        self._decisions()
        self._motions()
        matching.match([report for report in course.reports if report.uids], self._duties, self._visits, findings)
        matching.changes(course, self._stays, self._wanted, findings)
        self._standing()
        self._bare()
        self._rulings()
        if course.first("void") is None:
            settlement(self._law, course, self._hands, self._dealer, self._live, findings)
        return findings

    # --- the records that nothing should bring ------------------------------------------------------------------------

    def _unexpected(self) -> None:
        for entry in self._course.entries:
            if entry.name in ("fault", "void", "unlock") or entry.family == "card_fault":
                self.findings.add(FALSE, entry.when, f"{entry}: nothing happened to the cards or the parts", 3)

    # --- instants -----------------------------------------------------------------------------------------------------

    def _true_edge(self, entry: Entry, key: str) -> int:
        """The instant of the press that a record tells of; a finding when it is another."""
        told = int(entry.fields["edge"])
        presses = self._floor.diary.pressed(key, self._course.begin, entry.when)
        if not presses:
            self.findings.add(FALSE, entry.when, f"{entry.name}: nobody pressed {key.upper()}", 3)
            return told
        if not 0 <= told - presses[-1] <= _EDGE_NS:
            self.findings.add(INSTANT, entry.when, f"{entry.name} has {told} ns, the key went down at {presses[-1]} ns")
        return presses[-1]

    # --- bets ---------------------------------------------------------------------------------------------------------

    def _lock_bets(self) -> None:
        course, law = self._course, self._law
        confirmed = course.first("confirmed")
        if confirmed is None:
            self.findings.add(MISSED, self._edge, "the lock was not confirmed")
            return
        for spot in self._stays.spots():
            if spot[1] in law.laid:
                held = at_lock(spot, self._edge, self._stays, self._visits, course.reports, self.findings)
                self._lock(spot, held)
        self._rows(confirmed, [spot for spot in self._held if spot[1] in law.laid])
        out = {int(row["seat"]): (str(row["kind"]), str(row["article"])) for row in confirmed.rows if "kind" in row}
        for seat in self._floor.seats:
            if any(self._held[seat, bet].doubted for bet in law.laid):
                self._live.append(seat)
                continue
            bets = {bet: self._held[seat, bet].cents for bet in law.laid if self._held[seat, bet].cents}
            wrong = law.wrong(bets, self._floor.table.config["limits"]) if bets else None
            if wrong != out.get(seat):
                self.findings.add(WRONG, confirmed.when, f"seat {seat} with {bets}: out {out.get(seat)}, not {wrong}")
            if bets and wrong is None:
                self._live.append(seat)

    def _lock(self, spot: Spot, held: Held, cents: int | None = None) -> None:
        self._held[spot] = held
        self._amounts.lock(spot, held, cents)
        for stay in held.counted + (held.came if held.swapped else []):
            self._locked[stay.label] = spot

    def _rows(self, entry: Entry, spots: list[Spot]) -> None:
        told = {spot_of(row): int(row["amount"]) for row in entry.rows if "amount" in row}
        for spot in spots:
            cents = self._amounts.cents[spot]
            if told.get(spot, 0) != cents:
                self.findings.add(
                    MONEY, entry.when, f"{entry.name}: seat {spot[0]} {spot[1]} {told.get(spot, 0)}, {cents} lay there"
                )
        for spot in told:
            if spot not in spots:
                self.findings.add(MONEY, entry.when, f"{entry.name}: seat {spot[0]} {spot[1]} has no bet")

    # --- cards --------------------------------------------------------------------------------------------------------

    def _cards(self) -> None:
        facts = self._course.facts
        cards = [fact.label for fact in facts if fact.act == DEALT]
        edges = [fact.when for fact in facts if fact.act == BEAM_BLOCKED]
        each = self._law.cards_each
        for position, seat in enumerate(self._live):
            self._hands[seat] = Hand(cards[position * each : (position + 1) * each])
            served = (position + 1) * each - 1
            self._served[seat] = edges[served] if served < len(edges) else FOREVER
        first = len(self._live) * each
        self._dealer = cards[first : first + self._law.cards_dealer]
        reveal = self._course.first("reveal")
        for row in reveal.rows if reveal is not None else ():
            whose = str(row["seat"])
            hand = self._dealer if whose == "dealer" else self._hands[int(whose)].cards
            if str(row["cards"]).split() != hand:
                self.findings.add(WRONG, reveal.when if reveal else 0, f"seat {whose} shows {row['cards']}, not {hand}")

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _decisions(self) -> None:
        course, law = self._course, self._law
        entry = course.first("decisions")
        if entry is None:
            if course.first("void") is None:
                self.findings.add(MISSED, course.end, "the decisions were not recorded")
            return
        self._close = self._true_edge(entry, "devoiler")
        told = {int(row["seat"]): str(row["decision"]) for row in entry.rows if "decision" in row}
        rows = []
        for seat in self._live:
            spot = (seat, law.opens)
            asked = self._held[seat, law.asks]
            if not asked.cents and not asked.doubted:
                if seat in told:
                    self.findings.add(WRONG, entry.when, f"seat {seat} has no {law.asks} and decides {told[seat]}")
                continue
            held = at_lock(spot, self._close, self._stays, self._visits, course.reports, self.findings)
            expected, cents = self._decided(seat, held, entry.when)
            self._lock(spot, held, cents)
            rows.append(spot)
            if told.get(seat) != expected:
                self.findings.add(
                    WRONG, entry.when, f"seat {seat} decides {told.get(seat)}, it is {expected}: {held.cents} lie there"
                )
            self._hands[seat].decision = expected
        self._rows(entry, rows)

    def _decided(self, seat: int, held: Held, when: int) -> tuple[str, int]:
        """The decision as recorded at ``when``, ``none`` while a ruling is awaited, and the cents that are its bet."""
        law = self._law
        asked = (seat, law.asks)
        if held.doubted or self._open_hold(asked, when):
            return "none", held.cents
        if not held.cents:
            return law.refused, 0
        low, high = law.play(self._amounts_before(asked, when))
        if self._said_fold(seat) or held.cents < low:
            return "none", held.cents
        return law.taken, min(held.cents, high)

    def _said_fold(self, seat: int) -> bool:
        """Whether ABANDON and the seat's key were pressed, an odd number of times."""
        presses = [press for press in self._floor.diary.presses if self._course.begin <= press.when <= self._close]
        times = sum(first.key == "abandon" and second.key == f"p{seat}" for first, second in pairwise(presses))
        return times % 2 == 1

    def _open_hold(self, spot: Spot, at: int) -> bool:
        """Whether a report that holds the spot was open at an instant."""
        return any(
            report.spot == spot
            and report.when < at
            and (report.severity >= 2 or report.kind == "ambiguous")
            and not any(number == report.number and when < at for number, _, _, _, when in self._ruled())
            for report in self._course.reports
        )

    def _ruled(self) -> list[tuple[int, str, str, int, int]]:
        """Ends of reports: number, word, by whom, amount, instant."""
        return [
            (
                int(entry.fields["id"]),
                str(entry.fields["resolution"]),
                str(entry.fields["by"]),
                int(entry.fields["amount"]),
                entry.when,
            )
            for entry in self._course.all("resolved")
        ]

    def _amounts_before(self, spot: Spot, when: int) -> int:
        """The bet at a spot with the rulings made before ``when``."""
        amounts = Amounts()
        amounts.lock(spot, self._held[spot])
        for number, word, _by, _amount, at in self._ruled():
            report = self._report(number)
            if at < when and report is not None and report.spot == spot and word in ("valid", "refused"):
                amounts.rule(report, word)
        return amounts.cents[spot]

    def _report(self, number: int) -> Report | None:
        return next((report for report in self._course.reports if report.number == number), None)

    # --- motions ------------------------------------------------------------------------------------------------------

    def _motions(self) -> None:
        course, law = self._course, self._law
        confirmed = course.first("confirmed")
        reveal = course.first("reveal")
        due = reveal.when if reveal is not None else FOREVER
        begin = confirmed.when if confirmed is not None else self._edge
        for seat in self._floor.seats:
            done = min(course.done_at(seat), course.end)
            for bet in law.bets:
                spot = (seat, bet)
                if seat not in self._live:
                    self._duties += idle(spot, self._edge, begin, course.end, self._stays, self._visits, self._locked)
                    continue
                until = min(course.due_at(spot), course.end) if spot in course.settled else done
                if bet == law.opens:
                    self._opened(spot, due, until)
                else:
                    self._after(spot, self._edge, due, until)
                self._duties += idle(spot, until, FOREVER, course.end, self._stays, self._visits, {})
        for spot, held in self._held.items():
            self._worthless(spot, held)

    def _worthless(self, spot: Spot, held: Held) -> None:
        """Chips that are worth nothing and lay there at the lock."""
        for stay in [*held.counted, *held.came]:
            if stay.sort in WORTHLESS:
                words = f"{stay.label} lay there from {stay.came / 1e9:.3f}"
                kinds = frozenset((WORTHLESS[stay.sort],))
                self._duties.append(Duty(spot, stay.uid, (stay.came,), kinds, stay in held.counted, words))

    def _after(self, spot: Spot, edge: int, due: int, until: int) -> None:
        after = After(spot, edge, due, until, self._stays, self._visits, self._locked)
        held = self._held[spot]
        self._duties += after.duties(held)
        for stays in (held.came, held.went):
            for stay in stays:
                instants = (stay.came, min(stay.went, FOREVER))
                kinds = frozenset(("ambiguous", "ambiguous_large", "equal_swap", "handled"))
                words = f"{stay.label} came or went at the lock"
                self._duties.append(Duty(spot, stay.uid, instants, kinds, False, words))
        self._wanted += [(spot, when, words) for when, words in after.changes]

    def _opened(self, spot: Spot, due: int, until: int) -> None:
        """The spot that the seat's decision opens."""
        law, seat = self._law, spot[0]
        asked = self._held[seat, law.asks]
        decides = bool(asked.cents or asked.doubted)
        served = self._served[seat] if decides else FOREVER
        opens = (min(served, self._course.end), min(served + _BOUND_NS, self._course.end))
        kind = "early_play" if decides else "play_without_ante"
        counted = {label: place for label, place in self._locked.items() if place != spot}
        self._duties += early(spot, self._edge, opens, kind, self._stays, self._visits, counted)
        if spot not in self._held:
            return
        if self._hands[seat].decision == law.refused:
            until = self._close
            self._duties += idle(spot, self._close, FOREVER, self._course.end, self._stays, self._visits, {})
        self._after(spot, self._close, due, until)

    # --- reports without chips, and rulings ---------------------------------------------------------------------------

    def _bare(self) -> None:
        """Reports that name no chip."""
        law = self._law
        for report in self._course.reports:
            if report.uids:
                continue
            seat = report.spot[0]
            if report.kind == "moved":
                if not any("moved" in duty.kinds and duty.spot[0] == seat for duty in self._duties):
                    self.findings.add(FALSE, report.when, f"{report}: nothing was moved there", report.severity)
            elif report.kind == "relation" and report.spot[1] == law.opens and report.spot in self._held:
                held = self._held[report.spot]
                low, high = law.play(self._amounts_before((seat, law.asks), report.when))
                right = held.cents > high or held.cents < low or self._said_fold(seat)
                if not right:
                    self.findings.add(FALSE, report.when, f"{report}: {held.cents} is what it must be", report.severity)
            else:
                self.findings.add(FALSE, report.when, f"{report}: nothing happened", report.severity)

    def _standing(self) -> None:
        """The bet that a report says it changes is the one that stood then."""
        for report in self._course.reports:
            if report.kind not in matching.AMOUNTS or not report.uids or report.spot not in self._held:
                continue
            cents = self._amounts_before(report.spot, report.when)
            if report.kind == "clone" and report.before != cents:
                cents -= report.after - report.before  # one that was counted already
            if report.before != cents:
                self.findings.add(WRONG, report.when, f"{report}: the bet was {cents} then")
            if report.kind in ("late", "capped") and (report.kind == "late") != (cents == 0):
                self.findings.add(WRONG, report.when, f"{report}: a bet of {cents} cents was {report.kind}")

    def _rulings(self) -> None:
        for number, word, by, amount, when in self._ruled():
            report = self._report(number)
            if report is None or word not in ("valid", "refused") or by == "none":
                continue
            expected = self._amounts.rule(report, word)
            if amount != expected:
                self.findings.add(MONEY, when, f"{report} ruled {word}: the bet is then {amount}, not {expected}")
        for seat in self._live:
            hand = self._hands[seat]
            hand.bets = {bet: self._amounts.cents.get((seat, bet), 0) for bet in self._law.bets}
            hand.bets = {bet: cents for bet, cents in hand.bets.items() if cents}
            if hand.decision == "none":
                hand.decision = self._law.taken if self._law.opens in hand.bets else self._law.refused
