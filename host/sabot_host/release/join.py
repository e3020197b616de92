"""MicroPython's UF2 with the board's file system joined in: one file that makes a blank board a controller.

Entry point: :func:`join`. MicroPython comes as a file of its makers and is taken as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from sabot_host.errors import FileError
from sabot_host.flash.boards import Board
from sabot_host.flash.uf2 import Image, check_fits, paged
from sabot_host.release import binary_info
from sabot_host.release.binary_info import BinaryInfo


def join(micropython: Image, name: str, blocks: Mapping[int, bytes], board: Board) -> tuple[Image, BinaryInfo]:
    """The image of both, and what MicroPython says of itself.

    ``name`` is the file's, for errors. FileError when it is for another board, or keeps its file system elsewhere, or
    reaches into it.
    """
    check_fits(micropython, board, name)
    info = binary_info.read(micropython) or BinaryInfo()
    place = (board.filesystem, board.filesystem_bytes)
    if info.filesystem and (info.filesystem, info.filesystem_bytes) != place:
        raise FileError(
            "join-other-board",
            f"{name} keeps its file system at {info.filesystem:08x} ({info.filesystem_bytes} bytes), "
            f"MicroPython for {board.title} at {place[0]:08x} ({place[1]} bytes)",
            f"use MicroPython's own UF2 for {board.title}",
        )
    if max(micropython.pages) >= board.filesystem:
        raise FileError(
            "join-overlap",
            f"{name} reaches into the file system at {board.filesystem:08x}",
            f"use MicroPython's own UF2 for {board.title}",
        )
    pages = dict(micropython.pages)
    pages.update(paged(blocks.items()))
    return Image(micropython.family, pages), info
