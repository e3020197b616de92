"""What goes over the bus's socket: one message each way, a JSON head and a tail of raw bytes.

Entry points: :func:`send`, :func:`receive`, :class:`Closed`. A message is the lengths of head and tail (32 bits each,
little endian), then both. Nothing in it is executed on either side.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

MOST_HEAD = 256 * 1024
MOST_TAIL = 16 * 1024 * 1024


class Closed(Exception):
    """The other side has gone, or sends what is no message."""


def send(to: socket.socket, head: dict[str, Any], tail: bytes = b"") -> None:
    """Send a message."""
    text = json.dumps(head).encode()
    to.sendall(struct.pack("<II", len(text), len(tail)) + text + tail)


def receive(from_: socket.socket) -> tuple[dict[str, Any], bytes]:
    """Wait for a message; Closed when there will be none."""
    head_bytes, tail_bytes = struct.unpack("<II", _exactly(from_, 8))
    if head_bytes > MOST_HEAD or tail_bytes > MOST_TAIL:
        raise Closed("a message larger than any there is")
    try:
        head = json.loads(_exactly(from_, head_bytes))
    except ValueError as wrong:
        raise Closed(f"no message: {wrong}") from None
    if not isinstance(head, dict):
        raise Closed("no message: a JSON object is one")
    return head, _exactly(from_, tail_bytes)


def _exactly(from_: socket.socket, count: int) -> bytes:
    got = bytearray()
    while len(got) < count:
        part = from_.recv(count - len(got))
        if not part:
            raise Closed("the other side has closed")
        got += part
    return bytes(got)
