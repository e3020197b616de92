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
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.port import PORT
from sabot_host.cli.role import proved_with
from sabot_host.cli.surroundings import result
from sabot_host.cli.tables import at_tables
from sabot_host.cli.values import FOLDER, IN_FILE
from sabot_host.errors import UsageError
from sabot_host.journal.keyfile import read_key
from sabot_host.lang import said
from sabot_host.link.client import Client
from sabot_host.provision.keys import KeyFolder

EPILOG = """\b
Examples:
  sabot staff on 4711 --key-file dealer.key
  sabot staff on 12 --role supervisor --key-file supervisor.key
  sabot staff on 12 --role supervisor --keys keys --table 3,7
  sabot staff rule 3 refused --key-file supervisor.key
"""
_KEY_FILE = "File with the role's key: 32 bytes or 64 hex digits."
_PEOPLE = ("dealer", "supervisor")
_NUMBER = click.IntRange(1, 0xFFFF)


@click.group("staff", cls=Group, epilog=EPILOG)
def command() -> None:
    """Sign dealers and supervisors on and off; rule on what is open."""


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(PORT(function))


def _with_key(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a ruling, at one table."""
    return click.option("--key-file", type=IN_FILE, required=True, help=_KEY_FILE)(_options(function))


def _with_keys(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of who signs on or off, at one table or at several."""
    folder = click.option("--keys", type=FOLDER, help="The folder of the house's keys, instead of one key's file.")
    return click.option("--key-file", type=IN_FILE, help=_KEY_FILE)(several(folder(_options(function))))


@contextmanager
def _session(port: str | None, role: str, key_file: Path) -> Iterator[Client]:
    key = read_key(key_file)
    with proved_with(port, role, lambda table: key) as client:
        yield client


def _sign(
    number: int,
    role: str,
    on: bool,
    *,
    port: str | None,
    key_file: Path | None,
    keys: Path | None,
    meant: Meant,
    as_json: bool,
) -> int:
    meant.one_way(port, "--port")
    if (key_file is None) == (keys is None):
        raise UsageError("staff-key", "name the role's key one way: --key-file or --keys", "sabot staff --help")
    if meant.several and keys is None:
        raise UsageError("staff-key", "each table has keys of its own: several take --keys", "sabot staff --help")
    key = None if key_file is None else read_key(key_file)

    def signed(at: str | None) -> dict[str, Any]:
        with proved_with(at, role, lambda table: key or KeyFolder(keys or Path()).held(table, role)) as client:
            client.sign(role, number, on)
        return {"role": role, "number": number, "on": on}

    def worded(values: dict[str, Any]) -> str:
        return said(f"{role} {number} signed on" if on else f"{role} {number} signed off")

    return at_tables(signed, port, meant, worded, as_json)


@command.command("on")
@click.argument("number", type=_NUMBER)
@click.option("--role", type=click.Choice(_PEOPLE), default="dealer", show_default=True, help="Who signs on.")
@_with_keys
def on(number: int, role: str, **where: Any) -> int:
    """Sign on with NUMBER. A dealer relieves the one before, between rounds only."""
    return _sign(number, role, True, **where)


@command.command("off")
@click.argument("number", type=_NUMBER)
@click.option("--role", type=click.Choice(_PEOPLE), default="dealer", show_default=True, help="Who signs off.")
@_with_keys
def off(number: int, role: str, **where: Any) -> int:
    """Sign off; NUMBER is whoever has signed on."""
    return _sign(number, role, False, **where)


@command.command("rule")
@click.argument("number", type=_NUMBER)
@click.argument("resolution", type=click.Choice(RESOLUTIONS[1:6]))
@click.option("--amount", type=click.IntRange(0, (1 << 30) - 1), help="Cents, or a card's number, of keyed.")
@_with_key
def rule(number: int, resolution: str, amount: int | None, key_file: Path, port: str | None, as_json: bool) -> None:
    """End irregularity NUMBER as the supervisor. Where two must rule, the dealer seconds with OUI.

    The supervisor's desk at the table shows the number, and `sabot monitor --key-file` with the auditor's key.
    """
    if (amount is None) == (resolution == "keyed"):
        raise UsageError("staff-amount", "an amount belongs to keyed, and to nothing else", "sabot staff rule --help")
    with _session(port, "supervisor", key_file) as client:
        client.resolve(number, RESOLUTIONS.index(resolution), amount or 0)
    result(f"irregularity {number}: {resolution}", {"irregularity": number, "resolution": resolution}, as_json)


@command.command("void")
@click.option("--reason", type=click.Choice(VOID_REASONS[1:4]), default="supervisor", show_default=True)
@_with_key
def void(reason: str, key_file: Path, port: str | None, as_json: bool) -> None:
    """Void the round as the supervisor: unsettled bets go back as they were locked."""
    with _session(port, "supervisor", key_file) as client:
        client.void(VOID_REASONS.index(reason))
    result(f"the round is void: {reason}", {"void": reason}, as_json)
