"""`sabot badge`: whose badge is whose at a table. Entry point: `command`, with `enrol`, `revoke` and `list`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from sabot.wire.codes import ROLES
from sabot_host.cli.helping import Group
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.port import PORT
from sabot_host.cli.role import KEYS, proved
from sabot_host.cli.surroundings import mention
from sabot_host.cli.tables import at_tables
from sabot_host.errors import DeviceError, RefusedError, UsageError
from sabot_host.journal.show import badge_text
from sabot_host.lang import said, spoken
from sabot_host.link.client import Client, EnrolledBadge
from sabot_host.link.refusals import told_as

EPILOG = """\b
Examples:
  sabot badge enrol 4711 --keys keys
  sabot badge enrol 12 --role supervisor --keys keys --uid 04A1B2C3D4E580
  sabot badge revoke 4711 --keys keys
  sabot badge revoke 4711 --keys keys --all
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


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command here."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    return several(as_json(KEYS(PORT(function))))


def _done(
    act: Callable[[str | None], Any], worded: Callable[[Any], str], *, port: str | None, meant: Meant, as_json: bool
) -> int:
    """Do ``act`` at the table at ``port``, or at those meant, and tell how it came out."""
    meant.one_way(port, "--port")
    return at_tables(act, port, meant, worded, as_json, _valued)


class _Badges(NamedTuple):
    """Badges of a table, and the one that is held to its reader."""

    badges: Sequence[EnrolledBadge]
    held: bytes = b""


def _valued(found: _Badges) -> dict[str, Any]:
    badges = [{"role": badge.role, "number": badge.number, "uid": badge_text(badge.uid)} for badge in found.badges]
    return {"badges": badges, "held": badge_text(found.held) if found.held else None}


@command.command("enrol")
@click.argument("number", type=_NUMBER)
@_ROLE
@click.option("--uid", type=_Uid(), help="The badge's UID; without it, the badge that is held to the table's reader.")
@click.option("--wait", type=click.IntRange(1, 600), default=30, show_default=True, help="Seconds to wait for a badge.")
@_options
def enrol(number: int, role: str, uid: bytes | None, wait: int, keys: Path, **where: Any) -> int:
    """Make a badge that of NUMBER, as in `sabot staff`. The table must be closed, between dealers or in a shuffle."""
    if where["meant"].several and uid is None:
        raise UsageError(
            "badge-uid",
            "a badge is held to one reader: for several tables its UID is needed",
            "enrol it at one table, see `sabot badge list`, and give --uid for the others",
        )

    def enrolled(at: str | None) -> _Badges:
        with _session(at, keys, role) as client:
            found = _held(client, wait) if uid is None else uid
            client.enrol(role, number, found)
        return _Badges([EnrolledBadge(role, number, found)])

    def worded(found: _Badges) -> str:
        return said(f"badge {badge_text(found.badges[0].uid)} is that of {role} {number}")

    return _done(enrolled, worded, **where)


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
@_options
def revoke(number: int, role: str, uid: bytes | None, keys: Path, **where: Any) -> int:
    """Take the badges of NUMBER out of the table's list; who has signed on with it is signed off."""

    def revoked(at: str | None) -> _Badges:
        with _session(at, keys, role) as client:
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
        return _Badges(meant)

    def worded(found: _Badges) -> str:
        return "\n".join(said(f"badge {badge_text(one.uid)} of {role} {number} is revoked") for one in found.badges)

    return _done(revoked, worded, **where)


@command.command("list")
@click.option(
    "--as", "proven", type=click.Choice(ROLES[2:]), default="supervisor", show_default=True, help="Whose key."
)
@_options
def listed(proven: str, keys: Path, **where: Any) -> int:
    """Show every badge that the table knows, and the one that is held to its reader."""

    def known(at: str | None) -> _Badges:
        with proved(at, keys, proven) as client:
            held, enrolled = client.badges()
        return _Badges(sorted(enrolled, key=_order), held)

    return _done(known, _lines, **where)


def _lines(found: _Badges) -> str:
    roles = [spoken().word("role", one.role) for one in found.badges]
    wide = max(map(len, (*ROLES, *roles)))
    lines = [
        f"{role:<{wide}} {one.number:>5}  {badge_text(one.uid)}" for role, one in zip(roles, found.badges, strict=True)
    ]
    if not lines:
        lines.append(said("no badge is enrolled at this table"))
    if found.held:
        lines.append(said(f"held to the reader: {badge_text(found.held)}"))
    return "\n".join(lines)


def _order(badge: EnrolledBadge) -> tuple[int, int, bytes]:
    return ROLES.index(badge.role), badge.number, badge.uid
