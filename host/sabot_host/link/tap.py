"""What goes over the cable, in words: a transport that shows each frame that passes.

Entry points: :class:`Tap`, :func:`line` and :func:`as_dict` (one frame, for people and for JSON), :func:`words` (what
it says).
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from sabot.wire import messages as m
from sabot.wire.frame import MAX_ENCODED
from sabot_host.link.client import Transport
from sabot_host.link.core import decode

TO, FROM = "->", "<-"
TYPES = {value: name for name, value in vars(m).items() if name.startswith(("H_", "D_"))}
COMMANDS = {code: name for code, name, _, _ in m.COMMANDS}
_REQUEST_HEAD = 2
_SHOWN_BYTES = 32


class Tap:
    """``transport``, whose frames are told to ``show`` when they are whole: milliseconds, direction, the bytes."""

    def __init__(self, transport: Transport, show: Callable[[int, str, bytes], None]) -> None:
        self._transport = transport
        self._show = show
        self._begun = {TO: b"", FROM: b""}
        self.now_ms = transport.now_ms
        self.reopen = transport.reopen
        self.close = transport.close

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._transport.write(data)
        self._pass(TO, data)

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that have come."""
        data = self._transport.read(timeout_ms)
        self._pass(FROM, data)
        return data

    def _pass(self, way: str, data: bytes) -> None:
        *whole, rest = (self._begun[way] + data).split(b"\0")
        self._begun[way] = rest[-MAX_ENCODED:]
        for frame in whole:
            if frame:
                self._show(self.now_ms(), way, frame)


def line(ms: int, way: str, frame: bytes) -> str:
    """One frame that passed, as a line."""
    return f"{ms:>9} {way} {words(frame)}"


def as_dict(ms: int, way: str, frame: bytes) -> dict[str, Any]:
    """The same for JSON; ``type`` is null where the bytes are no frame."""
    told: dict[str, Any] = {"ms": ms, "to": "controller" if way == TO else "host", "bytes": frame.hex()}
    parts = _parts(frame)
    if parts is None:
        return {**told, "type": None}
    name, number, acknowledged, says = parts
    return {**told, "type": name, "number": number, "acknowledged": acknowledged, "says": says}


def words(frame: bytes) -> str:
    """One frame without its closing zero: type, numbers, and what the body says."""
    parts = _parts(frame)
    if parts is None:
        return f"no frame: {_hex(frame)}"
    name, number, acknowledged, says = parts
    return f"{name:<9} {number:>3} ack {acknowledged:>3} {says}".rstrip()


def _parts(frame: bytes) -> tuple[str, int, int, str] | None:
    """Type, number, what it acknowledges, and what the body says; None for bytes that are no frame."""
    payload = decode(frame)
    if payload is None or len(payload) < m.HEADER_SIZE + m.MARK_SIZE:
        return None
    kind, number, acknowledged = payload[: m.HEADER_SIZE]
    name = TYPES.get(kind, f"type {kind:02x}")
    return name, number, acknowledged, _body(name, payload[m.HEADER_SIZE : -m.MARK_SIZE])


def _body(name: str, body: bytes) -> str:
    if name == "H_REQUEST" and len(body) >= _REQUEST_HEAD:
        return f"request {body[0]} {COMMANDS.get(body[1], f'command {body[1]:02x}')} {_hex(body[2:])}"
    if name in ("D_REPLY", "D_RECORD") and len(body) >= m.PART_SIZE:
        key, offset, total = struct.unpack_from(m.PART, body)
        of = f"record {key}" if name == "D_RECORD" else f"request {key & 0xFF} status {key >> 8}"
        return f"{of}, bytes {offset} to {offset + len(body) - m.PART_SIZE} of {total}: {_hex(body[m.PART_SIZE :])}"
    return _hex(body)


def _hex(data: bytes) -> str:
    return data[:_SHOWN_BYTES].hex(" ") + (" ..." if len(data) > _SHOWN_BYTES else "")
