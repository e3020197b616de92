"""Types of the pins that this package is given. Never shipped: type checkers alone read it."""

from collections.abc import Callable
from typing import Protocol

class InputPin(Protocol):
    """machine.Pin as input."""

    def value(self) -> int: ...
    def irq(self, handler: Callable[[InputPin], None], trigger: int, *, hard: bool) -> object: ...
