"""A session with a controller: open, prove a role, ask, take records.

Entry points: :class:`Client`, :class:`Transport` (what it needs of a cable). Every wait has a bound; a cable that is
pulled and comes back within it is opened again and the request repeated.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import struct
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from sabot.wire import messages as m
from sabot.wire.codes import ROLES
from sabot.wire.records import FORMAT
from sabot_host.errors import DeviceError, RefusedError
from sabot_host.link.core import Desync, Event, Hello, LinkCore, Prompt, Record, Reply

OPEN_MS = 4000
REQUEST_MS = 5000
QUIET_MS = 3000  # no record for this long while some are due
_SLICE_MS = 50
_SILENCE = (
    "the controller does not answer",
    "is the port a Sabot controller, and no other tool using it? unplug it, plug it in, try again",
)


class Transport(Protocol):
    """A cable: bytes both ways and the clock that goes with it."""

    def now_ms(self) -> int:
        """Milliseconds of a clock that only goes forward."""

    def write(self, data: bytes) -> None:
        """Send bytes. DeviceError when the cable is gone."""

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that have come, waiting up to ``timeout_ms`` for the first. DeviceError when the cable is gone."""

    def close(self) -> None:
        """Let the cable go."""


class Client:
    """One session over ``transport``. Not thread-safe. ``on_prompt`` is told of each prompt to the dealer."""

    def __init__(self, transport: Transport, on_prompt: Callable[[Prompt], None] | None = None) -> None:
        self._transport = transport
        self._core = LinkCore(lambda: os.urandom(8))
        self._on_prompt = on_prompt
        self._records: list[Record] = []
        self._role: tuple[str, bytes] | None = None

    @property
    def hello(self) -> Hello:
        """The controller's description; only after :meth:`open`."""
        if self._core.hello is None:
            raise RuntimeError("no session is open")
        return self._core.hello

    def open(self) -> Hello:
        """Start the session. DeviceError when nothing that speaks this protocol answers; RefusedError on a mismatch."""
        self._core.open(self._transport.now_ms())
        if not self._wait(lambda events: any(isinstance(event, Hello) for event in events), OPEN_MS):
            raise DeviceError("link-silent", *_SILENCE)
        hello = self.hello
        if hello.protocol != m.PROTOCOL or hello.record_format != FORMAT:
            raise RefusedError(
                "link-version",
                f"the controller speaks protocol {hello.protocol} with records of format {hello.record_format}; "
                f"this tool speaks {m.PROTOCOL} and {FORMAT}",
                "use the sabot tool of the controller's version " + hello.version,
            )
        return hello

    def close(self) -> None:
        """End the session and let the cable go."""
        self._transport.close()

    def authenticate(self, role: str, key: bytes) -> None:
        """Prove a role with its key (32 bytes). RefusedError when the controller does not accept it."""
        number = ROLES.index(role)
        nonce = self.call(m.C_AUTH_BEGIN, bytes([number]))
        message = m.AUTH_LABEL + nonce + self.hello.unique_id + bytes([number])
        self._role = None
        try:
            self.call(m.C_AUTH, bytes([number]) + hmac.new(key, message, hashlib.sha256).digest())
        except RefusedError as error:
            if error.code != "link-not_authorised":
                raise
            raise RefusedError(
                "link-wrong_key",
                f"the controller does not accept this key for the role {role}",
                "check --role and --key-file; after three wrong keys the controller waits longer each time",
            ) from None
        self._role = (role, key)

    def call(self, command: int, arguments: bytes = b"", timeout_ms: int = REQUEST_MS) -> bytes:
        """Send one request and return its answer. RefusedError with the controller's reason, DeviceError on silence."""
        reply = self._ask(command, arguments, timeout_ms)
        if reply.status == m.OK:
            return reply.body
        text = m.STATUS_TEXT[reply.status] if reply.status < len(m.STATUS_TEXT) else m.STATUS_TEXT[m.FAILED]
        raise RefusedError("link-" + text[0], text[1], text[2])

    def status(self) -> dict[str, Any]:
        """What the controller says of itself and of the table."""
        try:
            status = json.loads(self.call(m.C_STATUS))
        except ValueError:
            status = None
        if not isinstance(status, dict):
            raise DeviceError("link-nonsense", "the controller's status is no JSON object", "update the controller")
        return status

    def read_records(
        self, first: int, on_progress: Callable[[int, int], None] | None = None, last: int | None = None
    ) -> Iterator[bytes]:
        """The raw records from ``first`` to ``last`` (default: the last one there now), each once, in order.

        ``on_progress(sequence, last)`` is called for each. Asks again from where it stopped after a lost session.
        """
        expected = first
        _there_first, there_last = struct.unpack("<II", self.call(m.C_SUBSCRIBE, struct.pack("<I", expected)))
        if last is None:
            last = there_last
        while expected <= last:
            while not self._records:
                if not self._wait(lambda events: bool(self._records), QUIET_MS):
                    self._reopen()
                    self._records.clear()
                    self.call(m.C_SUBSCRIBE, struct.pack("<I", expected))
            record = self._records.pop(0)
            if record.sequence != expected:
                continue  # seen before the session was lost
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

    def _ask(self, command: int, arguments: bytes, timeout_ms: int) -> Reply:
        """One request; a session lost under way is opened again and the request sent once more."""
        for _ in range(2):
            number = self._core.request(command, arguments, self._transport.now_ms())
            found: list[Reply] = []

            def done(events: list[Event], number: int = number, found: list[Reply] = found) -> bool:
                found.extend(event for event in events if isinstance(event, Reply) and event.request == number)
                return bool(found) or any(isinstance(event, Desync) for event in events)

            if not self._wait(done, timeout_ms):
                raise DeviceError("link-no_answer", *_SILENCE)
            if found:
                return found[0]
            self._reopen()
        raise DeviceError(
            "link-unsteady", "the session broke twice during one request", "check the cable, then try again"
        )

    def _reopen(self) -> None:
        """Open the session again, with the role that was proved."""
        self.open()
        if self._role is not None:
            self.authenticate(*self._role)

    def _wait(self, done: Callable[[list[Event]], bool], timeout_ms: int) -> bool:
        """Pump bytes until ``done(events)``; False when it is not so after ``timeout_ms``."""
        end = self._transport.now_ms() + timeout_ms
        while True:
            now = self._transport.now_ms()
            self._core.poll(now)
            data = self._core.outgoing()
            if data:
                self._transport.write(data)
            events = self._core.receive(self._transport.read(_SLICE_MS), self._transport.now_ms())
            self._records.extend(event for event in events if isinstance(event, Record))
            for event in events:
                if isinstance(event, Prompt) and self._on_prompt is not None:
                    self._on_prompt(event)
            if done(events):
                # The acknowledgement of the last frame, so that the controller need not send it again.
                data = self._core.outgoing()
                if data:
                    self._transport.write(data)
                return True
            if self._transport.now_ms() >= end:
                return False
