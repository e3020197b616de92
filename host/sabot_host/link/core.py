"""The link protocol without input or output: bytes and a clock in, bytes and events out.

Entry points: :class:`LinkCore` and the events it gives: :class:`Hello`, :class:`Mismatch`, :class:`Reply`,
:class:`Record`, :class:`Prompt`, :class:`Desync`. Tests put it inside the simulator behind a virtual cable; ``client``
puts a serial port around it. Times are milliseconds of any clock that only goes forward.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable
from dataclasses import dataclass

from cobs import cobs

from sabot.wire import messages as m
from sabot.wire.frame import MAX_ENCODED, MAX_PAYLOAD
from sabot.wire.parts import KEEP_ALIVE_MS, RENEW_MS, Assembler
from sabot.wire.records import MAX_RECORD
from sabot_host.wording import printable

_CRC_BYTES = 4
# Ctrl-B to Ctrl-E at a MicroPython prompt: Ctrl-C would end what runs there, Ctrl-D would start it anew. A frame holds
# one wherever one to four bytes stand between two zeros.
_KEYS = {2, 3, 4, 5}
_FILL = 0x20
_DRAWS = 64
MAX_ARGUMENTS = MAX_PAYLOAD - m.HEADER_SIZE - 2 - m.MARK_SIZE


@dataclass(frozen=True)
class Hello:
    """The controller's description of itself, at the start of a session."""

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
class Mismatch:
    """The controller speaks another protocol; there is no session. ``version`` is that of its firmware."""

    protocol: int
    version: str


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
    """The session is over: silence, or something that does not follow. Another one has been started."""

    reason: str


Event = Hello | Mismatch | Reply | Record | Prompt | Desync


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
    time: :meth:`request` may be called when :attr:`idle` is true. A request is sent again until it is acknowledged,
    within its session only: after a :class:`Desync` nobody knows whether it was executed, and it is forgotten.
    """

    def __init__(self, nonces: Callable[[], bytes]) -> None:
        self._nonces = nonces
        self._buffer = bytearray()
        self._overflow = False
        self._out = bytearray()
        self._nonce = b""
        self._number = 0
        self._taken = 0
        self._mark = m.NO_MARK
        self._pending = b""  # payload, but for its mark, of the request or hello that waits to be acknowledged
        self._sent_at = 0
        self._spoke_at = 0
        self._opened_at = 0
        self._request = 0
        self._waiting = False
        self._refused = False
        self._records = Assembler(MAX_RECORD)
        self._replies = Assembler(m.MAX_REPLY)
        self.hello: Hello | None = None
        self.dropped = 0
        """Frames thrown away: damaged, too long, or no frames at all."""
        self.heard_at = 0
        """Instant of the last good frame of this session."""

    @property
    def idle(self) -> bool:
        """Whether a session is open and no request is under way."""
        return self.hello is not None and not self._waiting and not self._pending

    def open(self, now: int) -> None:
        """Start a session; the controller's :class:`Hello` comes as an event, or a :class:`Mismatch`."""
        self.hello = None
        self._nonce = self._nonces()
        self._taken, self._mark = _FILL, bytes([_FILL]) * m.MARK_SIZE  # nothing yet; in a hello neither is looked at
        self._number = 0
        self._opened_at = now
        self._waiting = False
        self._refused = False
        self._records = Assembler(MAX_RECORD)
        self._replies = Assembler(m.MAX_REPLY)
        # A zero first: whatever lay half-written in the controller's buffer ends here.
        self._out += b"\0"
        self._hush()
        self._send(m.H_HELLO, bytes([m.PROTOCOL]) + self._nonce, now)

    def _hush(self) -> None:
        """Choose nonce and number of a hello that does nothing where no controller listens (`_KEYS`)."""
        for _ in range(_DRAWS):
            if not (_KEYS | {0}) & set(self._nonce):
                break
            self._nonce = self._nonces()
        for self._number in range(_FILL, 256):  # the CRC changes with it
            payload = m.header(m.H_HELLO, self._number, self._taken) + bytes([m.PROTOCOL]) + self._nonce + self._mark
            if not _KEYS & set(encode(payload)):
                break

    def request(self, command: int, arguments: bytes, now: int) -> int:
        """Send a request; returns its id, which the :class:`Reply` carries. Only when :attr:`idle`.

        ValueError when the arguments are longer than a frame can hold.
        """
        if not self.idle:
            raise RuntimeError("a request is under way")
        if len(arguments) > MAX_ARGUMENTS:
            raise ValueError(f"{len(arguments)} bytes of arguments; the most is {MAX_ARGUMENTS}")
        self._request = self._request % 255 + 1
        self._number = m.next_number(self._number)
        self._waiting = True
        self._send(m.H_REQUEST, bytes([self._request, command]) + arguments, now)
        return self._request

    def bye(self) -> None:
        """End the session: the controller forgets it at once. Best effort; silence ends it too."""
        if self.hello is not None:
            self._speak(m.header(m.H_BYE, 0, self._taken))
        self.hello = None
        self._pending = b""

    def outgoing(self) -> bytes:
        """Bytes to write now; each is returned once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def poll(self, now: int) -> list[Event]:
        """Send again what was not acknowledged in time, say something now and then, notice when nobody answers."""
        if self.hello is not None and now - self.heard_at > m.LOST_MS:
            return self._desync("the controller fell silent", now)
        if self.hello is None and self._pending and now - self._opened_at >= RENEW_MS:
            # The session that the nonce opened may be over at the controller, which never opens it twice.
            self.open(now)
        elif self._pending and now - self._sent_at >= m.RESEND_MS:
            self._transmit(now)
        elif self.hello is not None and now - self._spoke_at >= KEEP_ALIVE_MS:
            self._spoke_at = now
            self._speak(m.header(m.H_ALIVE, 0, self._taken))
        return []

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
            if self._buffer and (payload is None or len(payload) < m.HEADER_SIZE + m.MARK_SIZE):
                self.dropped += 1
            elif payload is not None:
                events += self._take(payload, now)
            self._buffer.clear()
            self._overflow = False
        return events

    def _send(self, kind: int, body: bytes, now: int) -> None:
        self._pending = m.header(kind, self._number, 0) + body
        self._transmit(now)

    def _transmit(self, now: int) -> None:
        self._sent_at = now
        self._spoke_at = now
        self._speak(self._pending[:2] + bytes([self._taken]) + self._pending[3:])

    def _speak(self, payload: bytes) -> None:
        self._out += encode(payload + self._mark)

    def _acknowledge(self, now: int) -> None:
        self._spoke_at = now
        self._speak(m.header(m.H_ACK, 0, self._taken))

    def _take(self, payload: bytes, now: int) -> list[Event]:
        kind, number, acknowledged = payload[0], payload[1], payload[2]
        body = payload[m.HEADER_SIZE : -m.MARK_SIZE]
        mark = payload[-m.MARK_SIZE :]
        if kind == m.D_HELLO:
            return self._take_hello(number, body, mark, now)
        if self.hello is None:
            return []
        self.heard_at = now
        if self._pending and acknowledged == self._number:
            self._pending = b""
        if not number:
            return []
        if number == self._taken:
            if mark != self._mark:
                return self._desync(f"two different frames {number}", now)
            self._acknowledge(now)  # sent again: our acknowledgement was lost
            return []
        if number != m.next_number(self._taken):
            return self._desync(f"frame {number} after frame {self._taken}", now)
        self._taken = number
        self._mark = mark
        try:
            events = self._dispatch(kind, body)
        except ValueError as error:
            return self._desync(str(error), now)
        self._acknowledge(now)
        return events

    def _take_hello(self, number: int, body: bytes, mark: bytes, now: int) -> list[Event]:
        nonce, described = body[: m.HELLO_NONCE_SIZE], body[m.HELLO_NONCE_SIZE :]
        if nonce != self._nonce or len(described) < 2 or self._refused:
            return []  # an answer to an earlier hello
        if self.hello is not None:
            if (number, mark) == (self._taken, self._mark):
                self.heard_at = now
                self._acknowledge(now)
            return []
        if described[0] != m.PROTOCOL:
            self._pending = b""
            self._refused = True
            return [Mismatch(described[0], _text(described, 1)[0])]
        try:
            hello = _parse_hello(described)
        except (struct.error, ValueError):
            return []  # cannot happen unless the other end is no controller: it stays silent for us
        self.hello = hello
        self._pending = b""
        self._taken = number
        self._mark = mark
        self.heard_at = now
        self._acknowledge(now)
        return [hello]

    def _dispatch(self, kind: int, body: bytes) -> list[Event]:
        if kind == m.D_RECORD:
            whole = self._records.take(body)
            return [Record(whole[0], whole[1])] if whole else []
        if kind == m.D_REPLY:
            whole = self._replies.take(body)
            if whole and self._waiting and whole[0] & 0xFF == self._request:
                self._waiting = False
                self._pending = b""
                return [Reply(whole[0] & 0xFF, whole[0] >> 8, whole[1])]
        elif kind == m.D_PROMPT and len(body) == struct.calcsize(m.PROMPT):
            return [Prompt(*struct.unpack(m.PROMPT, body))]
        return []

    def _desync(self, reason: str, now: int) -> list[Event]:
        self.open(now)
        return [Desync(reason)]


def _text(data: bytes, at: int) -> tuple[str, int]:
    """The text with a length byte at ``at``, and the place after it. ValueError when it is cut short."""
    end = at + 1 + data[at] if at < len(data) else len(data) + 1
    if end > len(data):
        raise ValueError("a text is cut short")
    return printable(data[at + 1 : end].decode(errors="replace")), end


def _parse_hello(body: bytes) -> Hello:
    version, at = _text(body, 1)
    fields = struct.unpack_from(m.HELLO, body, at)
    return Hello(
        record_format=fields[0],
        sealed=bool(fields[1]),
        table=fields[2],
        boot=fields[3],
        unique_id=fields[4],
        first=fields[5],
        last=fields[6],
        acknowledged=fields[7],
        version=version,
        game=_text(body, at + struct.calcsize(m.HELLO))[0],
    )
