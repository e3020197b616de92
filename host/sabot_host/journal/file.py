"""The file of a pulled journal: one line of JSON, then framed records and heads. docs/journal.md defines it.

Entry points: `read` (all of a file, its damage included), `of_bytes`, `create`, `Writer` (add to one, from the last
good frame on).

A frame is ``kind u8`` (``R`` a record, ``H`` a head), ``length u16``, the bytes, ``crc32 u32`` over all before it.
The checks find accidents; who altered what is found by `sabot_host.journal.verify`.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from sabot.wire.head import SIZE as HEAD_SIZE
from sabot.wire.records import FORMAT as RECORD_FORMAT
from sabot.wire.records import MAX_RECORD, OVERHEAD, TAG_SIZE, identity
from sabot_host.errors import FileError
from sabot_host.files import JOURNAL_BYTES, json_of, read_bytes, write_new

VERSION = 1
RECORD = ord("R")
HEAD = ord("H")
_START = struct.Struct("<BH")
_CHECK = struct.Struct("<I")
FRAME_MOST = _START.size + MAX_RECORD + _CHECK.size
_HEADER_MOST = 4096
_LAST_SEQUENCE = 0xFFFFFFFF


@dataclass(frozen=True)
class Header:
    """What the first line says. None of it is trusted by `verify` without a head that says the same."""

    table: bytes
    """the controller's unique id"""
    key: bytes
    """name of the chain's first key (`sabot.wire.head.key_id`)"""
    first: int
    """sequence of the first record in the file"""
    before: bytes
    """tag of the record before it, zeros before the very first"""

    def line(self) -> bytes:
        """The line as it stands in the file."""
        values = {
            "format": "sabot-journal",
            "version": VERSION,
            "records": RECORD_FORMAT,
            "table": self.table.hex(),
            "key": self.key.hex(),
            "first": self.first,
            "before": self.before.hex(),
        }
        return json.dumps(values).encode() + b"\n"


@dataclass
class Pulled:
    """All that a file holds. ``frames`` are (kind, bytes); ``good`` is the offset behind the last good frame."""

    path: Path
    header: Header
    frames: list[tuple[int, bytes]] = field(default_factory=list)
    good: int = 0
    rest: int = 0
    """bytes behind the last good frame that are no frame: cut off or damaged"""
    tail: bytes = b""
    """the first of them: where a frame began, its kind and length"""
    canonical: bool = True
    """whether the first line is byte for byte as it is written; another one may well say the same"""

    @property
    def records(self) -> list[bytes]:
        """The records, in the order of the file."""
        return [data for kind, data in self.frames if kind == RECORD]

    @property
    def last(self) -> int:
        """Sequence that the last record in the file claims; ``header.first`` - 1 when there is none."""
        records = self.records
        return sequence_of(records[-1]) if records else self.header.first - 1


def sequence_of(record: bytes) -> int:
    """The sequence number in a record's header."""
    return identity(record)[0]


def frame(kind: int, data: bytes) -> bytes:
    """One frame as it stands in the file."""
    body = _START.pack(kind, len(data)) + data
    return body + _CHECK.pack(zlib.crc32(body))


def _header(path: Path, line: bytes) -> Header:
    hint = "name a file that `sabot journal pull` wrote"
    try:
        values = json_of(line)
        if values["format"] != "sabot-journal" or not line.endswith(b"\n"):
            raise ValueError
        version, records, first = (_whole_number(values[name]) for name in ("version", "records", "first"))
        table, key, before = (bytes.fromhex(values[name]) for name in ("table", "key", "before"))
        if not 1 <= first <= _LAST_SEQUENCE or len(before) != TAG_SIZE:
            raise ValueError
    except (ValueError, KeyError, TypeError) as problem:
        raise FileError("journal-not-one", f"{path} is no pulled journal", hint) from problem
    if version != VERSION or records != RECORD_FORMAT:
        raise FileError(
            "journal-file-version",
            f"{path} has file version {version} and record format {records}; this tool reads {VERSION} and "
            f"{RECORD_FORMAT}",
            "use the sabot tool of the version that pulled it",
        )
    return Header(table, key, first, before)


def _whole_number(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def _frames(data: bytes, offset: int) -> Iterator[tuple[int, bytes, int]]:
    """Yield (kind, bytes, offset behind it) until the first thing that is no whole good frame."""
    while offset + _START.size + _CHECK.size <= len(data):
        kind, length = _START.unpack_from(data, offset)
        end = offset + _START.size + length
        if end + _CHECK.size > len(data) or _CHECK.unpack_from(data, end)[0] != zlib.crc32(data[offset:end]):
            return
        body = data[offset + _START.size : end]
        if not (OVERHEAD <= length <= MAX_RECORD if kind == RECORD else kind == HEAD and length == HEAD_SIZE):
            return
        offset = end + _CHECK.size
        yield kind, body, offset


def read(path: Path) -> Pulled:
    """Read a pulled journal up to the first byte that makes no sense. FileError ``journal-not-one``, ``-version``."""
    return of_bytes(path, read_bytes(path, JOURNAL_BYTES))


def of_bytes(path: Path, data: bytes) -> Pulled:
    """The same of a file whose bytes are ``data``."""
    end = data.find(b"\n", 0, _HEADER_MOST) + 1
    header = _header(path, data[:end])
    pulled = Pulled(path, header, good=end, canonical=data[:end] == header.line())
    for kind, body, behind in _frames(data, end):
        pulled.frames.append((kind, body))
        pulled.good = behind
    pulled.rest = len(data) - pulled.good
    pulled.tail = data[pulled.good : pulled.good + _START.size]
    return pulled


def create(path: Path, header: Header) -> Pulled:
    """Start a new file. FileExistsError when there is one of that name."""
    line = header.line()
    write_new(path, line)
    return Pulled(path, header, good=len(line))


class Writer:
    """Adds frames behind the last good one; what a cut pull left behind it is given up.

    FileError ``journal-file-damaged`` when more than one frame would be lost: that is no cut pull.
    """

    def __init__(self, pulled: Pulled) -> None:
        if pulled.rest > FRAME_MOST:
            raise FileError(
                "journal-file-damaged",
                f"{pulled.path} is damaged: {pulled.rest} bytes after offset {pulled.good} make no sense",
                "keep it as it is for the inquiry, and pull into another file",
            )
        self._stream: BinaryIO = pulled.path.open("r+b")
        self._stream.truncate(pulled.good)
        self._stream.seek(pulled.good)

    def __enter__(self) -> Writer:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep what has been added so far, whatever ended the pull."""
        self._stream.close()

    def add(self, kind: int, data: bytes) -> None:
        """Add one frame."""
        self._stream.write(frame(kind, data))

    def sync(self) -> None:
        """Return once everything added is on the disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
