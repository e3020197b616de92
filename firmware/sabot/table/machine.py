"""A state machine that interprets the tables of `sabot.wire.states`. Entry points: `Kind`, `Machine`.

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
_STATE_BITS = const(5)
_STATE = const(31)


class Kind:
    """What all machines of one kind share: rules (`sabot.wire.states.rules`) compiled into bytes, and states."""

    def __init__(self, rules: "tuple[tuple[str, tuple[str, ...], str], ...]", states: "tuple[str, ...]") -> None:
        self.states = states
        self.triggers = tuple(sorted(set([entry[0] for entry in rules])))
        self.to = bytearray([_NONE] * (len(self.triggers) * len(states)))
        self.returns = bytearray(len(states))  # states that a BACK leads out of
        for trigger, sources, destination in rules:
            for source in sources:
                at = self.triggers.index(trigger) * len(states) + states.index(source)
                self.to[at] = _BACK if destination == BACK else states.index(destination)
                if destination == BACK:
                    self.returns[states.index(source)] = 1


class Machine:
    """One machine of a kind, in the first state."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.state = 0
        self._back = 0  # where BACK leads from the states entered and not left, five bits each, the latest lowest

    @property
    def name(self) -> str:
        """Name of the state."""
        return self._kind.states[self.state]

    def _target(self, trigger: str) -> int:
        kind = self._kind
        if trigger not in kind.triggers:
            return _NONE
        return kind.to[kind.triggers.index(trigger) * len(kind.states) + self.state]

    def can(self, trigger: str) -> bool:
        """Whether the trigger is listed for this state."""
        return self._target(trigger) != _NONE

    def fire(self, trigger: str) -> None:
        """Go where the trigger leads; TransitionError when it is not listed for this state. Allocates nothing."""
        target = self._target(trigger)
        if target == _NONE:
            raise TransitionError(self.name, trigger)
        if target == _BACK:
            target = self._back & _STATE
            self._back >>= _STATE_BITS
        elif self._kind.returns[target]:
            self._back = self._back << _STATE_BITS | self.state
        else:
            self._back = 0
        self.state = target

    def attempt(self, trigger: str) -> bool:
        """Fire the trigger if it is listed for this state; returns whether it was."""
        if not self.can(trigger):
            return False
        self.fire(trigger)
        return True
