"""Whose badge it is, and what follows from that: people sign on and off, a technician clears what is his.

Entry points: :func:`met`; :func:`record`; :func:`entry`, :func:`padded` and :func:`find`, of the list of badges;
:data:`MOST`. Loaded when a badge is held to the reader, when the host asks for the list, and at the start; nobody needs
it in between.
"""

from micropython import const

from sabot.wire.codes import (
    BADGE_RANDOM,
    BADGE_REFUSED,
    BADGE_SHOWN,
    BADGE_UNKNOWN,
    PROMPTS,
    RESOLUTIONS,
    ROLES,
    clears,
)
from sabot.wire.messages import BADGE_BYTES
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = const(250)  # badges that may be enrolled

_LENGTH_AT = const(3)  # of the UID, in an entry of the list
_UID_AT = const(4)
_NOTHING_TO_SAY = "-"  # what has been cleared is no longer shown


def entry(role: int, number: int, uid: bytes) -> bytes:
    """A badge as list and link hold it: role (`codes.ROLES`), number, UID of 4 or 7 bytes."""
    return bytes((role, number & 0xFF, number >> 8)) + padded(uid)


def padded(uid: bytes) -> bytes:
    """A UID of 4 or 7 bytes, or none, as list and link hold it: its length, and 7 bytes."""
    return bytes((len(uid),)) + (uid + bytes(7))[:7]


def find(badges: bytes, uid: bytes) -> int:
    """Where in the list the badge of that UID stands, -1 when it is not enrolled."""
    for at in range(0, len(badges), BADGE_BYTES):
        begin = at + _UID_AT
        if badges[at + _LENGTH_AT] == len(uid) and badges[begin : begin + len(uid)] == uid:
            return at
    return -1


def met(ports: "Any", table: "Any", badges: bytes, uid: bytes, may_note: bool) -> bool:
    """Record who came, and let the table do what follows from it; whether the badge is nobody's.

    ``ports``: ``journal`` and ``prompt``. ``uid`` is empty when it is another one each time; ``may_note``: whether a
    badge that is nobody's is recorded.
    """
    at = find(badges, uid) if uid else -1
    if at < 0:
        if may_note:
            record(ports.journal, BADGE_UNKNOWN if uid else BADGE_RANDOM, 0, 0, uid)
        _say(ports, "badge_unknown" if uid else "badge_random", 0)
        return True
    role, number = badges[at], badges[at + 1] | badges[at + 2] << 8
    words = _signs(table, role, number) if record(ports.journal, BADGE_SHOWN, role, number, uid) else ""
    if not words:
        record(ports.journal, BADGE_REFUSED, role, number, uid)
        words = "badge_denied"
    if words != _NOTHING_TO_SAY:
        _say(ports, words, number)
    return False


def _signs(table: "Any", role: int, number: int) -> str:
    """Somebody signs on, or off who has signed on; the prompt that says so, empty when that cannot be."""
    status = table.status()
    if ROLES[role] == "technician":
        return _clear(table, role, status["issues"])
    supervises = ROLES[role] == "supervisor"
    on = number != status["supervisor" if supervises else "dealer"]
    if not table.sign(role, number, on):
        return ""
    if not on:
        return "badge_off"
    return "badge_sup" if supervises else "badge_on"


def _clear(table: "Any", role: int, issues: "list[dict[str, Any]]") -> str:
    """The technician has seen to his parts: what only he may clear is cleared."""
    words = ""
    for issue in issues:
        if clears(issue["kind"]) == "T" and table.resolve(issue["id"], RESOLUTIONS.index("cleared"), 0, role):
            words = _NOTHING_TO_SAY
    return words


def record(journal: "Any", did: int, role: int, number: int, uid: bytes) -> bool:
    """Record what became of a badge; False where the journal keeps its last room for the running round."""
    if journal.full:
        return False
    journal.append(code_of("badge"), {"did": did, "role": role, "id": number, "badge": uid})
    return True


def _say(ports: "Any", prompt: str, number: int) -> None:
    ports.prompt(PROMPTS.index(prompt), 0, number)
