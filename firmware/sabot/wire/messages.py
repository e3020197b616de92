"""What the frames of the host link say: types, commands, status codes, and how each is laid out.

Entry points: the constants below and :func:`pack_part` (a long body in several frames; `parts` puts it together again).
``docs/protocol.md`` tells the whole story; its tables are checked against this module.

Every payload is ``type u8, number u8, acknowledged u8, body, mark 4``. A frame with a number from 1 to 255 is sent
again until the other side acknowledges that number; only one is under way in each direction. Number 0 asks for nothing.
``number`` is that of this frame, ``acknowledged`` the last one taken from the other side. ``mark``: the controller ends
each numbered frame with four random bytes, and the host repeats those of the last frame that it took. So an
acknowledgement proves that the frame was read to its end, and a frame of another session is known by its mark.

The host opens with ``HELLO``, which starts both countings anew; the controller says nothing before it. The types of the
two hellos, their place for number, nonce, protocol and version text are the same in every version of the protocol.
"""

import struct

PROTOCOL = 1

# From the host
H_HELLO = 0x11  # protocol u8, nonce 8: a nonce opens one session and never another
H_REQUEST = 0x12  # request id u8, command u8, arguments
H_ACK = 0x13
H_ALIVE = 0x14  # the controller answers with D_ACK
H_BYE = 0x15  # the session is over: role and subscription are forgotten at once

# From the controller
D_HELLO = 0x01  # the host's nonce 8, protocol u8, version text, then what HELLO says and the name of the game
D_RECORD = 0x02  # one journal record, in parts
D_REPLY = 0x03  # one reply, in parts
D_PROMPT = 0x04  # kind u8, place u8, amount u32: transient, what the display would ask of the dealer
D_ACK = 0x05

HEADER_SIZE = 3
MARK_SIZE = 4
NO_MARK = b"\0\0\0\0"
NONCE_SIZE = 16  # of a role's proof and of a head
HELLO_NONCE_SIZE = 8

# Record format u8, sealed u8, table number u16, boot u16, unique id 8, first, last and acknowledged sequence u32.
# Texts have a length byte before them and at most MAX_TEXT bytes.
HELLO = "<BBHH8sIII"
MAX_TEXT = 32
PROMPT = "<BBI"

# A part: key u32 (record: its sequence; reply: request id | status << 8), offset u16, total u16, then the bytes
PART = "<IHH"
PART_SIZE = 8
PART_BYTES = 224
MAX_REPLY = 8192

# Commands: arguments -> body of the reply
C_STATUS = 0x01  # -> JSON object
C_AUTH_BEGIN = 0x02  # role u8 -> nonce 16
C_AUTH = 0x03  # role u8, HMAC-SHA-256(role key, "sabot link" + nonce + unique id + role) 32
C_VIEW = 0x04  # -> what a monitor draws, laid out in `view`
# first sequence u32 -> first and last sequence u32; records from there on are pushed, the ones to come included
C_SUBSCRIBE = 0x10
C_ACKNOWLEDGE = 0x11  # sequence u32 -> sequence u32: the host has them safe; they may be overwritten
C_HEAD = 0x12  # nonce 16 -> head of the journal over the nonce
C_RESOLVE = 0x20  # irregularity u16, resolution u8, amount u32
C_VOID = 0x21  # reason u8
C_SIGN = 0x22  # role u8 (dealer or supervisor), number u16, on u8
C_DECLARE = 0x23  # what is said (codes.DECLARATIONS) u8, place u8, amount u32
# What is wanted u8, then for BADGE_LIST nothing -> UID on the reader now (HELD_BYTES), each badge (BADGE_BYTES);
# BADGE_ENROL role u8, number u16, UID; BADGE_REVOKE UID -> role u8, number u16, UID. Without a UID: that on the reader.
C_BADGE = 0x24
C_SET_TIME = 0x30  # seconds since 1970 u32
C_BOOT_LOADER = 0x31  # the boot loader starts when the session is over
C_SELF_TEST = 0x32  # tries u8: it begins; 0 -> what has come out, JSON
C_RELEASE = 0x33  # challenge CHALLENGE_SIZE -> 32 bytes over it and every file of the release
C_SEAL = 0x38  # on u8; off: after a proof of the supervisor in the same session
C_PROMPT = 0x39  # the interpreter's prompt shows when the session is over

# code, name, roles of which one is needed (none: anyone may ask), whether it may be asked again when the answer is lost
COMMANDS = (
    (C_STATUS, "status", (), True),
    (C_AUTH_BEGIN, "auth_begin", (), True),
    (C_AUTH, "auth", (), False),
    (C_VIEW, "view", (), True),
    (C_SUBSCRIBE, "subscribe", ("auditor",), True),
    (C_ACKNOWLEDGE, "acknowledge", ("auditor",), True),
    (C_HEAD, "head", ("auditor",), True),
    (C_RESOLVE, "resolve", ("supervisor", "technician"), False),
    (C_VOID, "void", ("supervisor",), False),
    (C_SIGN, "sign", ("dealer", "supervisor"), False),
    (C_DECLARE, "declare", ("supervisor",), False),
    (C_BADGE, "badge", ("supervisor", "technician", "auditor"), False),
    (C_SET_TIME, "set_time", ("technician",), False),
    (C_BOOT_LOADER, "boot_loader", ("technician",), False),
    (C_SELF_TEST, "self_test", ("technician",), False),
    (C_RELEASE, "release", ("supervisor", "technician", "auditor"), True),
    (C_SEAL, "seal", ("technician",), True),
    (C_PROMPT, "prompt", ("technician",), False),
)

AUTH_LABEL = b"sabot link"
CHALLENGE_SIZE = 16

# Status of a reply; LOCKED_OUT comes with the milliseconds left, u32
OK = 0
UNKNOWN_COMMAND = 1
BAD_ARGUMENTS = 2
NOT_AUTHORISED = 3
LOCKED_OUT = 4
NOT_NOW = 5
NOT_FOUND = 6
FAILED = 7
SEALED = 8  # not while the seal is on
PUBLISHED = 9  # keys that everybody knows are not sealed
NO_READER = 10  # of badges
TAKEN = 11  # the badge is enrolled
LIST_FULL = 12  # of badges
RANDOM_UID = 13  # the badge has another UID each time
NO_BADGE = 14  # is held to the reader

BADGE_LIST = 0
BADGE_ENROL = 1
BADGE_REVOKE = 2
BADGE_BYTES = 11  # of the list: role u8, number u16, length of the UID u8, UID 7
HELD_BYTES = 8  # what is held to the reader: length of the UID u8, UID 7

# Times, in milliseconds
RESEND_MS = 250  # an unacknowledged frame is sent again
LOST_MS = 3000  # either side takes the other as gone after this silence
REQUEST_GAP_MS = 20  # the controller begins no request sooner after the one before


def next_number(number: int) -> int:
    """The frame number after ``number``: 1 to 255, never 0."""
    return 1 if number >= 255 else number + 1


def header(kind: int, number: int, acknowledged: int) -> bytes:
    """The first three bytes of a payload."""
    return struct.pack("<BBB", kind, number, acknowledged)


def pack_part(key: int, body: "bytes | bytearray | memoryview", offset: int, into: bytearray, at: int) -> int:
    """Write the part of ``body`` that begins at ``offset``, with its place, into ``into[at:]``; returns its end."""
    size = min(len(body) - offset, PART_BYTES)
    struct.pack_into(PART, into, at, key, offset, len(body))
    at += PART_SIZE
    into[at : at + size] = body[offset : offset + size]
    return at + size
