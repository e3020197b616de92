"""`sabot time`: the controller's clock. Entry point: `command`, with `set`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from sabot_host.cli.helping import Group
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.surroundings import result

EARLIEST, LATEST = 2020, 2099
EPILOG = """\b
Examples:
  sabot time set --keys keys
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
def set_time(port: str | None, keys: Path, wanted: str | None, as_json: bool) -> None:
    """Set the clock as the technician; the journal says from what to what."""
    with proved(port, keys, "technician") as client:
        moment = datetime.now(UTC) if wanted is None else _moment(wanted)
        client.set_time(int(moment.timestamp()))
    told = moment.astimezone(UTC).isoformat(sep=" ", timespec="seconds")
    result(f"the clock is set to {told}", {"clock": told}, as_json)


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
