"""`sabot attest`: whether a board's program is a release, proved over a challenge. Entry point: `command`."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import click

from sabot.wire.messages import CHALLENGE_SIZE
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.surroundings import echo
from sabot_host.cli.values import IN_FILE
from sabot_host.errors import Exit
from sabot_host.lang import said
from sabot_host.release import bundle as bundles
from sabot_host.release.signing import named

ROLES = ("supervisor", "technician", "auditor")
EPILOG = """\b
Examples:
  sabot attest --bundle sabot-0.1.0-pico2.sabot --keys keys
  sabot attest --bundle sabot-0.1.0-pico2.sabot --keys keys --role auditor --json
"""


@click.command("attest", epilog=EPILOG)
@click.option("--bundle", type=IN_FILE, required=True, help="The release that the board should hold.")
@click.option("--role", type=click.Choice(ROLES), default="technician", show_default=True, help="Whose key is shown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@KEYS
@PORT
def command(bundle: Path, role: str, as_json: bool, keys: Path, port: str | None) -> int:
    """Have a table hash every file of its release together with a challenge made now, and compare.

    An answer that was recorded earlier, or that another board gave, does not pass. It takes a table between rounds;
    docs/integrity.md says what the answer proves. Exit status 1 when the board holds something else.
    """
    release = bundles.read(bundle)
    challenge = secrets.token_bytes(CHALLENGE_SIZE)
    with proved(port, keys, role) as client:
        board = client.hello.unique_id
        same = client.attest(challenge) == release.attested(challenge, board)
    if as_json:
        values = {"same": same, "board": board.hex(), "release": release.manifest.sha256, "signer": release.signer}
        click.echo(json.dumps(values))
    else:
        what = said(f"{bundle.name}, signed by {named(release.signer)}")
        echo(f"{board.hex()} holds {what}" if same else f"{board.hex()} does NOT hold {what}")
    return Exit.OK if same else Exit.FINDING
