"""`sabot console`: the frames between this computer and a controller, decoded as they pass. Entry point: `command`."""

from __future__ import annotations

import click

from sabot_host.cli.port import PORT, greeted
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.link.tap import Tap

EVERY_MS = 1000
EPILOG = """\b
Examples:
  sabot console
  sabot console --seconds 5

A line a frame: milliseconds, direction, type, number, what it acknowledges, what it says (docs/protocol.md).
Ctrl-C ends it.
"""


@click.command("console", epilog=EPILOG)
@click.option("--seconds", type=click.IntRange(1), help="End after so long; without it Ctrl-C does.")
@PORT
def command(port: str | None, seconds: int | None) -> None:
    """Open a session, ask for the status each second, and show every frame that passes. Needs no key."""
    name = port or find_port()
    transport = Tap(SerialTransport(name), click.echo)
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
