"""The file that says whose badge is whose: ``badges.json`` in flash. Entry points: :func:`keep`, :data:`FILE`.

It is rewritten beside its place and then takes it, so that a power cut leaves the one or the other. `start` reads it.
"""

import os

from sabot.wire.codes import ROLES
from sabot.wire.messages import BADGE_BYTES

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "badges.json"
_BESIDE = "badges.new"


def keep(entries: bytes, record: "Callable[[], None]") -> None:
    """Put these badges (`services.badge_met.entry` each) in the file's place.

    ``record`` writes the record of it: when all is written, and before it is in force.

    Raises:
        OSError: there is no room in flash; nothing has changed, and nothing is recorded.
    """
    with open(_BESIDE, "w") as file:
        file.write("[")
        for at in range(0, len(entries), BADGE_BYTES):
            role, low, high, length = entries[at : at + 4]
            uid = entries[at + 4 : at + 4 + length]
            file.write('%s["%s","%s",%d]' % ("," if at else "", uid.hex(), ROLES[role], low | high << 8))
        file.write("]")
    record()
    os.rename(_BESIDE, FILE)
