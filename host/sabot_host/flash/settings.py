"""The settings of a commissioned table in a board's flash: read before a board is flashed, to be kept.

Entry points: :func:`kept_settings`, :func:`in_force` (one of them), :func:`file_system` (all of it), :data:`SETTINGS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from sabot.wire import signed
from sabot_host.flash.boards import SECTOR_BYTES, Board
from sabot_host.flash.picoboot import Picoboot, read_flash
from sabot_host.flash.writer import Progress
from sabot_host.release import image

SETTINGS = (*signed.SETTINGS, "provision.json", *(signed.second(name) for name in signed.SETTINGS))
_MAGIC, _MAGIC_AT = b"littlefs", 8  # in each of the first two blocks
READ_SETTINGS = "read settings"


def kept_settings(boot: Picoboot, board: Board, on_progress: Progress) -> dict[str, bytes]:
    """The files of a commissioned table that lie in the board's flash now; none on a board that never was one."""
    data = file_system(boot, board, on_progress)
    files = (image.read(data, board) if data else None) or {}
    return {name: files[name] for name in SETTINGS if name in files}


def in_force(files: Mapping[str, bytes], name: str) -> bytes | None:
    """The text of a settings file, as the firmware would choose it; None when neither it nor its copy is whole."""
    first, other = (signed.split(files[path]) if path in files else None for path in (name, signed.second(name)))
    return signed.in_force(first, other)


def file_system(boot: Picoboot, board: Board, on_progress: Progress) -> bytes:
    """The bytes of the board's file system; none when there is none."""
    start, size = board.filesystem, board.filesystem_bytes
    data = bytearray(boot.run(read_flash(start, 2 * SECTOR_BYTES)))
    if not any(data[at + _MAGIC_AT :].startswith(_MAGIC) for at in (0, SECTOR_BYTES)):
        return b""
    while len(data) < size:
        data += boot.run(read_flash(start + len(data), SECTOR_BYTES))
        on_progress(READ_SETTINGS, len(data), size)
    return bytes(data)
