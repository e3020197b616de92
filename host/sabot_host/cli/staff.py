"""`sabot staff`: dealers and supervisors sign on and off, and rule on what is open, with a role's key.

Entry point: `command`, with `on`, `off`, `rule` and `void`. Where a table has a badge reader, badges do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from sabot.wire.codes import RESOLUTIONS, VOID_REASONS
from sabot_host.cli.helping import Group
from sabot_host.cli.port import PORT, greeted
from sabot_host.cli.surroundings import result
from sabot_host.cli.values import IN_FILE
from sabot_host.journal.keyfile import read_key
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port

EPILOG = """\b
Examples:
  sabot staff on 4711 --key-file dealer.key
  sabot staff on 12 --role supervisor --key-file supervisor.key
  sabot staff rule 3 refused --key-file supervisor.key
"""
_PEOPLE = ("dealer", "supervisor")
_NUMBER = click.IntRange(1, 0xFFFF)


@click.group("staff", cls=Group, epilog=EPILOG)
def command() -> None:
    """Sign dealers and supervisors on and off; rule on what is open."""


def _with_key(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command here."""
    function = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(PORT(function))
    return click.option(
        "--key-file",
        type=IN_FILE,
        required=True,
        help="File with the role's key: 32 bytes or 64 hex digits.",
    )(function)


@contextmanager
def _session(port: str | None, role: str, key_file: Path) -> Iterator[Client]:
    key = read_key(key_file)
    name = port or find_port()
    client = Client(SerialTransport(name))
    try:
        greeted(client, name)
        client.authenticate(role, key)
        yield client
    finally:
        client.close()


def _sign(port: str | None, role: str, key_file: Path, number: int, on: bool, as_json: bool) -> None:
    with _session(port, role, key_file) as client:
        client.sign(role, number, on)
    values = {"role": role, "number": number, "on": on}
    result(f"{role} {number} signed on" if on else f"{role} {number} signed off", values, as_json)


@command.command("on")
@click.argument("number", type=_NUMBER)
@click.option("--role", type=click.Choice(_PEOPLE), default="dealer", show_default=True, help="Who signs on.")
@_with_key
def on(number: int, role: str, key_file: Path, port: str | None, as_json: bool) -> None:
    """Sign on with NUMBER. A dealer relieves the one before, between rounds only."""
    _sign(port, role, key_file, number, True, as_json)


@command.command("off")
@click.argument("number", type=_NUMBER)
@click.option("--role", type=click.Choice(_PEOPLE), default="dealer", show_default=True, help="Who signs off.")
@_with_key
def off(number: int, role: str, key_file: Path, port: str | None, as_json: bool) -> None:
    """Sign off; NUMBER is whoever has signed on."""
    _sign(port, role, key_file, number, False, as_json)


@command.command("rule")
@click.argument("number", type=_NUMBER)
@click.argument("word", type=click.Choice(RESOLUTIONS[1:6]))
@click.option("--amount", type=click.IntRange(0, (1 << 30) - 1), default=0, help="Cents, or a card's number, of keyed.")
@_with_key
def rule(number: int, word: str, amount: int, key_file: Path, port: str | None, as_json: bool) -> None:
    """End irregularity NUMBER (`sabot status`) as the supervisor. Where two must rule, the dealer seconds with OUI."""
    with _session(port, "supervisor", key_file) as client:
        client.resolve(number, RESOLUTIONS.index(word), amount)
    result(f"irregularity {number}: {word}", {"irregularity": number, "resolution": word}, as_json)


@command.command("void")
@click.option("--reason", type=click.Choice(VOID_REASONS[1:4]), default="supervisor", show_default=True)
@_with_key
def void(reason: str, key_file: Path, port: str | None, as_json: bool) -> None:
    """Void the round as the supervisor: unsettled bets go back as they were locked."""
    with _session(port, "supervisor", key_file) as client:
        client.void(VOID_REASONS.index(reason))
    result(f"the round is void: {reason}", {"void": reason}, as_json)
