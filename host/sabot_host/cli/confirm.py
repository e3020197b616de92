"""Asking a person before something is done to a board. Entry point: `agree`."""

from __future__ import annotations

import click

from sabot_host.cli.surroundings import can_ask
from sabot_host.errors import RefusedError, UsageError
from sabot_host.lang import said

_WORDS = {"y": True, "yes": True, "o": True, "oui": True, "n": False, "no": False, "non": False}


def agree(question: str, yes: bool) -> None:
    """Have the person agree, unless they have said --yes. UsageError when nobody can be asked; RefusedError on a no."""
    if yes:
        return
    if not can_ask():
        raise UsageError("nobody-to-ask", "this has to be agreed to, and nobody can be asked", "add --yes")
    if not _yes(said(question)):
        raise RefusedError("declined", "nothing was written", "choose another board with --device")


def _yes(question: str) -> bool:
    """A person's yes or no; a line without a word is a no. Both languages' words are understood in both."""
    return bool(
        click.prompt(f"{question} {said('[y/N]')}", default="n", show_default=False, value_proc=_judged, err=True)
    )


def _judged(answer: str) -> bool:
    word = answer.strip().casefold()
    if word not in _WORDS:
        raise click.BadParameter(said("yes or no?"))
    return _WORDS[word]
