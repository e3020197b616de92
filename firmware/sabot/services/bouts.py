"""What is needed when a part fails, and loaded then.

Entry points: :class:`Bouts`, faults that a part is back from each time: when they come so often that somebody has to
know; :class:`KeyLine`, in the place of the keys' interrupt line.
"""

import time

from micropython import const

from sabot.table.ticks import LONG_AGO
from sabot.wire.codes import UNSTEADY

_FAULT_MS = const(2000)
_OFTEN_MS = const(10000)
_MOST_MS = const(20000)

_ASK_US = const(10000)  # a press is as short as 20 ms
_WELL = const(1000)  # such intervals without a sign that the line is broken

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Bouts:
    """The faults of one part, which fade: six in a moment are often, and so is one a second for ten seconds.

    ``each``: milliseconds in which a fault is forgotten that nothing follows; one that comes sooner adds to it. They
    are more for a part that is tried again less often.
    """

    def __init__(self, each: int = _FAULT_MS) -> None:
        self._each = each
        self._left = 0  # milliseconds until all are forgotten
        self._at = time.ticks_ms()

    def news(self, told: str, code: str, first: bool, lasts: bool) -> str:
        """The part has failed once more: what is to be told of it now, when ``told`` has been, empty for nothing.

        ``first``: it has worked since it failed last; ``lasts``: it has not come back for so long that it is dead.
        """
        self._fade()
        dead = told not in ("", UNSTEADY)
        if first or not dead:  # one that stays away fails once
            self._left = min(self._left + self._each, _MOST_MS)
        if lasts and not dead:
            return code
        return UNSTEADY if not told and self._left > _OFTEN_MS else told

    def failed(self, antennas: "tuple[int, ...]", presence: "Any", newcomers: "Any") -> None:
        """A reader has failed: the visit that it has begun has read nothing, and nobody answered.

        While it stays away it fails once a second, and no visit sees how old the instants of the last one become.
        """
        now = time.ticks_us()
        for antenna in antennas:
            presence.age(antenna, now)
            presence.begun[antenna] = LONG_AGO
            at = newcomers.first(antenna)
            while at >= 0:
                newcomers.sure[at] = 0
                at = newcomers.first(antenna, at)

    def remove(self, antennas: "tuple[int, ...]", newcomers: "Any", lying: "Any") -> None:
        """Nobody knows when this reader hears again: who lies there then is new, and when it came is open."""
        for antenna in antennas:
            at = newcomers.first(antenna)
            while at >= 0:
                known = lying.find(antenna, newcomers.handle(at))
                if known >= 0:
                    lying.remove(known)
                newcomers.remove(at)
                at = newcomers.first(antenna, at)

    def well(self, told: str) -> bool:
        """Whether the part, of which ``told`` has been and which works now, is in order again. Allocates nothing.

        One that was dead is when it has not failed often of late, one that was unsteady when all is forgotten.
        """
        self._fade()
        return self._left <= (0 if told == UNSTEADY else _OFTEN_MS)

    def _fade(self) -> None:
        now = time.ticks_ms()
        passed = time.ticks_diff(now, self._at)
        self._at = now
        # Asked so seldom that the ticks have come round, nothing has failed for days.
        self._left = self._left - passed if 0 <= passed < self._left else 0


class KeyLine:
    """Stands in for the keys' interrupt line, which is broken: says every 10 ms that the expanders are to be read.

    ``pad`` (`panel.KeyPad`) asks it in its ``line``'s place until the line itself has proved to be true again for ten
    seconds; ``tell`` is `faults.Faults.tell`, ``index`` the expander's that was not heard.
    """

    def __init__(self, pad: "Any", index: int, pulled: bool, tell: "Any") -> None:
        self._pad = pad
        self._index = index
        self._pulled = pulled  # it was high while an expander pulled it; else it was low, and nobody did
        self._tell = tell
        self._at = time.ticks_us()
        self._left = _WELL
        tell("expander", index, "interrupt lost" if pulled else "interrupt low")

    def value(self) -> int:
        """0 when the expanders are to be read. To be called at every turn, which sees what the line does."""
        low = self._pad.interrupt.value() == 0
        if low and not self._pulled:
            self._left = _WELL
        elif not self._left and low == self._pulled:
            self._tell("expander", self._index, "")
            self._pad.line = None
            return 0
        now = time.ticks_us()
        if 0 <= time.ticks_diff(now, self._at) < _ASK_US:
            return 1
        self._at = now
        if self._left:
            self._left -= 1
        return 0
