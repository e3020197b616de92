"""What the lower lines say: the question to the dealer, seats not to pay, faults. Entry points: `question`, `notices`.

Of the kinds that would warn a cheat the dealer's display, which players can read, says ``NE PAS PAYER`` and no more.
"""

from sabot.display.lines import fit, spot_code
from sabot.display.words import SEAT, say
from sabot.wire.codes import UNSTEADY, clears, place_seat

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

_QUESTION = const(1)
_SEAT_HOLD = const(2)
_TABLE_STOP = const(3)
_HELD_IN_LINE = const(3)  # "P1 P3 P6 NE PAS PAYER" is as wide as the display

_OF_QUESTION = {
    "transit": "i_unread",
    "next_round": "p_next",
    "early_play": "p_early",
    "play_without_ante": "i_noante",
    "limit": "x_limit",
    "missing": "p_missing",
    "moved": "p_back",
    "equal_swap": "i_swap",
    "foreign": "i_foreign",
    "overpaid": "i_overpay",
    "underpaid": "i_underpay",
    "loser_left": "i_left",
    "winner_taken": "i_took",
}
_OF_STOP = {
    "card_before_lock": "i_early_card",
    "two_cards": "i_two",
    "pushed_back": "i_back",
    "alien_card": "i_alien",
    "duplicate_card": "i_dup",
    "wrong_count": "i_count",
    "unread_card": "i_noread",
    "exposed": "i_exposed",
    "misplaced": "i_wrongseat",
    "lid": "f_lid",
    "case": "f_case",
    "unruled": "i_unruled",
}
_OF_HOLD = {"dispute": "i_dispute", "absent": "i_left_player", "play_too_high": "i_over3"}  # these warn no cheat
_OF_ADVICE = {"missing": "p_missing", "minimum": "p_fix_min", "maximum": "p_fix_max"}


def question(status: "dict[str, Any]", prompts: "Prompts", language: int) -> "list[str]":
    """What OUI and NON answer now: its line, or two with a long amount, and the keys; or nothing.

    It is the table's own choice: a keyed card first, then the oldest question that does not end by itself.
    """
    if prompts.keyed_card:
        return [say("i_noread", language), say("p_yesno", language)]
    for issue in status["issues"]:
        if issue.get("second"):
            place = issue["place"]
            asked = say("m_second", language, p=place_seat(place), b=spot_code(status, place))
            return [asked, say("p_yesno", language)]
    for issue in status["issues"]:
        if issue["severity"] == _QUESTION and clears(issue["kind"]) == "D":
            return _issue(issue, status, prompts, language) + [say("p_yesno", language)]
    return []


def notices(
    status: "dict[str, Any]", prompts: "Prompts", faults: "dict[str, str]", language: int
) -> "tuple[list[str], list[str]]":
    """The lines that must not be missed, and all others, each by urgency."""
    stops: list[str] = []
    others: list[str] = []
    shown: list[str] = []
    if prompts.badge[0]:
        shown.append(say(prompts.badge[0], language, id=prompts.badge[1]))
    asked = prompts.keyed_card
    if prompts.power_lost:
        others.append(say("f_power", language))
        if prompts.returns:
            others.append(say("ph_void", language))
    if not status["dealer"] and (prompts.sign_on or status["state"] == "dealer_change"):
        others.append(say("p_sign", language))
    if prompts.discard:
        others.append(say("x_discard", language))
    if status["cut"] and status["state"] != "shuffle":
        others.append(say("ph_last_hand", language))
    for issue in status["issues"]:
        if issue["severity"] == _TABLE_STOP:
            stops.append(say(_OF_STOP.get(issue["kind"], "p_sup"), language))
        elif issue["severity"] == _QUESTION:
            if not asked and clears(issue["kind"]) == "D":
                asked = True
            else:
                others += _issue(issue, status, prompts, language)
        elif issue["kind"] in _OF_HOLD:
            others.append(say(_OF_HOLD[issue["kind"]], language, p=place_seat(issue["place"])))
        elif issue["kind"] == "reader_fault":
            others.append(say("f_seat", language, p=place_seat(issue["place"])))
    if stops or status["state"] == "suspended":
        stops.append(say("p_sup", language))
    if status["state"] in ("idle", "betting", "last_bets"):
        for advice in prompts.advice:
            if advice is not None:
                others += _advice(advice, status, language)
    else:
        for place, cents in prompts.returns:
            others += fit("x_return", language, cents, p=place_seat(place))
    if prompts.deal is not None:
        others.append(_deal(prompts.deal, language))
    for name in sorted(faults):
        others.append(_fault(name, faults[name], language))
    return shown + _held(status, language) + _once(stops), _once(others)


def _issue(issue: "dict[str, Any]", status: "dict[str, Any]", prompts: "Prompts", language: int) -> "list[str]":
    place = issue["place"]
    seat = place_seat(place)
    code = spot_code(status, place)
    kind = issue["kind"]
    if kind == "ambiguous" and place in prompts.amounts:
        return fit("p_doubt", language, prompts.amounts[place], p=seat, b=code)
    if kind == "ambiguous":
        return [say("i_amb", language, p=seat, b=code)]
    if kind == "relation":
        if place in prompts.amounts:
            return _ratio(place, prompts.amounts[place], code, language)
        return [say("x_limit", language, p=seat, b=code)]
    return [say(_OF_QUESTION.get(kind, "p_sup"), language, p=seat, b=code)]


def _advice(advice: "tuple[str, int, int]", status: "dict[str, Any]", language: int) -> "list[str]":
    name, place, cents = advice
    code = spot_code(status, place)
    if name == "ratio":
        return _ratio(place, cents, code, language)
    return fit(_OF_ADVICE[name], language, cents, p=place_seat(place), b=code)


def _ratio(place: int, cents: int, code: str, language: int) -> "list[str]":
    key = "p_fix_ratio" if code == "ADD" else "x_ratio"
    return fit(key, language, cents, p=place_seat(place), b=code)


def _deal(deal: "tuple[str, int]", language: int) -> str:
    name, place = deal
    if name == "deal_dealer":
        return say("p_dealb", language)
    if name == "reveal" and not place:
        return say("ph_reveal", language)
    return say("p_deal" if name == "deal_seat" else "ph_show_p", language, p=place_seat(place))


def _held(status: "dict[str, Any]", language: int) -> "list[str]":
    """Seats that must not be paid yet, up to three a line."""
    seats: list[int] = []
    for issue in status["issues"]:
        seat = place_seat(issue["place"])
        if issue["severity"] == _SEAT_HOLD and issue["kind"] != "reader_fault" and seat not in seats:
            seats.append(seat)
    seats.sort()
    rows = []
    for first in range(0, len(seats), _HELD_IN_LINE):
        together = seats[first : first + _HELD_IN_LINE]
        row = ""
        for seat in together[:-1]:
            row += "%s%d " % (SEAT[language], seat)
        rows.append(row + say("p_nopay", language, p=together[-1]))
    return rows


def _fault(name: str, code: str, language: int) -> str:
    """Words for a part that is out of order; ``name`` is the part and its number, as in "reader 2".

    They are entered under the part's name; of a part without an entry nothing more is said than that.
    """
    words = name.split(" ")
    try:
        return say("f_" + words[0] + ("_unsteady" if code == UNSTEADY else ""), language, k=words[-1])
    except KeyError:
        return say("x_internal", language)


def _once(rows: "list[str]") -> "list[str]":
    """The same words need not be said twice."""
    said: list[str] = []
    for row in rows:
        if row not in said:
            said.append(row)
    return said
