"""What changes on the spots after a lock, and when it becomes an irregularity. Entry point: `Watch`.

A reader's field is some 35 chips high, so a hand passing over with chips is present for a moment: an arrival counts
after a dwell (0.5 s and two visits). A removal is recorded at once and judged after 5 s, or when its seat is to be
settled; what is back by then was only handled. The same chip on another spot is moved, and has some time (15 s) to go
back, or until one of the two bets is to be settled. Chips of one UID in two bets: `clones`.
"""

from sabot.rules.game import LOCK_DECISIONS, REFUSED
from sabot.table import ledger as led
from sabot.table.alarms import WORTHLESS, Alarms
from sabot.table.issues import NOTICE, QUESTION, SEAT_HOLD
from sabot.table.ticks import since

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.rules.game import Bet
    from sabot.table.clones import Clones
    from sabot.table.core import Core
    from sabot.table.issues import Issue, Issues

_VISITS = const(2)
_LOOK_US = const(2000000)  # a spot that could not be visited for so long is judged by what was seen last
_PASSING = ("next_round", "early_play", "play_without_ante")  # end by themselves when the chips are gone


class Watch:
    """Follows the spots of the running round, except those whose lock is being confirmed."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues
        self._alarms = Alarms(core, issues)
        self._clones: Clones | None = None  # loaded when a chip is first met on two spots at a time
        self._dwell_us = core.config.dwell_ms * 1000
        self._restore_us = core.config.restore_ms * 1000
        self._moved_us = core.config.moved_ms * 1000
        self._stirred = bytearray(core.spots.count)  # spots with a change that has not been judged
        self.folding = bytearray(8)  # seats whose fold has been keyed, set by the decisions

    # --- as it happens ---------------------------------------------------------------------------------------------

    def came(self, item: int, spot: int, before: int) -> None:
        """A chip came to a watched spot, where `before` cents lay."""
        core = self._core
        ledger = core.ledger
        mark = ledger.mark[item]
        if mark == led.PLAIN:
            ledger.mark[item] = led.LATER
        elif mark in (led.COUNTED, led.MOVED):
            ledger.mark[item] = led.COUNTED
            interval = (ledger.in_lo[item], ledger.in_hi[item])
            self._issues.raise_at("handled", spot, before, core.spots.seen[spot], interval, (item,), NOTICE)
            self._moved_back(ledger.chip[item])
        elif mark == led.DOUBTED:
            self._lifted_and_back(spot)
        elif mark == led.RULED:
            self.change(spot, before, ledger.in_lo[item], ledger.in_hi[item])

    def left(self, item: int, spot: int, before: int) -> None:
        """A chip left a watched spot, where `before` cents lay."""
        ledger = self._core.ledger
        mark = ledger.mark[item]
        if mark in (led.PLAIN, led.LATER, led.POSTED):
            ledger.drop(item)
        elif self._core.spots.state(spot) == "locked":
            self.change(spot, before, ledger.out_lo[item], ledger.out_hi[item])
            if not self._live(spot):
                ledger.mark[item] = led.RULED  # the dealer takes what a fold has lost

    def change(self, spot: int, before: int, lo: int, hi: int) -> None:
        """Record a change after the lock, severity 0: cents before it, and its interval in raw ticks."""
        core = self._core
        core.append(
            "change",
            {
                "place": core.spots.places[spot],
                "before": before,
                "after": core.spots.seen[spot],
                "earliest": core.time(lo),
                "latest": core.time(hi),
            },
        )

    def _moved_back(self, chip: int) -> None:
        for issue in list(self._issues.open):
            if issue.kind == "moved" and issue.severity == QUESTION and chip in issue.chips:
                issue.chips.remove(chip)
                if not issue.chips:
                    self._issues.close(issue, "cleared", 0, self._core.spots.locked[issue.spot])

    def _lifted_and_back(self, spot: int) -> None:
        """A chip lifted around the lock is back: when all of them are, there was only a hand straightening a bet."""
        core = self._core
        ledger = core.ledger
        issue = self._issues.at(spot, "ambiguous")
        if issue is None or since(core.now, issue.at) > self._restore_us or not issue.only_went:
            return
        doubted = []
        for item in range(ledger.top):
            if ledger.where[item] and ledger.spot[item] == spot and ledger.mark[item] == led.DOUBTED:
                if ledger.where[item] == led.GONE:
                    return
                doubted.append(item)
        for item in doubted:
            ledger.mark[item] = led.COUNTED
        core.spots.locked[spot] += issue.on_refused
        self._issues.close(issue, "cleared", 0, core.spots.locked[spot])

    # --- as time passes --------------------------------------------------------------------------------------------

    def tick(self, waits: "Callable[[int], bool]") -> None:
        """Judge what has lasted long enough; `waits(spot)`: its lock is still being confirmed."""
        core = self._core
        ledger = core.ledger
        for spot in range(core.spots.count):
            self._stirred[spot] = 0
        for item in range(ledger.top):
            mark = ledger.mark[item] if ledger.where[item] else led.RULED
            if mark in (led.LATER, led.POSTED) or (mark == led.COUNTED and ledger.where[item] == led.GONE):
                self._stirred[ledger.spot[item]] = 1
        for spot in range(core.spots.count):
            if self._stirred[spot] and not waits(spot):
                if core.spots.state(spot) in ("locked", "released", "shut"):
                    self.judge(spot, False)
                self._posted(spot)
        self.look_at_twins(waits)
        for issue in list(self._issues.open):
            if issue.kind == "moved" and issue.severity == QUESTION:
                if since(core.now, issue.at) >= self._moved_us:
                    self._not_back(issue)
            elif self._is_gone(issue):
                self._issues.close(issue, "cleared", 0, core.spots.locked[issue.spot])

    def _is_gone(self, issue: "Issue") -> bool:
        """Whether what was asked about has been taken away."""
        ledger = self._core.ledger
        if issue.kind != "foreign":
            return issue.kind in _PASSING and not ledger.present(issue.spot)
        for item in range(ledger.top):
            if ledger.where[item] == led.PRESENT and ledger.spot[item] == issue.spot:
                if WORTHLESS.get(ledger.chips.value(ledger.chip[item])) == "foreign":
                    return False
        return True

    def _not_back(self, issue: "Issue") -> None:
        core = self._core
        self._issues.close(issue, "expired", 0, core.spots.locked[issue.spot])
        told = []
        for spot in (issue.spot, issue.origin):
            seat = core.spots.seat(spot)
            if seat not in told:
                told.append(seat)
                locked = core.spots.locked[spot]
                interval = (issue.at, core.now)
                held = self._issues.raise_at("moved", spot, locked, locked, interval, (), SEAT_HOLD)
                if held is not None and spot == issue.spot:
                    held.on_refused = -self._counted_here(issue)

    def _counted_here(self, issue: "Issue") -> int:
        """Cents of moved chips that a later lock has counted where they lie now: the close of decisions."""
        ledger = self._core.ledger
        cents = 0
        for item in range(ledger.top):
            if ledger.where[item] and ledger.spot[item] == issue.spot and ledger.mark[item] == led.COUNTED:
                cents += ledger.value(item) if ledger.chip[item] in issue.chips else 0
        return cents

    def judge(self, spot: int, settling: bool) -> None:
        """Judge the changes at a spot that have lasted long enough; `settling`: removals are judged now in any case."""
        ledger = self._core.ledger
        came = []
        went = []
        moved = []
        for item in range(ledger.top):
            if not ledger.where[item] or ledger.spot[item] != spot:
                continue
            if ledger.where[item] == led.PRESENT:
                if ledger.mark[item] == led.LATER and self._dwelt(item) and not self._counted_elsewhere(item):
                    came.append(item)
            elif ledger.mark[item] == led.COUNTED:
                other = ledger.elsewhere(spot, ledger.chip[item])
                if other < 0:
                    went.append(item)
                elif settling or self._dwelt(other):
                    moved.append((item, other))
        while moved:
            moved = self._tell_moved(spot, moved)
        if settling:
            for issue in list(self._issues.open):
                if issue.kind == "moved" and issue.severity == QUESTION and spot in (issue.spot, issue.origin):
                    self._not_back(issue)
        if not came and not went:
            return
        if self._core.spots.state(spot) != "locked":
            self._alarms.idle(spot, came, went)
            return
        if not self._live(spot):
            self._alarms.idle(spot, came, [])
            came = []  # what went, however, went before the fold
            if not went:
                return
        if came and not settling and self._hand_in_hand(spot, came):
            return
        patience = self._dwell_us if came else self._restore_us
        for item in went:
            if not settling and since(self._core.now, ledger.out_hi[item]) < patience and ledger.out_fresh[item]:
                return
        self._alarms.altered(spot, came, went)

    def _hand_in_hand(self, spot: int, came: "list[int]") -> bool:
        """Whether a chip that has not dwelt yet may have come with one that has: then both are told together."""
        ledger = self._core.ledger
        for item in range(ledger.top):
            if ledger.where[item] == led.PRESENT and ledger.spot[item] == spot and ledger.mark[item] == led.LATER:
                for other in came:
                    if other != item and not self._dwelt(item) and since(ledger.in_lo[item], ledger.in_hi[other]) <= 0:
                        return True
        return False

    def unseen(self, edge: int) -> bytes:
        """Places of antennas from which locked chips are missing, and which were not visited since the raw `edge`.

        Before such a bet is judged for good it is looked at once more: a hand may just have put it back. Not for ever.
        """
        core = self._core
        ledger = core.ledger
        places: list[int] = []
        if since(core.now, edge) < _LOOK_US:
            for item in range(ledger.top):
                spot = ledger.spot[item]
                if ledger.where[item] == led.GONE and ledger.mark[item] == led.COUNTED:
                    if since(ledger.begun[spot], edge) <= 0 and core.antenna_place(spot) not in places:
                        places.append(core.antenna_place(spot))
        return bytes(places)

    def _counted_elsewhere(self, item: int) -> bool:
        """Whether a chip that has dwelt is part of another spot's locked bet: moved, or two bodies of one UID.

        Both spots are visited in turns, and a chip that was moved is silent at the first visit to its old place. Two
        visits to each that heard it since it was met on both, the last ones among them, are two bodies.
        """
        ledger = self._core.ledger
        for other in range(ledger.top):
            if other != item and ledger.where[other] and ledger.chip[other] == ledger.chip[item]:
                if ledger.mark[other] == led.COUNTED:
                    if ledger.where[other] == led.PRESENT and ledger.sure[other] and ledger.sure[item]:
                        if ledger.visits[other] >= _VISITS:
                            self._alarms.cloned(item)
                    return True
        return False

    def look_at_twins(self, waits: "Callable[[int], bool]") -> None:
        """Tell of chips of one UID in two bets, except where `waits(spot)`: its lock is still being confirmed."""
        if not self._core.ledger.twin_count:
            return
        if self._clones is None:
            from sabot.table import clones

            self._clones = clones.Clones(self._core, self._issues)
        self._clones.look(waits)

    def around_settlement(self, item: int) -> None:
        """A chip came to a settled bet: one that may have come before the settlement was laid to a live bet.

        Nobody is paid so soon: the dealer has only been told. But a bet that lacked chips, by a ruling, and is only
        made whole again has not been added to.
        """
        ledger = self._core.ledger
        spots = self._core.spots
        spot = ledger.spot[item]
        if ledger.mark[item] == led.PLAIN and spots.seen[spot] > spots.locked[spot]:
            if since(ledger.in_lo[item], spots.settled_at[spot]) < 0:
                ledger.mark[item] = led.POSTED

    def undecided(self, seat: int) -> bool:
        """Whether chips lie on a live bet of the seat that have not dwelt yet: it is settled when they have.

        What is late holds the seat before it is paid. Not for ever: a spot may not be visited any more.
        """
        core = self._core
        ledger = core.ledger
        for item in range(ledger.top):
            spot = ledger.spot[item]
            if ledger.where[item] == led.PRESENT and ledger.mark[item] == led.LATER and core.spots.seat(spot) == seat:
                if core.spots.state(spot) == "locked" and self._live(spot) and not self._dwelt(item):
                    if since(core.now, ledger.in_hi[item]) < _LOOK_US:
                        return True
        return False

    def _posted(self, spot: int) -> None:
        """Judge what came around the settlement: by value where it may have come after it, for no interval can tell.

        What the winner is due is his payment: nobody gains by adding that himself.
        """
        spots = self._core.spots
        ledger = self._core.ledger
        came = []
        cents = 0
        before = False
        for item in range(ledger.top):
            if ledger.where[item] == led.PRESENT and ledger.spot[item] == spot and ledger.mark[item] == led.POSTED:
                if self._dwelt(item) and not self._counted_elsewhere(item):
                    came.append(item)
                    cents += ledger.value(item)
                    before = before or since(ledger.in_hi[item], spots.settled_at[spot]) <= 0
                elif since(self._core.now, ledger.in_hi[item]) < _LOOK_US:
                    return  # the whole of it is judged together
        if not came:
            return
        if before or cents not in (spots.due[spot], spots.owed[spots.seat(spot)]):
            self._alarms.altered(spot, came, [])
            return
        lo, hi = self._alarms.span(came, [])
        self.change(spot, spots.seen[spot] - cents, lo, hi)
        for item in came:
            ledger.mark[item] = led.PLAIN

    def _dwelt(self, item: int) -> bool:
        """Whether it has been heard twice, and again when the dwell was over: a hand may have left meanwhile."""
        return bool(self._core.ledger.visits[item] >= _VISITS and self._core.ledger.dwelt[item])

    def _live(self, spot: int) -> bool:
        """Whether the bet on the spot can still win: not one that a fold has lost."""
        core = self._core
        seat = core.spots.seat(spot)
        if not core.is_live(seat):
            return False
        if core.spots.seat_state(seat) == "folded" or self.folding[seat]:
            return self._survives(core.game.bets[core.spots.bet(spot)])
        return True

    def _survives(self, bet: "Bet") -> bool:
        """Whether a bet lives on when its seat has refused the decision."""
        if bet.side:
            return bool(self._core.game.fold_side_bets == "live")
        for outcome in bet.outcomes:
            if outcome.end == REFUSED:
                return False
        return bool(bet.lock != LOCK_DECISIONS)

    def _tell_moved(self, spot: int, moved: "list[tuple[int, int]]") -> "list[tuple[int, int]]":
        """Tell together of the locked chips that lie on one other spot now (items here, there); returns the rest."""
        ledger = self._core.ledger
        lies = ledger.spot[moved[0][1]]
        here = [item for item, other in moved if ledger.spot[other] == lies]
        there = [other for _, other in moved if ledger.spot[other] == lies]
        for item in here:
            ledger.mark[item] = led.MOVED
        for other in there:
            if ledger.mark[other] != led.COUNTED:
                ledger.mark[other] = led.RULED
        locked = self._core.spots.locked[lies]
        after = locked + sum([ledger.value(item) for item in here])
        issue = self._issues.raise_at("moved", lies, locked, after, self._alarms.span(there, here), there)
        if issue is not None:
            issue.origin = spot
            issue.chips += [ledger.chip[item] for item in here]
            issue.on_valid = 0
        return [pair for pair in moved if ledger.spot[pair[1]] != lies]
