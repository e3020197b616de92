"""The board's file system (littlefs, version 2) as bytes of its flash.

Entry points: :func:`make` (files to blocks), :func:`read` (blocks to files), :func:`mounted` (to be changed). Block
size and program size are those that MicroPython's port mounts with. Images are written in the oldest version of
littlefs 2, which every MicroPython reads; a board that has written to its file system has made it the newest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from littlefs import LittleFS, LittleFSError
from littlefs.context import UserContext

from sabot_host.errors import FileError
from sabot_host.flash.boards import PAGE_BYTES, SECTOR_BYTES, Board

_OLDEST, _NEWEST = 0x0002_0000, 0
_READ_BYTES = 32  # MicroPython's own: read size, look-ahead, cache of four program units
_LOOKAHEAD_BYTES = 32
_CACHE_BYTES = 4 * PAGE_BYTES


class _Watched(UserContext):
    """An image that knows which of its blocks have been read."""

    def __init__(self, buffer: bytearray) -> None:
        super().__init__(buffer=buffer)
        self.looked_at: set[int] = set()

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        """Bytes of a block."""
        self.looked_at.add(block)
        return super().read(cfg, block, off, size)


def _file_system(board: Board, version: int, *, mount: bool, context: UserContext | None = None) -> LittleFS:
    return LittleFS(
        context,
        block_size=SECTOR_BYTES,
        block_count=board.filesystem_bytes // SECTOR_BYTES,
        read_size=_READ_BYTES,
        prog_size=PAGE_BYTES,
        cache_size=_CACHE_BYTES,
        lookahead_size=_LOOKAHEAD_BYTES,
        disk_version=version,
        mount=mount,
    )


def make(files: Mapping[str, bytes], board: Board) -> dict[int, bytes]:
    """Blocks by their address in the flash, of a file system that holds ``files``; the others need not be written.

    FileError when they do not fit.
    """
    system = _file_system(board, _OLDEST, mount=True)
    try:
        for path in sorted(files):
            folder = path.rpartition("/")[0]
            if folder:
                system.makedirs(folder, exist_ok=True)
            with system.open(path, "wb") as file:
                file.write(files[path])
    except LittleFSError as error:
        raise FileError(
            "image-too-large",
            f"the files do not fit the file system of {board.title} ({board.filesystem_bytes} bytes)",
            "leave files out",
        ) from error
    system.unmount()
    # A folder lies in either of two blocks, whichever has the higher revision; so does the file system's head. Of what
    # lay there before, an old folder would win over an empty block: both are written, as mounting looks at both.
    whole = _Watched(system.context.buffer)
    _file_system(board, _OLDEST, mount=True, context=whole)
    blocks = {}
    for number in range(len(whole.buffer) // SECTOR_BYTES):
        at = number * SECTOR_BYTES
        block = bytes(whole.buffer[at : at + SECTOR_BYTES])
        if number in whole.looked_at or block.count(0xFF) != SECTOR_BYTES:
            blocks[board.filesystem + at] = block
    return blocks


def mounted(context: UserContext, board: Board) -> LittleFS:
    """The file system in ``context``, to be changed. LittleFSError when there is none."""
    system = _file_system(board, _NEWEST, mount=False, context=context)
    system.mount()
    return system


def read(data: bytes, board: Board) -> dict[str, bytes] | None:
    """The files of a file system's bytes; None when there is none in them."""
    system = _file_system(board, _NEWEST, mount=False)
    system.context.buffer[:] = data
    try:
        system.mount()
        found = {}
        for folder, _, names in system.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}".lstrip("/")
                with system.open(path, "rb") as file:
                    found[path] = file.read()
    except LittleFSError:
        return None
    return found
