"""Faults that a part is back from each time: when they come so often that somebody has to know.

Entry points: :class:`Bouts`, and :func:`remove` for the newcomers at a reader that is gone. This is loaded when a part
fails.
"""

import time

from micropython import const

_FAULT_MS = const(2000)  # a fault that nothing follows is forgotten after this; one that comes sooner adds to it
_OFTEN_MS = const(10000)
_MOST_MS = const(20000)

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def remove(antennas: "tuple[int, ...]", newcomers: "Any", lying: "Any") -> None:
    """Nobody knows when this reader hears again: who lies there then is new, and when it came is open."""
    for antenna in antennas:
        at = newcomers.first(antenna)
        while at >= 0:
            known = lying.find(antenna, newcomers.handle(at))
            if known >= 0:
                lying.remove(known)
            newcomers.remove(at)
            at = newcomers.first(antenna, at)


class Bouts:
    """The faults of one part, which fade: six in a moment are often, and so is one a second for ten seconds."""

    def __init__(self) -> None:
        self._left = 0  # milliseconds until all are forgotten
        self._at = time.ticks_ms()

    def failed(self) -> None:
        """The part has failed once more."""
        self._fade()
        self._left = min(self._left + _FAULT_MS, _MOST_MS)

    def often(self) -> bool:
        """Whether it has failed often."""
        self._fade()
        return self._left > _OFTEN_MS

    def well(self, dead: bool) -> bool:
        """Whether the part, which works now, is in order again. Allocates nothing.

        One that was ``dead`` is when it has not failed often of late, one that was unsteady when all is forgotten.
        """
        self._fade()
        return self._left <= (_OFTEN_MS if dead else 0)

    def _fade(self) -> None:
        now = time.ticks_ms()
        passed = time.ticks_diff(now, self._at)
        self._at = now
        # Asked so seldom that the ticks have come round, nothing has failed for days.
        self._left = self._left - passed if 0 <= passed < self._left else 0
