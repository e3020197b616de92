"""Changes to a file system that lies in a board's flash, such that a cable may be pulled at any instant.

Entry points: :func:`changed` (the writes of a change), :func:`write` (them, through the boot loader). littlefs itself
makes the change on a copy; its own erases and programs, in its own order, are done to the flash, so that what lies
there is always the file system before or after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from littlefs import LittleFS
from littlefs.context import UserContext
from littlefs.lfs import LFSConfig

from sabot_host.errors import DeviceError
from sabot_host.flash import picoboot
from sabot_host.flash.boards import SECTOR_BYTES, Board
from sabot_host.flash.picoboot import Picoboot
from sabot_host.flash.writer import Progress
from sabot_host.release import image

CHANGE = "change settings"


class Write(NamedTuple):
    """One step: pages programmed at an address, or, without data, the sector there erased."""

    address: int
    data: bytes


class _Logged(UserContext):
    """A copy of the flash that notes what is done to it."""

    def __init__(self, data: bytes, start: int) -> None:
        super().__init__(buffer=bytearray(data))
        self.writes: list[Write] = []
        self._start = start

    def prog(self, cfg: LFSConfig, block: int, off: int, data: bytes) -> int:
        """Program whole pages."""
        self.writes.append(Write(self._start + block * SECTOR_BYTES + off, bytes(data)))
        return int(super().prog(cfg, block, off, data))

    def erase(self, cfg: LFSConfig, block: int) -> int:
        """Erase a sector."""
        self.writes.append(Write(self._start + block * SECTOR_BYTES, b""))
        return int(super().erase(cfg, block))


def changed(data: bytes, board: Board, change: Callable[[LittleFS], None]) -> tuple[list[Write], bytes]:
    """What ``change`` does to the file system in ``data``: the writes in their order, and the bytes after them."""
    context = _Logged(data, board.filesystem)
    system = image.mounted(context, board)
    change(system)
    system.unmount()
    return context.writes, bytes(context.buffer)


def write(boot: Picoboot, board: Board, writes: list[Write], after: bytes, on_progress: Progress) -> None:
    """Do the writes and read them back. DeviceError when something else is read; see also `flash_errors`."""
    boot.run(picoboot.exclusive(picoboot.EXCLUSIVE))
    boot.run(picoboot.Command(picoboot.EXIT_XIP))
    for done, step in enumerate(writes):
        on_progress(CHANGE, done, len(writes))
        if step.data:
            boot.run(picoboot.write_pages(step.address, len(step.data)), step.data)
        else:
            boot.run(picoboot.erase(step.address, SECTOR_BYTES))
    on_progress(CHANGE, len(writes), len(writes))
    for sector in sorted({step.address // SECTOR_BYTES * SECTOR_BYTES for step in writes}):
        at = sector - board.filesystem
        if boot.run(picoboot.read_flash(sector, SECTOR_BYTES)) != after[at : at + SECTOR_BYTES]:
            raise DeviceError(
                "flash-verify",
                f"the flash reads back something else at {sector:08x}; the board is not started",
                "run the command again; if it happens again, use another cable, then another board",
            )
