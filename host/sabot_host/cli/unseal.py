"""`sabot unseal`: the seal off tables. Entry point: `command`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sabot_host.cli import sealing
from sabot_host.cli.values import FOLDER
from sabot_host.flash.seal import unseal
from sabot_host.provision.keys import KeyFolder

EPILOG = """\b
Examples:
  sabot unseal --keys keys --supervisor-keys /media/supervisor/keys
  sabot unseal --keys keys --supervisor-keys /media/supervisor/keys --table 3,7
"""


@click.command("unseal", epilog=EPILOG)
@click.option(
    "--supervisor-keys",
    type=FOLDER,
    required=True,
    help="The folder of keys that the supervisor brings; in it table-NUMBER/supervisor.key.",
)
@sealing.options
def command(keys: Path, supervisor_keys: Path, **which: Any) -> int:
    """Take the seal off tables: two people, the technician's key and the supervisor's of each.

    The table's journal says so. What is to be done (flash, config, repl) is done then, and the table sealed again.
    """
    technician = partial(KeyFolder(keys).held, role="technician")
    supervisor = partial(KeyFolder(supervisor_keys).held, role="supervisor")
    return sealing.on_tables(partial(unseal, technician=technician, supervisor=supervisor), "unseal", **which)
