"""The host link: one session at a time, one frame under way in each direction, and never a wait.

Entry point: :class:`Link` (:meth:`Link.run` is its task). ``docs/protocol.md`` defines the protocol, ``link_port``
keeps the rule of the port's FIFO, ``link_commands`` does what the host asks.

The host is not trusted: it may flood, fall silent, stop reading or send anything. A turn takes at most 24 bytes and one
frame; turns are 5 ms apart whatever comes in, and 1 ms only while an auditor takes records.
"""

import asyncio
import struct
import time

from micropython import const

from sabot.services.link_port import LinkPort
from sabot.wire import messages as m
from sabot.wire.frame import CRC_SIZE, MAX_PAYLOAD, Deframer

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_IDLE_MS = const(5)
_BRISK_MS = const(1)
_BRISK_FOR_MS = const(50)  # after the last acknowledged part of a record
_BYTES_A_TURN = const(24)  # a hello has 23, an acknowledgement 13; a flood costs 3 % of the scan
_ACK_DELAY_MS = const(50)  # an acknowledgement waits so long for a frame that can carry it
_MAX_PROMPTS = const(16)  # prompts are transient: the oldest give way
_OVERHEAD = const(7)  # header and mark

_NONE = const(0)
_HELLO = const(1)
_REPLY = const(2)
_RECORD = const(3)
_PROMPT = const(4)


class Link:
    """``stdin``, ``stdout``: the port's binary streams; ``commands`` answers requests; ``journal`` has the records.

    ``commands``: ``.version() -> bytes``, ``.hello() -> bytes``, ``.mark() -> 4 random bytes``, ``.opened()``,
    ``.gone()``, ``.tick(now)`` each turn, ``.request(command, arguments) -> (status, body)``,
    ``.subscribed() -> sequence to push next, or 0``, ``.record(sequence) -> bytes | None``, ``.pushing`` (the sequence
    of the record begun, 0 when the host has asked for others since), ``.pushed()``.
    """

    def __init__(self, stdin: "Any", stdout: "Any", commands: "Any") -> None:
        self.up = False
        self._port = LinkPort(stdin, stdout)
        self._deframer = Deframer()
        self._commands = commands
        self._nonce = b""
        self._heard_at = 0
        self._taken = 0  # number of the last frame taken from the host
        self._number = 0  # number of the last frame sent
        self._mark = b""  # its mark
        self._mark_before = b""  # that of the one before
        self._payload = bytearray(MAX_PAYLOAD + CRC_SIZE)
        self._length = 0  # of the payload that waits for its acknowledgement; 0: none does
        self._what = _NONE
        self._sent_at = 0
        self._proof = -1  # value of port.sent when the pending frame was written once and nothing after it
        self._short = bytearray(_OVERHEAD + CRC_SIZE)
        self._owes_ack = False
        self._owed_at = 0
        self._greets = False  # a hello waits for its answer
        self._held = 0  # length of a request in the deframer that came too soon after the one before
        self._resting = False
        self._asked_at = 0
        self._reply = b""
        self._reply_key = 0
        self._reply_at = -1  # offset of the part to send, or -1 when there is none
        self._record = b""
        self._record_at = 0
        self._brisk = False
        self._progress_at = 0
        self._prompts: list[bytes] = []

    def prompt(self, kind: int, place: int, amount: int) -> None:
        """Tell the host what the dealer is asked to do; lost when nobody listens. ``amount`` is in cents."""
        if self.up:
            if len(self._prompts) >= _MAX_PROMPTS:
                self._prompts.pop(0)
            self._prompts.append(struct.pack(m.PROMPT, kind, place, amount))

    async def run(self) -> None:
        """The task: serves the link for ever."""
        while True:
            self.turn(time.ticks_ms())
            await asyncio.sleep_ms(self.pause_ms)

    @property
    def pause_ms(self) -> int:
        """Milliseconds until the next turn."""
        return _BRISK_MS if self._brisk else _IDLE_MS

    def turn(self, now: int) -> None:
        """Take what has come, send what is due. ``now`` is ticks_ms. Never waits; allocates only for a frame."""
        # Every instant kept is looked at in each turn, so that none grows older than the counter can tell.
        if self._resting and time.ticks_diff(now, self._asked_at) >= m.REQUEST_GAP_MS:
            self._resting = False
        if self._brisk and time.ticks_diff(now, self._progress_at) >= _BRISK_FOR_MS:
            self._brisk = False
        if self._held:
            if not self._resting:
                length = self._held
                self._held = 0
                self._request(length, now)
        else:
            self._read(now)
        if self.up and time.ticks_diff(now, self._heard_at) > m.LOST_MS:
            self._drop()
        self._commands.tick(now)
        self._send(now)

    # --- in -----------------------------------------------------------------------------------------------------------

    def _read(self, now: int) -> None:
        for _ in range(_BYTES_A_TURN):
            byte = self._port.read()
            if byte < 0:
                return
            length = self._deframer.push(byte)
            if length:
                self._take(length, now)
                return

    def _take(self, length: int, now: int) -> None:
        data = self._deframer.buffer
        if length < _OVERHEAD:
            return
        kind = data[0]
        if kind == m.H_HELLO:
            self._take_hello(length, now)
            return
        mark = data[length - m.MARK_SIZE : length]
        if not self.up or (mark != self._mark and mark != self._mark_before):
            return  # of another session, or of no host that has read what we sent
        if kind == m.H_BYE:
            self._drop()
            return
        if kind not in (m.H_REQUEST, m.H_ACK, m.H_ALIVE):
            return
        self._heard_at = now
        if self._length and data[2] == self._number and mark == self._mark:
            self._acknowledged(now)
        if kind == m.H_ALIVE:
            self._owe_ack(now)
        elif kind == m.H_REQUEST and data[1]:
            if self._resting and data[1] != self._taken:
                self._held = length
            else:
                self._request(length, now)

    def _take_hello(self, length: int, now: int) -> None:
        data = self._deframer.buffer
        number = data[1]
        if length < _OVERHEAD + 1 + m.HELLO_NONCE_SIZE or number == 0:
            return
        nonce = bytes(data[m.HEADER_SIZE + 1 : m.HEADER_SIZE + 1 + m.HELLO_NONCE_SIZE])
        if nonce == self._nonce:
            # The same hello again. Our answer is under way, or the session that it opened is over for good.
            if self.up:
                self._heard_at = now
            return
        if self.up:
            self._drop()
        self.up = data[m.HEADER_SIZE] == m.PROTOCOL
        self._nonce = nonce
        self._taken = number
        self._number = 0
        self._mark = b""
        self._heard_at = now
        self._greets = True
        if self.up:
            self._commands.opened()

    def _request(self, length: int, now: int) -> None:
        """Execute a request, once: its number is the next one, and the reply to the one before was taken."""
        data = self._deframer.buffer
        number = data[1]
        if number == self._taken:
            self._owe_ack(now)
            return
        end = length - m.MARK_SIZE
        if number != m.next_number(self._taken) or self._reply_at >= 0 or end < m.HEADER_SIZE + 2:
            return
        self._taken = number
        self._owe_ack(now)
        self._resting = True
        self._asked_at = now
        request = data[m.HEADER_SIZE]
        status, body = self._commands.request(data[m.HEADER_SIZE + 1], bytes(data[m.HEADER_SIZE + 2 : end]))
        if len(body) > m.MAX_REPLY:
            status, body = m.FAILED, b""
        self._reply = body
        self._reply_key = request | (status << 8)
        self._reply_at = 0

    def _acknowledged(self, now: int) -> None:
        self._length = 0
        if self._port.sent == self._proof:
            self._port.prove()
        if self._what == _REPLY:
            self._reply_at += m.PART_BYTES
            if self._reply_at >= len(self._reply):
                self._reply_at = -1
        elif self._what == _RECORD:
            self._brisk = True
            self._progress_at = now
            self._record_at += m.PART_BYTES
            if self._record_at >= len(self._record):
                self._record = b""
                self._commands.pushed()

    def _drop(self) -> None:
        """The session is over: whatever belonged to it is forgotten."""
        self.up = False
        self._length = 0
        self._owes_ack = False
        self._greets = False
        self._reply_at = -1
        self._record = b""
        self._brisk = False
        self._prompts = []
        self._commands.gone()

    # --- out ----------------------------------------------------------------------------------------------------------

    def _send(self, now: int) -> None:
        if self._port.busy:
            self._port.drain()
        elif self._greets:
            self._greet(now)
        elif not self.up:
            return
        elif self._length:
            if time.ticks_diff(now, self._sent_at) >= m.RESEND_MS:
                self._write_pending(now)
            elif self._owes_ack and time.ticks_diff(now, self._owed_at) >= _ACK_DELAY_MS:
                self._send_ack()
        elif self._reply_at >= 0:
            length = m.pack_part(self._reply_key, self._reply, self._reply_at, self._payload, m.HEADER_SIZE)
            self._queue(_REPLY, m.D_REPLY, length, now)
        elif self._prompts:
            self._queue(_PROMPT, m.D_PROMPT, self._put(self._prompts.pop(0)), now)
        elif not self._queue_record(now) and self._owes_ack:
            self._send_ack()

    def _greet(self, now: int) -> None:
        """Answer a hello; a host of another protocol is told once which one is spoken, and gets no session."""
        self._greets = False
        body = self._nonce + bytes((m.PROTOCOL,)) + self._commands.version()
        if self.up:
            self._queue(_HELLO, m.D_HELLO, self._put(body + self._commands.hello()), now)
            return
        self._nonce = b""
        length = self._put(body)
        self._close(m.D_HELLO, 0, m.NO_MARK, length)
        self._port.send(self._payload, length + m.MARK_SIZE)

    def _queue_record(self, now: int) -> bool:
        sequence = self._commands.subscribed()
        if not sequence:
            return False
        if not self._record or sequence != self._commands.pushing:
            record = self._commands.record(sequence)
            if not record:
                return False
            self._record = record
            self._record_at = 0
        length = m.pack_part(sequence, self._record, self._record_at, self._payload, m.HEADER_SIZE)
        self._queue(_RECORD, m.D_RECORD, length, now)
        return True

    def _put(self, body: bytes) -> int:
        """Place a body into the payload; returns its end."""
        end = m.HEADER_SIZE + len(body)
        self._payload[m.HEADER_SIZE : end] = body
        return end

    def _queue(self, what: int, kind: int, length: int, now: int) -> None:
        """Send the body that ends at ``length`` in the payload until it is acknowledged."""
        self._number = m.next_number(self._number)
        self._mark_before = self._mark
        self._mark = self._commands.mark()
        self._close(kind, self._number, self._mark, length)
        self._length = length + m.MARK_SIZE
        self._what = what
        self._write_pending(now)
        self._proof = self._port.sent

    def _close(self, kind: int, number: int, mark: bytes, length: int) -> None:
        self._payload[0] = kind
        self._payload[1] = number
        self._payload[2] = self._taken
        self._payload[length : length + m.MARK_SIZE] = mark

    def _write_pending(self, now: int) -> None:
        self._payload[2] = self._taken  # it may have moved since the frame was made
        self._sent_at = now
        self._owes_ack = False
        self._port.send(self._payload, self._length)

    def _owe_ack(self, now: int) -> None:
        if not self._owes_ack:
            self._owes_ack = True
            self._owed_at = now

    def _send_ack(self) -> None:
        self._owes_ack = False
        self._short[0] = m.D_ACK
        self._short[1] = 0
        self._short[2] = self._taken
        self._short[m.HEADER_SIZE : _OVERHEAD] = m.NO_MARK
        self._port.send(self._short, _OVERHEAD)
