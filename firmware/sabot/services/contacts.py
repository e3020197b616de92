"""The lid's and the case's switches. Entry point: :class:`Contacts`.

Both are low when shut. The lid is looked at, and counts when it has been the same for two looks. The case counts at
its first moment open, which an interrupt keeps: nobody who opens it can be too quick.
"""

import time

from micropython import const

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OPEN = const(1)


class Contacts:
    """Tells ``table`` (``contact(name, is_open, ticks)``) of the switches on the pins ``lid`` and ``case``."""

    def __init__(self, lid: "Any", case: "Any", table: "Any") -> None:
        self._lid = lid
        self._case = case
        self._table = table
        self._lid_told = 0
        self._lid_seen = 0
        self._case_told = 0
        self._flagged = False
        self._edge = 0

    def start(self, trigger: int) -> None:
        """Take the case's rising edges from now on."""
        self._case.irq(handler=self.edge, trigger=trigger, hard=True)

    def edge(self, pin: "Any") -> None:
        """The case's line rose, in interrupt context; a spike that is over by now is none."""
        if not self._flagged and pin.value() == _OPEN:
            self._edge = time.ticks_us()
            self._flagged = True

    def turn(self, now: int) -> None:
        """Look at both, every 50 ms; ``now`` are raw ticks."""
        level = self._lid.value()
        if level != self._lid_told and level == self._lid_seen:
            self._lid_told = level
            self._table.contact("lid", level == _OPEN, now)
        self._lid_seen = level
        level = self._case.value()
        if self._flagged:
            self._flagged = False
            self._case_told = _OPEN
            self._table.contact("case", True, self._edge)
        elif level != self._case_told:
            self._case_told = level
            self._table.contact("case", level == _OPEN, now)
