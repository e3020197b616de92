"""Layout of the audit journal's records: one header, fields by code, a check and a chain tag.

Entry points: :data:`RECORDS` (code, name, fields), :func:`pack_fields` and :func:`unpack_fields` (the fields of one
record), :func:`build` (a whole record but for its tag), :func:`parse` (a whole record to a dictionary),
:func:`chain_tag` and :func:`next_key` (the keyed chain), :func:`fixed_size` (bytes of a record whose lists have a known
length) and :func:`field_offsets`, for records that are built in place without allocation.

A record: ``length u16, code u8, flags u8, sequence u32, boot u16, monotonic u48 (us since boot), clock u32 (s, 0 when
not known), dealer u16``, the fields, ``crc u16``, ``tag 8``. All integers little endian. ``flags`` bits 1:0 are the
quality of the clock (:data:`sabot.wire.codes.CLOCK_QUALITY`). ``length`` counts everything, tag included.
"""

import hashlib
import struct

from .crc import crc16

try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1  # version of this layout, told by the hello message and by the head of a pulled journal

HEADER = "<HBBIH6sIH"
HEADER_SIZE = 22
CHECK_SIZE = 2
TAG_SIZE = 8
OVERHEAD = HEADER_SIZE + CHECK_SIZE + TAG_SIZE
MAX_RECORD = 1024

# Field types. They are names, not letters, in the table below: a tuple of nothing but constants is loaded with a copy
# of every string in it, while the names of fields in this one are shared with the modules that use them.
U8 = "B"
U16 = "H"
U32 = "I"
TIME = "T"  # u48, microseconds since boot
MONEY = "M"  # u32, cents
UID = "U"  # 8 bytes, LSB first
KEY8 = "K"  # 8 bytes: a hash, a commitment
BYTES = "X"  # with a length byte
TEXT = "S"  # UTF-8, with a length byte
# A tuple in place of a type is a list with a count byte.
_SIZES = {U8: 1, U16: 2, U32: 4, TIME: 6, MONEY: 4, UID: 8, KEY8: 8}

_SPOTS = ("spots", (("place", U8), ("amount", MONEY)))

RECORDS = (
    # the controller
    (0x01, "power_on", (("cause", U8), ("version", TEXT), ("config_hash", KEY8))),
    (0x02, "power_lost_in_play", (("round", U32), ("table_state", U8))),
    (0x03, "configured", (("game", TEXT), ("game_hash", KEY8), ("config_hash", KEY8))),
    (0x04, "fault", (("part", U8), ("index", U8), ("detail", TEXT))),
    (0x05, "fault_cleared", (("part", U8), ("index", U8), ("by", U8))),
    (0x06, "link", (("up", U8),)),
    (0x07, "access", (("role", U8), ("granted", U8))),
    (0x08, "clock_set", (("before", U32), ("after", U32), ("by", U8))),
    # the round
    (0x10, "table", (("trigger", TEXT), ("by", U8))),
    (0x11, "lock", (("round", U32), ("edge", TIME), ("game_hash", KEY8), _SPOTS)),
    (0x12, "unlock", (("round", U32), ("by", U8))),
    # flags: bit 0 disputed. An "out" entry is a seat whose bets broke an article; its bets go back.
    (
        0x13,
        "confirmed",
        (
            ("round", U32),
            ("begun", TIME),
            ("ended", TIME),
            ("spots", (("place", U8), ("amount", MONEY), ("flags", U8))),
            ("out", (("seat", U8), ("kind", U8), ("article", TEXT))),
        ),
    ),
    (0x14, "key", (("key", U8), ("note", U8), ("edge", TIME), ("table_state", U8))),
    (0x15, "deal", (("round", U32), ("hands", (("seat", U8), ("cards", U8), ("decides", U8), ("commitment", KEY8))))),
    (
        0x16,
        "decisions",
        (
            ("round", U32),
            ("edge", TIME),
            ("by", U8),
            ("seats", (("seat", U8), ("decision", U8))),
            ("spots", (("place", U8), ("amount", MONEY), ("flags", U8))),
        ),
    ),
    # seat 0 is the dealer; nonce and cards open the commitment of the deal record
    (0x17, "reveal", (("round", U32), ("hands", (("seat", U8), ("nonce", KEY8), ("cards", BYTES))))),
    (
        0x18,
        "settlement",
        (
            ("round", U32),
            ("bets", (("place", U8), ("result", U8), ("stake", MONEY), ("paid", MONEY), ("returned", MONEY))),
        ),
    ),
    (0x19, "void", (("round", U32), ("reason", U8), ("by", U8), ("article", TEXT), _SPOTS)),
    (0x1A, "round_end", (("round", U32), ("rounds", U32))),
    # an unsettled bet of a held seat, paid or refused after the supervisor's word
    (0x1B, "seat_state", (("seat", U8), ("trigger", TEXT))),
    # irregularities
    (
        0x20,
        "irregularity",
        (
            ("id", U16),
            ("kind", U8),
            ("severity", U8),
            ("place", U8),
            ("before", MONEY),
            ("after", MONEY),
            ("earliest", TIME),
            ("latest", TIME),
            ("uids", (("uid", UID),)),
        ),
    ),
    (0x21, "resolved", (("id", U16), ("resolution", U8), ("by", U8), ("amount", MONEY))),
    # severity 0: a chip left or came back after the lock; it becomes an irregularity only after its dwell
    (0x22, "change", (("place", U8), ("before", MONEY), ("after", MONEY), ("earliest", TIME), ("latest", TIME))),
    (0x23, "card_fault", (("id", U16), ("kind", U8), ("at", TIME), ("index", U8))),
)


class RecordError(ValueError):
    """A record that cannot be built or read; ``code`` is ``unknown``, ``short``, ``length``, ``check`` or ``field``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def layout(code: int) -> "tuple[int, str, tuple[Any, ...]]":
    """Entry of :data:`RECORDS` for a code; RecordError ``unknown`` when there is none."""
    for entry in RECORDS:
        if entry[0] == code:
            return entry
    raise RecordError("unknown", "record code 0x%02x is not known" % code)


def code_of(name: str) -> int:
    """Code of a record name; RecordError ``unknown`` when there is none."""
    for entry in RECORDS:
        if entry[1] == name:
            return entry[0]
    raise RecordError("unknown", "record name %r is not known" % name)


def _pack_one(kind: str, value: "Any") -> bytes:
    if kind == "B":
        return struct.pack("<B", value)
    if kind == "H":
        return struct.pack("<H", value)
    if kind in "IM":
        return struct.pack("<I", value)
    if kind == "T":
        return struct.pack("<IH", value & 0xFFFFFFFF, value >> 32)
    data = value.encode() if kind == "S" else bytes(value)
    if kind in "UK":
        if len(data) != 8:
            raise RecordError("field", "8 bytes expected, %d given" % len(data))
        return data
    if len(data) > 255:
        raise RecordError("field", "more than 255 bytes in a field")
    return struct.pack("<B", len(data)) + data


def pack_fields(code: int, values: "dict[str, Any]") -> bytes:
    """The fields of a record; lists are sequences of tuples in the order of the layout. RecordError ``field``."""
    parts = []
    for name, kind in layout(code)[2]:
        if name not in values:
            raise RecordError("field", "field %r is missing" % name)
        value = values[name]
        if isinstance(kind, tuple):
            if len(value) > 255:
                raise RecordError("field", "more than 255 entries in %r" % name)
            parts.append(struct.pack("<B", len(value)))
            for row in value:
                if len(row) != len(kind):
                    raise RecordError("field", "an entry of %r has %d parts, not %d" % (name, len(row), len(kind)))
                for column in range(len(kind)):
                    parts.append(_pack_one(kind[column][1], row[column]))
        else:
            parts.append(_pack_one(kind, value))
    return b"".join(parts)


class _Reader:
    def __init__(self, data: "bytes | memoryview") -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        end = self.at + count
        if end > len(self.data):
            raise RecordError("short", "the record ends inside a field")
        part = bytes(self.data[self.at : end])
        self.at = end
        return part

    def one(self, kind: str) -> "Any":
        if kind == "B":
            return self.take(1)[0]
        if kind == "H":
            return struct.unpack("<H", self.take(2))[0]
        if kind in "IM":
            return struct.unpack("<I", self.take(4))[0]
        if kind == "T":
            low, high = struct.unpack("<IH", self.take(6))
            return low | (high << 32)
        if kind in "UK":
            return self.take(8)
        data = self.take(self.take(1)[0])
        return data.decode() if kind == "S" else data


def unpack_fields(code: int, data: "bytes | memoryview") -> "dict[str, Any]":
    """Fields of a record as a dictionary; lists become lists of tuples. RecordError ``short length field``."""
    reader = _Reader(data)
    values: dict[str, Any] = {}
    try:
        for name, kind in layout(code)[2]:
            if isinstance(kind, tuple):
                rows = []
                for _ in range(reader.take(1)[0]):
                    row = []
                    for column in kind:
                        row.append(reader.one(column[1]))
                    rows.append(tuple(row))
                values[name] = rows
            else:
                values[name] = reader.one(kind)
    except UnicodeError:
        raise RecordError("field", "text that is not UTF-8") from None
    if reader.at != len(data):
        raise RecordError("length", "%d bytes too many after the fields" % (len(data) - reader.at))
    return values


def fixed_size(code: int, counts: "dict[str, int]") -> int:
    """Whole size in bytes of a record whose lists hold ``counts[name]`` entries; it may have no X or S field."""
    size = OVERHEAD
    for name, kind in layout(code)[2]:
        if isinstance(kind, tuple):
            row = 0
            for column in kind:
                row += _SIZES[column[1]]
            size += 1 + row * counts[name]
        else:
            size += _SIZES[kind]
    return size


def field_offsets(code: int, counts: "dict[str, int]") -> "dict[str, int]":
    """Where each field begins in a record of :func:`fixed_size`; for a list, the count byte before its first entry."""
    offset = HEADER_SIZE
    offsets = {}
    for name, kind in layout(code)[2]:
        offsets[name] = offset
        if isinstance(kind, tuple):
            row = 0
            for column in kind:
                row += _SIZES[column[1]]
            offset += 1 + row * counts[name]
        else:
            offset += _SIZES[kind]
    return offsets


def build(
    code: int, sequence: int, boot: int, monotonic: int, clock: int, quality: int, dealer: int, fields: bytes
) -> bytearray:
    """A whole record with its check and room for its tag (zeros). RecordError ``length`` above MAX_RECORD bytes."""
    total = OVERHEAD + len(fields)
    if total > MAX_RECORD:
        raise RecordError("length", "a record of %d bytes; the most is %d" % (total, MAX_RECORD))
    time = struct.pack("<IH", monotonic & 0xFFFFFFFF, monotonic >> 32)
    record = bytearray(total)
    struct.pack_into(HEADER, record, 0, total, code, quality & 3, sequence, boot, time, clock, dealer)
    record[HEADER_SIZE : HEADER_SIZE + len(fields)] = fields
    struct.pack_into("<H", record, total - TAG_SIZE - CHECK_SIZE, crc16(record, total - TAG_SIZE - CHECK_SIZE))
    return record


def whole(data: "bytes | bytearray | memoryview", available: int) -> int:
    """Length of the record at the start of ``data`` if ``available`` bytes hold it with a good check, else 0."""
    if available < OVERHEAD:
        return 0
    total = data[0] | (data[1] << 8)
    if total < OVERHEAD or total > MAX_RECORD or total > available:
        return 0
    end = total - TAG_SIZE - CHECK_SIZE
    return total if (data[end] | (data[end + 1] << 8)) == crc16(data, end) else 0


def parse(record: "bytes | bytearray | memoryview") -> "dict[str, Any]":
    """A record as ``{length, code, name, quality, sequence, boot, monotonic, clock, dealer, fields, tag}``.

    RecordError ``short``, ``check``, ``unknown``, ``length`` or ``field`` names what is wrong with it.
    """
    if len(record) < OVERHEAD:
        raise RecordError("short", "%d bytes are no record" % len(record))
    total, code, flags, sequence, boot, time, clock, dealer = struct.unpack(HEADER, bytes(record[:HEADER_SIZE]))
    if total != len(record):
        raise RecordError("length", "a record of %d bytes says it has %d" % (len(record), total))
    if not whole(record, len(record)):
        raise RecordError("check", "the check of record %d is wrong" % sequence)
    low, high = struct.unpack("<IH", time)
    body = bytes(record[HEADER_SIZE : total - TAG_SIZE - CHECK_SIZE])
    return {
        "length": total,
        "code": code,
        "name": layout(code)[1],
        "quality": flags & 3,
        "sequence": sequence,
        "boot": boot,
        "monotonic": low | (high << 32),
        "clock": clock,
        "dealer": dealer,
        "fields": unpack_fields(code, body),
        "tag": bytes(record[total - TAG_SIZE :]),
    }


def chain_tag(key: bytes, previous: bytes, record: "bytes | bytearray | memoryview") -> bytes:
    """Chain tag of a record: the first 8 bytes of SHA-256(key, previous tag, record without its tag).

    A prefix key is safe here because 24 bytes of the digest are never shown, so the hash cannot be extended.
    """
    digest = hashlib.sha256(key)
    digest.update(previous)
    digest.update(record[: len(record) - TAG_SIZE])
    return digest.digest()[:TAG_SIZE]


def next_key(key: bytes) -> bytes:
    """The key of the next record. The old one is overwritten, so a stolen controller cannot rewrite its past."""
    return hashlib.sha256(key).digest()
