"""What a program for the RP2 chips says of itself in its own code ("binary info" of the vendor's SDK).

Entry point: :func:`read`. MicroPython's builds tell their version and where in the flash their file system is. A marker
near the start of the program gives the list of addresses of entries, each with a type and a tag.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from sabot_host.flash.boards import FLASH_BASE
from sabot_host.flash.uf2 import Image

_MARKER_FIRST, _MARKER_LAST = 0x7188EBF2, 0xE71AA390
_SEARCHED = 1024  # bytes: behind the RP2040's second stage, or the RP2350's vectors
_MOST_ENTRIES = 1000
_ID_AND_STRING, _BLOCK_DEVICE = 6, 7
_TAG_VENDOR, _TAG_MICROPYTHON = 0x5052, 0x504D  # "RP", "MP"
_PROGRAM_NAME, _PROGRAM_VERSION, _BOARD = 0x02031C86, 0x11A9BC3A, 0xB63CFFBB
_MOST_TEXT = 64


class BinaryInfo(NamedTuple):
    """Empty texts and zeros where a program does not say."""

    program: str = ""
    version: str = ""
    board: str = ""
    filesystem: int = 0
    filesystem_bytes: int = 0


def read(image: Image) -> BinaryInfo | None:
    """What the program in ``image`` says of itself; None when it says nothing."""
    head = image.region(FLASH_BASE, _SEARCHED)
    for at in range(0, _SEARCHED - 20, 4):
        first, start, end, _, last = struct.unpack_from("<5I", head, at)
        if (first, last) == (_MARKER_FIRST, _MARKER_LAST) and 0 <= end - start <= 4 * _MOST_ENTRIES:
            listed = image.region(start, end - start)
            return _entries(image, struct.unpack(f"<{len(listed) // 4}I", listed[: len(listed) // 4 * 4]))
    return None


def _entries(image: Image, addresses: tuple[int, ...]) -> BinaryInfo:
    texts: dict[int, str] = {}
    filesystem = (0, 0)
    for address in addresses:
        kind, tag = struct.unpack("<HH", image.region(address, 4))
        if kind == _ID_AND_STRING and tag == _TAG_VENDOR:
            number, text = struct.unpack("<II", image.region(address + 4, 8))
            if number in (_PROGRAM_NAME, _PROGRAM_VERSION, _BOARD):
                texts[number] = _text(image, text)
        elif kind == _BLOCK_DEVICE and tag == _TAG_MICROPYTHON:
            _, start, size = struct.unpack("<III", image.region(address + 4, 12))
            filesystem = (start, size)
    name, version, board = (texts.get(number, "") for number in (_PROGRAM_NAME, _PROGRAM_VERSION, _BOARD))
    return BinaryInfo(name, version, board, *filesystem)


def _text(image: Image, address: int) -> str:
    return image.region(address, _MOST_TEXT).partition(b"\0")[0].decode("ascii", "replace")
