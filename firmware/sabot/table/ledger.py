"""Each chip on each spot: when it came or went, and what the round makes of it. Entry point: `Ledger`.

An item is one chip on one spot. It stays for a while after the chip has left, because the dealer's key may have been
pressed before and be told after. Nothing allocates but construction.
"""

from array import array

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
    from typing import Any

# Where the chip is.
_FREE = const(0)  # the item is not used
PRESENT = const(1)
GONE = const(2)

# What the round makes of it.
PLAIN = const(0)  # nothing yet: bets are open
COUNTED = const(1)  # part of the locked bet
LATER = const(2)  # came after the lock
DOUBTED = const(3)  # came or went around the lock: waits for a ruling
RULED = const(4)  # ruled on, or told once: no alarm any more
MOVED = const(5)  # a locked chip that lies on another spot: told once, may come back
POSTED = const(6)  # came after the lock, a moment before its spot was settled: no payment

_FRESH_US = const(60000000)  # an interval is compared with a lock's edge for this long only
_KEPT_US = const(2000000)  # a chip that left before any lock is remembered this long
_MOST_CENTS = const((1 << 30) - 1)  # what hot paths can hold; no limit allows so much


class Ledger:
    """At most `capacity` items of chips 0 to 255.

    `chips` gives `.value(chip)`: cents, or negative without a value; `.hold(chip)` keeps the number the chip's own
    until `.release(chip)`.
    """

    def __init__(self, capacity: int, spots: int, chips: "Any") -> None:
        self.capacity = capacity
        self.chips = chips
        self.top = 0  # items from here on are free
        self.used = bytearray(spots)  # items of each spot
        self.begun = array("i", bytes(4 * spots))  # raw ticks: begin of the last visit to each spot
        # Arrays, not lists: four bytes an entry on every interpreter, and what is stored is always below 2**30.
        blank = bytes(4 * capacity)
        self.chip = bytearray(capacity)
        self.spot = bytearray(capacity)
        self.where = bytearray(capacity)
        self.mark = bytearray(capacity)
        self.in_lo = array("i", blank)  # interval of the latest arrival, raw ticks
        self.in_hi = array("i", blank)
        self.in_fresh = bytearray(capacity)  # it is recent enough to be compared
        self.first_lo = array("i", blank)  # interval of its first arrival, since it was last forgotten
        self.first_hi = array("i", blank)
        self.first_fresh = bytearray(capacity)
        self.out_lo = array("i", blank)  # interval of the latest departure
        self.out_hi = array("i", blank)
        self.out_fresh = bytearray(capacity)  # there was one, and it is recent enough to be compared
        self.last = array("i", blank)  # an instant before its last answer, while unsure
        self.visits = bytearray(capacity)  # visits that saw it since it came, at most 255
        self.dwelt = bytearray(capacity)  # one of them began as long after it was first heard as the dwell is
        self.unsure = bytearray(capacity)  # it did not answer in the visit that is ending
        self.sure = bytearray(capacity)  # it answered in the last visit that ended
        self.before = bytearray(capacity)  # ... in the last visit begun before the lock
        self.missed = bytearray(spots)  # chips on each spot for which there was no room
        self.twins = bytearray(8)  # chips that were on two spots at a time when they were last seen to come
        self.twin_count = 0

    def find(self, spot: int, chip: int) -> int:
        """Item of a chip on a spot, or -1."""
        if not self.used[spot]:
            return -1
        for item in range(self.top):
            if self.where[item] and self.chip[item] == chip and self.spot[item] == spot:
                return item
        return -1

    def elsewhere(self, spot: int, chip: int) -> int:
        """Item of the same chip lying on another spot now, or -1."""
        for item in range(self.top):
            if self.where[item] == PRESENT and self.chip[item] == chip and self.spot[item] != spot:
                return item
        return -1

    def arrive(self, spot: int, chip: int, lo: int, hi: int) -> int:
        """A chip came; its item, old or new (the mark of an old one is kept), or -1 when there is no room."""
        item = self.find(spot, chip)
        if item < 0:
            item = self._free()
            if item < 0:
                self.missed[spot] = min(self.missed[spot] + 1, 255)
                return -1
            self.chips.hold(chip)  # else, once it has left, its number may become another's
            self.used[spot] += 1
            self.chip[item] = chip
            self.spot[item] = spot
            self.mark[item] = PLAIN
            self.out_fresh[item] = 0
            self.first_lo[item] = lo
            self.first_hi[item] = hi
            self.first_fresh[item] = 1
        self.where[item] = PRESENT
        self.in_lo[item] = lo
        self.in_hi[item] = hi
        self.in_fresh[item] = 1
        self.visits[item] = 0
        self.dwelt[item] = 0
        self.unsure[item] = 0
        self.sure[item] = 1
        self.before[item] = 0
        other = self.elsewhere(spot, chip)
        if other >= 0:
            self.visits[other] = 0  # from here on they count what has seen both
            self._twin(chip)
        return item

    def _twin(self, chip: int) -> None:
        """Remember a chip that lies on two spots; beyond eight of them the first ones say enough."""
        for index in range(self.twin_count):
            if self.twins[index] == chip:
                return
        if self.twin_count < len(self.twins):
            self.twins[self.twin_count] = chip
            self.twin_count += 1

    def _free(self) -> int:
        for item in range(self.top):
            if not self.where[item]:
                return item
        if self.top == self.capacity:
            return -1
        self.top += 1
        return self.top - 1

    def depart(self, spot: int, chip: int, lo: int, hi: int) -> int:
        """A chip left; its item, or -1 when it was not there."""
        item = self.find(spot, chip)
        if item < 0 or self.where[item] != PRESENT:
            self.missed[spot] -= 1 if self.missed[spot] else 0
            return -1
        self.where[item] = GONE
        self.out_lo[item] = lo
        self.out_hi[item] = hi
        self.out_fresh[item] = 1
        return item

    def doubt(self, spot: int, chip: int, lo: int) -> None:
        """The chip did not answer in the visit that is ending; its last answer came after `lo`."""
        item = self.find(spot, chip)
        if item >= 0:
            self.unsure[item] = 1
            self.last[item] = lo

    def visited(self, spot: int, begun: int, dwell_us: int) -> None:
        """A visit to the spot, begun at a raw instant, has ended."""
        self.begun[spot] = begun
        if not self.used[spot]:
            return
        for item in range(self.top):
            if self.where[item] == PRESENT and self.spot[item] == spot:
                if self.unsure[item]:
                    self.sure[item] = 0
                    self.unsure[item] = 0
                else:
                    self.sure[item] = 1
                    if self.visits[item] < 255:
                        self.visits[item] += 1
                    if not self.in_fresh[item] or since(begun, self.in_hi[item]) >= dwell_us:
                        self.dwelt[item] = 1

    def remember(self, spot: int) -> None:
        """The last visit begun before the lock is the one that ended last: keep who answered in it."""
        for item in range(self.top):
            if self.where[item] == PRESENT and self.spot[item] == spot:
                self.before[item] = self.sure[item]

    def amount(self, spot: int) -> int:
        """Cents lying on the spot now, 2**30 - 1 at most."""
        cents = 0
        if not self.used[spot]:
            return 0
        for item in range(self.top):
            if self.where[item] == PRESENT and self.spot[item] == spot:
                cents += min(self.value(item), _MOST_CENTS - cents)
        return cents

    def value(self, item: int) -> int:
        """Cents of an item's chip; 0 for a chip without a value."""
        cents: int = self.chips.value(self.chip[item])
        return cents if cents > 0 else 0

    def present(self, spot: int) -> bool:
        """Whether any chip lies on the spot."""
        for item in range(self.top):
            if self.where[item] == PRESENT and self.spot[item] == spot:
                return True
        return False

    def remembers(self, spot: int) -> bool:
        """Whether a chip lies on the spot, or left it a moment ago."""
        return self.used[spot] != 0

    def move(self, item: int, spot: int) -> None:
        """The item belongs to another bet, which shares the antenna."""
        self.used[self.spot[item]] -= 1
        self.spot[item] = spot
        self.used[spot] += 1

    def drop(self, item: int) -> None:
        """Forget an item that is used."""
        self.chips.release(self.chip[item])
        self.where[item] = _FREE
        self.used[self.spot[item]] -= 1
        while self.top and not self.where[self.top - 1]:
            self.top -= 1

    def age(self, now: int, keep_gone: bool) -> None:
        """Forget what is too old to matter; `keep_gone`: a lock is being confirmed, so departures still count."""
        for item in range(self.top):
            if not self.where[item]:
                continue
            if self.in_fresh[item] and since(now, self.in_hi[item]) > _FRESH_US:
                self.in_fresh[item] = 0
            if self.first_fresh[item] and since(now, self.first_hi[item]) > _FRESH_US:
                self.first_fresh[item] = 0
            if self.out_fresh[item]:
                old = since(now, self.out_hi[item])
                if old > _FRESH_US:
                    self.out_fresh[item] = 0
                if self.where[item] == GONE and self.mark[item] == PLAIN and not keep_gone and old > _KEPT_US:
                    self.drop(item)

    def forget_round(self) -> None:
        """The round is over: what lies there is the next round's, and what has left is nothing."""
        for item in range(self.top):
            if self.where[item] == PRESENT:
                self.mark[item] = PLAIN
                self.out_fresh[item] = 0
            elif self.where[item]:
                self.drop(item)
