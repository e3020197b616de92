"""`sabot badge`: whose badge is whose at a table. Entry point: `command`, with `enrol`, `revoke` and `list`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sabot.wire.codes import ROLES
from sabot_host.cli.helping import Group
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.surroundings import echo, mention
from sabot_host.errors import DeviceError, RefusedError, UsageError
from sabot_host.journal.show import badge_text
from sabot_host.lang import spoken
from sabot_host.link.client import Client, EnrolledBadge
from sabot_host.link.refusals import told_as

EPILOG = """\b
Examples:
  sabot badge enrol 4711 --keys keys
  sabot badge enrol 12 --role supervisor --keys keys --uid 04A1B2C3D4E580
  sabot badge revoke 4711 --keys keys
  sabot badge list --keys keys
"""
LOOK_MS = 300  # between two looks at the reader
_LENGTHS = (4, 7)
_ROLE = click.option(
    "--role", type=click.Choice(ROLES[1:]), default="dealer", show_default=True, help="Of the badge's owner."
)
_NUMBER = click.IntRange(1, 0xFFFF)


class _Uid(click.ParamType[bytes]):
    """A badge's UID in hexadecimal digits, as readers print it."""

    name = "uid"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Bytes of the digits; ``:`` and ``-`` between them are passed over."""
        try:
            uid = bytes.fromhex(value.replace(":", "").replace("-", ""))
        except ValueError:
            uid = b""
        if len(uid) not in _LENGTHS:
            self.fail(f"{value!r} is no UID of a badge: 8 or 14 hexadecimal digits", param, ctx)
        return uid


@click.group("badge", cls=Group, epilog=EPILOG)
def command() -> None:
    """Enrol, revoke and list the staff's badges at a table."""


@contextmanager
def _session(port: str | None, keys: Path, role: str) -> Iterator[Client]:
    """A session with the key that may enrol badges of ``role``: its own; the dealers' are the supervisor's."""
    in_play = RefusedError(
        "badge-not-now",
        "badges are enrolled and revoked only while no bet can be made",
        "close the table, or wait for the shuffle; is the journal full? see `sabot status`",
    )
    with proved(port, keys, "supervisor" if role == "dealer" else role) as client, told_as(in_play):
        yield client


@command.command("enrol")
@click.argument("number", type=_NUMBER)
@_ROLE
@click.option("--uid", type=_Uid(), help="The badge's UID; without it, the badge that is held to the table's reader.")
@click.option("--wait", type=click.IntRange(1, 600), default=30, show_default=True, help="Seconds to wait for a badge.")
@KEYS
@PORT
def enrol(number: int, role: str, uid: bytes | None, wait: int, keys: Path, port: str | None) -> None:
    """Make a badge that of NUMBER, as in `sabot staff`. The table must be closed, between dealers or in a shuffle."""
    with _session(port, keys, role) as client:
        if uid is None:
            uid = _held(client, wait)
        client.enrol(role, number, uid)
    echo(f"badge {badge_text(uid)} is that of {role} {number}")


def _held(client: Client, wait: int) -> bytes:
    """UID of the badge that is held to the reader, within so many seconds."""
    held, _ = client.badges()
    if not held:
        mention("hold the badge to the table's reader")
    for _ in range(wait * 1000 // LOOK_MS):
        if held:
            return held
        client.rest(LOOK_MS)
        held, _ = client.badges()
    raise DeviceError(
        "badge-none",
        f"no badge was held to the table's reader for {wait} s",
        "hold it to the reader until this command ends; is the reader well? see `sabot status`",
    )


@command.command("revoke")
@click.argument("number", type=_NUMBER)
@_ROLE
@click.option("--uid", type=_Uid(), help="Only the badge of this UID; without it, all badges of that number.")
@KEYS
@PORT
def revoke(number: int, role: str, uid: bytes | None, keys: Path, port: str | None) -> None:
    """Take the badges of NUMBER out of the table's list; who has signed on with it is signed off."""
    with _session(port, keys, role) as client:
        _, enrolled = client.badges()
        meant = [
            badge for badge in enrolled if (badge.role, badge.number) == (role, number) and uid in (None, badge.uid)
        ]
        if not meant:
            raise UsageError(
                "badge-unknown", f"the table knows no such badge of {role} {number}", "see `sabot badge list`"
            )
        for badge in meant:
            client.revoke(badge.uid)
            echo(f"badge {badge_text(badge.uid)} of {role} {number} is revoked")


@command.command("list")
@click.option(
    "--as", "proven", type=click.Choice(ROLES[2:]), default="supervisor", show_default=True, help="Whose key."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@KEYS
@PORT
def listed(proven: str, as_json: bool, keys: Path, port: str | None) -> None:
    """Show every badge that the table knows, and the one that is held to its reader."""
    with proved(port, keys, proven) as client:
        held, enrolled = client.badges()
    if as_json:
        badges = [{"role": badge.role, "number": badge.number, "uid": badge_text(badge.uid)} for badge in enrolled]
        click.echo(json.dumps({"badges": badges, "held": badge_text(held) if held else None}))
        return
    for badge in sorted(enrolled, key=_order):
        click.echo(f"{spoken().word('role', badge.role):<12} {badge.number:>5}  {badge_text(badge.uid)}")
    if not enrolled:
        echo("no badge is enrolled at this table")
    if held:
        echo(f"held to the reader: {badge_text(held)}")


def _order(badge: EnrolledBadge) -> tuple[int, int, bytes]:
    return ROLES.index(badge.role), badge.number, badge.uid
