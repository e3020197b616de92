"""What the confirmation of the lock means for bets and seats. Entry point: `Verdict`.

Writes the `confirmed` record, moves seats and spots, and raises what is left open: doubts, chips without a value, spots
that could not be read. Seats whose bets break an article at the lock are out and get their bets back (67.26).
"""

from sabot.rules.bets import verify_bets
from sabot.rules.errors import RuleError
from sabot.table import ledger as led
from sabot.table.advice import kind_of
from sabot.table.alarms import WORTHLESS
from sabot.table.issues import NOTICE, SEAT_HOLD
from sabot.table.ticks import since
from sabot.wire.codes import LAMP_OFF, kind_name, kind_number, place_seat

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
    from sabot.table.confirm import Confirmation, Found
    from sabot.table.core import Core
    from sabot.table.issues import Issues

_FLAG_DISPUTED = const(1)  # of a row in the confirmed and decisions records
_FLAG_RETURNED = const(2)  # ... its seat is out: this amount goes back


class Verdict:
    """Judges the bets of one lock; `confirmation` is that lock's."""

    def __init__(self, core: "Core", issues: "Issues", confirmation: "Confirmation") -> None:
        self._core = core
        self._issues = issues
        self._confirmation = confirmation
        self._broken: dict[int, tuple[int, int]] = {}  # by seat that is out: the spot, and the cents there

    def confirm(self) -> "list[int]":
        """Record the locked amounts and move the machines; returns the seats that play, in the order of the deal."""
        core = self._core
        spots = core.spots
        found = self.amounts(spots.carded or spots.announced)
        for spot in range(spots.count):
            if spots.state(spot) == "shut":
                self._remark(spot, led.PLAIN, led.LATER)  # no bet yet: it counts as having come after the lock
        rows, out = self.rows(found, None)
        live = [place_seat(row[0]) for row in rows]
        self.record("confirmed", rows, out)
        for seat in spots.seats:
            if spots.seat_state(seat) != "out":
                spots.seat_machines.attempt("bet" if seat in live else "unbet", seat)
                if seat not in live:
                    self.free(seat)
        self.finish(found, out)
        return [seat for seat in spots.seats if seat in live and spots.seat_state(seat) == "in"]

    def amounts(self, spots: bytes) -> "dict[int, Found]":
        """What lay on each of these spots at their lock; that is the bet."""
        found = {}
        for spot in spots:
            if self._core.spots.state(spot) == "locked":
                found[spot] = self._confirmation.sort(spot)
                self._core.spots.locked[spot] = found[spot].base
        return found

    def _disputed(self, spot: int, found: "dict[int, Found]") -> bool:
        """Whether the amount at the spot waits for a ruling, by this lock or by an earlier one."""
        doubted = spot in found and (found[spot].doubted or self._confirmation.lost[spot] != 0)
        return doubted or self._issues.holds_spot(spot)

    def _may_open(self, seat: int, in_doubt: "list[int]") -> bool:
        """Whether the seat can have what it needs to play (67.36 and the like), whatever the doubts turn out to be."""
        core = self._core
        names = list(core.bets(seat)) + [core.game.bets[core.spots.bet(spot)].name for spot in in_doubt]
        for opening in core.game.openings:
            if not [name for name in opening if name not in names]:
                return True
        return False

    def rows(
        self, found: "dict[int, Found]", lock: "str | None"
    ) -> "tuple[list[tuple[int, int, int]], list[tuple[int, int, str]]]":
        """Rows of the confirmed record: spots with a bet, and the seats whose bets may not stand.

        `lock` narrows the judgement to the bets that this event locks. A seat with a bet in doubt is not judged yet,
        unless it cannot play in any case.
        """
        core = self._core
        rows = []
        out = []
        for seat in core.spots.seats:
            if core.spots.seat_state(seat) == "out":  # by a ruling, while the lock was being confirmed
                continue
            here = [spot for spot in core.spots.of_seat(seat) if lock is None or spot in found]
            in_doubt = [spot for spot in here if self._disputed(spot, found)]
            if not in_doubt and not [spot for spot in here if core.spots.locked[spot]]:
                continue
            waits = in_doubt and (lock is not None or self._may_open(seat, in_doubt))
            wrong = None if waits else self.refused(seat, lock)
            if wrong is not None:
                out.append((seat, kind_number(kind_of(wrong.code)), wrong.article or ""))
                self._broken[seat] = self.broken(seat, wrong)
            for spot in here:
                if core.spots.locked[spot] or spot in in_doubt:
                    flags = (_FLAG_DISPUTED if spot in in_doubt else 0) | (_FLAG_RETURNED if wrong else 0)
                    rows.append((core.spots.places[spot], core.spots.locked[spot], flags))
        return rows, out

    def record(self, name: str, rows: "list[tuple[int, int, int]]", out: "list[tuple[int, int, str]]") -> None:
        """Write the record called `name`: what the lock holds, and who is out."""
        core = self._core
        core.append(
            name,
            {
                "round": core.round,
                "begun": core.time(self._confirmation.begun),
                "ended": core.time(self._confirmation.ended),
                "spots": rows,
                "out": out,
            },
        )

    def finish(self, found: "dict[int, Found]", out: "list[tuple[int, int, str]]") -> None:
        """After the record: seats out, lamps, and the questions that are left."""
        for seat, kind, _article in out:
            spot, cents = self._broken[seat]
            self._issues.close_seat(seat, 0)
            self.put_out(seat)
            self.tell_out(kind_name(kind), spot, cents)
        self._core.show()
        for spot in sorted(found):
            self.open_questions(spot, found[spot])

    def broken(self, seat: int, wrong: "RuleError") -> "tuple[int, int]":
        """The spot whose bet breaks an article, and the cents locked there."""
        core = self._core
        for spot in core.spots.of_seat(seat):
            if core.game.bets[core.spots.bet(spot)].name == wrong.bet:
                return spot, core.spots.locked[spot]
        spot = core.spots.at(seat, 0)
        return spot, core.spots.locked[spot]

    def tell_out(self, kind: str, spot: int, cents: int) -> None:
        """Record what has put a seat out; the dealer has been told which bets to return, and says when it is done."""
        edge = self._confirmation.edge
        self._issues.raise_at(kind, spot, cents, 0, (edge, edge), (), -1, False)

    def _remark(self, spot: int, mark: int, new: int) -> None:
        ledger = self._core.ledger
        for item in range(ledger.top):
            if ledger.where[item] and ledger.spot[item] == spot and ledger.mark[item] == mark:
                ledger.mark[item] = new

    def refused(self, seat: int, lock: "str | None" = None) -> "RuleError | None":
        """What is wrong with the seat's locked bets, the decision's own bet apart; None when they stand.

        `lock`: judge only the bets that this event locks.
        """
        core = self._core
        bets = core.bets(seat)
        bets.pop(core.game.decision.bet, None)
        try:
            verify_bets(core.game, bets, core.config.limits, lock)
        except RuleError as wrong:
            return wrong
        return None

    def free(self, seat: int) -> None:
        """The seat's spots play no more in this round; what comes there from now on is the next round's."""
        core = self._core
        ledger = core.ledger
        for spot in core.spots.of_seat(seat):
            if core.spots.state(spot) in ("open", "locked"):
                core.spots.machines.fire("free", spot)
                core.lamp(spot, LAMP_OFF)
        for item in range(ledger.top):
            if ledger.where[item] and core.spots.seat(ledger.spot[item]) == seat:
                if ledger.where[item] == led.PRESENT:
                    ledger.mark[item] = led.RULED
                else:
                    ledger.drop(item)

    def put_out(self, seat: int) -> None:
        """The seat is out: its bets go back, and the dealer is told which. The record of it has been written."""
        core = self._core
        core.spots.seat_machines.fire("out", seat)
        for spot in core.spots.of_seat(seat):
            if core.spots.locked[spot] and core.spots.state(spot) == "locked":
                core.prompt("void_return", core.spots.places[spot], core.spots.locked[spot])
                core.spots.locked[spot] = 0
        self.free(seat)

    def open_questions(self, spot: int, found: "Found") -> None:
        """Raise what the confirmation of a spot left open."""
        core = self._core
        ledger = core.ledger
        base = core.spots.locked[spot]
        for item in found.handled:
            self._issues.raise_at(
                "handled", spot, base, base, (ledger.out_lo[item], ledger.in_hi[item]), (item,), NOTICE
            )
        if found.hidden:
            lo = ledger.last[found.hidden[0]]
            for item in found.hidden:
                if since(ledger.last[item], lo) < 0:
                    lo = ledger.last[item]
            interval = (lo, self._confirmation.ended)
            self._issues.raise_at("transit", spot, base, base, interval, found.hidden, NOTICE)
        if self._confirmation.lost[spot]:
            self._lost(spot, base)
        if found.swapped:
            items = found.came + found.went
            self._issues.raise_at("equal_swap", spot, base, base, (found.lo, found.hi), items)
        elif found.doubted:
            from sabot.table.rulings import doubtful

            doubtful(core, self._issues, spot, found)
        for item in found.valueless:
            kind = WORTHLESS.get(ledger.chips.value(ledger.chip[item]))
            if kind is not None:
                self._issues.raise_at(kind, spot, base, base, (ledger.in_lo[item], ledger.in_hi[item]), (item,))
                if ledger.mark[item] == led.COUNTED:
                    ledger.mark[item] = led.RULED  # no part of a bet: it may be taken away

    def _lost(self, spot: int, base: int) -> None:
        """The spot could not be read: what was seen before the lock stands, or not, by the supervisor's word."""
        transit = self._issues.at(spot, "transit")
        if transit is not None:
            self._issues.close(transit, "expired", 0, base)
        interval = (self._confirmation.edge, self._core.now)
        issue = self._issues.raise_at("transit", spot, base, base, interval, (), SEAT_HOLD)
        if issue is not None:
            issue.on_refused = -base
