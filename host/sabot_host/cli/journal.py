"""`sabot journal`: pull a table's audit journal, verify it, show it, replay it, export it, recall its last rounds.

Entry point: `command`, with `pull`, `verify`, `show`, `replay`, `export` and `rounds`. The work is in
`sabot_host.journal` and `sabot_host.model`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sabot.wire.head import NONCE_SIZE
from sabot.wire.records import RecordError, names, parse
from sabot_host.cli.helping import Group
from sabot_host.cli.port import PORT, greeted
from sabot_host.cli.surroundings import echo, mention, result
from sabot_host.cli.values import GROWING_FILE, IN_FILE, OUT_FILE
from sabot_host.errors import Exit, UsageError
from sabot_host.files import write_whole
from sabot_host.journal import file as journal_file
from sabot_host.journal import show as words
from sabot_host.journal.keyfile import read_key
from sabot_host.journal.pull import pull as fetch
from sabot_host.journal.verify import verify as judge
from sabot_host.lang import said, spoken

if TYPE_CHECKING:
    from sabot_host.link.client import Client


@click.group("journal", cls=Group)
def command() -> None:
    """Pull, verify, show, replay and export a table's audit journal."""


def _whole(pulled: journal_file.Pulled) -> Exit:
    """The status of a command that has used what is whole of a file; what is not is told."""
    if not pulled.rest:
        return Exit.OK
    mention(f"the last {pulled.rest} bytes make no sense and were left out: see `sabot journal verify`")
    return Exit.FINDING


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _nonce(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        nonce = bytes.fromhex(text)
    except ValueError:
        nonce = b""
    if len(nonce) != NONCE_SIZE:
        raise UsageError("nonce-bad", f"--nonce takes {2 * NONCE_SIZE} hexadecimal digits", "openssl rand -hex 16")
    return nonce


@command.command("pull")
@click.argument("file", type=GROWING_FILE)
@PORT
@click.option("--role", default="auditor", show_default=True, help="Role that the key belongs to.")
@click.option("--key-file", type=IN_FILE, required=True, help="File with the role's key: 32 bytes or 64 hex digits.")
@click.option("--nonce", help="The auditor's own nonce, 32 hex digits, when someone else runs the pull.")
@click.option("--ack", is_flag=True, help="Afterwards let the controller overwrite what was pulled.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def pull(file: Path, port: str | None, role: str, key_file: Path, nonce: str | None, ack: bool, as_json: bool) -> None:
    """Fetch the journal into FILE, or what is new since the last pull into it."""
    given = _nonce(nonce) or os.urandom(NONCE_SIZE)
    with _session(port, role, read_key(key_file)) as client:
        console = Console(stderr=True)
        bar = Progress(TextColumn("records"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console)
        with bar if console.is_terminal else nullcontext():
            found = fetch(client, file, given, acknowledge=ack, on_progress=_progress(bar))
    kept = said(f"records {found.first} to {found.last}" if found.last >= found.first else "no record yet")
    values = {"added": found.added, "first": found.first, "last": found.last, "acknowledged": found.acknowledged}
    result(
        f"{file}: {found.added} new, {kept}; acknowledged up to {found.acknowledged}",
        {"file": str(file), **values},
        as_json,
    )


@contextmanager
def _session(port: str | None, role: str, key: bytes) -> Iterator[Client]:
    """A session with a controller, with that role's rights."""
    from sabot_host.link.client import Client
    from sabot_host.link.serial_port import SerialTransport, find_port

    name = port or find_port()
    client = Client(SerialTransport(name))
    try:
        greeted(client, name)
        client.authenticate(role, key)
        yield client
    finally:
        client.close()


def _progress(bar: Progress) -> Callable[[int, int], None]:
    task = bar.add_task("records", total=None)
    first = 0

    def advance(sequence: int, last: int) -> None:
        nonlocal first
        first = first or sequence
        bar.update(task, total=last - first + 1, completed=sequence - first + 1)

    return advance


@command.command("verify")
@click.argument("file", type=IN_FILE)
@click.option("--key-file", type=IN_FILE, required=True, help="File with the first key of the chain.")
@click.option("--nonce", help="The nonce that you gave whoever pulled the file.")
@click.option(
    "--from", "start", type=click.IntRange(1), default=1, help="First record due here; those before: an earlier file."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def verify(file: Path, key_file: Path, nonce: str | None, start: int, as_json: bool) -> int:
    """Judge FILE with the first key of its chain: whole, in order, and the controller's own.

    The exit status is 1 when anything is wrong; the first bad record and what is wrong with it are named.
    """
    given = _nonce(nonce)
    report = judge(journal_file.read(file), read_key(key_file), given, start)
    if as_json:
        click.echo(json.dumps(report.as_dict()))
    elif report.good:
        boots = said(_number(report.boot, "boot"))
        echo(f"{file}: good. Records {report.first} to {report.last}, {boots}.")
        if given is None:
            mention("the nonce in the file was taken: whether an older pull is shown again, only one of your own tells")
        if report.meters is None:
            mention("the file does not begin with record 1: the meters were not added up")
    else:
        good = said(
            f"records {report.first} to {report.last} are good" if report.last >= report.first else "none is good"
        )
        kind = spoken().word("verdict", report.kind)
        echo(f"{file}: record {report.sequence} is {kind}: {report.detail}; {good}.")
    return Exit.OK if report.good else Exit.FINDING


@command.command("show")
@click.argument("file", type=IN_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--code", type=click.Choice(names()), help="Only records of this name.")
@click.option("--round", "number", type=int, help="Only this round, from its lock to its end.")
def show(file: Path, as_json: bool, code: str | None, number: int | None) -> int:
    """Print the records of FILE in words. It needs no key and proves nothing: verify does.

    The exit status is 1 when a part of the file makes no sense.
    """
    pulled = journal_file.read(file)
    speaker = words.Words((), spoken())

    def told(records: Iterator[words.Parsed]) -> Iterator[words.Parsed]:
        for record in records:
            speaker.learn(record)
            yield record

    for record in words.selected(told(words.parsed(pulled.records)), code, number):
        click.echo(json.dumps(words.as_json(record)) if as_json else speaker.line(record))
    return _whole(pulled)


@command.command("replay")
@click.argument("file", type=IN_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(file: Path, as_json: bool) -> int:
    """Play FILE through the reference model and the rules: each state, and each settlement worked out again.

    A settlement is worked out from the cards, bets and decisions of its round. It needs no key and does not prove that
    the records are the controller's: verify does. The exit status is 1 when a record does not fit, which is named, or
    when a part of the file makes no sense.
    """
    from sabot_host.model.replay import Misfit, Model

    pulled = journal_file.read(file)
    model = Model()
    misfit = ""
    try:
        for record in pulled.records:
            model.apply(parse(record))
        model.finish()
    except (Misfit, RecordError) as found:
        misfit = str(found)
    counts = model.recomputed.counts
    if as_json:
        click.echo(
            json.dumps(
                {"fits": not misfit, "misfit": misfit or None, "bytes_left_out": pulled.rest, **counts.as_dict()}
            )
        )
    else:
        rounds, lines = (said(_number(*each)) for each in ((counts.rounds, "round"), (counts.lines, "line")))
        echo(
            f"{file}: {rounds} settled; {lines} from cards, bets and decisions, {counts.ruled} of seats that people "
            f"ruled on, {counts.judged} by the dealer's eye."
        )
        echo(misfit if misfit else f"Every one of {len(pulled.records)} records fits.")
    status = _whole(pulled)
    return Exit.FINDING if misfit else status


@command.command("export")
@click.argument("file", type=IN_FILE)
@click.option("--format", "kind", type=click.Choice(("jsonl", "csv", "sqlite")), default="jsonl", show_default=True)
@click.option("--output", type=OUT_FILE, help="File to write; a database needs one. Standard output, if not given.")
def export(file: Path, kind: str, output: Path | None) -> int:
    """Write the records of FILE for other programs: JSON Lines, CSV, or SQLite with a table for each kind.

    The exit status is 1 when a part of the file makes no sense; what is whole is written all the same.
    """
    from sabot_host.journal import export as forms

    pulled = journal_file.read(file)
    records = words.parsed(pulled.records)
    if kind == "sqlite":
        if output is None:
            raise UsageError("export-output", "a database does not go to standard output", "--output journal.sqlite")
        write_whole(output, forms.sqlite_bytes(records, words.Words()))
        return _whole(pulled)
    text = "".join(forms.json_lines(records)) if kind == "jsonl" else forms.csv_text(records, words.Words())
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, text)
    return _whole(pulled)


@command.command("rounds")
@click.argument("file", type=IN_FILE, required=False)
@click.option("--last", type=click.IntRange(1, 100), default=1, show_default=True, help="How many rounds.")
@click.option("--seat", type=click.IntRange(1, 7), help="Only rounds in which this seat had a bet.")
@PORT
@click.option("--role", default="auditor", show_default=True, help="Role that the key belongs to.")
@click.option("--key-file", type=IN_FILE, help="File with the role's key, to ask a table that plays.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a round.")
def rounds(
    file: Path | None, last: int, seat: int | None, port: str | None, role: str, key_file: Path | None, as_json: bool
) -> int:
    """Recall the last rounds, out of FILE or, with a key and no file, from a table that plays on.

    Nothing is acknowledged, and nothing is proved: pull and verify the journal for that.
    """
    from sabot_host.journal.rounds import fetch as fetch_last
    from sabot_host.journal.rounds import rounds as told

    if (file is None) == (key_file is None):
        raise UsageError("rounds-source", "either a file or the key for a table is needed", "name one of them")
    status = Exit.OK
    if file is not None:
        pulled = journal_file.read(file)
        status = _whole(pulled)
        records = list(words.parsed(pulled.records))
    else:
        assert key_file is not None
        with _session(port, role, read_key(key_file)) as client:
            records = fetch_last(client, os.urandom(NONCE_SIZE), last)
    speaker = words.Words((), spoken())
    found = [each for each in told(records) if seat is None or seat in each.seats()][-last:]
    for each in found:
        speaker.learn(each.records[0])
        click.echo(json.dumps(each.as_dict()) if as_json else "\n".join(each.lines(speaker, spoken())))
    if not found:
        mention("no round has been locked yet" if seat is None else f"no such round with a bet at seat {seat}")
    return status
