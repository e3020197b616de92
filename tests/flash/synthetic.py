"""A UF2 file with the shape of MicroPython's for a board; its code is noise and is never run.

Entry points: :func:`micropython`, :func:`image`. The emulated chips start it (``hwsim.usb.firmware``), and hang when it
is not whole; it says of itself what the real one says, by the vendor's "binary info".
"""

import struct
import zlib

from hwsim.usb import firmware
from hwsim.usb.chips import chip
from sabot_host.flash.boards import FLASH_BASE, Board
from sabot_host.flash.uf2 import FAMILY_OF, Image, paged, write

_TEXTS = FLASH_BASE + 0x2000
_ENTRIES = FLASH_BASE + 0x3000
_LIST = FLASH_BASE + 0x4000
_HEAD = FLASH_BASE + 0x140
_CHECK_AT = 0x214  # the program's checksum over everything else
VERSION = "v1.29.0"


def micropython(board: Board, *, size: int = 40_960, filesystem: int | None = None, silent: bool = False) -> bytes:
    """``filesystem``: another place than the board's; ``silent``: without binary info."""
    return write(image(board, size=size, filesystem=filesystem, silent=silent))


def image(board: Board, *, size: int = 40_960, filesystem: int | None = None, silent: bool = False) -> Image:
    data = bytearray(firmware.synthetic(chip(board.chip.lower()), size))
    if not silent:
        _tell(data, board, board.filesystem if filesystem is None else filesystem)
        check = zlib.crc32(data[_CHECK_AT + 4 :], zlib.crc32(data[:_CHECK_AT]))
        struct.pack_into("<I", data, _CHECK_AT, check)
    return Image(FAMILY_OF[board.chip], paged([(FLASH_BASE, bytes(data))]))


def _tell(data: bytearray, board: Board, filesystem: int) -> None:
    def put(address: int, value: bytes) -> None:
        data[address - FLASH_BASE : address - FLASH_BASE + len(value)] = value

    texts = ((0x02031C86, "MicroPython"), (0x11A9BC3A, VERSION), (0xB63CFFBB, board.name))
    addresses = []
    for number, (kind, text) in enumerate(texts):
        put(_TEXTS + 64 * number, text.encode() + b"\0")
        put(_ENTRIES + 32 * number, struct.pack("<HHII", 6, 0x5052, kind, _TEXTS + 64 * number))
        addresses.append(_ENTRIES + 32 * number)
    device = _ENTRIES + 32 * len(texts)
    put(device, struct.pack("<HHIIIIH", 7, 0x504D, _TEXTS, filesystem, board.filesystem_bytes, 0, 7))
    addresses.append(device)
    put(_LIST, struct.pack(f"<{len(addresses)}I", *addresses))
    put(_HEAD, struct.pack("<5I", 0x7188EBF2, _LIST, _LIST + 4 * len(addresses), 0, 0xE71AA390))
