"""Segments on a real littlefs over flash that remembers each program and erase. Entry points: `Flash`, `LfsFiles`."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

from littlefs import LittleFS, LittleFSError
from littlefs.context import UserContext

BLOCK = 4096
PAGE = 256


class Flash(UserContext):
    """NOR flash as littlefs's block device. `log` holds (address, bytes) of each program, (address, None) of an erase.

    Programming clears bits, and a page that was not erased is a mistake of the file system. `fails`: every program and
    erase is refused.
    """

    def __init__(self, blocks: int, image: bytes | bytearray | None = None) -> None:
        super().__init__(buffer=bytearray(b"\xff" * (blocks * BLOCK)) if image is None else bytearray(image))
        self.log: list[tuple[int, bytes | None]] | None = None
        self.fails = False
        self.erases = 0
        self.programs = 0

    def read(self, cfg: Any, block: int, off: int, size: int) -> bytearray:
        """Bytes of a block."""
        at = block * BLOCK + off
        return bytearray(self.buffer[at : at + size])

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        """Program pages."""
        if self.fails:
            return -5
        at = block * BLOCK + off
        for page in range(0, len(data), PAGE):
            if self.log is not None:
                self.log.append((at + page, bytes(data[page : page + PAGE])))
            self.programs += 1
        apply(self.buffer, at, bytes(data))
        return 0

    def erase(self, cfg: Any, block: int) -> int:
        """Erase a block."""
        if self.fails:
            return -5
        if self.log is not None:
            self.log.append((block * BLOCK, None))
        self.erases += 1
        apply(self.buffer, block * BLOCK, None)
        return 0


def apply(image: bytearray, at: int, data: bytes | None) -> None:
    """Do to an image what an entry of the log did; None: an erase."""
    if data is None:
        image[at : at + BLOCK] = b"\xff" * BLOCK
    else:
        old = int.from_bytes(image[at : at + len(data)], "little")
        image[at : at + len(data)] = (old & int.from_bytes(data, "little")).to_bytes(len(data), "little")


class LfsFiles:
    """The journal's folder in flash, as the board has it: littlefs with MicroPython's own settings.

    ``mounted`` is the folder that is this file system, where it is not the whole.
    """

    def __init__(self, flash: Flash, *, form: bool = False, mounted: str = "") -> None:
        self.flash = flash
        self._mounted = mounted
        self._system = LittleFS(
            flash,
            block_size=BLOCK,
            block_count=len(flash.buffer) // BLOCK,
            read_size=32,
            prog_size=PAGE,
            cache_size=4 * PAGE,
            lookahead_size=32,
            block_cycles=100,
            mount=False,
        )
        if form:
            self._system.format()
        self._system.mount()

    def listdir(self, folder: str) -> list[str]:
        """Names of what is in a folder."""
        try:
            return list(self._system.listdir(self._own(folder)))
        except LittleFSError as error:
            gone = error.code == LittleFSError.Error.LFS_ERR_NOENT
            raise OSError(errno.ENOENT if gone else errno.EIO, str(error)) from error

    def mkdir(self, folder: str) -> None:
        """Make a folder."""
        self._checked(self._system.mkdir, folder)

    def open(self, name: str, mode: str) -> Any:
        """A file, unbuffered: what it raises is an OSError too."""
        return _File(self._checked(lambda: self._system.open(self._own(name), mode, buffering=0)))

    def remove(self, name: str) -> None:
        """Give a file up."""
        self._checked(self._system.remove, self._own(name))

    def rename(self, name: str, new: str) -> None:
        """Name it otherwise."""
        self._checked(self._system.rename, self._own(name), self._own(new))

    def _own(self, path: str) -> str:
        return path[len(self._mounted) :] or "/"

    def _checked(self, act: Callable[..., Any], *arguments: str) -> Any:
        try:
            return act(*arguments)
        except (LittleFSError, FileNotFoundError, FileExistsError) as error:
            raise OSError(errno.EIO, str(error)) from error


class _File:
    def __init__(self, file: Any) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._file, name)

        def called(*arguments: Any) -> Any:
            try:
                return method(
                    *(bytes(part) if isinstance(part, bytearray) and name == "write" else part for part in arguments)
                )
            except LittleFSError as error:
                raise OSError(errno.EIO, str(error)) from error

        return called
