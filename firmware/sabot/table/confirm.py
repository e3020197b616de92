"""What lay on each spot at the instant of a lock. Entry point: `Confirmation`.

The locked amount of a spot is the set of chips that both the last visit begun before the lock and the first clean one
begun after it found there. A change whose interval contains the lock is in doubt; one wholly before is a lawful bet;
one wholly after is watched from then on. A spot is in transit until it has had its clean visit: asked again and
again, told to the dealer after 3 s, put to the supervisor after 10 s.
"""

from array import array

from sabot.table import ledger as led
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

_PROMPT_US = const(3000000)
_GIVE_UP_US = const(10000000)
_ASK_US = const(500000)  # a spot still in transit is asked again this often
_UNIDENTIFIED = const(-1)


class Found:
    """What a spot held at the lock: `base` certain cents; `came`, `went`: items in doubt, with their cents."""

    def __init__(self) -> None:
        self.base = 0
        self.came: list[int] = []
        self.went: list[int] = []
        self.came_cents = 0
        self.went_cents = 0
        self.swapped = False  # chips in doubt came and went, of one value: the amount is certain all the same
        self.handled: list[int] = []  # lifted around the lock and put back
        self.hidden: list[int] = []  # not heard in the last visit before the lock, a hand over it, and there as before
        self.valueless: list[int] = []  # lay there and is worth nothing until ruled: foreign, or with a false MAC
        self.lo = 0
        self.hi = 0

    @property
    def doubted(self) -> bool:
        """Whether the amount depends on a ruling."""
        return bool(self.came or self.went) and not self.swapped

    def widen(self, lo: int, hi: int) -> None:
        """Take one more doubtful change into the interval."""
        if not self.came and not self.went:
            self.lo, self.hi = lo, hi
            return
        if since(lo, self.lo) < 0:
            self.lo = lo
        if since(hi, self.hi) > 0:
            self.hi = hi


class Confirmation:
    """Confirming visits to the spots that one announcement locks."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues
        self.active = False
        self.edge = 0
        self.begun = 0  # raw ticks: the earliest begin of a confirming visit that counted, and the latest end
        self.ended = 0
        self.pending = bytearray(core.spots.count)
        self.covers = bytearray(core.spots.count)  # spots that this lock is about
        self.lost = bytearray(core.spots.count)  # spots given up: what was seen before the lock stands for the ruling
        self._left = 0  # spots that still wait
        self._visit_end = array("i", bytes(4 * core.spots.count))
        self._asked = 0
        self._told = False
        self._any = False

    def begin(self, spots: "list[int] | bytes | bytearray", edge: int) -> None:
        """Confirm these spots for the lock at the raw instant `edge`."""
        self.strike(spots, edge)
        self.asks()

    def strike(self, spots: "list[int] | bytes | bytearray", edge: int) -> None:
        """From now on what happens at these spots is judged by that lock; `asks` is to follow. Allocates nothing.

        A spot that is released already, its seat being out, has nothing to be judged.
        """
        core = self._core
        self.active = True
        self.edge = edge
        self._told = False
        self._any = False
        for spot in range(core.spots.count):
            self.pending[spot] = 0
            self.covers[spot] = 0
            self.lost[spot] = 0
        self._left = 0
        for spot in spots:
            if core.spots.state(spot) != "released":
                self._left += 1
                self.pending[spot] = 1
                self.covers[spot] = 1
                core.ledger.remember(spot)

    def asks(self) -> None:
        """Ask the scanner for the visits that are missing."""
        self._asked = self._core.now
        places = [self._core.antenna_place(spot) for spot in range(len(self.pending)) if self.pending[spot]]
        if places:
            self._core.ports.scanner.confirm(bytes(places))

    def stop(self) -> None:
        """The lock is withdrawn, or the round is void."""
        self.active = False

    def waits(self, spot: int) -> bool:
        """Whether the spot still waits for its clean visit."""
        return self.active and self.pending[spot] != 0

    def judges(self, spot: int) -> bool:
        """Whether the spot is one whose lock is not judged yet."""
        return self.active and self.covers[spot] != 0

    def done(self) -> bool:
        """Whether no spot waits any more. Allocates nothing."""
        return self.active and not self._left

    def visit_done(self, spot: int, begun: int, ended: int, clean: bool) -> None:
        """A visit to a spot has ended; `clean`: every chip there answered, and no slot was left in doubt."""
        if not self.waits(spot):
            return
        if since(begun, self.edge) <= 0:
            self._core.ledger.remember(spot)
            return
        if not clean or self._unidentified(spot):
            return
        self.pending[spot] = 0
        self._left -= 1
        self._visit_end[spot] = ended
        if not self._any or since(begun, self.begun) < 0:
            self.begun = begun
        if not self._any or since(ended, self.ended) > 0:
            self.ended = ended
        self._any = True
        issue = self._issues.at(spot, "transit")
        if issue is not None:
            self._issues.close(issue, "cleared", 0, self._core.spots.locked[spot])

    def _unidentified(self, spot: int) -> bool:
        ledger = self._core.ledger
        for item in range(ledger.top):
            if ledger.where[item] == led.PRESENT and ledger.spot[item] == spot:
                if ledger.chips.value(ledger.chip[item]) == _UNIDENTIFIED:
                    return True
        return False

    def tick(self, now: int) -> None:
        """Ask again, tell the dealer, give up: by the time since the lock."""
        if not self.active or not self._left:
            return
        waited = since(now, self.edge)
        core = self._core
        for spot in range(len(self.pending)):
            if self.pending[spot] and core.spots.state(spot) == "released":  # its seat was put out meanwhile
                self.pending[spot] = 0
                self._left -= 1
        if not self._left and not self._any:
            self._end(now)
        if waited >= _PROMPT_US and not self._told:
            self._told = True
            for spot in range(len(self.pending)):
                if self.pending[spot]:
                    seen = core.spots.seen[spot]
                    self._issues.raise_at("transit", spot, seen, seen, (self.edge, now))
        if waited >= _GIVE_UP_US:
            for spot in range(len(self.pending)):
                self.give_up(spot, now, True)
        elif since(now, self._asked) >= _ASK_US:
            self.asks()

    def give_up(self, spot: int, now: int, lost: bool) -> None:
        """The spot will not be visited any more; `lost`: what was seen there before the lock needs a ruling."""
        if not self.waits(spot):
            return
        self.pending[spot] = 0
        self._left -= 1
        self.lost[spot] = lost
        self._visit_end[spot] = now
        if not self._left:
            self._end(now)

    def _end(self, now: int) -> None:
        """No spot is visited any more."""
        if not self._any:
            self.begun = self.edge
        self.ended = now
        self._any = True

    def sort(self, spot: int) -> Found:
        """Mark each chip of a spot by what it was at the lock, and add up. Once for each lock."""
        ledger = self._core.ledger
        found = Found()
        for item in range(ledger.top):
            if not ledger.where[item] or ledger.spot[item] != spot:
                continue
            if ledger.where[item] == led.PRESENT:
                self._sort_present(found, item, spot)
            else:
                self._sort_gone(found, item)
            # One that lay there at the lock is told though it has left since: it was no part of a bet.
            lay = ledger.where[item] == led.PRESENT or (ledger.where[item] and ledger.mark[item] == led.COUNTED)
            if lay and ledger.chips.value(ledger.chip[item]) < 0:
                found.valueless.append(item)
        if found.came and found.went and found.came_cents == found.went_cents:
            found.swapped = True
            found.base += found.came_cents
            for item in found.came:
                ledger.mark[item] = led.COUNTED
            for item in found.went:
                ledger.mark[item] = led.RULED
        found.base = self._core.bet_of(spot, found.base)
        return found

    def _came_before(self, item: int) -> bool:
        ledger = self._core.ledger
        return not ledger.in_fresh[item] or since(ledger.in_hi[item], self.edge) <= 0

    def _first_before(self, item: int) -> bool:
        ledger = self._core.ledger
        return not ledger.first_fresh[item] or since(ledger.first_hi[item], self.edge) <= 0

    def _sort_present(self, found: Found, item: int, spot: int) -> None:
        ledger = self._core.ledger
        value = ledger.value(item)
        lo, hi = ledger.in_lo[item], ledger.in_hi[item]
        if self._came_before(item):
            lo, hi = ledger.last[item], self._visit_end[spot]
            sure = ledger.before[item] or self.lost[spot]
            if sure or since(hi, lo) <= _GIVE_UP_US:
                ledger.mark[item] = led.COUNTED
                found.base += value
                if not sure:
                    found.hidden.append(item)
                return
        elif self._first_before(item) and ledger.out_fresh[item] and since(ledger.out_hi[item], self.edge) > 0:
            ledger.mark[item] = led.COUNTED
            found.base += value
            found.handled.append(item)
            return
        elif since(lo, self.edge) >= 0:
            ledger.mark[item] = led.LATER
            return
        found.widen(lo, hi)
        found.came.append(item)
        found.came_cents += value
        ledger.mark[item] = led.DOUBTED

    def _sort_gone(self, found: Found, item: int) -> None:
        ledger = self._core.ledger
        lo, hi = ledger.out_lo[item], ledger.out_hi[item]
        first_after = ledger.first_fresh[item] and since(ledger.first_lo[item], self.edge) >= 0
        if first_after or not ledger.out_fresh[item] or since(hi, self.edge) <= 0:
            ledger.drop(item)
        elif not self._came_before(item):
            # It came, or was put back, and was lifted around the lock: only the whole stretch is certain.
            found.widen(ledger.first_lo[item], hi)
            found.went.append(item)
            found.went_cents += ledger.value(item)
            ledger.mark[item] = led.DOUBTED
        elif since(lo, self.edge) >= 0:
            ledger.mark[item] = led.COUNTED
            found.base += ledger.value(item)
        else:
            found.widen(lo, hi)
            found.went.append(item)
            found.went_cents += ledger.value(item)
            ledger.mark[item] = led.DOUBTED
