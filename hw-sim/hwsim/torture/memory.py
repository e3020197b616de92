"""The journal's memory by its map in ``docs/journal.md``.

Entry points: :func:`crowd`, :func:`turn_bit`, :data:`AREAS`, :func:`bodies`, :func:`chain_tag`. Written from that
page: nothing of the firmware is imported, so a map that does not hold shows on either side.
"""

from __future__ import annotations

import binascii
import hashlib
import struct
from collections.abc import Iterable

from hwsim.chips.mb85rs import Write

SUPERBLOCKS = (0x0000, 0x0040)
HEADS = (0x0080, 0x0100)
METERS = (0x0200, 0x0900)
RING = 0x1000
_SUPERBLOCK_SIZE, _HEAD_SIZE, _METERS_SIZE = 40, 94, 1760
TAG_SIZE = 8
_LEAST = 31

_HEAD = struct.Struct("<2sBBIIIIIIIIIH8s8s32sI")
_LAST, _TAIL, _BOOT, _TAG, _KEY = 3, 4, 12, 13, 15  # of the head's fields
_HEADER = struct.Struct("<HBIH6sIH")
_FAULT, _LINK = 0x04, 11  # a record "fault" of the part "link": part, index, text
_TEXT = 220
_SECTOR = 4096
_KINDS = 3  # of places at which a bit turns over

#: Areas in which one bit may turn over and nothing is lost: bytes of each, by name. Two copies, or nothing at all.
AREAS = {
    "superblock": [range(at, at + _SUPERBLOCK_SIZE) for at in SUPERBLOCKS],
    "head": [range(at, at + _HEAD_SIZE) for at in HEADS],
    "meters": [range(at, at + _METERS_SIZE) for at in METERS],
    "free": [range(0x7F000, 0x80000)],
}


def next_key(key: bytes) -> bytes:
    """The key of the record behind."""
    return hashlib.sha256(key).digest()


def chain_tag(key: bytes, before: bytes, record: bytes) -> bytes:
    """The tag of a whole record, whose own last eight bytes do not count."""
    return hashlib.sha256(key + before + record[:-TAG_SIZE]).digest()[:TAG_SIZE]


def crc16(data: bytes) -> int:
    """The check of a record: CRC-16/CCITT, from 0xFFFF."""
    return binascii.crc_hqx(data, 0xFFFF)


def crowd(image: bytearray, waiting: int) -> int:
    """Fill the ring behind the last record with faults that were told, until ``waiting`` bytes wait; how many records.

    ``image`` is the memory of a controller that is off and has no host yet.
    """
    head = list(_HEAD.unpack_from(image, HEADS[0]))
    made = 0
    while head[_TAIL] < waiting:
        fields = bytes([_LINK, 0, _TEXT]) + b"x" * _TEXT
        size = _HEADER.size + len(fields) + 2 + TAG_SIZE
        body = _HEADER.pack(size, _FAULT, head[_LAST] + 1, head[_BOOT], bytes(6), 0, 0) + fields
        body += struct.pack("<H", crc16(body))
        record = body + chain_tag(head[_KEY], head[_TAG], body + bytes(TAG_SIZE))
        image[RING + head[_TAIL] : RING + head[_TAIL] + size] = record
        head[_LAST] += 1
        head[_TAIL] += size
        head[_TAG], head[_KEY] = record[-TAG_SIZE:], next_key(head[_KEY])
        made += 1
    block = _HEAD.pack(*head)[:-4]
    block += struct.pack("<I", binascii.crc32(block))
    for at in HEADS:
        image[at : at + _HEAD_SIZE] = block
    return made


def turn_bit(fram: bytearray, flash: bytearray, chosen: int) -> str:
    """Turn over one bit of what is kept: of the map's small structures, the records, or a sector of flash in use.

    Where that is, in words.
    """
    head = _HEAD.unpack_from(fram, HEADS[0])
    sectors = [at for at in range(0, len(flash), _SECTOR) if flash[at : at + _SECTOR] != b"\xff" * _SECTOR]
    small = [at for name in ("superblock", "head", "meters") for copy in AREAS[name] for at in copy]
    kind, chosen = chosen % _KINDS, chosen // _KINDS
    if kind == 0:
        image, at, where = fram, small[chosen % len(small)], "the memory"
    elif kind == 1 and sectors:
        at = sectors[chosen % len(sectors)] + chosen // len(sectors) % _SECTOR
        image, where = flash, "the flash"
    else:
        image, at, where = fram, RING + chosen % max(head[_TAIL], 1), "the ring"
    image[at] ^= 1 << chosen % 8
    return f"bit {chosen % 8} of {where} at {at:#x}"


def bodies(writes: Iterable[Write]) -> list[tuple[int, bytes]]:
    """Records whose body is whole in memory: number, and bytes without the tag. From there on their append may return.

    A body ends with a marker in the tag's place, the number and the number inverted, which is written last.
    """
    found = []
    for write in writes:
        data = write.data
        if write.address < RING or len(data) < _LEAST or int.from_bytes(data[:2], "little") != len(data):
            continue
        number = data[3:7]
        if data[-8:] == number + bytes(byte ^ 0xFF for byte in number):
            found.append((int.from_bytes(number, "little"), data[:-TAG_SIZE]))
    return found
