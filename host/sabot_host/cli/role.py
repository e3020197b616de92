"""A session in which a role has been proved, with the key that lies in the house's folder.

Entry points: :data:`KEYS` (an option), :func:`proved`, :func:`proved_with` (a key from elsewhere).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from sabot_host.cli.port import greeted
from sabot_host.cli.values import FOLDER
from sabot_host.link.client import Client
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.provision.keys import KeyFolder

KEYS = click.option(
    "--keys",
    type=FOLDER,
    required=True,
    help="The folder of the house's keys.",
)


@contextmanager
def proved(port: str | None, keys: Path, role: str) -> Iterator[Client]:
    """A session with the controller at ``port``, ``role`` proved with its table's key; it ends with the block."""
    with proved_with(port, role, partial(KeyFolder(keys).held, role=role)) as client:
        yield client


@contextmanager
def proved_with(port: str | None, role: str, key_of: Callable[[int], bytes]) -> Iterator[Client]:
    """The same with the key that ``key_of`` gives for a table's number."""
    name = port or find_port()
    client = Client(SerialTransport(name))
    try:
        hello = greeted(client, name)
        client.authenticate(role, key_of(hello.table))
        yield client
    finally:
        client.close()
