"""What the host asks about badges: who has one, enrol one, revoke one. Entry point: `answer`.

Needed only while a host asks. A role's key enrols and revokes its own badges, the supervisor's the dealers' too: nobody
gives what his key does not give him. The list lies in flash, which is written only while no bet can be made.
"""

from sabot.services.badge_met import MOST, entry, find, padded, record
from sabot.wire import messages as m
from sabot.wire.codes import BADGE_ENROLLED, BADGE_REVOKED, ROLES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DARK = ("closed", "dealer_change", "shuffle")
_LENGTHS = (4, 7)  # of a badge's UID
_RANDOM = 0x08  # first byte of a UID of 4 bytes that is another one each time (ISO/IEC 14443-3)


def answer(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """Status and body of the reply to the command ``badge``; ``app`` as for `link_commands.Commands`."""
    if not arguments:
        return m.BAD_ARGUMENTS, b""
    if not app.badges:
        return m.NO_READER, b""
    if arguments[0] == m.BADGE_ENROL:
        return _enrol(app, arguments[1:])
    if arguments[0] == m.BADGE_REVOKE:
        return _revoke(app, arguments[1:])
    if arguments[0] != m.BADGE_LIST or len(arguments) > 1:
        return m.BAD_ARGUMENTS, b""
    uid = app.badges.held()
    if len(uid) not in _LENGTHS:
        uid = b""
    return m.OK, padded(uid) + app.badges.badges


def _meant(app: "Any", uid: bytes) -> "tuple[int, bytes]":
    """``OK`` and the UID that is meant, or why there is none."""
    if not app.ready or app.journal.full or app.table.state not in _DARK:
        return m.NOT_NOW, b""
    if not uid:
        uid = app.badges.held()
        if not uid:
            return m.NO_BADGE, b""
    if len(uid) not in _LENGTHS:
        return m.BAD_ARGUMENTS, b""
    if len(uid) == 4 and uid[0] == _RANDOM:
        return m.RANDOM_UID, b""
    return m.OK, uid


def _may(app: "Any", role: int) -> bool:
    own = app.access.role
    return ROLES[role] == own or (ROLES[role] == "dealer" and own == "supervisor")


def _enrol(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """A badge becomes somebody's."""
    if len(arguments) < 3:
        return m.BAD_ARGUMENTS, b""
    role, number = arguments[0], arguments[1] | arguments[2] << 8
    if not 0 < role < len(ROLES) or not number:
        return m.BAD_ARGUMENTS, b""
    if not _may(app, role):
        return m.NOT_AUTHORISED, b""
    status, uid = _meant(app, arguments[3:])
    if status != m.OK:
        return status, b""
    known = app.badges.badges
    if find(known, uid) >= 0:
        return m.TAKEN, b""
    if len(known) >= MOST * m.BADGE_BYTES:
        return m.LIST_FULL, b""
    return _change(app, BADGE_ENROLLED, arguments[:3], uid, known + entry(role, number, uid))


def _revoke(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """A badge is nobody's any more; who has signed on with its number signs off."""
    status, uid = _meant(app, arguments)
    if status != m.OK:
        return status, b""
    known = app.badges.badges
    at = find(known, uid)
    if at < 0:
        return m.NOT_FOUND, b""
    if not _may(app, known[at]):
        return m.NOT_AUTHORISED, b""
    answer = _change(app, BADGE_REVOKED, known[at : at + 3], uid, known[:at] + known[at + m.BADGE_BYTES :])
    if answer[0] == m.OK:
        app.table.sign(known[at], known[at + 1] | known[at + 2] << 8, False)
    return answer


def _change(app: "Any", did: int, whose: bytes, uid: bytes, badges: bytes) -> "tuple[int, bytes]":
    """Put ``badges`` in the list's place; ``whose``: role u8, number u16."""

    def recorded() -> None:
        record(app.journal, did, whose[0], whose[1] | whose[2] << 8, uid)

    try:
        app.keep_badges(badges, recorded)
    except OSError:
        return m.FAILED, b""
    app.badges.badges = badges
    return m.OK, whose + uid
