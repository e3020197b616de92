"""The host link over USB: frames in, frames out, one under way at a time, and never a wait.

Entry point: :class:`Link` (:meth:`Link.run` is its task). What the commands do is in ``link_commands``.

A host that stops reading must not slow the table, and on rp2 a write to a full FIFO waits 500 ms. So a whole frame is
written only when everything written before has been acknowledged (the FIFO is empty then, and a frame fits it); in
every other case single bytes are written, each after ``poll`` said that there is room.
"""

import asyncio
import select
import struct
import time

from micropython import const

from sabot.wire import messages as m
from sabot.wire.frame import Deframer, encode

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_IDLE_MS = const(5)
_BYTES_A_TURN = const(64)
_MAX_PROMPTS = const(16)  # prompts are transient: the oldest give way

_NONE = const(0)
_HELLO = const(1)
_REPLY = const(2)
_RECORD = const(3)
_PROMPT = const(4)


class Link:
    """``stdin``, ``stdout``: the port's binary streams; ``commands`` answers requests; ``journal`` has the records.

    ``commands``: ``.hello() -> bytes``, ``.request(command, arguments) -> (status, body)``, ``.gone()``,
    ``.subscribed() -> next sequence to push, or 0``, ``.pushed(sequence)``.
    """

    def __init__(self, stdin: "Any", stdout: "Any", commands: "Any", journal: "Any") -> None:
        self.up = False
        self._stdin = stdin
        self._stdout = stdout
        self._commands = commands
        self._journal = journal
        self._readable = select.poll()
        self._readable.register(stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(stdout, select.POLLOUT)
        self._deframer = Deframer()
        self._nonce = b""
        self._heard = 0
        self._taken = 0  # number of the last frame taken from the host
        self._number = 0  # number of the last frame sent
        self._pending = b""  # the payload that waits for its acknowledgement
        self._pending_what = _NONE
        self._sent_at = 0
        self._empty = False  # everything written has been acknowledged, so the FIFO is empty
        self._trail = False  # something was written after the pending frame
        self._out = b""  # being written byte by byte
        self._out_at = 0
        self._owes_ack = False
        self._reply = b""
        self._reply_key = 0
        self._reply_at = -1  # offset of the next part, or -1 when there is none
        self._record = b""
        self._record_at = 0
        self._prompts: list[bytes] = []

    def prompt(self, kind: int, place: int, amount: int) -> None:
        """Tell the host what the dealer is asked to do; lost when nobody listens."""
        if self.up:
            if len(self._prompts) >= _MAX_PROMPTS:
                self._prompts.pop(0)
            self._prompts.append(struct.pack("<BBI", kind, place, amount))

    async def run(self) -> None:
        """The task: serves the link for ever."""
        while True:
            busy = self.turn(time.ticks_ms())
            await asyncio.sleep_ms(0 if busy else _IDLE_MS)

    def turn(self, now: int) -> bool:
        """Take what has come, send what is due; True when there is more to do at once. Never waits."""
        received = 0
        while received < _BYTES_A_TURN and self._ready(self._readable):
            byte = self._stdin.read(1)
            if not byte:
                break
            received += 1
            payload = self._deframer.push(byte[0])
            if payload:
                self._take(payload, now)
        if self.up and time.ticks_diff(now, self._heard) > m.LOST_MS:
            self._drop()
        self._send(now)
        return received > 0 or self._out_at < len(self._out)

    @staticmethod
    def _ready(poller: "Any") -> bool:
        for _ in poller.ipoll(0):
            return True
        return False

    def _drop(self) -> None:
        self.up = False
        self._pending = b""
        self._pending_what = _NONE
        self._out = b""
        self._out_at = 0
        self._empty = False
        self._owes_ack = False
        self._reply_at = -1
        self._record = b""
        self._prompts = []
        self._commands.gone()

    def _take(self, payload: bytes, now: int) -> None:
        if len(payload) < m.HEADER_SIZE:
            return
        kind, number, acknowledged = payload[0], payload[1], payload[2]
        if kind == m.H_HELLO:
            self._hello(payload, number, now)
            return
        if not self.up or kind not in (m.H_REQUEST, m.H_ACK):
            return
        self._heard = now
        if self._pending and acknowledged == self._number:
            self._acknowledged()
        if kind == m.H_REQUEST and number:
            if number == m.next_number(self._taken) and self._reply_at < 0:
                self._taken = number
                self._request(payload)
            self._owes_ack = True

    def _hello(self, payload: bytes, number: int, now: int) -> None:
        if len(payload) != m.HEADER_SIZE + 1 + 8 or number == 0:
            return
        nonce = payload[m.HEADER_SIZE + 1 :]
        self._heard = now
        if self.up and nonce == self._nonce:
            return  # the same hello again: our answer is under way, and is sent again in its time
        if self.up:
            self._drop()
        self.up = True
        self._nonce = nonce
        self._taken = number
        self._number = 0
        self._queue(_HELLO, m.D_HELLO, nonce + self._commands.hello())

    def _request(self, payload: bytes) -> None:
        if len(payload) < m.HEADER_SIZE + 2:
            return
        request, command = payload[m.HEADER_SIZE], payload[m.HEADER_SIZE + 1]
        status, body = self._commands.request(command, payload[m.HEADER_SIZE + 2 :])
        self._reply = body
        self._reply_key = request | (status << 8)
        self._reply_at = 0

    def _acknowledged(self) -> None:
        what = self._pending_what
        self._pending = b""
        self._pending_what = _NONE
        self._empty = not self._trail and self._out_at >= len(self._out)
        if what == _REPLY:
            self._reply_at += m.PART_BYTES
            if self._reply_at >= len(self._reply):
                self._reply_at = -1
        elif what == _RECORD:
            self._record_at += m.PART_BYTES
            if self._record_at >= len(self._record):
                self._commands.pushed(self._commands.subscribed())
                self._record = b""
        elif what == _PROMPT and self._prompts:
            self._prompts.pop(0)

    def _queue(self, what: int, kind: int, body: bytes) -> None:
        self._number = m.next_number(self._number)
        self._pending = m.header(kind, self._number, self._taken) + body
        self._pending_what = what
        self._sent_at = 0
        self._write_pending(time.ticks_ms())

    def _write_pending(self, now: int) -> None:
        # The acknowledgement in the head may have moved since the frame was made.
        payload = self._pending[:2] + bytes((self._taken,)) + self._pending[3:]
        self._sent_at = now
        self._trail = False
        self._owes_ack = False
        self._write(encode(payload))

    def _write(self, frame: bytes) -> None:
        if self._empty:
            self._empty = False
            self._stdout.write(frame)
        else:
            self._out = frame
            self._out_at = 0
            self._drain()

    def _drain(self) -> None:
        """Write what the FIFO has room for, a byte at a time: asked first, so it never waits."""
        written = 0
        while self._out_at < len(self._out) and written < _BYTES_A_TURN and self._ready(self._writable):
            self._stdout.write(self._out[self._out_at : self._out_at + 1])
            self._out_at += 1
            written += 1

    def _send(self, now: int) -> None:
        if self._out_at < len(self._out):
            self._drain()
            return
        if not self.up:
            return
        if self._pending:
            if time.ticks_diff(now, self._sent_at) >= m.RESEND_MS:
                self._write_pending(now)
            elif self._owes_ack:
                self._acknowledge_only()
            return
        if self._reply_at >= 0:
            self._queue(_REPLY, m.D_REPLY, m.pack_part(self._reply_key, self._reply, self._reply_at))
        elif self._prompts:
            self._queue(_PROMPT, m.D_PROMPT, self._prompts[0])
        elif not self._queue_record() and self._owes_ack:
            self._acknowledge_only()

    def _acknowledge_only(self) -> None:
        self._owes_ack = False
        self._trail = True
        self._empty = False
        self._write(encode(m.header(m.D_ACK, 0, self._taken)))

    def _queue_record(self) -> bool:
        sequence = self._commands.subscribed()
        if not sequence:
            return False
        if not self._record:
            record = self._journal.read(sequence)
            if not record:
                return False
            self._record = record
            self._record_at = 0
        self._queue(_RECORD, m.D_RECORD, m.pack_part(sequence, self._record, self._record_at))
        return True
