"""State machines that interpret the tables of `sabot.wire.states`. Entry point: `Machines`.

A table is compiled once into bytes, and each machine of its kind is some bytes more; firing a trigger then is one
look-up and allocates nothing. A trigger that is not listed for the state is an error, never ignored.
"""

from array import array

from sabot.table.errors import TransitionError

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


class Machines:
    """``count`` machines of one kind, each in its first state: `sabot.wire.states.rules`, and the states' names.

    Machines are numbered from 0; a kind with one machine needs no number.
    """

    def __init__(
        self, rules: "tuple[tuple[str, tuple[str, ...], str], ...]", states: "tuple[str, ...]", count: int = 1
    ) -> None:
        from sabot.wire.states import BACK

        self._names = states
        self._states = bytearray(count)
        # Where BACK leads from the states entered and not left, five bits each, the latest lowest.
        self._back = array("i", bytes(4 * count))
        self._triggers = tuple(sorted(set([entry[0] for entry in rules])))
        self._to = bytearray([_NONE] * (len(self._triggers) * len(states)))
        self._returns = bytearray(len(states))  # states that a BACK leads out of
        for trigger, sources, destination in rules:
            for source in sources:
                at = self._triggers.index(trigger) * len(states) + states.index(source)
                self._to[at] = _BACK if destination == BACK else states.index(destination)
                if destination == BACK:
                    self._returns[states.index(source)] = 1

    def state(self, number: int = 0) -> int:
        """State of a machine, by its number."""
        return self._states[number]

    def name_of(self, number: int) -> str:
        """Name of the state of a machine."""
        return self._names[self._states[number]]

    @property
    def name(self) -> str:
        """Name of the state of the only machine."""
        return self.name_of(0)

    def _target(self, trigger: str, number: int) -> int:
        if trigger not in self._triggers:
            return _NONE
        return self._to[self._triggers.index(trigger) * len(self._names) + self._states[number]]

    def can(self, trigger: str, number: int = 0) -> bool:
        """Whether the trigger is listed for a machine's state."""
        return self._target(trigger, number) != _NONE

    def fire(self, trigger: str, number: int = 0) -> None:
        """Go where the trigger leads; TransitionError when it is not listed for this state. Allocates nothing."""
        target = self._target(trigger, number)
        if target == _NONE:
            raise TransitionError(self.name_of(number), trigger)
        back = self._back
        if target == _BACK:
            target = back[number] & _STATE
            back[number] >>= _STATE_BITS
        elif self._returns[target]:
            back[number] = back[number] << _STATE_BITS | self._states[number]
        else:
            back[number] = 0
        self._states[number] = target

    def attempt(self, trigger: str, number: int = 0) -> bool:
        """Fire the trigger if it is listed for this state; returns whether it was."""
        if not self.can(trigger, number):
            return False
        self.fire(trigger, number)
        return True
