"""What the host may ask of the controller: one method a command, classes of commands by role.

Entry point: :class:`Commands`, used by ``link``. Replies are ``(status, body)`` with the status codes of
``wire.messages``; a command that needs a role is refused without it, before its arguments are looked at.
"""

import json
import struct

from sabot.wire import messages as m
from sabot.wire.codes import RESOLUTIONS, ROLES, VOID_REASONS
from sabot.wire.records import FORMAT

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Commands:
    """``app`` gives ``table journal access clock ready version unique_id table_number game_id sealed status()``.

    ``journal`` and ``table`` are None on a controller that refused to start: it answers, and says why.
    """

    def __init__(self, app: "Any") -> None:
        self._app = app
        self._next = 0  # sequence of the next record to push; 0: not subscribed

    def hello(self) -> bytes:
        """The description of the controller that opens a session (``messages.HELLO``)."""
        app = self._app
        journal = app.journal
        texts = b""
        for text in (app.version, app.game_id):
            texts += struct.pack("<B", len(text)) + text.encode()
        return (
            struct.pack(
                m.HELLO,
                m.PROTOCOL,
                FORMAT,
                1 if app.sealed else 0,
                app.table_number,
                journal.boot if journal else 0,
                app.unique_id,
                journal.first if journal else 0,
                journal.last if journal else 0,
                journal.acknowledged if journal else 0,
            )
            + texts
        )

    def gone(self) -> None:
        """The host is gone: nothing is pushed any more and its role is forgotten."""
        self._next = 0
        self._app.access.forget()

    def subscribed(self) -> int:
        """Sequence of the next record to push, or 0."""
        return self._next if self._next and self._next <= self._app.journal.last else 0

    def pushed(self, sequence: int) -> None:
        """The host has acknowledged the frame of this record: go on to the next."""
        self._next = sequence + 1

    def request(self, command: int, arguments: bytes) -> "tuple[int, bytes]":
        """Answer one request."""
        for code, name, roles in m.COMMANDS:
            if code == command:
                if roles and self._app.access.role not in roles:
                    return m.NOT_AUTHORISED, b""
                if code != m.C_STATUS and not self._app.ready:
                    return m.NOT_NOW, b""
                reply: tuple[int, bytes] = getattr(self, "_" + name)(arguments)
                return reply
        return m.UNKNOWN_COMMAND, b""

    def _status(self, arguments: bytes) -> "tuple[int, bytes]":
        return m.OK, json.dumps(self._app.status()).encode()

    def _auth_begin(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 1 or not 0 < arguments[0] < len(ROLES):
            return m.BAD_ARGUMENTS, b""
        reply: tuple[int, bytes] = self._app.access.begin()
        return reply

    def _auth(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 33:
            return m.BAD_ARGUMENTS, b""
        status = self._app.access.prove(arguments[0], arguments[1:])
        role = arguments[0] if arguments[0] < len(ROLES) else 0
        if status in (m.OK, m.NOT_AUTHORISED):
            self._app.journal.append(0x07, {"role": role, "granted": 1 if status == m.OK else 0})
        return status, b""

    def _subscribe(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        first = struct.unpack("<I", arguments)[0]
        journal = self._app.journal
        if first < journal.first or first > journal.last + 1:
            return m.NOT_FOUND, struct.pack("<II", journal.first, journal.last)
        self._next = first
        return m.OK, struct.pack("<II", journal.first, journal.last)

    def _acknowledge(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        sequence = struct.unpack("<I", arguments)[0]
        journal = self._app.journal
        if sequence > journal.last:
            return m.NOT_FOUND, b""
        journal.acknowledge(sequence)
        return m.OK, struct.pack("<I", journal.acknowledged)

    def _head(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != m.NONCE_SIZE:
            return m.BAD_ARGUMENTS, b""
        return m.OK, self._app.journal.head(arguments)

    def _resolve(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 7:
            return m.BAD_ARGUMENTS, b""
        number, resolution, amount = struct.unpack("<HBI", arguments)
        if not 0 < resolution < len(RESOLUTIONS):
            return m.BAD_ARGUMENTS, b""
        done = self._app.table.resolve(number, resolution, amount, ROLES.index("supervisor"))
        return (m.OK if done else m.NOT_FOUND), b""

    def _void(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 1 or not 0 < arguments[0] < len(VOID_REASONS):
            return m.BAD_ARGUMENTS, b""
        done = self._app.table.void(arguments[0], ROLES.index("supervisor"))
        return (m.OK if done else m.NOT_NOW), b""

    def _set_time(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        before = self._app.clock.wall()[0]
        after = struct.unpack("<I", arguments)[0]
        self._app.clock.set_wall(after)
        self._app.journal.append(0x08, {"before": before, "after": after, "by": ROLES.index("technician")})
        return m.OK, b""
