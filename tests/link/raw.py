"""A host that says exactly what a test wants it to say. Entry points: :class:`RawHost`, :class:`Frame`."""

from __future__ import annotations

import hashlib
import hmac
import struct
from typing import NamedTuple

from sabot.wire import messages as m
from sabot.wire.codes import ROLES
from sabot_host.link.core import decode, encode
from tests.link.board import KEYS, UNIQUE_ID, Controller
from tests.link.cable import Cable


class Frame(NamedTuple):
    kind: int
    number: int
    acknowledged: int
    body: bytes
    mark: bytes


class RawHost:
    """Frames by hand over a cable without faults; keeps count as a host must, unless it is told otherwise."""

    def __init__(self, controller: Controller) -> None:
        self.cable = Cable(controller)
        self.controller = controller
        self.number = 0
        self.taken = 0
        self.mark = m.NO_MARK
        self._rest = b""

    def write(self, data: bytes) -> None:
        self.controller.port.send(data)

    def say(self, kind: int, body: bytes = b"", number: int = 0, mark: bytes | None = None) -> bytes:
        """Send one frame; returns it, to be sent again."""
        frame = encode(m.header(kind, number, self.taken) + body + (self.mark if mark is None else mark))
        self.write(frame)
        return frame

    def hello(self, nonce: bytes = b"nonce  1", protocol: int = m.PROTOCOL, number: int = 1) -> bytes:
        self.number, self.taken, self.mark = number, 0, m.NO_MARK
        return self.say(m.H_HELLO, bytes([protocol]) + nonce, number)

    def ask(self, command: int, arguments: bytes = b"", request: int = 9) -> bytes:
        self.number = m.next_number(self.number)
        return self.say(m.H_REQUEST, bytes([request, command]) + arguments, self.number)

    def acknowledge(self, frame: Frame) -> None:
        self.taken, self.mark = frame.number, frame.mark
        self.say(m.H_ACK)

    def frames(self, ms: int = 30) -> list[Frame]:
        """What comes within ``ms``, unacknowledged."""
        found = []
        for _ in range(ms):
            self.cable.step()
            self._rest += self.cable.take()
            *whole, self._rest = self._rest.split(b"\0")
            for part in whole:
                payload = decode(part) if part else None
                if payload is not None:
                    found.append(
                        Frame(payload[0], payload[1], payload[2], payload[3 : -m.MARK_SIZE], payload[-m.MARK_SIZE :])
                    )
        return found

    def one(self, kind: int, ms: int = 60) -> Frame:
        """The one frame that comes, of this kind; acknowledged when it has a number."""
        found = self.frames(ms)
        assert [frame.kind for frame in found] == [kind]
        if found[0].number:
            self.acknowledge(found[0])
        return found[0]

    def begin(self, nonce: bytes = b"nonce  1") -> Frame:
        """Open a session."""
        self.hello(nonce)
        return self.one(m.D_HELLO)

    def reply(self) -> tuple[int, bytes]:
        """Status and body of the reply that comes, in one part."""
        body = self.one(m.D_REPLY).body
        key, offset, total = struct.unpack_from(m.PART, body)
        assert offset == 0
        assert total == len(body) - m.PART_SIZE
        return key >> 8, body[m.PART_SIZE :]

    def prove(self, role: str, key: bytes | None = None) -> int:
        """Prove a role; the status of the answer to the proof, or of the lock-out."""
        self.ask(m.C_AUTH_BEGIN, bytes([ROLES.index(role)]))
        status, nonce = self.reply()
        if status != m.OK:
            return status
        self.ask(m.C_AUTH, proof(role, nonce, KEYS[role] if key is None else key))
        return self.reply()[0]


def proof(role: str, nonce: bytes, key: bytes) -> bytes:
    number = bytes([ROLES.index(role)])
    return number + hmac.new(key, m.AUTH_LABEL + nonce + UNIQUE_ID + number, hashlib.sha256).digest()
