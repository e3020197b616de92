"""The file that says whose badge is whose: ``badges.json`` in flash. Entry points: :func:`keep`, :data:`FILE`.

It is rewritten beside its place and then takes it, so that a power cut leaves the one or the other. `start` reads it.
"""

import os
import struct
from binascii import hexlify

from sabot.wire.codes import ROLES
from sabot.wire.messages import BADGE, BADGE_BYTES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "badges.json"
_BESIDE = "badges.new"


def keep(entries: bytes, record: "Callable[[], None]") -> None:
    """Put these badges (`wire.messages.BADGE` each) in the file's place.

    ``record`` writes the record of it: when all is written, and before it is in force.

    Raises:
        OSError: there is no room in flash; nothing has changed, and nothing is recorded.
    """
    with open(_BESIDE, "w") as file:
        file.write("[")
        for at in range(0, len(entries), BADGE_BYTES):
            role, number, length, uid = struct.unpack(BADGE, entries[at : at + BADGE_BYTES])
            line = '%s["%s","%s",%d]' % ("," if at else "", hexlify(uid[:length]).decode(), ROLES[role], number)
            file.write(line)
        file.write("]")
    record()
    os.rename(_BESIDE, FILE)
