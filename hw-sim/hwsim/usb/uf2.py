"""UF2 files: blocks of 512 bytes, as the boot ROM reads and the tests write them.

Entry points: :class:`Block` (:meth:`Block.read`, :meth:`Block.write`), :func:`blocks`, :func:`write`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = 512
MAGIC_START, MAGIC_SECOND, MAGIC_END = 0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30
NOT_MAIN_FLASH, FILE_CONTAINER, FAMILY, MD5, EXTENSIONS = 0x1, 0x1000, 0x2000, 0x4000, 0x8000
PAYLOAD = 256
_DATA = 476
_HEAD = "<8I"


@dataclass(frozen=True)
class Block:
    """One block; ``data`` is the payload."""

    flags: int
    address: int
    number: int
    count: int
    family: int
    data: bytes

    @classmethod
    def read(cls, sector: bytes) -> Block | None:
        """The block that a sector holds, None when it holds none."""
        if len(sector) != BLOCK:
            return None
        first, second, flags, address, size, number, count, family = struct.unpack_from(_HEAD, sector)
        (last,) = struct.unpack_from("<I", sector, BLOCK - 4)
        if (first, second, last) != (MAGIC_START, MAGIC_SECOND, MAGIC_END) or size > _DATA:
            return None
        return cls(flags, address, number, count, family, sector[32 : 32 + size])

    def write(self) -> bytes:
        """The block's 512 bytes."""
        head = struct.pack(
            _HEAD,
            MAGIC_START,
            MAGIC_SECOND,
            self.flags,
            self.address,
            len(self.data),
            self.number,
            self.count,
            self.family,
        )
        return head + self.data.ljust(_DATA, b"\0") + struct.pack("<I", MAGIC_END)


def blocks(content: bytes) -> Iterator[Block | None]:
    """The blocks of a file, None for each sector that is none."""
    for at in range(0, len(content), BLOCK):
        yield Block.read(content[at : at + BLOCK])


def write(pieces: dict[int, bytes], family: int) -> bytes:
    """A file that puts each piece at its address, in pages of 256 bytes; the last one is filled up with FFh."""
    pages = [
        (address + at, data[at : at + PAYLOAD].ljust(PAYLOAD, b"\xff"))
        for address, data in sorted(pieces.items())
        for at in range(0, len(data), PAYLOAD)
    ]
    return b"".join(
        Block(FAMILY, address, number, len(pages), family, page).write() for number, (address, page) in enumerate(pages)
    )
