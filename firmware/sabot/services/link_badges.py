"""What the host asks about badges: who has one, enrol one, revoke one. Entry points: `listed`, `enrol`, `revoke`.

Needed only while a host asks. A role's key enrols and revokes its own badges, the supervisor's the dealers' too: nobody
gives what his key does not give him. The list lies in flash, which is written only while no bet can be made.
"""

import struct

from sabot.services.badge_list import MOST, entry
from sabot.wire import messages as m
from sabot.wire.codes import BADGES, ROLES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DARK = ("closed", "dealer_change", "shuffle")
_LENGTHS = (4, 7)  # of a badge's UID
_RANDOM = 0x08  # first byte of a UID of 4 bytes that is another one each time (ISO/IEC 14443-3)


def listed(app: "Any") -> "tuple[int, bytes]":
    """The badge on the reader, and all that are enrolled."""
    if not app.badges:
        return m.NO_READER, b""
    uid = app.badges.held()
    if len(uid) not in _LENGTHS:
        uid = b""
    return m.OK, struct.pack(m.HELD, len(uid), uid) + app.badges.badges.entries


def _meant(app: "Any", uid: bytes) -> "tuple[int, bytes]":
    """``OK`` and the UID that is meant, or why there is none."""
    if not app.badges:
        return m.NO_READER, b""
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


def enrol(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """A badge becomes somebody's."""
    if len(arguments) < 3:
        return m.BAD_ARGUMENTS, b""
    role, number = struct.unpack("<BH", arguments[:3])
    if not 0 < role < len(ROLES) or not number:
        return m.BAD_ARGUMENTS, b""
    if not _may(app, role):
        return m.NOT_AUTHORISED, b""
    status, uid = _meant(app, arguments[3:])
    if status != m.OK:
        return status, b""
    known = app.badges.badges
    if known.find(uid) >= 0:
        return m.TAKEN, b""
    if len(known.entries) >= MOST * m.BADGE_BYTES:
        return m.LIST_FULL, b""
    return _change(app, "enrolled", role, number, uid, known.entries + entry(role, number, uid))


def revoke(app: "Any", arguments: bytes) -> "tuple[int, bytes]":
    """A badge is nobody's any more; who has signed on with its number signs off."""
    status, uid = _meant(app, arguments)
    if status != m.OK:
        return status, b""
    known = app.badges.badges
    at = known.find(uid)
    if at < 0:
        return m.NOT_FOUND, b""
    role, number = known.whose(at)
    if not _may(app, role):
        return m.NOT_AUTHORISED, b""
    rest = known.entries[:at] + known.entries[at + m.BADGE_BYTES :]
    answer = _change(app, "revoked", role, number, uid, rest)
    if answer[0] == m.OK:
        app.table.sign(role, number, False)
    return answer


def _change(app: "Any", did: str, role: int, number: int, uid: bytes, entries: bytes) -> "tuple[int, bytes]":
    def record() -> None:
        app.badges.record(BADGES.index(did), role, number, uid)

    try:
        app.badges.badges.change(entries, record)
    except OSError:
        return m.FAILED, b""
    return m.OK, struct.pack("<BH", role, number) + uid
