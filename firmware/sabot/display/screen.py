"""The screen as 8 lines of 21 characters over a buffer of dots. Entry point: `Screen`.

The buffer is 128 dots wide, laid out as ``framebuf.MONO_VLSB``: a line of text is one page of it.
"""

from sabot.display.font import CELL, draw, glyph

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Stand in for MicroPython's compile-time constant."""
        return value


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LINES = const(8)
COLUMNS = const(21)
_WIDTH = const(128)
_MARGIN = const(1)  # 21 cells are 126 dots
_SPACE = const(0)  # glyph number


class Screen:
    """Draws into ``buffer`` (1024 bytes) and tells ``touch(line, first, last)`` which dot columns changed."""

    def __init__(self, buffer: bytearray, touch: "Callable[[int, int, int], None]") -> None:
        self._buffer = buffer
        self._touch = touch
        self._cells = bytearray(LINES * COLUMNS)  # glyph numbers

    def show(self, lines: "Sequence[str]") -> None:
        """Show 8 lines; what exceeds 21 characters is cut off. Only what differs is drawn; allocates nothing."""
        for line in range(LINES):
            self.line(line, lines[line])

    def line(self, line: int, text: str) -> None:
        """Show one line of text, from the left, the rest blank. Allocates nothing."""
        column = 0
        first = COLUMNS
        last = 0
        for character in text:
            if column < COLUMNS:
                if self._put(line, column, glyph(ord(character))):
                    first = min(first, column)
                    last = column
                column += 1
        while column < COLUMNS:
            if self._put(line, column, _SPACE):
                first = min(first, column)
                last = column
            column += 1
        if first < COLUMNS:
            self._touch(line, _MARGIN + first * CELL, _MARGIN + last * CELL + CELL - 1)

    def _put(self, line: int, column: int, number: int) -> bool:
        cell = line * COLUMNS + column
        if self._cells[cell] == number:
            return False
        self._cells[cell] = number
        draw(self._buffer, line * _WIDTH + _MARGIN + column * CELL, number)
        return True
