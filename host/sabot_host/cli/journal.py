"""`sabot journal`: pull a table's audit journal, verify it, show it.

Entry point: `command`, with `pull`, `verify` and `show`. The work is in `sabot_host.journal`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sabot.wire.head import NONCE_SIZE
from sabot.wire.records import names
from sabot_host.cli.port import PORT
from sabot_host.cli.values import IN_FILE, OUT_FILE
from sabot_host.errors import Exit, UsageError
from sabot_host.journal import file as journal_file
from sabot_host.journal import show as words
from sabot_host.journal.keyfile import read_key
from sabot_host.journal.pull import pull as fetch
from sabot_host.journal.verify import verify as judge


@click.group("journal")
def command() -> None:
    """Pull, verify and show a table's audit journal."""


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
@click.argument("file", type=OUT_FILE)
@PORT
@click.option("--role", default="auditor", show_default=True, help="Role that the key belongs to.")
@click.option("--key-file", type=IN_FILE, required=True, help="File with the role's key: 32 bytes or 64 hex digits.")
@click.option("--nonce", help="The auditor's own nonce, 32 hex digits, when someone else runs the pull.")
@click.option("--ack", is_flag=True, help="Afterwards let the controller overwrite what was pulled.")
def pull(file: Path, port: str | None, role: str, key_file: Path, nonce: str | None, ack: bool) -> None:
    """Fetch the journal into FILE, or what is new since the last pull into it."""
    from sabot_host.link.client import Client
    from sabot_host.link.serial_port import SerialTransport, find_port

    given = _nonce(nonce) or os.urandom(NONCE_SIZE)
    key = read_key(key_file)
    client = Client(SerialTransport(port or find_port()))
    try:
        client.open()
        client.authenticate(role, key)
        console = Console(stderr=True)
        bar = Progress(TextColumn("records"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console)
        with bar if console.is_terminal else nullcontext():
            result = fetch(client, file, given, acknowledge=ack, on_progress=_progress(bar))
    finally:
        client.close()
    kept = f"records {result.first} to {result.last}" if result.last >= result.first else "no record yet"
    click.echo(f"{file}: {result.added} new, {kept}; acknowledged up to {result.acknowledged}")


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
    report = judge(journal_file.read(file), read_key(key_file), _nonce(nonce), start)
    if as_json:
        click.echo(json.dumps(report.as_dict()))
    elif report.good:
        click.echo(f"{file}: good. Records {report.first} to {report.last}, {report.boot} boots.")
    else:
        good = f"records {report.first} to {report.last} are good" if report.last >= report.first else "none is good"
        click.echo(f"{file}: record {report.sequence} is {report.kind}: {report.detail}; {good}.")
    return Exit.OK if report.good else Exit.FINDING


@command.command("show")
@click.argument("file", type=IN_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--code", type=click.Choice(names()), help="Only records of this name.")
@click.option("--round", "number", type=int, help="Only this round, from its lock to its end.")
def show(file: Path, as_json: bool, code: str | None, number: int | None) -> None:
    """Print the records of FILE in words. It needs no key and proves nothing: verify does."""
    pulled = journal_file.read(file)
    speaker = words.Words()

    def told(records: Iterator[words.Parsed]) -> Iterator[words.Parsed]:
        for record in records:
            speaker.learn(record)
            yield record

    for record in words.selected(told(words.parsed(pulled.records)), code, number):
        click.echo(json.dumps(words.as_json(record)) if as_json else speaker.line(record))
    if pulled.rest:
        click.echo(f"the last {pulled.rest} bytes make no sense: see `sabot journal verify`", err=True)
