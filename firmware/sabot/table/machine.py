"""A state machine that interprets the tables of `sabot.wire.states`. Entry point: `Machine`.

The table is compiled once into bytes; firing a trigger then is one look-up and allocates nothing. A trigger that is not
listed for the state is an error, never ignored.
"""

from sabot.table.errors import TransitionError
from sabot.wire.states import BACK

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


_NONE = const(255)
_BACK = const(254)


class Machine:
    """One machine in its first state: rules (`sabot.wire.states.rules`) and states; `twin` shares the bytes."""

    def __init__(self, transitions: "tuple[tuple[str, tuple[str, ...], str], ...]", states: "tuple[str, ...]") -> None:
        self.states = states
        self.triggers = tuple(sorted(set([entry[0] for entry in transitions])))
        self._to = bytearray([_NONE] * (len(self.triggers) * len(states)))
        self._returns = bytearray(len(states))  # states that a BACK leads out of
        for trigger, sources, destination in transitions:
            for source in sources:
                at = self.triggers.index(trigger) * len(states) + states.index(source)
                self._to[at] = _BACK if destination == BACK else states.index(destination)
                if destination == BACK:
                    self._returns[states.index(source)] = 1
        self.state = 0
        self._back = 0

    def twin(self) -> "Machine":
        """Another machine of the same kind, in the first state."""
        other = object.__new__(Machine)
        other.states = self.states
        other.triggers = self.triggers
        other._to = self._to
        other._returns = self._returns
        other.state = 0
        other._back = 0
        return other

    @property
    def name(self) -> str:
        """Name of the state."""
        return self.states[self.state]

    def _target(self, trigger: str) -> int:
        if trigger not in self.triggers:
            return _NONE
        return self._to[self.triggers.index(trigger) * len(self.states) + self.state]

    def can(self, trigger: str) -> bool:
        """Whether the trigger is listed for this state."""
        return self._target(trigger) != _NONE

    def fire(self, trigger: str) -> None:
        """Go where the trigger leads; TransitionError when it is not listed for this state. Allocates nothing."""
        target = self._target(trigger)
        if target == _NONE:
            raise TransitionError(self.states[self.state], trigger)
        if target == _BACK:
            target = self._back
        elif self._returns[target]:
            self._back = self.state
        self.state = target

    def attempt(self, trigger: str) -> bool:
        """Fire the trigger if it is listed for this state; returns whether it was."""
        if not self.can(trigger):
            return False
        self.fire(trigger)
        return True
