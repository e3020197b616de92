"""What the frames of the host link say: types, commands, status codes, and how each is laid out.

Entry points: the constants below, :func:`pack_part` and :func:`unpack_part` (a long body in several frames),
:class:`Assembler`, :data:`STATUS_TEXT` (what a status code means and what to do).

Every payload begins ``type u8, number u8, acknowledged u8``. A frame with a number from 1 to 255 is sent again until
the other side acknowledges that number; only one is under way in each direction. Number 0 asks for nothing. ``number``
is that of this frame, ``acknowledged`` the last one taken from the other side. The host opens with ``HELLO``, which
starts both countings anew; the controller says nothing before it.
"""

import struct

PROTOCOL = 1

# From the host
H_HELLO = 0x11  # protocol u8, nonce 8
H_REQUEST = 0x12  # request id u8, command u8, arguments
H_ACK = 0x13

# From the controller
D_HELLO = 0x01  # the host's nonce 8, then a description, see HELLO
D_RECORD = 0x02  # one journal record, in parts
D_REPLY = 0x03  # one reply, in parts
D_PROMPT = 0x04  # kind u8, place u8, amount u32: transient, what the display would ask of the dealer
D_ACK = 0x05

HEADER_SIZE = 3

# protocol, record format, sealed, table number u16, boot u16, unique id 8, first, last and acknowledged sequence u32,
# then the firmware version and the game as texts with a length byte each
HELLO = "<BBBHH8sIII"

# A part: key u32 (record: its sequence; reply: request id | status << 8), offset u16, total u16, then the bytes
PART = "<IHH"
PART_SIZE = 8
PART_BYTES = 224
MAX_REPLY = 2048

# Commands: code, name, role needed ("" for anyone)
C_STATUS = 0x01
C_AUTH_BEGIN = 0x02  # role u8 -> nonce 16
C_AUTH = 0x03  # role u8, HMAC-SHA-256(role key, "sabot link" + nonce + unique id + role) 32
C_SUBSCRIBE = 0x10  # first sequence u32: records from there on are pushed, the ones to come included
C_ACKNOWLEDGE = 0x11  # sequence u32: the host has it safe; it may be overwritten
C_HEAD = 0x12  # nonce 16 -> head of the journal over the nonce
C_RESOLVE = 0x20  # irregularity u16, resolution u8, amount u32
C_VOID = 0x21  # reason u8
C_SET_TIME = 0x30  # seconds since 1970 u32

COMMANDS = (
    (C_STATUS, "status", ()),
    (C_AUTH_BEGIN, "auth_begin", ()),
    (C_AUTH, "auth", ()),
    (C_SUBSCRIBE, "subscribe", ("auditor",)),
    (C_ACKNOWLEDGE, "acknowledge", ("auditor",)),
    (C_HEAD, "head", ("auditor",)),
    (C_RESOLVE, "resolve", ("supervisor",)),
    (C_VOID, "void", ("supervisor",)),
    (C_SET_TIME, "set_time", ("technician",)),
)

AUTH_LABEL = b"sabot link"
NONCE_SIZE = 16

# Status of a reply
OK = 0
UNKNOWN_COMMAND = 1
BAD_ARGUMENTS = 2
NOT_AUTHORISED = 3
LOCKED_OUT = 4
NOT_NOW = 5
NOT_FOUND = 6
FAILED = 7

STATUS_TEXT = (
    ("ok", "", ""),
    ("unknown_command", "the controller does not know this command", "update the host tool or the controller"),
    ("bad_arguments", "the controller refused the arguments", "check the values given"),
    ("not_authorised", "the controller asks for a role key", "give the key file of the role with --key-file"),
    ("locked_out", "too many wrong keys: the controller refuses more for a while", "wait and use the right key file"),
    ("not_now", "the table is not in a state where this can be done", "see `sabot status`"),
    ("not_found", "the controller has no such record or irregularity", "see `sabot status`"),
    ("failed", "the controller could not do it", "see the journal"),
)

# Times, in milliseconds
RESEND_MS = 250  # an unacknowledged frame is sent again
KEEP_ALIVE_MS = 1000  # the host says something at least this often
LOST_MS = 3000  # the controller takes a host as gone after this silence


def next_number(number: int) -> int:
    """The frame number after ``number``: 1 to 255, never 0."""
    return 1 if number >= 255 else number + 1


def header(kind: int, number: int, acknowledged: int) -> bytes:
    """The first three bytes of a payload."""
    return struct.pack("<BBB", kind, number, acknowledged)


def pack_part(key: int, body: "bytes | memoryview", offset: int) -> bytes:
    """The part of ``body`` that begins at ``offset``, with its place; the receiver puts it together again."""
    return struct.pack(PART, key, offset, len(body)) + bytes(body[offset : offset + PART_BYTES])


class Assembler:
    """Puts the parts of one long body together; parts come in order, one body after the other."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._key = 0
        self._body = bytearray()

    def take(self, part: bytes) -> "tuple[int, bytes] | None":
        """``(key, body)`` when this part was the last, else None. ValueError when it does not fit the ones before."""
        if len(part) < PART_SIZE:
            raise ValueError("a part without its head")
        key, offset, total = struct.unpack(PART, part[:PART_SIZE])
        if total > self._cap:
            raise ValueError("a body of %d bytes; the most is %d" % (total, self._cap))
        if offset == 0:
            self._key = key
            self._body = bytearray()
        if key != self._key or offset != len(self._body):
            raise ValueError("a part out of its order")
        self._body += part[PART_SIZE:]
        if len(self._body) > total:
            raise ValueError("more bytes than announced")
        return (key, bytes(self._body)) if len(self._body) == total else None
