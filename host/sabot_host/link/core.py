"""The link protocol without input or output: bytes and a clock in, bytes and events out.

Entry points: :class:`LinkCore` and the events it gives: :class:`Hello`, :class:`Reply`, :class:`Record`,
:class:`Prompt`, :class:`Desync`. Tests put it inside the simulator behind a virtual cable; ``client`` puts a serial
port around it. Times are milliseconds of any clock that only goes forward.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable
from dataclasses import dataclass

from cobs import cobs

from sabot.wire import messages as m
from sabot.wire.frame import MAX_ENCODED
from sabot.wire.records import MAX_RECORD

_CRC_BYTES = 4
_HELLO_SIZE = struct.calcsize(m.HELLO)


@dataclass(frozen=True)
class Hello:
    """The controller's description of itself, at the start of a session."""

    protocol: int
    record_format: int
    sealed: bool
    table: int
    boot: int
    unique_id: bytes
    first: int
    last: int
    acknowledged: int
    version: str
    game: str


@dataclass(frozen=True)
class Reply:
    """The answer to the request with this id."""

    request: int
    status: int
    body: bytes


@dataclass(frozen=True)
class Record:
    """One journal record, whole, with its tag."""

    sequence: int
    data: bytes


@dataclass(frozen=True)
class Prompt:
    """What the dealer is asked to do just now; not part of the journal."""

    kind: int
    place: int
    amount: int


@dataclass(frozen=True)
class Desync:
    """The controller said something that does not follow: a new session has been started."""

    reason: str


Event = Hello | Reply | Record | Prompt | Desync


def encode(payload: bytes) -> bytes:
    """A payload as a frame: COBS over payload and CRC-32, then a zero."""
    return bytes(cobs.encode(payload + struct.pack("<I", binascii.crc32(payload)))) + b"\0"


def decode(frame: bytes) -> bytes | None:
    """The payload of a frame without its closing zero; None when it is damaged."""
    try:
        data = bytes(cobs.decode(frame))
    except cobs.DecodeError:
        return None
    if len(data) <= _CRC_BYTES:
        return None
    payload = data[:-_CRC_BYTES]
    if struct.unpack("<I", data[-_CRC_BYTES:])[0] != binascii.crc32(payload):
        return None
    return payload


class LinkCore:
    """One end of a session. ``nonces`` gives 8 fresh bytes for each hello.

    Feed it with :meth:`receive` and :meth:`poll`; write what :meth:`outgoing` returns. One request is under way at a
    time: :meth:`request` may be called when :attr:`idle` is true.
    """

    def __init__(self, nonces: Callable[[], bytes]) -> None:
        self._nonces = nonces
        self._buffer = bytearray()
        self._overflow = False
        self._out = bytearray()
        self._nonce = b""
        self._number = 0
        self._taken = 0
        self._pending = b""  # payload of the request, or hello, that waits to be acknowledged
        self._sent_at = 0
        self._spoke_at = 0
        self._request = 0
        self._waiting = False
        self._records = m.Assembler(MAX_RECORD)
        self._replies = m.Assembler(m.MAX_REPLY)
        self.hello: Hello | None = None
        self.dropped = 0
        self.heard_at = 0

    @property
    def idle(self) -> bool:
        """Whether a session is open and no request is under way."""
        return self.hello is not None and not self._waiting and not self._pending

    def open(self, now: int) -> None:
        """Start a session; the controller's :class:`Hello` comes as an event."""
        self.hello = None
        self._nonce = self._nonces()
        self._number = 1
        self._taken = 0
        self._waiting = False
        self._records = m.Assembler(MAX_RECORD)
        self._replies = m.Assembler(m.MAX_REPLY)
        # A zero first: whatever lay half-written in the controller's buffer ends here.
        self._out += b"\0"
        self._send(m.H_HELLO, bytes([m.PROTOCOL]) + self._nonce, now)

    def request(self, command: int, arguments: bytes, now: int) -> int:
        """Send a request; returns its id, which the :class:`Reply` carries. Only when :attr:`idle`."""
        if not self.idle:
            raise RuntimeError("a request is under way")
        self._request = self._request % 255 + 1
        self._number = m.next_number(self._number)
        self._waiting = True
        self._send(m.H_REQUEST, bytes([self._request, command]) + arguments, now)
        return self._request

    def outgoing(self) -> bytes:
        """Bytes to write now; each is returned once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def poll(self, now: int) -> None:
        """Send again what was not acknowledged in time, and say something at least once a second."""
        if self._pending and now - self._sent_at >= m.RESEND_MS:
            self._transmit(now)
        elif self.hello is not None and now - self._spoke_at >= m.KEEP_ALIVE_MS:
            self._acknowledge(now)

    def receive(self, data: bytes, now: int) -> list[Event]:
        """Take bytes from the controller; returns what they meant, in order."""
        events: list[Event] = []
        for byte in data:
            if byte:
                if len(self._buffer) < MAX_ENCODED:
                    self._buffer.append(byte)
                else:
                    self._overflow = True
                continue
            payload = None if self._overflow or not self._buffer else decode(bytes(self._buffer))
            if payload is None and self._buffer:
                self.dropped += 1
            self._buffer.clear()
            self._overflow = False
            if payload is not None and len(payload) >= m.HEADER_SIZE:
                self.heard_at = now
                self._take(payload, now, events)
        return events

    def _send(self, kind: int, body: bytes, now: int) -> None:
        self._pending = m.header(kind, self._number, 0) + body
        self._transmit(now)

    def _transmit(self, now: int) -> None:
        self._sent_at = now
        self._spoke_at = now
        self._out += encode(self._pending[:2] + bytes([self._taken]) + self._pending[3:])

    def _acknowledge(self, now: int) -> None:
        self._spoke_at = now
        self._out += encode(m.header(m.H_ACK, 0, self._taken))

    def _take(self, payload: bytes, now: int, events: list[Event]) -> None:
        kind, number, acknowledged = payload[0], payload[1], payload[2]
        body = payload[m.HEADER_SIZE :]
        if kind == m.D_HELLO:
            self._take_hello(number, body, now, events)
            return
        if self.hello is None:
            return
        if self._pending and acknowledged == self._number:
            self._pending = b""
        if not number:
            return
        if number == self._taken:
            self._acknowledge(now)  # sent again: our acknowledgement was lost
            return
        if number != m.next_number(self._taken):
            self._desync(f"frame {number} after frame {self._taken}", now, events)
            return
        self._taken = number
        try:
            self._dispatch(kind, body, events)
        except ValueError as error:
            self._desync(str(error), now, events)
            return
        self._acknowledge(now)

    def _take_hello(self, number: int, body: bytes, now: int, events: list[Event]) -> None:
        if len(body) < 8 + _HELLO_SIZE + 2 or body[:8] != self._nonce:
            return  # an answer to an earlier hello
        if self.hello is None:
            self._pending = b""
            self._taken = number
            self.hello = _parse_hello(body[8:])
            events.append(self.hello)
        self._acknowledge(now)

    def _dispatch(self, kind: int, body: bytes, events: list[Event]) -> None:
        if kind == m.D_RECORD:
            whole = self._records.take(body)
            if whole:
                events.append(Record(whole[0], whole[1]))
        elif kind == m.D_REPLY:
            whole = self._replies.take(body)
            if whole and self._waiting and whole[0] & 0xFF == self._request:
                self._waiting = False
                self._pending = b""
                events.append(Reply(whole[0] & 0xFF, whole[0] >> 8, whole[1]))
        elif kind == m.D_PROMPT and len(body) == 6:
            events.append(Prompt(*struct.unpack("<BBI", body)))

    def _desync(self, reason: str, now: int, events: list[Event]) -> None:
        events.append(Desync(reason))
        self.open(now)


def _parse_hello(body: bytes) -> Hello:
    fields = struct.unpack(m.HELLO, body[:_HELLO_SIZE])
    rest = body[_HELLO_SIZE:]
    version = rest[1 : 1 + rest[0]]
    rest = rest[1 + rest[0] :]
    game = rest[1 : 1 + rest[0]] if rest else b""
    return Hello(
        protocol=fields[0],
        record_format=fields[1],
        sealed=bool(fields[2]),
        table=fields[3],
        boot=fields[4],
        unique_id=fields[5],
        first=fields[6],
        last=fields[7],
        acknowledged=fields[8],
        version=version.decode(errors="replace"),
        game=game.decode(errors="replace"),
    )
