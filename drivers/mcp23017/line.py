"""Test of an expander's interrupt line. Entry point: `check_line`. Loaded by whoever asks for it."""

from . import ExpanderFault

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False

if TYPE_CHECKING:
    from . import MCP23017
    from .interfaces import InputLine

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


_DEFVAL = const(0x06)  # A and B, INTCON A and B behind it
_TRIES = const(3)  # a key may move in the middle of it


def check_line(expander: "MCP23017", line: "InputLine") -> None:
    """Have the chip pull its line and let go of it, and see that ``line`` follows. A millisecond a try.

    At least one input has its interrupt on, and nobody else pulls the line. What the inputs did meanwhile shows in
    their levels only.

    Raises:
        ExpanderFault: ``interrupt low`` (it is, and the chip does not pull), ``interrupt lost`` (it stays high),
            ``absent`` or ``config``.
    """
    code = ""
    for _ in range(_TRIES):
        levels = expander.read_port()
        if line.value() == 0:
            code = "interrupt low"
            continue
        # Every input now differs from what it is compared with.
        expander._write(bytearray((_DEFVAL, ~levels & 0xFF, ~levels >> 8 & 0xFF, 0xFF, 0xFF)))
        pulled = line.value() == 0
        expander.check()
        if pulled:
            expander.read_port()
            return
        code = "interrupt lost"
    expander.read_port()
    raise ExpanderFault(code, expander._address)
