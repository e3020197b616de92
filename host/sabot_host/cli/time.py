"""`sabot time`: the controller's clock. Entry point: `command`, with `set`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from sabot_host.cli.helping import Group
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.tables import at_tables
from sabot_host.lang import said

EARLIEST, LATEST = 2020, 2099
EPILOG = """\b
Examples:
  sabot time set --keys keys
  sabot time set --keys keys --all
  sabot time set --keys keys --to 2026-11-28T06:00:00+00:00
"""


@click.group("time", cls=Group, epilog=EPILOG)
def command() -> None:
    """Set the controller's clock."""


@command.command("set")
@click.option("--to", "wanted", help="A time with its zone, as 2026-11-28T06:00:00-05:00; without it, this computer's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@KEYS
@PORT
@several
def set_time(port: str | None, meant: Meant, keys: Path, wanted: str | None, as_json: bool) -> int:
    """Set the clock as the technician; the journal says from what to what."""
    meant.one_way(port, "--port")
    given = None if wanted is None else _moment(wanted)

    def done(at: str | None) -> dict[str, str]:
        with proved(at, keys, "technician") as client:
            moment = given or datetime.now(UTC)
            client.set_time(int(moment.timestamp()))
        return {"clock": moment.astimezone(UTC).isoformat(sep=" ", timespec="seconds")}

    return at_tables(done, port, meant, _worded, as_json)


def _worded(done: dict[str, str]) -> str:
    return said(f"the clock is set to {done['clock']}")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is no time", param_hint="--to") from error
    if moment.tzinfo is None:
        raise click.BadParameter(f"{text!r} has no zone: add Z, or -05:00", param_hint="--to")
    if not EARLIEST <= moment.year <= LATEST or not EARLIEST <= moment.astimezone(UTC).year <= LATEST:
        raise click.BadParameter(f"{text!r} is not between {EARLIEST} and {LATEST}", param_hint="--to")
    return moment
