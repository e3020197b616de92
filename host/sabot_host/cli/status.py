"""``sabot status``: what a controller says of itself and of its table."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port


@click.command()
@click.option("--port", help="Serial port of the controller; without it, the one that is attached.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(port: str | None, as_json: bool) -> None:
    """Show what a controller says of itself: table, game, state, journal, faults."""
    client = Client(SerialTransport(port or find_port()))
    try:
        hello = client.open()
        status: dict[str, Any] = {
            "version": hello.version,
            "unique_id": hello.unique_id.hex(),
            "sealed": hello.sealed,
            "table": hello.table,
            "game": hello.game,
            "boot": hello.boot,
        }
        status.update(client.status())
    finally:
        client.close()
    if as_json:
        click.echo(json.dumps(status))
        return
    table = Table(show_header=False, title=f"Table {hello.table}")
    for name, value in status.items():
        table.add_row(name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    Console().print(table)
