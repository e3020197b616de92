"""The pages of the dealer's menu and of the supervisor's desk. Loaded when one is opened.

Entry points: `compose`, and two pages that are as seldom shown: `refused` (a controller that does not play) and
`languages` (the choice of a language).

Players can read the display: an irregularity at the desk is told by its number and its spot, never by its kind.
"""

from sabot.display.lines import filled, spot_code
from sabot.display.money import money
from sabot.display.screen import COLUMNS
from sabot.display.words import FRENCH, SEAT, say
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

_ROWS = const(5)  # of a list: two columns of them
_DIGITS = "1234567890"
_WINDOW = const(4)  # of choices that are shown at a time
_KEYED = ("amount", "cards", "card")
_OF_RESULT = {"win": "r_win", "lose": "r_lose", "push": "r_push"}


def compose(status: "dict[str, Any]", language: int, beat: int) -> "list[str]":
    """Compose the page of what is being keyed, `status["menu"]` (`docs/panel.md`)."""
    menu = status["menu"]
    step = menu["step"]
    if step == "item":
        return filled(say("m_menu", language), _list(menu["items"], language), [say("m_more", language)])
    heading = say("m_" + menu["item"], language)
    if menu["item"] == "ruling":
        return filled(heading, _desk(status, language), _keys(menu, language))
    if menu.get("seat"):
        heading += " %s%d" % (SEAT[language], menu["seat"])
    if step == "refused":
        return filled(heading, ["", say("m_refused", language)], [])
    rows = [say("m_ask_" + step, language)]
    if step == "spot":
        rows += ["%d %s" % (index + 1, spot_code(status, place)) for index, place in enumerate(menu["places"])]
    elif step == "choice":
        rows = [spot_code(status, menu["place"]) + " " + rows[0]] + _choices(menu["choices"], language, beat)
    elif step in _KEYED:
        rows.append(_entered(menu, language))
    return filled(heading, rows, [say("m_take", language)] if step in _KEYED else [])


def _list(items: "list[str]", language: int) -> "list[str]":
    """Items with their digits, in two columns."""
    cells = ["%s %s" % (_DIGITS[index], say("m_" + item, language)) for index, item in enumerate(items)]
    rows = []
    for row in range(min(_ROWS, len(cells))):
        other = cells[_ROWS + row] if _ROWS + row < len(cells) else ""
        rows.append("%-11s%s" % (cells[row], other) if other else cells[row])
    return rows


def _choices(choices: "list[tuple[str, int, int]]", language: int, beat: int) -> "list[str]":
    """Ends of a bet with their digits, a part of them at a time."""
    found = []
    for index in range(len(choices)):
        result, pays, per = choices[index]
        text = say(_OF_RESULT[result], language)
        found.append("%d %s" % (index + 1, text) + (" %d:%d" % (pays, per) if pays else ""))
    pages = (len(found) + _WINDOW - 1) // _WINDOW
    first = beat % pages * _WINDOW if pages else 0
    return found[first : first + _WINDOW]


def _entered(menu: "dict[str, Any]", language: int) -> str:
    text: str = menu["text"]
    if menu["step"] == "amount":
        return money(int(text) if text else 0, language)
    return text


def _desk(status: "dict[str, Any]", language: int) -> "list[str]":
    """The irregularity that is shown, if there is one, and what has been keyed for it."""
    menu = status["menu"]
    rows = [""]
    for issue in status["issues"]:
        if issue["id"] == menu["id"]:
            place = issue["place"]
            if place:
                rows[0] = say("m_about", language, n=issue["id"], p=place_seat(place), b=spot_code(status, place))
            else:
                rows[0] = say("m_stop", language, n=issue["id"])
    if menu["step"] in _KEYED:
        rows.append(_entered(menu, language))
    elif menu["step"] == "reason":
        rows += [say("p_reason", language), menu["text"]]
    return rows


def _keys(menu: "dict[str, Any]", language: int) -> "list[str]":
    if menu["step"] in _KEYED or menu["step"] == "reason":
        return [say("m_take", language)]
    if not menu["id"]:
        return [say("m_rule0", language)]
    return [say("m_rule1", language), say("m_rule2", language), say("m_rule3", language)]


def refused(code: str, language: int) -> "list[str]":
    """Compose the page of a controller that does not play; ``code`` says why, for the technician."""
    rows = ["", say("x_internal", language), code[:COLUMNS]]
    return filled(say("ph_closed", language), rows, ["", say("p_sup", language)])


def languages(language: int) -> "list[str]":
    """Compose the page that shows which language has been chosen."""
    marks = ("> ", "  ") if language == FRENCH else ("  ", "> ")
    rows = ["", marks[0] + say("x_french", language), marks[1] + say("x_english", language)]
    return filled("", rows, [])
