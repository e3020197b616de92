"""A journal for other programs: JSON Lines, CSV, SQLite. Entry points: `json_lines`, `csv_text`, `sqlite_bytes`.

None of them proves anything; the pulled file does. Names are those of docs/journal.md: amounts in cents,
instants in microseconds since the boot, UIDs as printed on tags. The CSV has a line for each record, with its fields in
words and as JSON. The database has the same in the table `records`, and a table for each kind of record, with two
columns for each field, its value and its words; each list of a record is a table of its own.
"""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from sabot.wire import codes
from sabot.wire.records import code_of, layout, names
from sabot_host.errors import FileError
from sabot_host.journal.show import UNREADABLE, Parsed, Words, as_json

HEADINGS = ("sequence", "boot", "monotonic_us", "clock", "clock_quality", "dealer", "record", "words", "fields")


def json_lines(records: Iterable[Parsed]) -> Iterator[str]:
    """One JSON object a record, as `sabot journal show --json` prints it."""
    for record in records:
        yield json.dumps(as_json(record)) + "\n"


def _row(record: Parsed, speaker: Words) -> tuple[Any, ...]:
    clock = datetime.fromtimestamp(record["clock"], UTC).isoformat() if record["clock"] else ""
    return (
        record["sequence"],
        record["boot"],
        record["monotonic"],
        clock,
        codes.CLOCK_QUALITY[record["quality"]],
        record["dealer"],
        record["name"],
        speaker.fields(record),
        json.dumps(as_json(record)["fields"]),
    )


def csv_text(records: Iterable[Parsed], speaker: Words) -> str:
    """A table with :data:`HEADINGS`, as RFC 4180 has it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    for record in records:
        speaker.learn(record)
        writer.writerow(_row(record, speaker))
    return text.getvalue()


def sqlite_bytes(records: Iterable[Parsed], speaker: Words) -> bytes:
    """A database file; beside each column NAME stands NAME_text, the same in words.

    FileError ``export-unfit`` for records that no sound journal holds.
    """
    base = sqlite3.connect(":memory:")
    try:
        base.execute(f"CREATE TABLE records (sequence INTEGER PRIMARY KEY, {', '.join(HEADINGS[1:])})")
        for name in names():
            _make_tables(base, name)
        for record in records:
            speaker.learn(record)
            try:
                base.execute(f"INSERT INTO records VALUES ({', '.join('?' * len(HEADINGS))})", _row(record, speaker))
                if record["name"] != UNREADABLE:
                    _insert(base, record, speaker)
            except (sqlite3.IntegrityError, OverflowError) as error:
                what = f"record {record['sequence']} has no place in a database: there twice, or too large a number"
                hint = "sabot journal verify tells what is wrong with the file; jsonl and csv take any"
                raise FileError("export-unfit", what, hint) from error
        base.commit()
        return base.serialize()
    finally:
        base.close()


def _columns(kinds: Iterable[tuple[str, str]]) -> list[str]:
    return [column for name, _ in kinds for column in (name, name + "_text")]


def _scalars(name: str) -> list[tuple[str, str]]:
    return [(field, kind) for field, kind in layout(code_of(name))[2] if not isinstance(kind, tuple)]


def _make_tables(base: sqlite3.Connection, name: str) -> None:
    columns = "".join(f', "{column}"' for column in _columns(_scalars(name)))
    base.execute(f'CREATE TABLE "{name}" (sequence INTEGER PRIMARY KEY REFERENCES records{columns})')
    for listed, kinds in layout(code_of(name))[2]:
        if isinstance(kinds, tuple):
            columns = "".join(f', "{column}"' for column in _columns(kinds))
            key = "PRIMARY KEY (sequence, entry)"
            base.execute(f'CREATE TABLE "{name}_{listed}" (sequence REFERENCES records, entry INTEGER{columns}, {key})')


def _insert(base: sqlite3.Connection, record: Parsed, speaker: Words) -> None:
    name, sequence, values = record["name"], record["sequence"], record["fields"]
    pairs = [(field, values[field]) for field, _ in _scalars(name)]
    _add(base, name, [sequence, *_with_words(name, pairs, speaker)])
    for listed, kinds in layout(code_of(name))[2]:
        if isinstance(kinds, tuple):
            for entry, row in enumerate(values[listed]):
                pairs = [(field, value) for (field, _), value in zip(kinds, row, strict=True)]
                _add(base, f"{name}_{listed}", [sequence, entry, *_with_words(name, pairs, speaker)])


def _add(base: sqlite3.Connection, table: str, row: list[Any]) -> None:
    base.execute(f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(row))})', row)


def _with_words(name: str, pairs: Iterable[tuple[str, Any]], speaker: Words) -> Iterator[Any]:
    for field, value in pairs:
        yield value.hex() if isinstance(value, bytes) else value
        yield speaker.value(name, field, value)
