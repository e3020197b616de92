"""The head of a journal: what a controller says, under its key, of all its records at one moment.

Entry points: :func:`build` (on the controller), :func:`parse` (what it says), :func:`genuine` (whether the controller
said it), :func:`key_id` (which chain key a journal began with, without telling it).

A pulled journal ends with a head over a nonce of whoever pulled it. Without one, or with one over another nonce, the
records may be an old or a shortened copy. The key of a head is derived from the key of the next record, which only the
controller holds now; whoever has the first key of the chain can derive it too.
"""

import hashlib
import struct
from collections import namedtuple

FORMAT = 1
NONCE_SIZE = 16
MAC_SIZE = 16
_MAGIC = b"SJHD"
_BODY = "<4sB8s8sHIII8s8s16s16s"
_BODY_SIZE = 83
SIZE = _BODY_SIZE + MAC_SIZE

# table: the controller's unique id; key: key_id of the chain; boot: of the last record; oldest: sequence of the oldest
# record that it still holds (last + 1: none); last: of the newest; acknowledged: up to which the host has all;
# tag: of the newest record; before: of the record before the oldest; meters: digest of the meters
Head = namedtuple(
    "Head", ("table", "key", "boot", "oldest", "last", "acknowledged", "tag", "before", "meters", "nonce", "mac")
)


class HeadError(ValueError):
    """A head that cannot be read; ``code`` is ``length``, ``magic`` or ``version``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def key_id(key: bytes) -> bytes:
    """8 bytes that name the first key of a chain without giving it away."""
    return hashlib.sha256(key + b"sabot key id").digest()[:8]


def _mac(key: bytes, body: bytes) -> bytes:
    """MAC of a head. The label keeps it apart from record tags and from the next key: no input is ever the same."""
    own = hashlib.sha256(key + b"sabot head").digest()
    return hashlib.sha256(own + body).digest()[:MAC_SIZE]


def build(
    key: bytes,
    table: bytes,
    identity: bytes,
    boot: int,
    oldest: int,
    last: int,
    acknowledged: int,
    tag: bytes,
    before: bytes,
    meters: bytes,
    nonce: bytes,
) -> bytes:
    """A head under ``key``, the key of the next record. HeadError ``length`` when the nonce is not 16 bytes."""
    if len(nonce) != NONCE_SIZE:
        raise HeadError("length", "a nonce of %d bytes, not %d" % (len(nonce), NONCE_SIZE))
    body = struct.pack(
        _BODY, _MAGIC, FORMAT, table, identity, boot, oldest, last, acknowledged, tag, before, meters, nonce
    )
    return body + _mac(key, body)


def parse(data: bytes) -> Head:
    """What a head says, not yet whether it is genuine. HeadError ``length``, ``magic`` or ``version``."""
    if len(data) != SIZE:
        raise HeadError("length", "a head of %d bytes, not %d" % (len(data), SIZE))
    parts = struct.unpack(_BODY, data[:_BODY_SIZE])
    if parts[0] != _MAGIC:
        raise HeadError("magic", "this is not the head of a journal")
    if parts[1] != FORMAT:
        raise HeadError("version", "a head of version %d; this program reads version %d" % (parts[1], FORMAT))
    return Head(*(parts[2:] + (data[_BODY_SIZE:],)))


def genuine(key: bytes, data: bytes) -> bool:
    """Whether the controller that holds ``key``, the key of record ``last`` + 1, made this head."""
    return len(data) == SIZE and _mac(key, data[:_BODY_SIZE]) == data[_BODY_SIZE:]
