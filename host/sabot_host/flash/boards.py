"""The boards Sabot runs on: chip, flash, and where MicroPython's port keeps its file system.

Entry points: :data:`BOARDS`, :class:`Board`, :func:`board_named`, :func:`board_of` (a chip), :data:`FLASH_BASE`.
"""

from __future__ import annotations

from typing import NamedTuple

from sabot_host.errors import UsageError

FLASH_BASE = 0x1000_0000  # where both chips map their flash
SECTOR_BYTES = 4096  # what an erase clears
PAGE_BYTES = 256  # what one program pulse writes
RP2040, RP2350 = "RP2040", "RP2350"


class Board(NamedTuple):
    """One board. Sizes in bytes, addresses as the chip sees them.

    ``filesystem`` and ``filesystem_bytes`` are those of MicroPython's own build for the board: it keeps the first
    megabyte of a Pico 2 and the first 640 KB of a Pico for itself.
    """

    name: str
    title: str
    chip: str
    flash_bytes: int
    filesystem: int
    filesystem_bytes: int
    architecture: str

    @property
    def flash_end(self) -> int:
        """The first address behind the flash."""
        return FLASH_BASE + self.flash_bytes


BOARDS = (
    Board("pico2", "Raspberry Pi Pico 2", RP2350, 4 << 20, FLASH_BASE + (1 << 20), 3 << 20, "armv7emsp"),
    Board("pico", "Raspberry Pi Pico", RP2040, 2 << 20, FLASH_BASE + (640 << 10), 1408 << 10, "armv6m"),
)


def board_named(name: str) -> Board:
    """The board of that name; UsageError when there is none."""
    for board in BOARDS:
        if board.name == name:
            return board
    raise UsageError(
        "board-unknown", f"there is no board {name}", "one of " + ", ".join(board.name for board in BOARDS)
    )


def board_of(chip: str) -> Board:
    """The board that carries ``chip``: a boot loader tells its chip and no more."""
    return next(board for board in BOARDS if board.chip == chip)
