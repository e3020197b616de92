"""Types of the pins and ports that this package is given. Never shipped: type checkers alone read it."""

from typing import Protocol

class OutputLine(Protocol):
    """machine.Pin as output."""

    def value(self, level: int, /) -> object: ...

class OutputPort(Protocol):
    """A port expander; `mcp23017.MCP23017` is one."""

    def write_port(self, mask: int, levels: int) -> None: ...
    def insist(self) -> None: ...
