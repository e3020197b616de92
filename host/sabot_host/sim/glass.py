"""What a person reads on the dealer's display: the pixels of the glass as eight lines of text.

Entry point: :func:`lines`. An eye knows the letters, so this knows the font of the display, and no more of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

LINES, COLUMNS = 8, 21
MARGIN = 1  # dots before the first character
ROWS = 8  # of a line
UNREADABLE = "\N{REPLACEMENT CHARACTER}"


@cache
def _letters() -> dict[bytes, str]:
    """Every character by the dots of its cell."""
    from sabot.display import font  # the clone has it; an installed host tool tells so before it comes here

    found: dict[bytes, str] = {}
    for code in [*range(0x20, 0x7F), *font.BEYOND]:
        cell = bytearray(font.CELL)
        font.draw(cell, 0, font.glyph(code))
        found.setdefault(bytes(cell), chr(code))
    return found


def lines(pixels: Sequence[Sequence[int]]) -> list[str]:
    """The lines from top to bottom, without spaces at their ends; what is no letter is ``UNREADABLE``.

    ``pixels`` are rows of dots, 1 = lit. A dark display reads as eight empty lines.
    """
    from sabot.display import font

    letters = _letters()
    text = []
    for line in range(LINES):
        cells = []
        for column in range(COLUMNS):
            left = MARGIN + column * font.CELL
            dots = bytes(
                sum(pixels[line * ROWS + row][x] << row for row in range(ROWS)) for x in range(left, left + font.CELL)
            )
            cells.append(letters.get(dots, UNREADABLE))
        text.append("".join(cells).rstrip())
    return text
