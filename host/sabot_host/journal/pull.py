"""Fetch a journal from a controller into a file, or go on with a file. Entry points: `pull`, `Source`, `Result`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sabot.wire.head import Head, HeadError, parse
from sabot.wire.records import OVERHEAD
from sabot_host.errors import DeviceError, FileError, SabotError
from sabot_host.journal import file as journal_file


class Source(Protocol):
    """What a pull asks of the link; `sabot_host.link.client.Client` is one."""

    def head(self, nonce: bytes) -> bytes:
        """The journal's head over a nonce of 16 bytes."""

    def read_records(
        self, first: int, on_progress: Callable[[int, int], None] | None = None, last: int | None = None
    ) -> Iterator[bytes]:
        """Raw records from ``first`` to ``last``."""

    def acknowledge(self, sequence: int) -> None:
        """Let the controller overwrite records up to ``sequence``."""


@dataclass(frozen=True)
class Result:
    """What a pull did: records added, the file's first and last record, and what the controller may now overwrite."""

    added: int
    first: int
    last: int
    acknowledged: int


def head_of(source: Source, nonce: bytes) -> tuple[bytes, Head]:
    """The controller's head over a nonce, as it came and read; DeviceError when it makes no sense."""
    data = source.head(nonce)
    try:
        head = parse(data)
    except HeadError as problem:
        raise DeviceError(
            "journal-head-bad", f"the controller's head makes no sense: {problem}", "update the tool or the controller"
        ) from problem
    if head.nonce != nonce:
        raise DeviceError(
            "journal-head-stale", "the controller answered with the head of another pull", "try again; report it"
        )
    return data, head


def _target(path: Path, head: Head) -> journal_file.Pulled:
    """The file to add to, made when it is not there; a SabotError says why the two do not go together."""
    header = journal_file.Header(head.table, head.key, head.oldest, head.before)
    if path.is_file() and path.stat().st_size == 0:
        path.unlink()
    if not path.exists():
        return journal_file.create(path, header)
    pulled = journal_file.read(path)
    if (pulled.header.table, pulled.header.key) != (head.table, head.key):
        raise FileError(
            "journal-other-table", f"{path} is the journal of another table or of an earlier chain", "name another file"
        )
    if pulled.last > head.last:
        raise SabotError(
            "journal-behind",
            f"{path} holds record {pulled.last}, but the controller's newest is {head.last}: "
            "its journal was set back or replaced",
            "keep the file and call the supervisor of the system",
        )
    if pulled.last + 1 < head.oldest:
        raise SabotError(
            "journal-gap",
            f"records {pulled.last + 1} to {head.oldest - 1} were acknowledged by another pull and are gone "
            "from the controller",
            "find the file of that pull; name another file here",
        )
    return pulled


def pull(
    source: Source,
    path: Path,
    nonce: bytes,
    *,
    acknowledge: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Bring ``path`` up to the controller's newest record and end it with a head over ``nonce``.

    The head is taken first and the records up to it after, so that a pull ends while play goes on. Whatever ends it
    early, the next pull into the same file goes on from its last whole record.

    Args:
        source: an authenticated link.
        path: a new file, or one that an earlier pull of the same table wrote.
        nonce: 16 bytes of the auditor's that were never used before.
        acknowledge: afterwards, when everything is on the disk, let the controller overwrite the records.
        on_progress: called with (sequence, last) for each record.
    """
    data, head = head_of(source, nonce)
    pulled = _target(path, head)
    expected = pulled.last + 1
    added = 0
    with journal_file.Writer(pulled) as writer:
        if expected <= head.last:
            for record in source.read_records(expected, on_progress, head.last):
                if len(record) < OVERHEAD or journal_file.sequence_of(record) != expected:
                    raise DeviceError(
                        "journal-record-bad",
                        f"the controller sent something else as record {expected}",
                        "pull again: it goes on where it stopped; report it",
                    )
                writer.add(journal_file.RECORD, record)
                expected += 1
                added += 1
        if expected != head.last + 1:
            raise DeviceError(
                "journal-record-missing",
                f"the controller sent no record {expected}",
                "pull again: it goes on where it stopped; report it",
            )
        writer.add(journal_file.HEAD, data)
        writer.sync()
    if acknowledge and head.last:
        source.acknowledge(head.last)
    return Result(added, pulled.header.first, head.last, head.last if acknowledge else head.acknowledged)
