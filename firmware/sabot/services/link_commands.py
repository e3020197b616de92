"""What the host may ask of the controller: one method a command, classes of commands by role.

Entry point: :class:`Commands`, used by ``link``. Replies are ``(status, body)`` with the status codes of
``wire.messages``; a command that needs a role is refused without it, before its arguments are looked at. What a host
did to the controller (came, went, proved a role or failed to) goes into the journal.
"""

import json
import struct
import time

from micropython import const

from sabot.journal.errors import JournalError
from sabot.wire import messages as m
from sabot.wire.codes import DECLARATIONS, RESOLUTIONS, ROLES, VOID_REASONS
from sabot.wire.records import FORMAT, code_of

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINK_NOTE_MS = const(60000)  # a link that flaps must not fill the journal: one pair of records a minute
_MAX_LATER = const(8)
_SELDOM = ("set_time", "self_test", "release", "seal")  # a technician's, `link_technician`


class Commands:
    """``app``: ``table journal access clock badges ready version unique_id table_number game_id``.

    It also gives ``sealed settings published status() boot_loader() prompt() answer(challenge)
    self_test(tries) end_self_test()`` and what `link_view` asks of it.

    ``journal`` and ``table`` are None on a controller that refused to start for want of them: it answers, and says why.
    """

    def __init__(self, app: "Any") -> None:
        self._app = app
        self.pushing = 0  # sequence of the record that is being pushed, for this subscription
        self._next = 0  # sequence of the next record to push; 0: not subscribed
        self._up = False
        self.test: "Any" = None  # a self-test that runs, or whose result waits
        self._leaving = 0  # when the session is over: the command that asked for it
        self._noted_up = False  # what the journal says of the link
        self._noted_at = 0
        self._noted_lately = False
        self._later: list[tuple[int, dict[str, int]]] = []  # records for which the journal had no room

    # --- the session --------------------------------------------------------------------------------------------------

    def version(self) -> bytes:
        """The firmware's version as a text of the protocol."""
        return _text(self._app.version)

    def hello(self) -> bytes:
        """The description of the controller that opens a session (``messages.HELLO``)."""
        app = self._app
        journal = app.journal
        return struct.pack(
            m.HELLO,
            FORMAT,
            1 if app.sealed else 0,
            app.table_number,
            journal.boot if journal else 0,
            app.unique_id,
            journal.first if journal else 0,
            journal.last if journal else 0,
            journal.acknowledged if journal else 0,
        ) + _text(app.game_id)

    def mark(self) -> bytes:
        """Four bytes that nobody can guess."""
        mark: bytes = self._app.access.random(m.MARK_SIZE)
        return mark

    def opened(self) -> None:
        """A host has begun a session."""
        self._up = True

    def gone(self) -> None:
        """The host is gone: nothing is pushed any more and its role is forgotten."""
        self._up = False
        self._next = 0
        self.pushing = 0
        self._app.access.forget()
        if self._leaving and self.may_leave() and not self._app.sealed:
            if self._leaving == m.C_PROMPT:
                self._app.prompt()
            else:
                self._app.boot_loader()
        self._leaving = 0

    def tick(self, now: int) -> None:
        """Each turn of the link, ``now`` in ticks_ms: the lock-out's end, and the journal's note of the link."""
        self._app.access.tick(now)
        if self._noted_lately and time.ticks_diff(now, self._noted_at) >= LINK_NOTE_MS:
            self._noted_lately = False
        if self._up == self._noted_up or (self._up and self._noted_lately) or not self._app.journal:
            return
        self._noted_up = self._up
        if self._up:
            self._noted_lately = True
            self._noted_at = now
        self._note("link", {"up": 1 if self._up else 0})

    def _note(self, name: str, values: "dict[str, int]") -> None:
        """Record what a host did. A full journal keeps its last room for the running round: the note waits for more."""
        journal = self._app.journal
        if not journal:
            return
        if not journal.full:
            try:
                journal.append(code_of(name), values)
            except JournalError as error:
                self._app.journal_failed(error, "link")  # the link goes on, so that somebody can see it
        elif len(self._later) < _MAX_LATER:
            self._later.append((code_of(name), values))

    # --- records ------------------------------------------------------------------------------------------------------

    def subscribed(self) -> int:
        """Sequence of the next record to push, or 0."""
        if not self._next or self._next > self._app.journal.last:
            return 0
        # Acknowledged records may have been overwritten since; the host sees the gap in the numbers.
        self._next = max(self._next, self._app.journal.first)
        return self._next

    def record(self, sequence: int) -> "bytes | None":
        """A record to push; None ends the subscription: the record is not kept, or its place is damaged."""
        record: "bytes | None" = None
        try:
            record = self._app.journal.read(sequence)
        except JournalError:
            pass
        if record:
            self.pushing = sequence
        else:
            self._next = 0
        return record

    def pushed(self) -> None:
        """The host has the record whole: go on to the next, unless it has asked for others meanwhile."""
        if self.pushing:
            self._next = self.pushing + 1
            self.pushing = 0

    # --- requests -----------------------------------------------------------------------------------------------------

    def request(self, command: int, arguments: bytes) -> "tuple[int, bytes]":
        """Answer one request."""
        for code, name, roles, _ in m.COMMANDS:
            if code == command:
                if roles and self._app.access.role not in roles:
                    return m.NOT_AUTHORISED, b""
                try:
                    if name in _SELDOM:
                        return self._technician(name, arguments)
                    reply: tuple[int, bytes] = getattr(self, "_" + name)(arguments)
                except JournalError as error:
                    self._app.journal_failed(error, "link")
                    return m.FAILED, b""
                return reply
        return m.UNKNOWN_COMMAND, b""

    def _status(self, arguments: bytes) -> "tuple[int, bytes]":
        return m.OK, json.dumps(self._app.status()).encode()

    def _view(self, arguments: bytes) -> "tuple[int, bytes]":
        from sabot.services.link_view import pack  # no heap for it where no monitor asks

        return m.OK, pack(self._app)

    def _auth_begin(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 1 or not 0 < arguments[0] < len(ROLES):
            return m.BAD_ARGUMENTS, b""
        reply: tuple[int, bytes] = self._app.access.begin()
        return reply

    def _auth(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 33 or not 0 < arguments[0] < len(ROLES):
            return m.BAD_ARGUMENTS, b""
        status = self._app.access.prove(arguments[0], arguments[1:])
        if status == m.LOCKED_OUT:
            return status, struct.pack("<I", self._app.access.blocked_ms())
        self._note("access", {"role": arguments[0], "granted": 1 if status == m.OK else 0})
        return status, b""

    def _subscribe(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        journal = self._app.journal
        if not journal:
            return m.NOT_NOW, b""
        first = struct.unpack("<I", arguments)[0]
        kept = struct.pack("<II", journal.first, journal.last)
        if not journal.first <= first <= journal.last + 1:
            return m.NOT_FOUND, kept
        try:
            journal.read(first)
        except JournalError:
            return m.FAILED, kept
        self._next = first
        self.pushing = 0
        return m.OK, kept

    def _acknowledge(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        journal = self._app.journal
        if not journal:
            return m.NOT_NOW, b""
        sequence = struct.unpack("<I", arguments)[0]
        if sequence > journal.last:
            return m.NOT_FOUND, b""
        journal.acknowledge(sequence)
        while self._later and not journal.full:
            code, values = self._later.pop(0)
            journal.append(code, values)
        return m.OK, struct.pack("<I", journal.acknowledged)

    def _head(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != m.NONCE_SIZE:
            return m.BAD_ARGUMENTS, b""
        if not self._app.journal:
            return m.NOT_NOW, b""
        return m.OK, self._app.journal.head(arguments)

    def _resolve(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 7:
            return m.BAD_ARGUMENTS, b""
        number, resolution, amount = struct.unpack("<HBI", arguments)
        if not 0 < resolution < len(RESOLUTIONS):
            return m.BAD_ARGUMENTS, b""
        if not self._app.ready:
            return m.NOT_NOW, b""
        done = self._app.table.resolve(number, resolution, amount, ROLES.index(self._app.access.role))
        return (m.OK if done else m.NOT_FOUND), b""

    def _void(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 1 or not 0 < arguments[0] < len(VOID_REASONS):
            return m.BAD_ARGUMENTS, b""
        if not self._app.ready:
            return m.NOT_NOW, b""
        done = self._app.table.void(arguments[0], ROLES.index("supervisor"))
        return (m.OK if done else m.NOT_NOW), b""

    def _sign(self, arguments: bytes) -> "tuple[int, bytes]":
        """A dealer with the dealer's key; a supervisor's key signs on both."""
        if len(arguments) != 4:
            return m.BAD_ARGUMENTS, b""
        role, number, on = struct.unpack("<BHB", arguments)
        if role not in (ROLES.index("dealer"), ROLES.index("supervisor")) or not number or on > 1:
            return m.BAD_ARGUMENTS, b""
        if ROLES[role] == "supervisor" and self._app.access.role != "supervisor":
            return m.NOT_AUTHORISED, b""
        if not self._app.ready or self._app.journal.full:
            return m.NOT_NOW, b""
        done = self._app.table.sign(role, number, on == 1)
        return (m.OK if done else m.NOT_NOW), b""

    def _declare(self, arguments: bytes) -> "tuple[int, bytes]":
        if len(arguments) != 6:
            return m.BAD_ARGUMENTS, b""
        kind, place, amount = struct.unpack("<BBI", arguments)
        if not 0 < kind < len(DECLARATIONS):
            return m.BAD_ARGUMENTS, b""
        if not self._app.ready or self._app.journal.full:
            return m.NOT_NOW, b""
        done = self._app.table.declare(DECLARATIONS[kind], place, amount, ROLES.index("supervisor"))
        return (m.OK if done else m.NOT_NOW), b""

    def _badge(self, arguments: bytes) -> "tuple[int, bytes]":
        from sabot.services.link_badges import answer  # no heap for it while nobody asks

        reply = answer(self._app, arguments)
        for name in ("link_badges", "badge_met"):
            self._app.forget("sabot.services." + name)
        return reply

    def _boot_loader(self, arguments: bytes) -> "tuple[int, bytes]":
        return self._leave(m.C_BOOT_LOADER, "boot_loader", arguments)

    def _prompt(self, arguments: bytes) -> "tuple[int, bytes]":
        if not self._app.journal:
            return m.NOT_NOW, b""  # nothing could say that it was done, nor whether there is a seal
        return self._leave(m.C_PROMPT, "prompt", arguments)

    def _leave(self, command: int, record: str, arguments: bytes) -> "tuple[int, bytes]":
        """Leave the table for something else when the session is over; the record says so now."""
        if arguments:
            return m.BAD_ARGUMENTS, b""
        if self._app.sealed:
            return m.SEALED, b""
        journal = self._app.journal
        if not self.may_leave() or (journal and journal.full):
            return m.NOT_NOW, b""
        if journal:
            journal.append(code_of(record), {"by": ROLES.index("technician")})
        self._leaving = command
        return m.OK, b""

    def _technician(self, name: str, arguments: bytes) -> "tuple[int, bytes]":
        from sabot.services.link_technician import answer  # no heap for it while no technician is there

        reply = answer(self, self._app, name, arguments)
        self._app.forget("sabot.services.link_technician")
        return reply

    def may_leave(self) -> bool:
        """Whether no bet lies on the table and no round is open; without a table there is none."""
        return not self._app.table or self._app.table.state in ("closed", "idle")


def _text(text: str) -> bytes:
    """A text of the protocol: a length byte, then at most ``MAX_TEXT`` bytes."""
    data = text.encode()[: m.MAX_TEXT]
    return struct.pack("<B", len(data)) + data
