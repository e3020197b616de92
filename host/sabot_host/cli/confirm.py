"""Asking a person before something is done to a board. Entry point: `agree`."""

from __future__ import annotations

import click

from sabot_host.cli.surroundings import can_ask
from sabot_host.errors import RefusedError, UsageError


def agree(question: str, yes: bool) -> None:
    """Have the person agree, unless they have said --yes. UsageError when nobody can be asked; RefusedError on a no."""
    if yes:
        return
    if not can_ask():
        raise UsageError("nobody-to-ask", "this has to be agreed to, and nobody can be asked", "add --yes")
    if not click.confirm(question, err=True):
        raise RefusedError("declined", "nothing was written", "choose another board with --device")
