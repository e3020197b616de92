"""The littlefs in a board's flash: found, read, unpacked into a folder, or made as MicroPython's first start makes it.

Entry points: :func:`find`, :func:`ensure`, :class:`FileSystem` (:meth:`~FileSystem.files`,
:meth:`~FileSystem.unpack`, :meth:`~FileSystem.store`), and :func:`unpack`, which gives a simulated controller
(:class:`hwsim.controller.Controller`) its root folder out of what was flashed.

Limits: littlefs 2 with blocks of 4096 bytes, at a sector boundary; one whose first block a power cut has torn is found
only when it reaches to the end of the flash, as MicroPython's does.
"""

from __future__ import annotations

import struct
from pathlib import Path

from littlefs import LittleFS, LittleFSError

from hwsim.usb.chips import RP2350, SECTOR, Chip
from hwsim.usb.flash import FlashMemory

_MAGIC, _MAGIC_AT = b"littlefs", 8
# Tags of littlefs's SPEC.md: big-endian, each XORed with the one before; a block's first commit follows its revision.
_FIRST_TAG_AT, _BEFORE_FIRST = 4, 0xFFFF_FFFF
_INLINE, _CHECKSUM = 0x201, 0x500  # kinds: content within the directory itself; the end of a commit
_DELETED = 0x3FF  # length of a tag without data
_PROGRAM_BYTES = 256
STORAGE_BYTES = {"RP2040": 1408 * 1024, "RP2350": 3 * 1024 * 1024}
"""Size of the file system at the end of the flash in MicroPython's builds for Pico and Pico 2."""


class FileSystem:
    """``blocks`` sectors of littlefs at ``offset`` in ``flash``."""

    def __init__(self, flash: FlashMemory, offset: int, blocks: int) -> None:
        self.flash = flash
        self.offset = offset
        self.blocks = blocks

    @property
    def image(self) -> bytes:
        """Its bytes in the flash."""
        return self.flash.read(self.offset, self.blocks * SECTOR)

    @image.setter
    def image(self, content: bytes) -> None:
        if len(content) != self.blocks * SECTOR:
            raise ValueError(f"{len(content)} bytes are no image of {self.blocks} blocks")
        self.flash.data[self.offset : self.offset + len(content)] = content

    def files(self) -> dict[str, bytes]:
        """Every file: path from the root, without a leading slash, to its content."""
        mounted = _mount(self.image, self.blocks)
        found = {}
        for folder, _, names in mounted.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with mounted.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
        return found

    def unpack(self, folder: Path) -> Path:
        """Write every file below ``folder``, which is made; returns it."""
        folder.mkdir(parents=True, exist_ok=True)
        root = folder.resolve()
        for path, content in self.files().items():
            place = (root / path).resolve()
            if not place.is_relative_to(root):
                raise ValueError(f"the file system holds a path that leads out of it: {path}")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return folder

    def store(self, folder: Path) -> None:
        """Hold the files below ``folder`` and no others; LittleFSError when there is no room for them."""
        made = LittleFS(block_size=SECTOR, block_count=self.blocks, prog_size=_PROGRAM_BYTES)
        for place in sorted(folder.rglob("*")):
            path = place.relative_to(folder).as_posix()
            if place.is_dir():
                made.makedirs(path, exist_ok=True)
            else:
                with made.open(path, "wb") as file:
                    file.write(place.read_bytes())
        self.image = bytes(made.context.buffer)


def find(flash: FlashMemory) -> FileSystem | None:
    """The first file system in ``flash`` that can be mounted."""
    for at in range(0, flash.size, SECTOR):
        if flash.data[at + _MAGIC_AT : at + _MAGIC_AT + len(_MAGIC)] != _MAGIC:
            continue
        size, blocks = _geometry(flash.read(at, SECTOR))
        # A cut may have left the superblock in the second block alone. Which one this is shows where the end should be.
        second = at - SECTOR + blocks * SECTOR == flash.size
        for offset in (at - SECTOR, at) if second else (at,):
            if size == SECTOR and blocks and offset >= 0 and offset + blocks * SECTOR <= flash.size:
                found = FileSystem(flash, offset, blocks)
                if _mounts(found):
                    return found
    return None


def _geometry(block: bytes) -> tuple[int, int]:
    """Size and number of blocks, as the superblock in ``block`` tells; zeros when it does not.

    Once the root has been compacted names of its files may come between the magic and these values.
    """
    at, tag = _FIRST_TAG_AT, _BEFORE_FIRST
    while at + 16 <= len(block):
        tag ^= int.from_bytes(block[at : at + 4], "big")
        kind, entry, length = tag >> 20 & 0x7FF, tag >> 10 & 0x3FF, tag & 0x3FF
        if kind == _INLINE and entry == 0:  # the superblock's own; small files are inline too
            _, size, blocks = struct.unpack_from("<III", block, at + 4)
            return size, blocks
        if kind & 0x700 == _CHECKSUM:
            break
        at += 4 + (0 if length == _DELETED else length)
    return 0, 0


def ensure(chip: Chip, flash: FlashMemory) -> FileSystem:
    """The file system in ``flash``; where there is none, a new one at MicroPython's place for it."""
    found = find(flash)
    if found is not None:
        return found
    size = min(STORAGE_BYTES[chip.name], flash.size * 3 // 4 if chip is RP2350 else flash.size // 2)
    new = LittleFS(block_size=SECTOR, block_count=size // SECTOR, prog_size=_PROGRAM_BYTES)
    made = FileSystem(flash, flash.size - size, size // SECTOR)
    made.image = bytes(new.context.buffer)
    return made


def unpack(flash: FlashMemory, folder: Path) -> Path:
    """Unpack what was flashed into ``folder``; ValueError when the flash holds no file system."""
    found = find(flash)
    if found is None:
        raise ValueError("the flash holds no littlefs")
    return found.unpack(folder)


def _mount(image: bytes, blocks: int) -> LittleFS:
    mounted = LittleFS(block_size=SECTOR, block_count=blocks, prog_size=_PROGRAM_BYTES, mount=False)
    mounted.context.buffer[:] = image
    mounted.mount()
    return mounted


def _mounts(candidate: FileSystem) -> bool:
    try:
        _mount(candidate.image, candidate.blocks)
    except LittleFSError:
        return False
    return True
