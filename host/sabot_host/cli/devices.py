"""`sabot devices`: every board attached and what it is doing. Entry point: `command`."""

from __future__ import annotations

import json

import click

from sabot_host.cli.surroundings import echo, in_two_lines, mention
from sabot_host.errors import Exit, SabotError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, attached
from sabot_host.lang import said

EPILOG = """\b
Examples:
  sabot devices
  sabot devices --json
"""


@click.command("devices", epilog=EPILOG)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> int:
    """List controllers and blank boards: port, serial number, board, what it is doing, versions.

    A running controller is not disturbed. A board that is no Sabot controller is asked at its MicroPython prompt.
    """
    devices, problems = attached(Bus())
    if as_json:
        found = [{"code": each.code, "message": each.message, "hint": each.hint} for each in problems]
        click.echo(json.dumps({"devices": [device.as_dict() for device in devices], "problems": found}))
    else:
        _print(devices, sure=not problems)
    hindered = problems + [device.problem for device in devices if device.problem is not None]
    for problem in hindered if not as_json else []:
        mention(in_two_lines(problem))
    return status_of(hindered)


def status_of(problems: list[SabotError]) -> int:
    """The exit status for what kept us from seeing everything: that of the first."""
    return problems[0].exit_status if problems else Exit.OK


def _print(devices: list[Device], sure: bool) -> None:
    from rich.table import Table

    from sabot_host.cli.screen import screen

    if not devices:
        echo("no board is attached" if sure else "no board is seen")
        return
    console = screen()
    table = Table(box=None)
    for heading in ("port", "USB", "serial number", "board", "state", "table", "versions"):
        table.add_column(said(heading), overflow="fold")
    for device in devices:
        table.add_row(
            device.port or "-",
            device.location,
            device.serial if device.unique else said(f"{device.serial or '-'} (not unique)"),
            device.board or "-",
            said(device.state),
            str(device.table or "-"),
            ", ".join(f"{name} {version}" for name, version in sorted(device.versions.items())) or "-",
        )
    console.print(table)
