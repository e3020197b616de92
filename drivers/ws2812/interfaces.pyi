"""Types of the state machine that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

class StateMachine(Protocol):
    """rp2.StateMachine."""

    def put(self, value: int, shift: int, /) -> object: ...
