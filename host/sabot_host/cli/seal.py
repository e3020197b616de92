"""`sabot seal`: the seal onto tables. Entry point: `command`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from sabot_host.cli import sealing
from sabot_host.flash.seal import seal
from sabot_host.provision.keys import KeyFolder

EPILOG = """\b
Examples:
  sabot seal --keys keys
  sabot seal --keys keys --table 3,7
  sabot seal --keys keys --all --yes
"""


@click.command("seal", epilog=EPILOG)
@sealing.options
def command(keys: Path, **which: Any) -> int:
    """Seal tables, with the technician's key of each.

    A sealed table goes neither to its boot loader nor to a prompt, and does not play with other settings or keys than
    those that were sealed. It is sealed between rounds only, and not with published development keys. Its journal says
    so.
    """
    technician = partial(KeyFolder(keys).held, role="technician")
    return sealing.on_tables(partial(seal, technician=technician), "seal", **which)
