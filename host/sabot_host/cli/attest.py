"""`sabot attest`: whether a board's program is a release, proved over a challenge. Entry point: `command`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, NamedTuple

import click

from sabot.wire.messages import CHALLENGE_SIZE
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.tables import at_tables
from sabot_host.cli.values import IN_FILE
from sabot_host.lang import said
from sabot_host.release import bundle as bundles
from sabot_host.release.signing import named

ROLES = ("supervisor", "technician", "auditor")
EPILOG = """\b
Examples:
  sabot attest --bundle sabot-0.1.0-pico2.sabot --keys keys
  sabot attest --bundle sabot-0.1.0-pico2.sabot --keys keys --all
  sabot attest --bundle sabot-0.1.0-pico2.sabot --keys keys --role auditor --json
"""


@click.command("attest", epilog=EPILOG)
@click.option("--bundle", type=IN_FILE, required=True, help="The release that the board should hold.")
@click.option("--role", type=click.Choice(ROLES), default="technician", show_default=True, help="Whose key is shown.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@KEYS
@PORT
@several
def command(bundle: Path, role: str, as_json: bool, keys: Path, port: str | None, meant: Meant) -> int:
    """Have a table hash every file of its release together with a challenge made now, and compare.

    An answer that was recorded earlier, or that another board gave, does not pass. It takes a table between rounds;
    docs/integrity.md says what the answer proves. Exit status 1 when the board holds something else.
    """
    meant.one_way(port, "--port")
    release = bundles.read(bundle)
    what = said(f"{bundle.name}, signed by {named(release.signer)}")

    def asked(at: str | None) -> _Answer:
        challenge = secrets.token_bytes(CHALLENGE_SIZE)
        with proved(at, keys, role) as client:
            board = client.hello.unique_id
            return _Answer(client.attest(challenge) == release.attested(challenge, board), board.hex())

    def worded(answer: _Answer) -> str:
        return said(f"{answer.board} holds {what}" if answer.same else f"{answer.board} does NOT hold {what}")

    def valued(answer: _Answer) -> dict[str, Any]:
        return {**answer._asdict(), "release": release.manifest.sha256, "signer": release.signer}

    return at_tables(asked, port, meant, worded, as_json, valued, lambda answer: not answer.same)


class _Answer(NamedTuple):
    """Whether a board's answer is that of the release, and the board's number."""

    same: bool
    board: str
