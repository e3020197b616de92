"""Files that people name: read within bounds, written whole or not at all.

Entry points: :func:`read_bytes` (every command reads through it), :func:`json_of`, :func:`write_whole` (every command
writes through it), :func:`write_new`, :func:`check_writable`, and the caps, one for each kind of file.

What is read is a regular file, or a pipe that the shell has opened for this process (``/dev/stdin``, ``<(…)``). A
device has no end and a named pipe may never have a beginning, so neither is waited for; a file larger than any of its
kind is refused before it fills the memory.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import re
import secrets
import select
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from sabot_host.errors import FileError

KEY_BYTES = 4096
SETTINGS_BYTES = 1 << 18
"""A house's file of two hundred tables, a table's configuration, an acceptance test's report: at most 100 KB each."""
SCENARIO_BYTES = 4 << 20
JOURNAL_BYTES = 1 << 29
"""More than a year of one table at 60 rounds an hour, day and night; then another file is begun (``--from``)."""
BUNDLE_BYTES = 16 << 20
UF2_BYTES = 32 << 20
"""The largest flash chip of these boards holds 16 MB, and a UF2 is twice what it writes."""

PATIENCE_S = 60.0
"""Longest wait for the next byte of a pipe: whoever types a pass phrase at its other end needs a moment."""
_PIECE = 1 << 16
_OPENED_FOR_US = re.compile(r"/dev/stdin|/dev/fd/\d+|/proc/self/fd/\d+")
_MODE = 0o666  # as open() has it: the umask takes from it
_BINARY = getattr(os, "O_BINARY", 0)  # Windows
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # where there are named pipes


def read_bytes(path: Path, most: int) -> bytes:
    """All bytes of a file that may have ``most`` of them.

    FileError ``file-kind`` for a device, a socket or a named pipe, ``file-too-large``, ``file-silent`` for a pipe that
    says nothing, ``file-name`` for a name that no file can have. OSError as the operating system has it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_WAIT | _BINARY)
    except ValueError as error:
        raise FileError("file-name", f"{path!s}: no file can be called so", "check the name") from error
    try:
        kind = os.fstat(descriptor)
        if stat.S_ISDIR(kind.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if stat.S_ISFIFO(kind.st_mode) and _OPENED_FOR_US.fullmatch(str(path)):
            return _bounded(path, _of_pipe(path, descriptor), most)
        if not stat.S_ISREG(kind.st_mode):
            raise FileError("file-kind", f"{path} is no file but a device, a pipe or a socket", "name a file")
        if kind.st_size > most:
            _too_large(path, most)
        return _bounded(path, iter(lambda: os.read(descriptor, _PIECE), b""), most)
    finally:
        os.close(descriptor)


def _of_pipe(path: Path, descriptor: int) -> Iterator[bytes]:
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    while True:
        if not waiting.poll(PATIENCE_S * 1000):
            raise FileError("file-silent", f"nothing comes from {path}", "look at the program that should write it")
        piece = os.read(descriptor, _PIECE)
        if not piece:
            return
        yield piece


def _bounded(path: Path, pieces: Iterator[bytes], most: int) -> bytes:
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > most:
            _too_large(path, most)
    return bytes(data)


def _too_large(path: Path, most: int) -> NoReturn:
    size = f"{most >> 20} MB" if most >= 1 << 20 else f"{most >> 10} KB"
    raise FileError("file-too-large", f"{path} is larger than {size}, which no such file is", "name another file")


def json_of(text: str | bytes) -> Any:
    """What JSON says. ValueError for what is none: nested thousands deep, or with numbers that JSON does not know."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_number)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _number(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


def check_writable(path: Path, folder: bool = False) -> None:
    """OSError when a file (a ``folder``) could not be written there: asked before the work that it is to hold."""
    with _named(path):
        target = Path(os.path.realpath(path))
        if target.is_dir() != folder and target.exists():
            number = errno.ENOTDIR if folder else errno.EISDIR
            raise OSError(number, os.strerror(number))
        if not folder and target.exists() and not target.is_file():
            return  # a device or pipe: there is nothing to replace
        place = target if folder else target.parent
        while folder and not place.exists():  # what is missing is made
            place = place.parent
        if not stat.S_ISDIR(place.stat().st_mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(place, os.W_OK | os.X_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file, text as UTF-8: whole, or as it was before. A device or pipe takes the bytes as they come.

    OSError names ``path``.
    """
    with _named(path):
        target = Path(os.path.realpath(path))  # of a link, what it leads to is written
        there = target.stat().st_mode if target.exists() else None
        if there is None or stat.S_ISREG(there):
            with _beside(target, _raw(data), _MODE) as fresh:
                if there is not None:
                    fresh.chmod(stat.S_IMODE(there))
                os.replace(fresh, target)
        else:
            _into(target, _raw(data))


def write_new(path: Path, data: bytes | str, mode: int = _MODE) -> None:
    """Make a file, whole or not at all. FileExistsError when there is one of that name; OSError names ``path``."""
    with _named(path), _beside(path, _raw(data), mode) as fresh:
        os.link(fresh, path)


def _raw(data: bytes | str) -> bytes:
    return data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors under the name that was given."""
    try:
        yield
    except ValueError as error:
        raise FileError("file-name", f"{path!s}: no file can be called so", "check the name") from error
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextlib.contextmanager
def _beside(target: Path, raw: bytes, mode: int) -> Iterator[Path]:
    """The bytes in a new file of the same folder, to be given the name in one step. Nothing of it stays behind."""
    fresh = target.parent / f".sabot-{secrets.token_hex(8)}"
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode), "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        yield fresh
    finally:
        with contextlib.suppress(FileNotFoundError):
            fresh.unlink()


def _into(target: Path, raw: bytes) -> None:
    """A directory is an error of the operating system's, and so is a pipe that nobody reads."""
    descriptor = os.open(target, os.O_WRONLY | _NO_WAIT)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "wb") as file:
        file.write(raw)
