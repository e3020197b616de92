"""`sabot console`: the frames between this computer and a controller, decoded as they pass. Entry point: `command`."""

from __future__ import annotations

import json

import click

from sabot_host.cli.port import PORT, greeted
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.link.tap import Tap, as_dict, line

EVERY_MS = 1000
EPILOG = """\b
Examples:
  sabot console
  sabot console --seconds 5
  sabot console --seconds 5 --json

A line a frame: milliseconds, direction, type, number, what it acknowledges, what it says (docs/protocol.md).
Ctrl-C ends it.
"""


@click.command("console", epilog=EPILOG)
@click.option("--seconds", type=click.IntRange(1), help="End after so long; without it Ctrl-C does.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each frame.")
@PORT
def command(port: str | None, seconds: int | None, as_json: bool) -> None:
    """Open a session, ask for the status each second, and show every frame that passes. Needs no key."""
    name = port or find_port()

    def show(ms: int, way: str, frame: bytes) -> None:
        click.echo(json.dumps(as_dict(ms, way, frame)) if as_json else line(ms, way, frame))

    transport = Tap(SerialTransport(name), show)
    client = Client(transport)
    try:
        greeted(client, name)
        end = None if seconds is None else transport.now_ms() + 1000 * seconds
        while end is None or transport.now_ms() < end:
            client.status()
            client.rest(EVERY_MS)
    except KeyboardInterrupt:
        return  # that is how it ends
    finally:
        client.close()
