"""What surrounds a command: signals that end it, and streams that are missing, full, or lack a letter.

Entry points: :func:`endable` (signals become exceptions), :func:`streams_ready`, :func:`flush` and :func:`discard` (of
an output that takes no more), :class:`Ended`, :func:`echo`, :func:`result` and :func:`mention` (to people),
:func:`in_two_lines` (an error), :func:`can_ask`.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import TextIO

import click

from sabot_host.errors import SabotError
from sabot_host.lang import said
from sabot_host.wording import printable

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_ESCAPED = "sabot-escape"


class Ended(KeyboardInterrupt):
    """Somebody ended the command with a signal other than Ctrl-C's. What ends well on Ctrl-C ends well on this."""


def _end(number: int, frame: FrameType | None) -> None:
    for each in _ENDING:  # whoever asks again while things are put in order is obeyed at once
        if signal.getsignal(each) is _end:
            signal.signal(each, signal.SIG_DFL)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Ended(signal.Signals(number).name)


@contextlib.contextmanager
def endable() -> Iterator[None]:
    """In the block the first signal that ends a command raises KeyboardInterrupt or `Ended`: nothing stays behind.

    A signal that is ignored (`nohup`, a shell's background) stays so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def streams_ready() -> None:
    """Give errors somewhere to go, and letters that an output's encoding lacks as JSON writes them: ``\\u00e9``."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: the next file that is opened would be taken for the stream
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end of the process
    codecs.register_error(_ESCAPED, _escaped)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors=_ESCAPED)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2)), error.end


def flush(stream: TextIO | None) -> None:
    """Have everything written. OSError when it cannot be; what is left is then given up."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        discard(stream)
        raise


def discard(stream: TextIO | None) -> None:
    """Point an output at nothing, so that the interpreter's own last flush cannot fail again."""
    if stream is None:
        return
    with contextlib.suppress(io.UnsupportedOperation):  # an output that is no file has nothing to flush into one
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)


def echo(text: str) -> None:
    """A result for people, on standard output, in their language."""
    click.echo(said(text))


def result(text: str, values: Mapping[str, object], as_json: bool) -> None:
    """What was done: for people, or as one JSON object."""
    if as_json:
        import json  # not for every command's start

        click.echo(json.dumps(values, ensure_ascii=False))
    else:
        echo(text)


def in_two_lines(error: SabotError) -> str:
    """What happened, and what to do, in the language of whoever reads it."""
    what, hint = (printable(" ".join(said(text).split())) for text in (error.message, error.hint))
    return f"{said('error:')} {what} [{error.code}]\n{said('what to do:')} {hint}"


def mention(text: str) -> None:
    """A line beside the results, on standard error. That nobody reads on there is no reason to stop half way."""
    try:
        print(said(text), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def can_ask() -> bool:
    """Whether there is a person to ask."""
    return sys.stdin is not None and sys.stdin.isatty()
