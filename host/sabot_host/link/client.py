"""A session with a controller: open, prove a role, ask, take records.

Entry points: :class:`Client`, :class:`EnrolledBadge`, :class:`Transport` (what it needs of a cable). Every wait has a
bound. A session that is lost under way is opened again, with the role that was proved; what was asked is asked again
only where that does no harm. A cable that is pulled and comes back, under whatever name, is opened again while records
are taken.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from sabot.wire import messages as m
from sabot.wire.codes import DECLARATIONS, ROLES
from sabot.wire.records import FORMAT
from sabot_host.errors import DeviceError, RefusedError, UsageError
from sabot_host.link.core import Desync, Event, Hello, LinkCore, Mismatch, Prompt, Record, Reply
from sabot_host.link.refusals import mismatch, refusal, wrong_key
from sabot_host.link.status import read as read_status

OPEN_MS = 4000
REQUEST_MS = 5000
ATTEST_MS = 10_000  # the board reads all its files meanwhile
QUIET_MS = 3000  # no record for this long while some are due
RETURN_MS = 10_000  # a controller that starts again is back on the bus after 0.2 to 3 s
TRIES = 3
_SLICE_MS = 50
_REPEATABLE = {code for code, _, _, repeatable in m.COMMANDS if repeatable}


class Transport(Protocol):
    """A cable: bytes both ways and the clock that goes with it."""

    def now_ms(self) -> int:
        """Milliseconds of a clock that only goes forward."""

    def write(self, data: bytes) -> None:
        """Send bytes. DeviceError when the cable is gone."""

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that have come, waiting up to ``timeout_ms`` for the first. DeviceError when the cable is gone."""

    def reopen(self, timeout_ms: int) -> None:
        """Find the same controller again after the cable was gone. DeviceError when it is not back in time."""

    def close(self) -> None:
        """Let the cable go."""


class EnrolledBadge(NamedTuple):
    """Whose a badge is: role, number, UID of 4 or 7 bytes in the order of the air."""

    role: str
    number: int
    uid: bytes


class SessionLost(Exception):
    """The session broke while something was asked; nobody knows whether it was done."""


class Client:
    """One session over ``transport``. Not thread-safe. ``on_prompt`` is told of each prompt to the dealer."""

    def __init__(self, transport: Transport, on_prompt: Callable[[Prompt], None] | None = None) -> None:
        self._transport = transport
        self._core = LinkCore(lambda: os.urandom(m.HELLO_NONCE_SIZE))
        self._on_prompt = on_prompt
        self._records: deque[Record] = deque()
        self._role: tuple[str, bytes] | None = None

    @property
    def hello(self) -> Hello:
        """The controller's description; only after :meth:`open`."""
        if self._core.hello is None:
            raise RuntimeError("no session is open")
        return self._core.hello

    def open(self, timeout_ms: int = OPEN_MS) -> Hello:
        """Start the session. DeviceError when nothing that speaks this protocol answers; RefusedError on a mismatch."""
        garbage = self._core.dropped
        self._records.clear()
        self._core.open(self._transport.now_ms())
        events = self._wait((Hello, Mismatch), timeout_ms)
        for event in events:
            if isinstance(event, Mismatch):
                raise mismatch(event)
        if not events:
            if self._core.dropped > garbage:
                raise DeviceError(
                    "link-garbage",
                    "what comes from this port is not Sabot's protocol",
                    "name the port of a Sabot controller with --port",
                )
            raise DeviceError(
                "link-silent",
                "nothing on this port answers as a Sabot controller",
                "is it the controller's port? unplug it, plug it in, try again",
            )
        hello = self.hello
        if hello.record_format != FORMAT:
            raise RefusedError(
                "link-records",
                f"the controller (version {hello.version}) writes records of format {hello.record_format}, "
                f"this tool reads {FORMAT}",
                f"use the sabot tool of version {hello.version}, or update the controller",
            )
        return hello

    def close(self) -> None:
        """End the session and let the cable go."""
        try:
            self._bye()
        finally:
            self._role = None
            self._transport.close()

    def authenticate(self, role: str, key: bytes) -> None:
        """Prove a role with its key (32 bytes). RefusedError when the controller does not accept it."""
        if role not in ROLES[1:]:
            raise UsageError("role-unknown", f"there is no role {role}", f"one of {', '.join(ROLES[1:])}")
        number = ROLES.index(role)
        self._role = None
        for _ in range(TRIES):
            nonce = self.call(m.C_AUTH_BEGIN, bytes([number]))
            message = m.AUTH_LABEL + nonce + self.hello.unique_id + bytes([number])
            proof = hmac.new(key, message, hashlib.sha256).digest()
            try:
                reply = self._ask(m.C_AUTH, bytes([number]) + proof, REQUEST_MS)
            except SessionLost:
                self.open()  # with a new nonce: the old proof would count as a wrong key
                continue
            if reply.status == m.NOT_AUTHORISED:
                raise wrong_key(role)
            if reply.status != m.OK:
                raise refusal(reply.status, reply.body)
            self._role = (role, key)
            return
        raise self._unsteady()

    def call(self, command: int, arguments: bytes = b"", timeout_ms: int = REQUEST_MS) -> bytes:
        """Send one request and return its answer.

        RefusedError with the controller's reason; DeviceError on silence, on a cable that breaks the session again and
        again, and, with the code ``link-unsure``, when the session broke over a request that may not be repeated.
        """
        for _ in range(TRIES):
            self._freshen()
            try:
                reply = self._ask(command, arguments, timeout_ms)
            except SessionLost:
                if command not in _REPEATABLE:
                    raise DeviceError(
                        "link-unsure",
                        "the session broke before the answer came: it was done, or not",
                        "look with `sabot status` and in the journal before you do it again",
                    ) from None
                self._reopen()
                continue
            if reply.status != m.OK:
                raise refusal(reply.status, reply.body)
            return reply.body
        raise self._unsteady()

    def status(self) -> dict[str, Any]:
        """What the controller says of itself and of the table."""
        try:
            return read_status(self.call(m.C_STATUS))
        except ValueError as error:
            raise DeviceError(
                "link-nonsense",
                f"the controller's status has no meaning: {error}",
                "update the controller and the tool",
            ) from error

    def read_records(
        self, first: int, on_progress: Callable[[int, int], None] | None = None, last: int | None = None
    ) -> Iterator[bytes]:
        """The raw records from ``first`` to ``last`` (default: the last one there now), each once, in order.

        ``on_progress(sequence, last)`` is called for each. Goes on from where it stopped after a lost session or a
        cable that was pulled. DeviceError ``link-gap`` when the controller does not send the next one.
        """
        expected = first
        there = self._subscribe(expected)
        last = there if last is None else last
        while expected <= last:
            if not self._records:
                self._await_records(expected)
            record = self._records.popleft()
            if record.sequence != expected:
                raise DeviceError(
                    "link-gap",
                    f"the controller sent record {record.sequence} where {expected} was due",
                    "another pull may have acknowledged what is missing: find its file",
                )
            expected += 1
            if on_progress is not None:
                on_progress(record.sequence, last)
            yield record.data

    def head(self, nonce: bytes) -> bytes:
        """The head of the journal over our nonce (16 bytes)."""
        return self.call(m.C_HEAD, nonce)

    def acknowledge(self, sequence: int) -> None:
        """Tell the controller that the records up to ``sequence`` are safe here and may be overwritten there."""
        self.call(m.C_ACKNOWLEDGE, struct.pack("<I", sequence))

    def resolve(self, irregularity: int, resolution: int, amount: int = 0) -> None:
        """Supervisor: end an irregularity."""
        self.call(m.C_RESOLVE, struct.pack("<HBI", irregularity, resolution, amount))

    def void(self, reason: int) -> None:
        """Supervisor: void the round."""
        self.call(m.C_VOID, bytes([reason]))

    def sign(self, role: str, number: int, on: bool) -> None:
        """Dealer or supervisor: sign on or off, by number (1 to 65535)."""
        self.call(m.C_SIGN, struct.pack("<BHB", ROLES.index(role), number, int(on)))

    def badges(self) -> tuple[bytes, list[EnrolledBadge]]:
        """UID of the badge that is held to the reader, empty when none is, and every badge that is enrolled."""
        body = self.call(m.C_BADGE, bytes([m.BADGE_LIST]))
        held, entries = body[1 : 1 + body[0]], body[m.HELD_BYTES :]
        found = []
        for at in range(0, len(entries), m.BADGE_BYTES):
            role, number, length, uid = struct.unpack("<BHB7s", entries[at : at + m.BADGE_BYTES])
            found.append(EnrolledBadge(ROLES[role], number, uid[:length]))
        return held, found

    def enrol(self, role: str, number: int, uid: bytes = b"") -> bytes:
        """Enrol the badge of that UID, or the one that is held to the reader; returns its UID."""
        return self.call(m.C_BADGE, struct.pack("<BBH", m.BADGE_ENROL, ROLES.index(role), number) + uid)[3:]

    def revoke(self, uid: bytes) -> None:
        """Revoke the badge of that UID."""
        self.call(m.C_BADGE, bytes([m.BADGE_REVOKE]) + uid)

    def declare(self, kind: str, place: int, amount: int = 0) -> None:
        """Supervisor: say what no antenna sees at a spot (`codes.DECLARATIONS`, a place byte, cents)."""
        self.call(m.C_DECLARE, struct.pack("<BBI", DECLARATIONS.index(kind), place, amount))

    def set_time(self, seconds: int) -> None:
        """Technician: set the controller's clock, in seconds since 1970 UTC."""
        self.call(m.C_SET_TIME, struct.pack("<I", seconds))

    def boot_loader(self) -> None:
        """Technician: have the controller start its boot loader. The session is over; the port is about to vanish."""
        self.call(m.C_BOOT_LOADER)
        self._bye()

    def seal(self, on: bool) -> None:
        """Technician: put the seal on; or take it off, after a proof of the supervisor in this session."""
        self.call(m.C_SEAL, bytes((int(on),)))

    def attest(self, challenge: bytes) -> bytes:
        """What proves the release on the board, over the caller's ``challenge`` (`messages.CHALLENGE_SIZE` bytes)."""
        return self.call(m.C_RELEASE, challenge, ATTEST_MS)

    def prompt(self) -> None:
        """Technician: have the controller start again at its interpreter's prompt. The session is over."""
        self.call(m.C_PROMPT)
        self._bye()

    def rest(self, duration_ms: int) -> None:
        """Ask for nothing so long, and keep the session alive."""
        self._wait((), duration_ms)

    # --- how it is done -----------------------------------------------------------------------------------------------

    def _subscribe(self, first: int) -> int:
        """Have the records from ``first`` on pushed; the newest one there is."""
        _, last = struct.unpack("<II", self.call(m.C_SUBSCRIBE, struct.pack("<I", first)))
        self._records.clear()  # what came before the answer belongs to an older subscription
        return int(last)

    def _await_records(self, expected: int) -> None:
        """Until a record is there: pump, and start again from ``expected`` after a lost session or cable."""
        for _ in range(TRIES):
            try:
                if any(isinstance(event, Record) for event in self._wait((Record, Desync), QUIET_MS)):
                    return
                self._reopen()
            except DeviceError as error:
                if error.code != "port-gone":
                    raise
                self._transport.reopen(RETURN_MS)
                self._reopen()
            self._subscribe(expected)
        raise self._unsteady()

    def _freshen(self) -> None:
        """A session over which nothing was said for long is over: open another one before anything is asked."""
        lost = any(isinstance(event, Desync) for event in self._core.poll(self._transport.now_ms()))
        if lost or not self._core.idle:
            self._reopen()

    def _ask(self, command: int, arguments: bytes, timeout_ms: int) -> Reply:
        """One request in this session. SessionLost when it broke, DeviceError on silence."""
        number = self._core.request(command, arguments, self._transport.now_ms())
        for event in self._wait((Reply, Desync), timeout_ms):
            if isinstance(event, Desync):
                raise SessionLost(event.reason)
            if isinstance(event, Reply) and event.request == number:
                return event
        raise DeviceError(
            "link-no-answer",
            "the controller does not answer the request",
            "unplug it, plug it in, try again",
        )

    def _reopen(self) -> None:
        """Open the session again, with the role that was proved."""
        role = self._role
        self.open()
        if role is not None:
            self.authenticate(*role)

    @staticmethod
    def _unsteady() -> DeviceError:
        return DeviceError("link-unsteady", "the session breaks again and again", "check the cable, then try again")

    def _bye(self) -> None:
        """End the session."""
        try:
            self._core.bye()
            self._flush()
        except DeviceError:
            pass  # the port is gone already; silence ends the session too

    def _flush(self) -> None:
        data = self._core.outgoing()
        if data:
            self._transport.write(data)

    def _wait(self, kinds: tuple[type[Event], ...], timeout_ms: int) -> list[Event]:
        """Pump bytes until an event of one of ``kinds`` comes; those that came with it, or none after the time."""
        end = self._transport.now_ms() + timeout_ms
        while True:
            events = self._core.poll(self._transport.now_ms())
            self._flush()
            events += self._core.receive(self._transport.read(_SLICE_MS), self._transport.now_ms())
            # Acknowledge at once, so that the controller need not send again.
            self._flush()
            for event in events:
                if isinstance(event, Record):
                    self._records.append(event)
                elif isinstance(event, Prompt) and self._on_prompt is not None:
                    self._on_prompt(event)
            found = [event for event in events if isinstance(event, kinds)]
            if found or self._transport.now_ms() >= end:
                return found
