"""CRC-16/CCITT of a journal record, without allocation and with integers below 2**30; CRC-32 of blocks of storage.

Entry points: :func:`crc16`, :func:`crc32`. CRC-16: polynomial 0x1021, preset 0xFFFF, not reflected, no final XOR (check
value of ``b"123456789"``: 0x29B1). It tells a torn record from a whole one; who could forge it is the chain tag's
business.
"""

import binascii

_NIBBLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip


def crc16(data: "bytes | bytearray | memoryview", end: int, start: int = 0) -> int:
    """CRC of ``data[start:end]``, 0 to 0xFFFF; takes no slice, so it allocates nothing."""
    table = _NIBBLE
    crc = 0xFFFF
    for index in range(start, end):
        byte = data[index]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
    return crc


def crc32(data: "bytes | bytearray | memoryview", check: int = 0) -> int:
    """The usual CRC-32 (IEEE 802.3), 0 to 0xFFFFFFFF; allocates on the board, where this is no small integer.

    ``check`` is the CRC of what came before.
    """
    check = binascii.crc32(data, check)
    return check & 0xFFFFFFFF
