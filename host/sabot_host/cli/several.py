"""Several boards at once: the work side by side, and a table of how each came out.

Entry points: :func:`side_by_side`, :class:`Outcome`, :func:`tell`. One board's failure stops no other's work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

import click

from sabot_host.cli.progress import Shown
from sabot_host.cli.surroundings import echo
from sabot_host.errors import Exit, SabotError
from sabot_host.flash.flasher import Reporter
from sabot_host.lang import said


class Outcome(NamedTuple):
    """How the work on one board ended: with a result, or with what went wrong."""

    name: str
    result: Any
    error: Exception | None


def side_by_side(work: Mapping[str, Callable[[Reporter], Any]], at_once: int, shown: Shown) -> list[Outcome]:
    """Do all of it, ``at_once`` boards at a time, each with a reporter of its own; how each ended, in the order given.

    Ctrl-C lets what has begun end, begins nothing more, and is raised then: a board is not left half written.
    """
    with ThreadPoolExecutor(at_once, "board") as pool:
        under_way = {name: pool.submit(do, shown.of(name)) for name, do in work.items()}
        try:
            return [_ended(name, future) for name, future in under_way.items()]
        except KeyboardInterrupt:
            shown.say("stopping: boards that are being written are finished first")
            pool.shutdown(cancel_futures=True)
            raise


def _ended(name: str, future: Future[Any]) -> Outcome:
    try:
        return Outcome(name, future.result(), None)
    except Exception as error:
        return Outcome(name, None, error)


def tell(outcomes: Sequence[Outcome], worded: Callable[[Any], str], as_json: bool, valued: Callable[[Any], Any]) -> int:
    """Print a line for each board, and what to do for each failure; the exit status is that of the first failure.

    ``worded`` and ``valued`` give a result for people and for JSON. What no error was made for is raised at last.
    """
    if as_json:
        click.echo(json.dumps({"results": [_as_dict(outcome, valued) for outcome in outcomes]}, ensure_ascii=False))
    else:
        _print(outcomes, worded)
    failures = [outcome.error for outcome in outcomes if outcome.error is not None]
    for failure in failures:
        if not isinstance(failure, SabotError):
            raise failure
    return next((failure.exit_status for failure in failures if isinstance(failure, SabotError)), int(Exit.OK))


def _as_dict(outcome: Outcome, valued: Callable[[Any], Any]) -> dict[str, Any]:
    if outcome.error is None:
        return {"board": outcome.name, "ok": True, "result": valued(outcome.result)}
    code, message, hint = _words(outcome.error)
    return {"board": outcome.name, "ok": False, "error": {"code": code, "message": message, "hint": hint}}


def _words(error: Exception) -> tuple[str, str, str]:
    if isinstance(error, SabotError):
        return error.code, error.message, error.hint
    return "internal", f"{type(error).__name__}: {error}", "run it with --debug, report what it prints"


def _print(outcomes: Sequence[Outcome], worded: Callable[[Any], str]) -> None:
    from rich.table import Table

    from sabot_host.cli.screen import screen

    console = screen()
    table = Table(box=None)
    for heading in ("board", "", "result", "what to do"):
        table.add_column(said(heading), overflow="fold")
    for outcome in outcomes:
        if outcome.error is None:
            table.add_row(said(outcome.name), said("ok"), worded(outcome.result), "")
        else:
            code, message, hint = _words(outcome.error)
            table.add_row(said(outcome.name), said("FAILED"), f"{said(message)} [{code}]", said(hint))
    console.print(table)
    failed = sum(outcome.error is not None for outcome in outcomes)
    done = len(outcomes) - failed
    echo(f"{done} of {len(outcomes)} done, {failed} FAILED" if failed else f"{done} of {len(outcomes)} done")
