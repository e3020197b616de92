"""Nets with several parties: open-drain interrupt lines and expander pins with pull-ups.

Entry points: :class:`SharedLine` (the net, itself a :class:`~hwsim.core.Line` that anyone may read and listen to),
:class:`Tap` (one party's connection to it, itself a Line, so a key or a chip drives it like any other line) and
:class:`Pad` (an open-drain pin: drives its tap, reads the net).

A tap at 0 pulls the net low. A tap at 1 lets go of it, or, when push-pull, holds it high. Limits: levels only; no
rise times, no resistor ratios (the net's own resistor wins over a chip's weak pull-up).
"""

from __future__ import annotations

from hwsim.core import Line, Scheduler, SimFault


class Tap(Line):
    """One party's connection to a :class:`SharedLine`; made by :meth:`SharedLine.tap` and let go at first."""

    __slots__ = ("_broken", "net", "pull_up", "push_pull")

    def __init__(self, net: SharedLine, name: str) -> None:
        super().__init__(name, 1)
        self._broken = False
        self.net = net
        self.push_pull = False
        self.pull_up = False

    def drive(self, level: int) -> None:
        """0 pulls the net low; 1 lets go of it, or holds it high when the tap is push-pull."""
        super().drive(level)
        self.net.resolve()

    @property
    def broken(self) -> bool:
        """Whether the wire to the net is: the party does what it does, and the net feels nothing of it."""
        return self._broken

    @broken.setter
    def broken(self, broken: bool) -> None:
        self._broken = broken
        self.net.resolve()

    def configure(self, level: int, *, push_pull: bool, pull_up: bool = False) -> None:
        """Set level, output kind and weak pull-up in one step, without a glitch in between."""
        self.push_pull = push_pull
        self.pull_up = pull_up
        self.drive(level)


class SharedLine(Line):
    """A wired-AND net. ``pull`` is its own resistor: 1 (up), 0 (down) or None (none fitted).

    With nothing driving and no resistor the net keeps its last level, 0 at power-up: an input whose pull-up was
    forgotten stays where the key left it instead of working by luck.

    Raises:
        SimFault: from the driving call, when one tap holds the net high against another that pulls it low.
    """

    __slots__ = ("_pull", "_scheduler", "_taps")

    def __init__(self, scheduler: Scheduler, name: str, pull: int | None = 1) -> None:
        super().__init__(name, 1 if pull else 0)
        self._scheduler = scheduler
        self._pull = pull
        self._taps: list[Tap] = []

    def tap(self, name: str) -> Tap:
        """A new connection; ``name`` is who it belongs to, for the message of a short circuit."""
        tap = Tap(self, name)
        self._taps.append(tap)
        return tap

    def drive(self, level: int) -> None:
        """Refused: a shared net is driven through a tap."""
        raise SimFault(f"{self.name}: driven to {level} without a tap at {self._scheduler.now} ns")

    def resolve(self) -> None:
        """Work out the level from all taps and resistors; called by the taps."""
        taps = [tap for tap in self._taps if not tap.broken]
        low = [tap for tap in taps if not tap.level]
        high = [tap for tap in taps if tap.level and tap.push_pull]
        if low and high:
            raise SimFault(
                f"{self.name}: short circuit, {high[0].name} holds it high and {low[0].name} low "
                f"at {self._scheduler.now} ns"
            )
        if low:
            level = 0
        elif high:
            level = 1
        elif self._pull is not None:
            level = self._pull
        elif any(tap.pull_up for tap in taps):
            level = 1
        else:
            level = self.level
        super().drive(level)


class Pad(Line):
    """An open-drain pin on a net: its level is the net's, ``drive`` pulls low or lets go. For ``Fabric.pin``."""

    __slots__ = ("_tap",)

    def __init__(self, net: SharedLine, name: str) -> None:
        super().__init__(name, net.level)
        self._tap = net.tap(name)
        net.listen(lambda _net, level: Line.drive(self, level))

    def drive(self, level: int) -> None:
        """0 pulls the net low, 1 lets go of it."""
        self._tap.drive(level)
