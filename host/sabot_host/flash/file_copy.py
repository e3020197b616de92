"""Files on a board that runs MicroPython, over its raw REPL.

Entry points: :func:`describe` (what the board is), :class:`BoardFiles` (hashes, put, remove), :func:`restart`.
A file is written beside the old one, read back by the board, compared by its hash, and then takes the old one's place:
a cable pulled at any instant leaves the old file or the new one.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable
from typing import NamedTuple

from sabot_host.errors import DeviceError
from sabot_host.flash.raw_repl import CodeFailed, RawRepl, printed

CHUNK_BYTES = 768  # of a file in one piece of code: 1 KB of base64, which the board holds twice
HASH_MS = 30_000

_DESCRIBE = """\
import sys, os, binascii
try:
    from machine import unique_id
    i = binascii.hexlify(unique_id()).decode()
except (ImportError, AttributeError):
    i = ''
try:
    from sabot import __version__ as s
except ImportError:
    s = ''
n = sys.implementation
v = '.'.join([str(x) for x in n[1][:3]])
print((i, getattr(n, '_machine', ''), v, getattr(n, '_mpy', 0), s, 'config.json' in os.listdir()))
"""
_HELPERS = """\
import os, binascii, hashlib
def _hash(p):
    h = hashlib.sha256()
    try:
        f = open(p, 'rb')
    except OSError:
        return ''
    while True:
        b = f.read(512)
        if not b:
            break
        h.update(b)
    f.close()
    return binascii.hexlify(h.digest()).decode()
def _folders(p):
    at = p.find('/')
    while at > 0:
        try:
            os.mkdir(p[:at])
        except OSError as e:
            if e.errno != 17:
                raise
        at = p.find('/', at + 1)
def _walk(p):
    for e in os.ilistdir(p or '.'):
        if e[1] & 0x4000:
            _walk(p + e[0] + '/')
        else:
            print(p + e[0])
def _put(b):
    _file.write(binascii.a2b_base64(b))
"""
_RESTART = "import machine\nmachine.reset()\n"
_BOOT_LOADER = "import machine\nmachine.bootloader()\n"


class Described(NamedTuple):
    """What a board with MicroPython says of itself; ``sabot`` is the version installed or an empty text."""

    unique_id: str
    machine: str
    micropython: str
    mpy: int
    sabot: str
    provisioned: bool


_KINDS = (str, str, str, int, str, bool)


def describe(repl: RawRepl) -> Described:
    """Ask the board. DeviceError when its answer makes no sense."""
    try:
        described = Described(*printed(repl.run(_DESCRIBE)))
        strange = [value for value, kind in zip(described, _KINDS, strict=True) if type(value) is not kind]
        if strange:
            raise ValueError(f"it says {strange[0]!r}")
    except (CodeFailed, ValueError, TypeError) as error:
        raise DeviceError(
            "repl-unlike", f"the board cannot describe itself: {error}", "install MicroPython for this board"
        ) from error
    return described


def restart(repl: RawRepl) -> None:
    """Reset the board; its port vanishes."""
    repl.start(_RESTART)


def to_boot_loader(repl: RawRepl) -> None:
    """Make the board start its boot loader; its port vanishes without an answer."""
    repl.start(_BOOT_LOADER)


class BoardFiles:
    """The file system of the board behind ``repl``, which is in the raw REPL."""

    def __init__(self, repl: RawRepl) -> None:
        self._repl = repl
        self._run(_HELPERS)

    def paths(self) -> list[str]:
        """Every file, as ``lib/pn5180/__init__.mpy``."""
        return sorted(self._run("_walk('')").decode().split())

    def hashes(self, paths: Iterable[str]) -> dict[str, str]:
        """SHA-256 of each file that is there."""
        found = {}
        for path in paths:
            digest = self._run(f"print(_hash({path!r}))", HASH_MS).decode().strip()
            if digest:
                found[path] = digest
        return found

    def put(self, path: str, data: bytes, on_progress: Callable[[int], None] | None = None) -> None:
        """Write one file whole; ``on_progress`` is told the bytes written. DeviceError when it cannot be written."""
        new = path + ".new"
        self._run(f"_folders({path!r})\n_file = open({new!r}, 'wb')")
        for at in range(0, len(data), CHUNK_BYTES):
            chunk = data[at : at + CHUNK_BYTES]
            self._run(f"_put({base64.b64encode(chunk)!r})")
            if on_progress is not None:
                on_progress(len(chunk))
        self._run("_file.close()")
        digest = self.hashes([new]).get(new)
        if digest != hashlib.sha256(data).hexdigest():
            raise DeviceError(
                "copy-verify",
                f"{path} reads back differently from what was written",
                "run the command again; if it happens again the board's flash is worn: use another board",
            )
        self.move(new, path)

    def remove(self, path: str) -> None:
        """Remove one file; one that is not there is gone already."""
        self._run(f"try:\n    os.remove({path!r})\nexcept OSError as e:\n    if e.errno != 2:\n        raise")

    def move(self, old: str, new: str) -> None:
        """Give a file another place; what is there is replaced in one step."""
        self._run(f"os.rename({old!r}, {new!r})")

    def remove_folder(self, path: str) -> None:
        """Remove an empty folder."""
        self._run(f"os.rmdir({path!r})")

    def sync(self) -> None:
        """Have everything written out."""
        self._run("if hasattr(os, 'sync'):\n    os.sync()")

    def _run(self, code: str, timeout_ms: int = HASH_MS) -> bytes:
        try:
            return self._repl.run(code, timeout_ms)
        except CodeFailed as error:
            raise _worded(error) from error


_REASONS = {
    "[Errno 28]": ("its file system is full", "erase it: hold BOOTSEL while plugging in, and run sabot flash"),
    "[Errno 5]": ("its flash cannot be written", "use another board"),
    "[Errno 19]": ("it has no file system", "hold BOOTSEL while plugging in, and run sabot flash"),
}


def _worded(error: CodeFailed) -> DeviceError:
    for number, (what, hint) in _REASONS.items():
        if number in str(error):
            return DeviceError("copy-failed", f"the board cannot store the files: {what}", hint)
    return DeviceError("copy-failed", f"the board cannot store the files: {error}", "run the command again; report it")
