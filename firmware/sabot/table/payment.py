"""Paying and taking, seat by seat, verified by value where the antennas can see it. Entry point: `Payment`.

Dealers pay beside the stake, into the hand, or with change from the stake, so a page that is not verified is a normal
outcome: FIN turns it. What can be seen is compared by value, within the seat's window: the stakes of bets that lost
must go, and what lies on the others must come to stake and winnings. Chips on a spot whose bet has lost and gone are
the next round's. Loaded by tables that pay in an order (`payment_order`).
"""

from sabot.table import ledger as led
from sabot.table.issues import QUESTION, SEAT_HOLD
from sabot.table.ticks import since
from sabot.wire.codes import PAYMENTS, RESULTS, place_seat

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
    from typing import Any

    from sabot.table.core import Core
    from sabot.table.issues import Issue, Issues
    from sabot.table.settlement import Row

_HASTE_US = const(2000000)  # nobody has been paid so soon: a stake that is gone was taken
_CHANGE_US = const(3000000)  # change from the stake: for a moment both lie there, what is given and what is taken
_PAGES = const(64)
_PROMPT_OF = {"win": "pay", "lose": "take", "push": "push", "forfeit": "take"}
_KINDS = ("overpaid", "underpaid", "loser_left", "winner_taken", "wrong_seat_paid")


class Page:
    """What one seat is paid, and what is taken from it."""

    def __init__(self, seat: int, rows: "list[Row]") -> None:
        self.seat = seat
        self.rows = rows
        self.outcome = ""  # of codes.PAYMENTS, once the page is turned
        self.begun = 0  # raw ticks: its window is open
        self.most = 0  # cents of winnings seen there at a time
        self.stood = 0  # most cents of stakes that stand seen there at a time: a keyed bet has none
        self.lay = False  # chips of the seat have lain there in the window
        self.same = 0  # raw ticks since which what lies there has been the same
        self.last = -1  # that amount

    def due(self) -> "tuple[int, int]":
        """Cents that must lie there in the end: of the stakes that stand, and of winnings."""
        return sum([row[4] for row in self.rows]), sum([row[3] for row in self.rows])


class Payment:
    """The pages of one round after another."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues
        self._reversed = bool(core.config.payment_order == "right_to_left")
        self._losers_first = bool(core.config.losers_first)
        self._threshold: int = core.config.payment_cents  # a difference from here on is the supervisor's at once
        self._patience_us: int = core.config.mispay_ms * 1000  # ... and one that has not been put right by then
        self.pages: list[Page] = []
        self.at = 0  # index of the page whose window is open

    def clear(self) -> None:
        """The round is over."""
        self.pages = []
        self.at = 0

    # --- what is due --------------------------------------------------------------------------------------------------

    def add(self, rows: "list[Row]") -> None:
        """Bets have been settled: queue their pages, and tell the dealer in their order."""
        core = self._core
        seats = []
        for row in rows:
            if place_seat(row[0]) not in seats:
                seats.append(place_seat(row[0]))
        seats.sort()
        if self._reversed:
            seats.reverse()
        for losing in (True, False) if self._losers_first else (None,):
            for seat in seats:
                mine = [row for row in rows if place_seat(row[0]) == seat and losing in (None, _lost(row))]
                if mine and len(self.pages) < _PAGES:
                    self._queue(Page(seat, mine))
        self._open()
        core.show()

    def _queue(self, page: Page) -> None:
        core = self._core
        self.pages.append(page)
        for item in range(core.ledger.top):
            if core.ledger.where[item] == led.PRESENT and core.spots.seat(core.ledger.spot[item]) == page.seat:
                if core.ledger.mark[item] == led.PLAIN:
                    core.ledger.mark[item] = led.RULED  # it lay there before: no part of this payment
        for kind, where, cents in _told(page):
            core.prompt(kind, where, cents)

    def current(self) -> "Page | None":
        """The page whose window is open."""
        return self.pages[self.at] if self.at < len(self.pages) else None

    def _open(self) -> None:
        page = self.current()
        if page is not None and not page.begun:
            page.begun = self._core.now or 1

    # --- what lies there ----------------------------------------------------------------------------------------------

    def _lies(self, page: Page) -> "tuple[int, int, int]":
        """Cents of the page's seat: stakes that should be gone, stakes that stand, winnings."""
        core = self._core
        ledger = core.ledger
        taken = [row[0] for row in page.rows if _lost(row)]
        kept = [row[0] for row in page.rows if not _lost(row)]
        left = stands = paid = 0
        for item in range(ledger.top):
            if ledger.where[item] != led.PRESENT:
                continue
            where = core.spots.places[ledger.spot[item]]
            if ledger.mark[item] == led.COUNTED and where in taken:
                left += ledger.value(item)
            elif ledger.mark[item] == led.COUNTED and where in kept:
                stands += ledger.value(item)
            elif ledger.mark[item] == led.PLAIN and place_seat(where) == page.seat and where not in taken:
                paid += ledger.value(item)
        return left, stands, paid

    def _steady(self, page: Page, amount: int) -> bool:
        """Whether what lies there has been the same for the dwell."""
        now = self._core.now
        if amount != page.last:
            page.last = amount
            page.same = now
        return bool(since(now, page.same) >= max(self._core.config.dwell_ms, 1) * 1000)

    def tick(self) -> None:
        """Time passes: verify the open page, look at those to come, and at what has not been put right."""
        page = self.current()
        if page is not None:
            self._verify(page)
            page = self.current()
        if page is not None:
            for index in range(self.at + 1, len(self.pages)):
                self._before_its_turn(self.pages[index], page)
        self._follow()

    def _verify(self, page: Page) -> None:
        core = self._core
        left, stands, paid = self._lies(page)
        stake, due = page.due()
        total = stands + paid
        page.most = max(page.most, total - stake)
        page.stood = max(page.stood, stands)
        page.lay = page.lay or left + total > 0
        steady = self._steady(page, left + total)
        if left == 0 and total == stake + due and steady:
            self._turn(page, "verified")
        elif left + total == 0 and page.lay and steady:
            self._cleared(page, stake, due)
        elif stands < page.stood and page.most <= 0 and self._taken_at_once(page):
            self._raise("winner_taken", page, stake, stands)
        elif total > stake + due and since(core.now, page.same) >= _CHANGE_US:
            self._raise("overpaid", page, stake + due, total)

    def _cleared(self, page: Page, stake: int, due: int) -> None:
        """All chips of the page have gone: the player has taken what is his, unless it went too soon."""
        if page.most <= 0 and stake and since(page.same, page.begun) < _HASTE_US:
            if self._taken_at_once(page):
                self._raise("winner_taken", page, stake + due, 0)
                self._turn(page, "wrong")
            return
        if 0 < page.most < due:
            self._raise("underpaid", page, due, page.most)
            self._turn(page, "wrong")
        else:
            self._turn(page, "cleared")

    def _taken_at_once(self, page: Page) -> bool:
        """Whether what lies there is what it came to as the window opened, too soon for a payment into the hand."""
        soon = since(page.same, page.begun) < _HASTE_US
        return bool(soon and since(self._core.now, page.same) >= _HASTE_US)

    def _before_its_turn(self, page: Page, current: Page) -> None:
        """A seat that is to be paid later: its stake must lie there, and nothing beside it."""
        _left, stands, paid = self._lies(page)
        stake, due = page.due()
        if not self._steady(page, stands + paid):
            return
        if due and stands < stake and paid == 0:
            self._raise("winner_taken", page, stake, stands)
        elif due and paid and paid == current.due()[1] and current.most < current.due()[1]:
            self._raise("wrong_seat_paid", page, stake, stands + paid)

    # --- turning ------------------------------------------------------------------------------------------------------

    def turn(self) -> bool:
        """FIN: turn the open page as it is; False when there was none."""
        page = self.current()
        if page is None:
            return False
        if self._core.is_dead(page.seat):
            self._turn(page, "not_verified")  # nobody knows what lies there
            return True
        left, stands, paid = self._lies(page)
        stake, due = page.due()
        if left:
            self._raise("loser_left", page, 0, left)
        elif 0 < page.most < due:
            self._raise("underpaid", page, stake + due, stands + paid)
        elif stands + paid > stake + due:
            self._raise("overpaid", page, stake + due, stands + paid)
        wrong = [issue for issue in self._issues.open if issue.page is page]
        self._turn(page, "wrong" if wrong else "not_verified")
        return True

    def _turn(self, page: Page, outcome: str) -> None:
        page.outcome = outcome
        self.at += 1
        self._open()
        self._core.ports.changed()

    # --- what went wrong ----------------------------------------------------------------------------------------------

    def _raise(self, kind: str, page: Page, before: int, after: int) -> None:
        """Tell of it once; a large difference is the supervisor's, and the pit's, at once."""
        core = self._core
        spot = self._spot(kind, page)
        if self._issues.at(spot, kind) is not None:
            return
        large = abs(after - before) >= self._threshold
        interval = (page.begun or core.now, core.now)
        issue = self._issues.raise_at(kind, spot, before, after, interval, (), SEAT_HOLD if large else QUESTION)
        if issue is not None:
            issue.page = page
            if large:
                core.alert(issue.id, kind, spot)

    def _spot(self, kind: str, page: Page) -> int:
        """The spot that an irregularity of the page is told at: that of the first bet which it is about."""
        spots, ledger = self._core.spots, self._core.ledger
        for row in page.rows:
            spot = spots.find(row[0])
            if not row[2] or _lost(row) != (kind == "loser_left"):
                continue
            for item in range(ledger.top):
                if ledger.where[item] == led.PRESENT and ledger.spot[item] == spot:
                    if kind != "winner_taken" and (kind != "loser_left" or ledger.mark[item] == led.COUNTED):
                        return spot
                elif ledger.where[item] == led.GONE and ledger.spot[item] == spot and kind == "winner_taken":
                    return spot
        return spots.find(page.rows[0][0])

    def open(self) -> bool:
        """Whether something that went wrong has not been put right, nor ruled."""
        return len([issue for issue in self._issues.open if issue.kind in _KINDS]) > 0

    def _follow(self) -> None:
        """What has been put right ends by itself; what has not in time is told."""
        core = self._core
        for issue in list(self._issues.open):
            if issue.kind not in _KINDS or issue.severity != QUESTION:
                continue
            if self._put_right(issue):
                issue.page.outcome = "corrected" if issue.page.outcome else ""
                self._issues.close(issue, "cleared", 0, core.spots.locked[issue.spot])
            elif since(core.now, issue.at) >= self._patience_us:
                self._issues.close(issue, "expired", 0, core.spots.locked[issue.spot])
                amounts = self._lies(issue.page)
                interval = (issue.page.begun or issue.at, core.now)
                stake, due = issue.page.due()
                told = self._issues.raise_at(issue.kind, issue.spot, stake + due, sum(amounts), interval, (), SEAT_HOLD)
                if told is not None:
                    told.page = issue.page
                    core.alert(told.id, issue.kind, issue.spot)

    def _put_right(self, issue: "Issue") -> bool:
        page: Page = issue.page
        left, stands, paid = self._lies(page)
        stake, due = page.due()
        wanted = stake if issue.kind == "winner_taken" else stake + due
        if issue.kind == "loser_left":
            return left == 0
        if issue.kind == "overpaid":
            return stands + paid <= wanted
        if issue.kind == "wrong_seat_paid":
            return paid == 0
        return stands + paid >= wanted

    # --- what is told -------------------------------------------------------------------------------------------------

    def status(self) -> "dict[str, Any]":
        """The open page: its seat, its number, and (prompt, place, cents) for each bet; empty before there is one.

        Once all pages have been turned the seat is 0, and there are no rows.
        """
        if not self.pages:
            return {}
        page = self.current()
        count = len(self.pages)
        if page is None:
            return {"seat": 0, "page": count, "pages": count, "rows": []}
        return {"seat": page.seat, "page": self.at + 1, "pages": count, "rows": _told(page)}

    def record(self) -> None:
        """Record how each page ended; the share that was verified follows from it."""
        if self.pages:
            rows = [(page.seat, PAYMENTS.index(page.outcome or "not_verified")) for page in self.pages]
            self._core.append("paid", {"round": self._core.round, "seats": rows})


def _told(page: Page) -> "list[tuple[str, int, int]]":
    """What the dealer is told to do at each bet of a page."""
    found = []
    for where, result, stake, paid, returned in page.rows:
        kind = _PROMPT_OF[RESULTS[result]]
        found.append((kind, where, paid if kind == "pay" else returned if kind == "push" else stake - returned))
    return found


def _lost(row: "Row") -> bool:
    """Whether nothing of the stake goes back."""
    return row[2] > 0 and row[4] == 0
