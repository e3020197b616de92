"""Layout of the audit journal's records: one header, fields by code, a check and a chain tag.

Entry points: :func:`names` and :func:`layout` (what there is), :func:`pack_fields` and :func:`unpack_fields` (the
fields of one record), :func:`build` (a whole record but for its tag), :func:`parse` (a whole record to a dictionary),
:func:`chain_tag` and :func:`next_key` (the keyed chain), :func:`fixed_size` (bytes of a record whose lists have a known
length) and :func:`field_offsets`, for records that are built in place without allocation.

A record: ``length u16, code u8, sequence u32, boot u16, monotonic u48 (us since boot), clock u32 (s, 0 when not
known), dealer u16``, the fields, ``crc u16``, ``tag 8``. All integers little endian. The two top bits of ``boot`` are
the quality of the clock (:data:`sabot.wire.codes.CLOCK_QUALITY`). ``length`` counts everything, tag included.
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

FORMAT = 3  # version of this layout, told by the hello message and by the head of a pulled journal

HEADER = "<HBIH6sIH"
HEADER_SIZE = 21
LAST_BOOT = 0x3FFF  # the number of a boot stays there
CHECK_SIZE = 2
TAG_SIZE = 8
OVERHEAD = HEADER_SIZE + CHECK_SIZE + TAG_SIZE
MAX_RECORD = 1024

# Every record on a line: code in hexadecimal, name, fields. A field is `name:type`, a list with a count byte
# `name[column:type column:type]`. Types: B u8, H u16, I u32, C u32 (cents), T u48 (microseconds since boot), V a whole
# number in as many bytes as it needs, seven bits each, the lowest first, bit 7 set but in the last; M the same, cents;
# G the same, times 4, and with it the next column, which is below 4 and marked -; P the same with 8; U 8 bytes (a UID,
# LSB first), K 8 bytes (a hash, a commitment), X bytes with a length byte, S UTF-8 text with a length byte. Records
# that are filled in place have types of a fixed size only. It is one text because it lies in the controller's heap: as
# tuples it would take four times the room.
#
# confirmed, confirmed_part, decisions: bit 0 of flags is disputed, bit 1 goes back; an entry of "out" is a seat whose
# bets broke an article. confirmed_part: what the announcement locked, in a game in which the first card locks the rest.
# deal, reveal: the "seat" of a hand is its number: bits 2:0 the seat, 0 the dealer; bits 4:3 its part. Part 1 holds the
# cards dealt or shown after the first ones, part 2 the dealer's card in the war with that seat. Nonce and cards open
# the commitment of the deal record.
# configured: what is installed, when that is new: `settings` with the keys, `program` the release's manifest; `was`:
# `meters.installed` until then; `by`: who left the table for that, none when nobody did so through the controller.
# keyed_hands: cards that no reader has seen, keyed when they lay open. first_card: the lock of the bets that the first
# card dealt locks (67.36). paid: how each page of the payment ended, in their order (`codes.PAYMENTS`).
# seal: `settings` stands for configuration and keys; `second` gave the other key. prompt: the table stops for it.
# signed: a dealer or supervisor signed on or off; the dealer's number is in the header of every record from then on.
# badge: what became of one (`codes.badges`), whose it is, and its UID in the order of the air, none where it has
# another each time. declared: what people say, beside the kinds of irregularity (`codes.DECLARATIONS`).
# redealt: two hands exchanged their cards after the deal record: these commitments are in force.
# seconded: the dealer confirms what the supervisor ruled (S2); its `resolved` record follows. By none: he does not.
# rounded: what goes back of a halved bet beyond the settlement. seat_state: a seat went on or was held by itself.
# cut_card: it left the shoe; a running round is the last. `at` the edge of the first_card before: it is taken back.
# card_fault: index: the card's number in the deal; of exposed, foul_hand the hand's; of misplaced both (2:0, 6:4).
# tested: by the self-test. A rate is in hundredths; without a tag it is how often something was heard all the same.
# alert: to the pit, about what was not one for it when it was raised. change: severity 0, before its dwell is over.
_LAYOUTS = """
01 power_on cause:B version:S config_hash:K
02 power_lost_in_play round:V table_state:B
03 configured game:S game_hash:K config_hash:K was:K settings:K program:K deck:K by:B
04 fault part:B index:B detail:S
05 fault_cleared part:B index:B by:B
06 link up:B
07 access role:B granted:B
08 clock_set before:I after:I by:B
09 boot_loader by:B
0a seal on:B by:B second:B settings:K
0b prompt by:B
10 table trigger:S by:B
11 lock round:I edge:T game_hash:K spots[place:B amount:C]
12 unlock round:V by:B
13 confirmed round:V begun:T ended:T spots[place:B amount:G flags:-] out[seat:B kind:B article:S]
14 key key:B note:B edge:T table_state:B
15 deal round:V hands[seat:B cards:G decides:- commitment:K]
16 decisions round:V edge:T by:B seats[seat:P decision:-] spots[place:B amount:G flags:-]
17 reveal round:V hands[seat:B nonce:K cards:X]
18 settlement round:V bets[place:B result:B stake:M paid:M returned:M]
19 void round:V reason:B by:B article:S spots[place:B amount:M]
1a round_end round:V rounds:V
1b seat_state seat:B trigger:S
1c first_card round:I edge:T spots[place:B amount:C]
1d confirmed_part round:V begun:T ended:T spots[place:B amount:G flags:-] out[seat:B kind:B article:S]
1e paid round:V seats[seat:P outcome:-]
1f keyed_hands round:V by:B hands[seat:B cards:X]
20 irregularity id:H kind:B severity:B place:B before:M after:M earliest:T latest:T uids[uid:U]
21 resolved id:H resolution:B by:B amount:M
22 change place:B before:M after:M earliest:T latest:T
23 card_fault id:H kind:B at:T index:B
24 alert id:H kind:B place:B
25 signed role:B id:H on:B
26 declared said:B place:B amount:M by:B
27 redealt round:V by:B hands[seat:B cards:B commitment:K]
28 seconded id:H by:B
29 rounded place:B amount:M
2a cut_card round:V at:T
2b badge did:B role:B id:H badge:X
2d tested by:B faults:B antennas[antenna:B tags:B rate:B]
"""
_SIZES = {"B": 1, "H": 2, "I": 4, "C": 4, "T": 6, "U": 8, "K": 8}
_INTEGERS = "BHIC"
_FIXED = "UK"
_NUMBERS = "VMGP"  # of as many bytes as they need
_SHIFTS = {"G": 2, "P": 3}  # bits that the next column takes
_WITH_THE_ONE_BEFORE = "-"
_MOST_BYTES = 5  # of such a number: 35 bits
_TIME = "<IH"


class RecordError(ValueError):
    """A record that cannot be built or read; ``code`` is ``unknown``, ``short``, ``length``, ``check`` or ``field``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def names() -> "list[str]":
    """Names of all records, in the order of their codes."""
    return [line.split(" ")[1] for line in _LAYOUTS.split("\n") if line]


def layout(code: int) -> "tuple[int, str, tuple[Any, ...]]":
    """Code, name and fields of a record: each (name, type), the type of a list a tuple of its columns.

    RecordError ``unknown`` when no record has the code.
    """
    begin = _LAYOUTS.find("\n%02x " % code)
    if begin < 0:
        raise RecordError("unknown", "record code 0x%02x is not known" % code)
    words = _LAYOUTS[begin + 1 : _LAYOUTS.find("\n", begin + 1)].split(" ")
    fields: list[Any] = []
    columns: list[tuple[str, str]] = []  # of the list that is being read
    listed = ""
    for word in words[2:]:
        if "[" in word:
            listed, word = word.split("[")
            columns = []
        name, kind = word.split(":")
        if not listed:
            fields.append((name, kind))
            continue
        columns.append((name, kind[0]))
        if kind[-1] == "]":
            fields.append((listed, tuple(columns)))
            listed = ""
    return code, words[1], tuple(fields)


def code_of(name: str) -> int:
    """Code of a record name; RecordError ``unknown`` when there is none."""
    at = _LAYOUTS.find(" " + name + " ")
    if at < 0:
        raise RecordError("unknown", "record name %r is not known" % name)
    return int(_LAYOUTS[at - 2 : at], 16)


def _pack_number(value: int) -> bytes:
    if not 0 <= value < 1 << (7 * _MOST_BYTES):
        raise RecordError("field", "%d is no number of a record" % value)
    packed = bytearray()
    while value > 0x7F:
        packed.append(value & 0x7F | 0x80)
        value >>= 7
    packed.append(value)
    return bytes(packed)


def _pack_one(kind: str, value: "Any") -> bytes:
    if kind in _INTEGERS:
        return struct.pack("<" + ("I" if kind == "C" else kind), value)
    if kind in _NUMBERS:
        return _pack_number(value)
    if kind == "T":
        return struct.pack(_TIME, value & 0xFFFFFFFF, value >> 32)
    data = value.encode() if kind == "S" else bytes(value)
    if kind in _FIXED:
        if len(data) != 8:
            raise RecordError("field", "8 bytes expected, %d given" % len(data))
        return data
    if len(data) > 255:
        raise RecordError("field", "more than 255 bytes in a field")
    return bytes([len(data)]) + data


def _pack_column(kinds: "tuple[Any, ...]", row: "Any", column: int) -> bytes:
    kind, value = kinds[column][1], row[column]
    if kind == _WITH_THE_ONE_BEFORE:
        return b""
    bits = _SHIFTS.get(kind, 0)
    if bits:
        if not 0 <= row[column + 1] < 1 << bits:
            raise RecordError("field", "%r is too much for %s" % (row[column + 1], kinds[column + 1][0]))
        value = value << bits | row[column + 1]
    return _pack_one(kind, value)


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
            parts.append(bytes([len(value)]))
            for row in value:
                if len(row) != len(kind):
                    raise RecordError("field", "an entry of %r has %d parts, not %d" % (name, len(row), len(kind)))
                for column in range(len(kind)):
                    parts.append(_pack_column(kind, row, column))
        else:
            parts.append(_pack_one(kind, value))
    return b"".join(parts)


def _unpack_number(data: "bytes | memoryview", at: int) -> "tuple[int, int]":
    value = 0
    for index in range(_MOST_BYTES):
        if at + index >= len(data):
            raise RecordError("short", "the record ends inside a field")
        byte = data[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            if not byte and index:
                break  # there is one way only to write a number
            return value, at + index + 1
    raise RecordError("field", "bytes that are no number")


def _unpack_one(kind: str, data: "bytes | memoryview", at: int) -> "tuple[Any, int]":
    """One value and where the next one begins."""
    if kind in _NUMBERS:
        return _unpack_number(data, at)
    size = _SIZES.get(kind, 0)
    if not size:
        if at >= len(data):
            raise RecordError("short", "the record ends inside a field")
        size = data[at]
        at += 1
    end = at + size
    if end > len(data):
        raise RecordError("short", "the record ends inside a field")
    part = bytes(data[at:end])
    if kind in _INTEGERS:
        return struct.unpack("<" + ("I" if kind == "C" else kind), part)[0], end
    if kind == "T":
        low, high = struct.unpack(_TIME, part)
        return low | (high << 32), end
    return (part.decode() if kind == "S" else part), end


def _unpack_row(kinds: "tuple[Any, ...]", data: "bytes | memoryview", at: int) -> "tuple[tuple[Any, ...], int]":
    row = []
    for _name, kind in kinds:
        if kind == _WITH_THE_ONE_BEFORE:
            continue
        value, at = _unpack_one(kind, data, at)
        bits = _SHIFTS.get(kind, 0)
        if bits:
            row.append(value >> bits)
            value &= (1 << bits) - 1
        row.append(value)
    return tuple(row), at


def unpack_fields(code: int, data: "bytes | memoryview") -> "dict[str, Any]":
    """Fields of a record as a dictionary; lists become lists of tuples. RecordError ``short length field``."""
    values: dict[str, Any] = {}
    at = 0
    try:
        for name, kind in layout(code)[2]:
            if isinstance(kind, tuple):
                rows = []
                count, at = _unpack_one("B", data, at)
                for _ in range(count):
                    row, at = _unpack_row(kind, data, at)
                    rows.append(row)
                values[name] = rows
            else:
                values[name], at = _unpack_one(kind, data, at)
    except UnicodeError:
        raise RecordError("field", "text that is not UTF-8") from None
    if at != len(data):
        raise RecordError("length", "%d bytes too many after the fields" % (len(data) - at))
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
    time = struct.pack(_TIME, monotonic & 0xFFFFFFFF, monotonic >> 32)
    record = bytearray(total)
    struct.pack_into(HEADER, record, 0, total, code, sequence, boot | quality << 14, time, clock, dealer)
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


def identity(record: "bytes | bytearray | memoryview") -> "tuple[int, int, int]":
    """Sequence number, boot and microseconds since boot of a record of at least HEADER_SIZE bytes, be it damaged."""
    sequence, boot, low, high = struct.unpack("<IHIH", bytes(record[3:15]))
    return sequence, boot & LAST_BOOT, low | (high << 32)


def parse(record: "bytes | bytearray | memoryview") -> "dict[str, Any]":
    """A record as ``{length, code, name, quality, sequence, boot, monotonic, clock, dealer, fields, tag}``.

    RecordError ``short``, ``check``, ``unknown``, ``length`` or ``field`` names what is wrong with it.
    """
    if len(record) < OVERHEAD:
        raise RecordError("short", "%d bytes are no record" % len(record))
    total, code, sequence, boot, time, clock, dealer = struct.unpack(HEADER, bytes(record[:HEADER_SIZE]))
    if total != len(record):
        raise RecordError("length", "a record of %d bytes says it has %d" % (len(record), total))
    if not whole(record, len(record)):
        raise RecordError("check", "the check of record %d is wrong" % sequence)
    low, high = struct.unpack(_TIME, time)
    body = bytes(record[HEADER_SIZE : total - TAG_SIZE - CHECK_SIZE])
    return {
        "length": total,
        "code": code,
        "name": layout(code)[1],
        "quality": boot >> 14,
        "sequence": sequence,
        "boot": boot & LAST_BOOT,
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
