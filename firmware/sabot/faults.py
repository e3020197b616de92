"""Faults of the controller's parts: what the status and the display say, and the records that tell of them.

Entry points: :class:`Faults`, and :func:`leave_word` and :func:`last_word`, by which a controller that goes down tells
the next start why.
"""

import io
import os
import sys

from sabot.wire.codes import FAULTS
from sabot.wire.records import code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_CRASH = "crash.txt"
_CRASH_CHARACTERS = 1000
_CRASH_BYTES = 4 * _CRASH_CHARACTERS
_DETAIL = 120  # bytes of a fault's detail in a record


class Faults:
    """What is out of order: ``parts`` holds code by part, the part named as in "reader 2"."""

    def __init__(self) -> None:
        self.parts: "dict[str, str]" = {}
        self.journal: "Any" = None  # of a controller that has opened it

    def of(self, part: str, index: int) -> "Callable[[str], None]":
        """A function that takes a part's fault code, or ``""`` when the part is back; ``part`` of `codes.FAULTS`."""

        def told(code: str) -> None:
            self.tell(part, index, code)

        return told

    def tell(self, part: str, index: int, code: str) -> None:
        """Keep and record a part's fault; ``""``: the part is back, which is recorded when it had failed.

        Where no journal is open, the status and the display tell it all the same.
        """
        name = "%s %d" % (part, index)
        if code:
            self.parts[name] = code
            if self.journal:
                self.record(part, index, code)
        elif name in self.parts:
            del self.parts[name]
            if self.journal:
                self.journal.append(code_of("fault_cleared"), {"part": FAULTS.index(part), "index": index, "by": 0})

    def record(self, part: str, index: int, detail: str) -> None:
        """Record a fault that is over, or that no part of its own can be back from."""
        values = {"part": FAULTS.index(part), "index": index, "detail": detail[:_DETAIL]}
        self.journal.append(code_of("fault"), values)


def leave_word(error: Exception, reason: str = "") -> None:
    """Keep why the controller went down, for the journal of the next start; nothing goes to the port.

    ``reason``: in words, when it is not ``error`` itself.
    """
    text = io.StringIO()
    sys.print_exception(error, text)
    text.write(reason)
    try:
        with open(_CRASH, "w") as file:
            file.write(text.getvalue()[-_CRASH_CHARACTERS:])
    except OSError:
        return  # no room in flash: the watchdog's cause in power_on is all that is left


def last_word() -> str:
    """The last line that the crash before this start left, or an empty text; it is then gone."""
    try:
        with open(_CRASH, "rb") as file:
            last = file.read(_CRASH_BYTES).strip().split(b"\n")[-1]
        os.remove(_CRASH)
    except OSError:
        return ""
    # The power may have gone while it was written: whatever stands there must fit a record.
    return "".join([chr(byte) if 32 <= byte < 127 else "?" for byte in last[:_DETAIL]])
