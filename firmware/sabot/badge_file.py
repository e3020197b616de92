"""The file that says whose badge is whose: ``badges.json`` in flash. Entry points: :func:`keep`, :data:`FILE`.

It lies there in two copies, as all settings do (`integrity`). `start` reads it.
"""

import os

from sabot import integrity
from sabot.wire.codes import ROLES
from sabot.wire.messages import BADGE_BYTES
from sabot.wire.signed import kept, second

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FILE = "badges.json"  # of `signed.SETTINGS`
_BESIDE = ("badges.new", "badges.next")  # of the copy, of the file


def keep(entries: bytes, record: "Callable[[], None]") -> None:
    """Put these badges (`services.badge_met.entry` each) in the place of the file and of its copy.

    ``record`` writes the record of it: when all is written, and before it is in force.

    Raises:
        OSError: there is no room in flash; nothing has changed, and nothing is recorded.
    """
    listed = []
    for at in range(0, len(entries), BADGE_BYTES):
        role, low, high, length = entries[at : at + 4]
        uid = entries[at + 4 : at + 4 + length]
        listed.append('["%s","%s",%d]' % (uid.hex(), ROLES[role], low | high << 8))
    versions = [each[0] for each in integrity.parts(FILE) if each]
    data = kept(max(versions) + 1 if versions else 1, ("[" + ",".join(listed) + "]").encode())
    for beside in _BESIDE:
        with open(beside, "wb") as file:
            file.write(data)
    record()
    os.rename(_BESIDE[0], second(FILE))  # first: from here on the newer of the two is in force
    os.rename(_BESIDE[1], FILE)
