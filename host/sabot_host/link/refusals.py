"""What a controller's refusal means and what to do about it.

Entry points: :data:`REFUSALS`, :func:`refusal`, :func:`wrong_key`, :func:`mismatch`; :func:`told_as`, for a command
that knows better what to do about a table in play, or a sealed one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from sabot.wire import messages as m
from sabot_host.errors import RefusedError
from sabot_host.link.core import Mismatch

# status: name (the error's code is `link-` and the name), what, what to do
REFUSALS = {
    m.UNKNOWN_COMMAND: (
        "unknown-command",
        "the controller does not know this command",
        "update the host tool or the controller",
    ),
    m.BAD_ARGUMENTS: ("bad-arguments", "the controller refused the arguments", "check the values given"),
    m.NOT_AUTHORISED: (
        "not-authorised",
        "the controller asks for a role's key",
        "give the role and its key file with --role and --key-file",
    ),
    m.LOCKED_OUT: ("locked-out", "too many wrong keys", "wait, then use the right key file"),
    m.NOT_NOW: (
        "not-now",
        "the controller cannot do this in its present state",
        "see `sabot status`: is the table suspended, the journal full, or no round running?",
    ),
    m.NOT_FOUND: (
        "not-found",
        "the controller has no such record or irregularity",
        "see `sabot status`, or `sabot monitor --key-file` with the auditor's key",
    ),
    m.SEALED: ("sealed", "the controller is sealed", "unseal it first: sabot unseal"),
    m.PUBLISHED: (
        "published-keys",
        "a key of the controller, or its release's, is one published for development, or the release is not signed",
        "install a release and keys of the house's own: docs/technician.md, three ways to bring a table back",
    ),
    m.NO_READER: (
        "no-badge-reader",
        "this table has no badge reader",
        "fit one, and say so: badge_reader = true in the house's file, then `sabot config set`",
    ),
    m.TAKEN: (
        "badge-taken",
        "this badge is enrolled already",
        "see whose it is with `sabot badge list`; revoke it first",
    ),
    m.LIST_FULL: ("badges-full", "the table's list of badges is full", "revoke those of people who have left"),
    m.RANDOM_UID: (
        "badge-random",
        "this is no badge: it has another number each time, like a telephone or a bank card",
        "take a badge with a number of its own",
    ),
    m.NO_BADGE: ("no-badge", "no badge is held to the table's reader", "hold it there, then try again; or give --uid"),
    m.FAILED: ("failed", "the controller could not do it", "see `sabot status`; report it"),
}


def refusal(status: int, body: bytes) -> RefusedError:
    """The error for a reply whose status is not OK."""
    name, what, hint = REFUSALS.get(status, REFUSALS[m.FAILED])
    if status not in REFUSALS:
        what = f"the controller refused with status {status}, which this tool does not know"
    if status == m.LOCKED_OUT and len(body) == 4:
        what += f": the controller takes none for another {struct.unpack('<I', body)[0] / 1000:.0f} s"
    return RefusedError("link-" + name, what, hint)


@contextmanager
def told_as(in_play: RefusedError, sealed: RefusedError | None = None) -> Iterator[None]:
    """Raise these for what the controller refuses in its present state, or because it is sealed; others as they are."""
    try:
        yield
    except RefusedError as refused:
        better = {"link-not-now": in_play, "link-sealed": sealed}.get(refused.code)
        if better is None:
            raise
        raise better from refused


def wrong_key(role: str) -> RefusedError:
    """The error for a proof of a role that the controller does not accept."""
    return RefusedError(
        "link-wrong-key",
        f"the controller does not accept this key for the role {role}",
        "is it this table's, and this role's? after three wrong keys the controller waits longer each time",
    )


def mismatch(event: Mismatch) -> RefusedError:
    """The error for a controller that speaks another protocol."""
    return RefusedError(
        "link-version",
        f"the controller (version {event.version}) speaks protocol {event.protocol} of the link, "
        f"this tool {m.PROTOCOL}",
        f"use the sabot tool of version {event.version}, or update the controller",
    )
