"""What a change at a spot is called, once it has lasted long enough. Entry point: `Alarms`.

`watch` says when; here the chips that came and went are given their kind and told once. Chips without a value, foreign
or with a false MAC, are what they are wherever they come.
"""

from sabot.table import ledger as led
from sabot.table.issues import NOTICE
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
    from sabot.table.core import Core
    from sabot.table.issues import Issues

_CHANGE_US = const(30000000)  # an exchange that the dealer has announced is expected for so long
WORTHLESS = {-2: "foreign", -3: "bad_mac"}  # kinds of irregularity, by what `chips.value` says of a chip


class Alarms:
    """Raises the irregularities of chips that move after a lock."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues

    def cloned(self, item: int) -> None:
        """A chip lies here and, in another seat's bet or another bet of its own, there: two chips of one UID."""
        core = self._core
        ledger = core.ledger
        ledger.mark[item] = led.RULED
        spot = ledger.spot[item]
        locked = core.spots.locked[spot]
        interval = (ledger.in_lo[item], ledger.in_hi[item])
        issue = self._issues.raise_at("clone", spot, locked, locked + ledger.value(item), interval, (item,))
        if issue is not None:
            issue.on_valid = 0

    def idle(self, spot: int, came: "list[int]", went: "list[int]") -> None:
        """Chips on a spot that cannot win, or not yet."""
        core = self._core
        ledger = core.ledger
        for item in went:
            ledger.mark[item] = led.RULED
        came = self._worth_something(spot, came)
        if not came:
            return
        for item in came:
            ledger.mark[item] = led.RULED
        seat = core.spots.seat(spot)
        kind = "next_round"
        if core.spots.state(spot) == "shut" and core.is_live(seat) and core.spots.seat_state(seat) != "folded":
            ante = core.asked_spot(seat)
            bet = core.spots.locked[ante] or self._issues.holds_spot(ante)
            kind = "early_play" if bet else "play_without_ante"
        if self._issues.at(spot, kind) is None:
            cents = sum([ledger.value(item) for item in came])
            seen = core.spots.seen[spot]
            issue = self._issues.raise_at(kind, spot, max(seen - cents, 0), seen, self.span(came, []), came)
            if issue is not None and kind == "next_round" and core.history.too_soon(seat, core.round):
                # Operations 3: the third in 20 rounds is told to the pit and to surveillance, and to nobody else.
                core.alert(issue.id, kind, spot)

    def altered(self, spot: int, came: "list[int]", went: "list[int]") -> None:
        """A locked bet that was added to, reduced or exchanged."""
        core = self._core
        ledger = core.ledger
        came = self._worth_something(spot, came)
        if not came and not went:
            return
        added = sum([ledger.value(item) for item in came])
        removed = sum([ledger.value(item) for item in went])
        locked = core.spots.locked[spot]
        if came and went and added == removed:
            kind = "equal_swap"
        elif added > removed or not went:
            kind = "capped" if locked else "late"
        else:
            kind = "withdrawn" if not came and removed >= locked else "pinched"
        span = self.span(came, went)
        severity = NOTICE if kind == "equal_swap" and self.exchanged(spot) else -1
        self._issues.raise_at(kind, spot, locked, locked + added - removed, span, came + went, severity)
        for item in came + went:
            ledger.mark[item] = led.RULED

    def exchanged(self, spot: int) -> bool:
        """Whether the dealer has said that he exchanges chips there."""
        said = self._core.changing[self._core.spots.seat(spot)]
        return said != 0 and since(self._core.now, said) <= _CHANGE_US

    def _worth_something(self, spot: int, came: "list[int]") -> "list[int]":
        """Tell of the chips that are worth nothing; returns the others."""
        ledger = self._core.ledger
        locked = self._core.spots.locked[spot]
        rest = []
        for item in came:
            kind = WORTHLESS.get(ledger.chips.value(ledger.chip[item]))
            if kind is None:
                rest.append(item)
                continue
            ledger.mark[item] = led.RULED
            self._issues.raise_at(kind, spot, locked, locked, (ledger.in_lo[item], ledger.in_hi[item]), (item,))
        return rest

    def span(self, came: "list[int]", went: "list[int]") -> "tuple[int, int]":
        """The shortest interval that contains all these changes."""
        ledger = self._core.ledger
        ends = [(ledger.in_lo[item], ledger.in_hi[item]) for item in came]
        ends += [(ledger.out_lo[item], ledger.out_hi[item]) for item in went]
        lo, hi = ends[0]
        for first, last in ends:
            if since(first, lo) < 0:
                lo = first
            if since(last, hi) > 0:
                hi = last
        return lo, hi
