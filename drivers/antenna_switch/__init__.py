"""RF antenna switch, 1 of 2**n, driven by n select lines.

Entry points: `AntennaSwitch` (select lines on pins) and `ExpanderAntennaSwitch` (select lines on neighbouring pins of a
port expander, all switched in one transaction). Switch only while the reader's field is off: with pins, the lines
change one after the other. Nothing is allocated.
"""

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from .interfaces import OutputLine, OutputPort


class AntennaSwitch:
    """A switch whose select lines are ``pins``, least significant first."""

    def __init__(self, pins: "tuple[OutputLine, ...]") -> None:
        self._pins = pins
        self.selected = -1  # unknown

    def select(self, n: int) -> None:
        """Connect antenna ``n``. Raises ValueError when there is no such antenna."""
        count = len(self._pins)
        if not 0 <= n < 1 << count:
            raise ValueError("antenna out of range")
        for i in range(count):
            self._pins[i].value((n >> i) & 1)
        self.selected = n


class ExpanderAntennaSwitch:
    """A switch whose ``lines`` select lines are the pins of ``expander`` from ``first`` on, least significant first.

    ``held``: an output of the same expander holds the reader in reset when it is not driven, so `check` has no need.
    """

    def __init__(self, expander: "OutputPort", first: int, lines: int, held: bool = False) -> None:
        self._expander = expander
        self._held = self._checked = held
        self._first = first
        self._mask = ((1 << lines) - 1) << first
        self._count = 1 << lines
        self.selected = -1  # unknown

    def select(self, n: int) -> None:
        """Connect antenna ``n``; one transaction. Raises ValueError when there is none, or the expander's fault."""
        if not 0 <= n < self._count:
            raise ValueError("antenna out of range")
        self.selected = -1
        self._checked = self._held
        self._expander.write_port(self._mask, n << self._first)
        self.selected = n

    def check(self) -> None:
        """See, once after each choice, that the lines are still driven; raises the expander's fault when they are not.

        An expander whose supply dropped has forgotten that they are outputs, and any antenna may be connected.
        """
        if not self._checked:
            self._checked = True
            self._expander.insist()
