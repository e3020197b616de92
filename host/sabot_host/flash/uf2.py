"""UF2 files: reading with every check, writing, joining.

Entry points: :func:`read` (bytes to an :class:`Image`), :func:`write`, :class:`Image`. A file that is anything but
whole, in order and for one chip is refused: a boot loader ignores what it does not understand and says nothing.

Layout (UF2 specification): blocks of 512 bytes, little endian: two magics, flags, target address, payload size, block
number, number of blocks, family, 476 bytes of data, a third magic.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sabot_host.errors import FileError
from sabot_host.flash.boards import FLASH_BASE, PAGE_BYTES, RP2040, RP2350, SECTOR_BYTES, Board

BLOCK_BYTES = 512
MAGIC_FIRST, MAGIC_SECOND, MAGIC_LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
NOT_MAIN_FLASH, FILE_CONTAINER, FAMILY_PRESENT, EXTENSION_TAGS = 0x0001, 0x1000, 0x2000, 0x8000
_HEADER = struct.Struct("<8I")
_DATA_BYTES = 476

FAMILIES = {
    0xE48BFF56: "RP2040",
    0xE48BFF57: "any chip, absolute addresses",
    0xE48BFF58: "a data partition",
    0xE48BFF59: "RP2350 (Arm)",
    0xE48BFF5A: "RP2350 (RISC-V)",
    0xE48BFF5B: "RP2350 (Arm, non-secure)",
    0xE48BFF55: "CYW43 radio firmware",
    0x57755A57: "STM32F4",
    0x53B80F00: "STM32F7",
    0x6DB66082: "STM32H7",
    0x00FF6919: "STM32L4",
    0x4C71240A: "STM32G4",
    0x70D16653: "STM32WB",
}
FAMILY_OF = {RP2040: 0xE48BFF56, RP2350: 0xE48BFF59}  # MicroPython's code for the RP2350 is Arm code
ABSOLUTE = 0xE48BFF57
# The block that files for the RP2350 begin with. Erratum E10: on a chip with a partition table a file that is dragged
# onto the drive does not work without it. Its target is no place to write to, and its tag has readers skip it.
_E10_TARGET, _E10_BLOCKS, _E10_TAG = 0x10FF_FF00, 2, 0x9957_E304


@dataclass(frozen=True)
class Image:
    """What a file writes: the family it is for, and pages of 256 bytes by their address."""

    family: int
    pages: Mapping[int, bytes]

    @property
    def family_name(self) -> str:
        """The family in words."""
        return FAMILIES.get(self.family, f"family {self.family:08x}")

    @property
    def size(self) -> int:
        """Bytes that are written."""
        return len(self.pages) * PAGE_BYTES

    def sectors(self) -> dict[int, bytes]:
        """Whole sectors of 4096 bytes by address, in order; what no page covers stays erased (0xFF)."""
        found: dict[int, bytearray] = {}
        for address in sorted(self.pages):
            base = address // SECTOR_BYTES * SECTOR_BYTES
            sector = found.setdefault(base, bytearray(b"\xff" * SECTOR_BYTES))
            sector[address - base : address - base + PAGE_BYTES] = self.pages[address]
        return {address: bytes(sector) for address, sector in found.items()}

    def region(self, start: int, size: int) -> bytes:
        """The bytes from ``start``; what no page covers is 0xFF."""
        data = bytearray(b"\xff" * size)
        for address, page in self.pages.items():
            if start - PAGE_BYTES < address < start + size:
                first, end = max(address, start), min(address + PAGE_BYTES, start + size)
                data[first - start : end - start] = page[first - address : end - address]
        return bytes(data)


@dataclass(frozen=True)
class _Block:
    flags: int
    target: int
    size: int
    number: int
    count: int
    family: int
    data: bytes


def read(data: bytes, name: str) -> Image:
    """Read a whole file; ``name`` is for its errors.

    FileError: no UF2, truncated, blocks missing or out of order, several families or none, payloads that are not whole
    pages, pages twice, targets that are no flash.
    """
    blocks = [block for block in _blocks(data, name) if not block.flags & NOT_MAIN_FLASH]
    if blocks and _is_e10(blocks[0]):
        del blocks[0]
    if not blocks:
        raise _bad(name, "it writes nothing to the flash")
    _check_order(blocks, name)
    family = blocks[0].family
    pages: dict[int, bytes] = {}
    for block in blocks:
        _check(block, family, name)
        if block.target in pages:
            raise FileError(
                "uf2-overlap", f"{name} writes the page at {block.target:08x} twice", "get the file again, or build it"
            )
        pages[block.target] = block.data[:PAGE_BYTES]
    return Image(family, pages)


def _blocks(data: bytes, name: str) -> Iterator[_Block]:
    if not data.startswith(struct.pack("<II", MAGIC_FIRST, MAGIC_SECOND)):
        raise FileError("uf2-not-one", f"{name} is no UF2 file", "name the .uf2 file of MicroPython or of a release")
    if len(data) % BLOCK_BYTES:
        raise FileError(
            "uf2-truncated",
            f"{name} ends in the middle of a block ({len(data)} bytes, blocks have {BLOCK_BYTES})",
            "copy or download it again",
        )
    for at in range(0, len(data), BLOCK_BYTES):
        block = data[at : at + BLOCK_BYTES]
        first, second, flags, target, size, number, count, family = _HEADER.unpack_from(block)
        last = struct.unpack_from("<I", block, BLOCK_BYTES - 4)[0]
        if (first, second, last) != (MAGIC_FIRST, MAGIC_SECOND, MAGIC_LAST):
            raise FileError("uf2-damaged", f"{name}: block {at // BLOCK_BYTES} is damaged", "copy or download it again")
        yield _Block(flags, target, size, number, count, family, block[32 : 32 + _DATA_BYTES])


def _is_e10(block: _Block) -> bool:
    return block.family == ABSOLUTE and block.target == _E10_TARGET and block.count == _E10_BLOCKS


def _check_order(blocks: list[_Block], name: str) -> None:
    count = blocks[0].count
    numbers = [block.number for block in blocks]
    if len(blocks) < count and numbers == list(range(len(blocks))):
        raise FileError(
            "uf2-truncated", f"{name} holds {len(blocks)} of its {count} blocks", "copy or download it again"
        )
    if len(blocks) != count or numbers != list(range(len(blocks))) or any(block.count != count for block in blocks):
        raise FileError("uf2-order", f"{name}: its blocks are not in order", "copy or download it again")


def _check(block: _Block, family: int, name: str) -> None:
    if not block.flags & FAMILY_PRESENT or block.flags & FILE_CONTAINER:
        raise FileError("uf2-family", f"{name} does not say which chip it is for", "use a file made for this board")
    if block.family != family:
        raise FileError("uf2-family", f"{name} is for several chips at once", "use a file made for this board")
    if block.size != PAGE_BYTES or block.target % PAGE_BYTES:
        raise _bad(name, f"block {block.number} is no whole page of the flash")
    if not FLASH_BASE <= block.target < FLASH_BASE + (32 << 20):
        raise _bad(name, f"block {block.number} goes to {block.target:08x}, which is no flash")


def _bad(name: str, what: str) -> FileError:
    return FileError("uf2-unfit", f"{name}: {what}", "use a file made for this board's flash")


def check_fits(image: Image, board: Board, name: str) -> None:
    """FileError unless ``image`` is for the board's chip and fits into its flash."""
    if image.family != FAMILY_OF[board.chip]:
        raise FileError(
            "uf2-family",
            f"{name} is for {image.family_name}, the board is a {board.chip}",
            f"use the file for {board.title}",
        )
    last = max(image.pages) + PAGE_BYTES
    if last > board.flash_end:
        raise FileError(
            "uf2-too-large",
            f"{name} reaches to {last:08x}, the flash of {board.title} ends at {board.flash_end:08x}",
            f"use the file for {board.title}",
        )


def write(image: Image) -> bytes:
    """The file of an image: its pages by address, numbered; before them, for the RP2350, the block against E10."""
    addresses = sorted(image.pages)
    blocks = [
        _Block(FAMILY_PRESENT, address, PAGE_BYTES, number, len(addresses), image.family, image.pages[address])
        for number, address in enumerate(addresses)
    ]
    if image.family == FAMILY_OF[RP2350]:
        data = b"\xef" * PAGE_BYTES + struct.pack("<I", _E10_TAG)
        flags = FAMILY_PRESENT | EXTENSION_TAGS
        blocks.insert(0, _Block(flags, _E10_TARGET, PAGE_BYTES, 0, _E10_BLOCKS, ABSOLUTE, data))
    return b"".join(_packed(block) for block in blocks)


def _packed(block: _Block) -> bytes:
    head = _HEADER.pack(
        MAGIC_FIRST, MAGIC_SECOND, block.flags, block.target, block.size, block.number, block.count, block.family
    )
    return head + block.data.ljust(_DATA_BYTES, b"\0") + struct.pack("<I", MAGIC_LAST)


def paged(regions: Iterable[tuple[int, bytes]]) -> dict[int, bytes]:
    """Pages by address of regions ``(address, bytes)`` that begin at a page; the last one is filled with 0xFF."""
    pages: dict[int, bytes] = {}
    for start, data in regions:
        for at in range(0, len(data), PAGE_BYTES):
            pages[start + at] = data[at : at + PAGE_BYTES].ljust(PAGE_BYTES, b"\xff")
    return pages
