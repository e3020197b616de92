"""The pages of the dealer's display: state in, eight lines of at most 21 characters out.

Entry point: `compose` (the table's state; others are in `menu_page`). Line 1 names the phase, lines 2 to 5 hold
amounts, lines 6 to 8 what the dealer is asked or told. Nothing here waits, keeps state or touches the display. No line
depends on a card that has not been turned up.
"""

from sabot.display.lines import amounts, cell, filled, fit, grid, right, spot_code, window
from sabot.display.messages import notices, question
from sabot.display.money import money
from sabot.display.screen import LINES
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

    from sabot.display.prompts import Prompts

_MESSAGES = const(3)  # lines below the amounts

_HEADINGS = {
    "closed": "ph_closed",
    "opening": "ph_opening",
    "idle": "ph_idle",
    "betting": "ph_bet",
    "last_bets": "ph_last",
    "locked": "ph_lock",
    "dealing": "ph_deal",
    "deciding": "ph_decide",
    "revealing": "ph_reveal",
    "settling": "ph_settle",
    "shuffle": "ph_shuffle",
    "shoe_change": "ph_shoe",
    "dealer_change": "s_relief",
    "suspended": "ph_susp",
    "maintenance": "ph_maint",
    "closing": "ph_closing",
}
_BETS_OPEN = ("idle", "betting", "last_bets")
_IN_ROUND = ("locked", "dealing", "deciding", "revealing", "settling", "suspended")


def compose(
    status: "dict[str, Any]", prompts: "Prompts", faults: "dict[str, str]", language: int, beat: int
) -> "list[str]":
    """Compose the page of a table.

    Args:
        status: `Table.status()`.
        prompts: what the table has asked of the dealer; `Prompts.follow` has been told the state.
        faults: code by part, the part named as in "reader 2".
        language: `words.FRENCH` or `words.ENGLISH`.
        beat: counts up every two seconds or so; where there is no room for all, it tells what is shown.
    """
    state = status["state"]
    heading = say(_HEADINGS[state], language)
    messages = _messages(status, prompts, faults, language, beat)
    paying = status["paying"]
    room = LINES - 1 - len(messages)
    if paying and paying["rows"]:
        heading += right("%d/%d" % (paying["page"], paying["pages"]))[len(heading) :]
        rows = _payments(status, paying["rows"], language, beat, room)
    elif state == "settling" and paying:
        rows = ["", say("ph_end", language)]
    elif state == "settling" and prompts.payments:
        rows = _payments(status, prompts.payments, language, beat, room)
    elif state in _BETS_OPEN and prompts.returns:
        heading = say("ph_void", language)
        rows = returned(prompts, language, beat)
    elif state == "closed" and prompts.power_lost:
        rows = returned(prompts, language, beat)
    elif state in _BETS_OPEN or state in _IN_ROUND:
        rows = grid([_seat(status, seat, language) for seat in status["seats"]], beat)
    else:
        rows = []
    if state in ("closed", "idle") and status["round"] and not _any(rows):
        rows = ["", say("w_round", language, n=status["round"])]
    return filled(heading, rows, messages)


def returned(prompts: "Prompts", language: int, beat: int) -> "list[str]":
    """What goes back, by seat."""
    sums = amounts(prompts.returns)
    return grid([cell(seat, sums[seat], language) for seat in sorted(sums)], beat)


def _any(rows: "list[str]") -> bool:
    for row in rows:
        if row:
            return True
    return False


def _messages(
    status: "dict[str, Any]", prompts: "Prompts", faults: "dict[str, str]", language: int, beat: int
) -> "list[str]":
    """The lower lines: a question stands at the bottom, seats not to pay above; the rest take turns in what is left."""
    asked = question(status, prompts, language)
    urgent, others = notices(status, prompts, faults, language)
    room = _MESSAGES - len(asked)
    if len(urgent) + len(others) > room:
        fixed = urgent if len(urgent) < room else []
        turning = others if fixed else urgent + others
        shown = fixed + window(turning, room - len(fixed), beat) if room else []
    else:
        shown = urgent + others
        paying = status["paying"]
        if paying and paying["page"] < paying["pages"] and len(shown) < room:
            shown = shown + [say("x_next", language)]
    return shown + asked


def _seat(status: "dict[str, Any]", seat: "dict[str, Any]", language: int) -> str:
    """A seat's cell: while bets are open what lies there, later what is locked, or what the seat has decided."""
    number = seat["seat"]
    seen = 0
    locked = 0
    opened = False
    decided = 0
    war = False
    for spot in status["spots"]:
        if place_seat(spot["place"]) != number:
            continue
        seen += spot["seen"]
        locked += spot["locked"]
        war = war or spot["bet"] == "additional"
        if spot["state"] == "open":
            opened = True
            decided += spot["seen"]
    if status["state"] in _BETS_OPEN:
        return cell(number, seen, language) if seen else ""
    if seat["state"] == "out":
        return "%s%d ---" % (SEAT[language], number)
    if seat["state"] == "folded" or seat["folding"]:
        return say("x_surrender" if war or _withdraws(status) else "d_fold", language, p=number)
    if seat["state"] == "deciding" and opened:
        if not decided:
            return "%s%d ?" % (SEAT[language], number)
        return "%s%d BAT" % (SEAT[language], number) if war else say("d_play", language, p=number)
    return cell(number, locked, language) if locked else ""


def _withdraws(status: "dict[str, Any]") -> bool:
    """Whether the game is 3-5-7, whose refusal takes a bet back (67.47)."""
    for spot in status["spots"]:
        if spot["bet"] == "seven":
            return True
    return False


def _payments(
    status: "dict[str, Any]", payments: "list[tuple[str, int, int]]", language: int, beat: int, room: int
) -> "list[str]":
    """Payments spot by spot, as many as there is ``room`` for, an amount with its line."""
    rows: list[str] = []
    pages: list[list[str]] = []
    for name, place, cents in payments:
        lines = _payment(status, name, place, cents, language)
        if len(rows) + len(lines) > room:
            pages.append(rows)
            rows = []
        rows = rows + lines
    pages.append(rows)
    return pages[beat % len(pages)]


def _payment(status: "dict[str, Any]", name: str, place: int, cents: int, language: int) -> "list[str]":
    seat = place_seat(place)
    code = spot_code(status, place)
    if name == "pay":
        return fit("p_pay", language, cents, p=seat, b=code)
    if name == "push":
        return [say("p_leave", language, p=seat, b=code)]
    locked = 0
    for spot in status["spots"]:
        if spot["place"] == place:
            locked = spot["locked"]
    if cents == locked:
        return [say("p_take", language, p=seat, b=code)]
    if cents * 2 in (locked, locked - 1, locked + 1):
        return [say("p_half", language, p=seat, b=code)]
    return [say("p_take", language, p=seat, b=code), right(money(cents, language))]
