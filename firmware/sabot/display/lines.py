"""Lines of text that pages are made of.

Entry points: `spot_code`, `fit` (a line, or two), `cell` and `grid` (amounts seat by seat), `window` (as much as there
is room for), `filled` (a page), `amounts`, `right`, `CODES`, `EXTRA`, `ROWS`.
"""

from sabot.display.money import money
from sabot.display.screen import COLUMNS, LINES
from sabot.display.words import SEAT, say
from sabot.wire.codes import place_seat

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
    from typing import Any

ROWS = const(4)  # of a page, between its heading and its messages
_CELL = const(10)  # characters: two cells and a space in a line

# Codes of the bet spots as printed on the layout, by the names of the bets (`sabot.rules.games`).
CODES = {
    "ante": "INIT",
    "play": "ADD",
    "pair_plus": "P+",
    "aces_up": "AS+",
    "queens_up": "DA+",
    "super_bonus": "SB",
    "initial": "INIT",
    "tie": "ÉG",
    "additional": "BAT",
    "first": "1A",
    "second": "2A",
    "bonus": "BON",
    "three": "M3",
    "five": "M5",
    "seven": "M7",
}
EXTRA = "BON"  # the line of a settlement that has no spot of its own: the ante bonus


def spot_code(status: "dict[str, Any]", place: int) -> str:
    """Code of a place byte's bet; a place that is no spot of the table is the extra line."""
    for spot in status["spots"]:
        if spot["place"] == place:
            return CODES[spot["bet"]]
    return EXTRA


def filled(heading: str, rows: "list[str]", last: "list[str]") -> "list[str]":
    """A page: ``rows`` below the heading, ``last`` at the bottom."""
    return [heading] + rows + [""] * (LINES - 1 - len(rows) - len(last)) + last


def fit(key: str, language: int, cents: int, **values: object) -> "list[str]":
    """One line of an entry that ends in ``{m}``; when it is too wide, the amount takes a second line, on the right."""
    amount = money(cents, language)
    line = say(key, language, m=amount, **values)
    if len(line) <= COLUMNS:
        return [line]
    return [say(key, language, m="", **values).rstrip(), right(amount)]


def right(text: str) -> str:
    """A text set to the right end of a line."""
    return " " * (COLUMNS - len(text)) + text


def cell(seat: int, cents: int, language: int) -> str:
    """A seat and an amount; without spaces between the thousands when only so it fits a cell of ten characters."""
    text = "%s%d %s" % (SEAT[language], seat, money(cents, language))
    if len(text) > _CELL:
        narrow = "%s%d %s" % (SEAT[language], seat, money(cents, language, False))
        if len(narrow) <= _CELL:
            return narrow
    return text


def amounts(rows: "list[tuple[int, int]]") -> "dict[int, int]":
    """Sum (place, cents) by seat."""
    sums: dict[int, int] = {}
    for place, cents in rows:
        seat = place_seat(place)
        sums[seat] = sums.get(seat, 0) + cents
    return sums


def grid(cells: "list[str]", beat: int) -> "list[str]":
    """Up to eight cells in two columns; a row each, four at a time by ``beat``, when one is too wide for that."""
    wide = False
    for text in cells:
        wide = wide or len(text) > _CELL
    if wide:
        return window([text for text in cells if text], ROWS, beat)
    rows = []
    for row in range(ROWS):
        left = cells[row] if row < len(cells) else ""
        other = cells[ROWS + row] if ROWS + row < len(cells) else ""
        rows.append("%-11s%s" % (left, other) if other else left)
    return rows


def window(rows: "list[str]", room: int, beat: int) -> "list[str]":
    """The rows when there is room for them; else as many as there is room for, others at each ``beat``."""
    if len(rows) <= room:
        return rows
    pages = (len(rows) + room - 1) // room
    first = beat % pages * room
    return rows[first : first + room]
