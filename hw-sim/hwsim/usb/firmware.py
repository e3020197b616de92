"""What a chip finds in its flash when it starts, and made-up firmware for tests.

Entry points: :func:`look` (what would be started), :func:`synthetic` and :func:`synthetic_uf2` (a program that stands
for MicroPython).

The ROM starts a program when the beginning of the flash is one: on an RP2040 the second stage's 252 bytes and their
CRC-32, on an RP2350 a block loop's markers in the first 4 KiB. Otherwise the chip stays in BOOTSEL.

Limits: machine code is never run. A program counts as MicroPython. One made here carries its length and a checksum,
and hangs when it is not whole, as code with holes would; of any other program it is taken that it is whole. Image
hashes and signatures are not checked.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from dataclasses import dataclass

from hwsim.usb import uf2
from hwsim.usb.chips import FLASH_BASE, RP2350, SECTOR, Chip
from hwsim.usb.flash import FlashMemory

BLOCK_START, BLOCK_END = 0xFFFF_DED3, 0xAB12_3579
_IMAGE_DEF_ARM = 0x1021_0142  # IMAGE_DEF item: executable, Arm, secure, RP2350
_LAST_ITEM = 0x0000_01FF
_BOOT2 = 252
_HEADER_AT = 0x200
_MARK = b"hwsim program 1\0"
_HEADER = "<16sII32s"  # mark, length, CRC-32 of the rest, version
STOCK_VERSION = "1.29.0"


@dataclass(frozen=True)
class Firmware:
    """The program in the flash."""

    version: str
    """Version of the MicroPython that it stands for."""
    whole: bool
    """False: it hangs when it is started."""


def look(chip: Chip, flash: FlashMemory) -> Firmware | None:
    """The program that the ROM of ``chip`` starts, None when it stays in BOOTSEL."""
    start = flash.read(0, SECTOR)
    if not (_has_block(start) if chip is RP2350 else _has_boot2(start)):
        return None
    mark, length, check, version = struct.unpack_from(_HEADER, start, _HEADER_AT)
    if mark != _MARK:
        return Firmware(STOCK_VERSION, True)
    content = flash.read(0, min(length, flash.size))
    return Firmware(version.rstrip(b"\0").decode(errors="replace"), _check(content) == check)


def synthetic(chip: Chip, size: int = 64 * 1024, version: str = STOCK_VERSION) -> bytes:
    """A program of ``size`` bytes, a multiple of 256 from 4096; its code is noise and never run."""
    noise = bytearray(hashlib.shake_256(f"{chip.name} {version}".encode()).digest(size))
    if chip is RP2350:
        struct.pack_into("<5I", noise, 0x100, BLOCK_START, _IMAGE_DEF_ARM, _LAST_ITEM, 0, BLOCK_END)
    else:
        struct.pack_into("<I", noise, _BOOT2, _crc32_mpeg(bytes(noise[:_BOOT2])))
    struct.pack_into(_HEADER, noise, _HEADER_AT, _MARK, size, 0, version.encode())
    struct.pack_into("<I", noise, _HEADER_AT + 20, _check(noise))
    return bytes(noise)


def synthetic_uf2(chip: Chip, size: int = 64 * 1024, version: str = STOCK_VERSION) -> bytes:
    """The same as a UF2 file of the chip's own family."""
    family = 0xE48B_FF59 if chip is RP2350 else min(chip.families)
    return uf2.write({FLASH_BASE: synthetic(chip, size, version)}, family)


def _check(content: bytes | bytearray) -> int:
    head, tail = content[: _HEADER_AT + 20], content[_HEADER_AT + 24 :]
    return zlib.crc32(tail, zlib.crc32(head))


def _has_block(start: bytes) -> bool:
    begin = start.find(BLOCK_START.to_bytes(4, "little"))
    return begin >= 0 and begin % 4 == 0 and start.find(BLOCK_END.to_bytes(4, "little"), begin) >= 0


def _has_boot2(start: bytes) -> bool:
    (check,) = struct.unpack_from("<I", start, _BOOT2)
    return bool(_crc32_mpeg(start[:_BOOT2]) == check)


def _crc32_mpeg(data: bytes) -> int:
    """CRC-32/MPEG-2, which the RP2040's ROM computes: 04C11DB7h, not reflected, no final complement."""
    value = 0xFFFF_FFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C1_1DB7 if value & 0x8000_0000 else value << 1) & 0xFFFF_FFFF
    return value
