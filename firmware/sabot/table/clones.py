"""Two chips of one UID, each part of a locked bet: neither seat is settled before it is ruled which is the house's.

Entry point: `Clones`. A chip that is moved is on two spots for as long as its old place has not been visited again; two
chips are both heard again after the second of them was. (A clone that comes after the lock is the `watch`'s.)
"""

from sabot.table import ledger as led

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

    from sabot.table.core import Core
    from sabot.table.issues import Issues

_VISITS = const(2)  # since both lie there; the first may have begun before


class Clones:
    """Looks at the chips that the ledger has met on two spots at a time."""

    def __init__(self, core: "Core", issues: "Issues") -> None:
        self._core = core
        self._issues = issues

    def look(self, waits: "Callable[[int], bool]") -> None:
        """Raise what is certain; `waits(spot)`: its lock is still being confirmed."""
        ledger = self._core.ledger
        for index in range(ledger.twin_count - 1, -1, -1):
            lying = []
            for item in range(ledger.top):
                if ledger.where[item] == led.PRESENT and ledger.chip[item] == ledger.twins[index]:
                    lying.append(item)
            bets = [item for item in lying if ledger.mark[item] == led.COUNTED and not waits(ledger.spot[item])]
            certain = len(bets) > 1 and not [
                item for item in bets if ledger.visits[item] < _VISITS or not ledger.sure[item]
            ]
            if certain:
                bets.sort(key=lambda item: ledger.spot[item])
                for item in bets:
                    self._raise(item)
            if certain or len(lying) < 2:
                ledger.twin_count -= 1
                ledger.twins[index] = ledger.twins[ledger.twin_count]

    def _raise(self, item: int) -> None:
        """The seat is not settled before the ruling; refused, the chip counts nothing here."""
        core = self._core
        ledger = core.ledger
        ledger.mark[item] = led.RULED
        spot = ledger.spot[item]
        locked = core.spots.locked[spot]
        value = min(ledger.value(item), locked)  # a ruling may have left less of the bet than the chip's own value
        interval = (ledger.in_lo[item], ledger.in_hi[item])
        issue = self._issues.raise_at("clone", spot, locked - value, locked, interval, (item,))
        if issue is not None:
            issue.on_valid = 0
            issue.on_refused = -value
