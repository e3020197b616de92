"""Which boards or tables a command means, where it may be several. Needs no other part: a quick command imports it.

Entry points: :func:`numbers` (an option's value like ``3,7``), :data:`TABLES` and :data:`AT_ONCE` (options),
:func:`several` (the options of a command that may mean several tables, handed to it as one :class:`Meant`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import click

from sabot_host.errors import UsageError

MOST_AT_ONCE = 40
MOST_NUMBERS = 1000


def numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """An option's ``3,7`` or ``1-40`` as numbers, each once, in the order named; None where it is not given."""
    if value is None:
        return None
    found: dict[int, None] = {}
    for part in value.split(","):
        first, dash, last = part.strip().partition("-")
        try:
            start, end = int(first), int(last) if dash else int(first)
        except ValueError:
            raise click.BadParameter(f"{part!r} is no number, nor a stretch like 3-7", ctx, param) from None
        if not 0 <= end - start < MOST_NUMBERS:
            raise click.BadParameter(f"{part!r} is no stretch of at most {MOST_NUMBERS} numbers", ctx, param)
        found.update(dict.fromkeys(range(start, end + 1)))
    return tuple(found)


TABLES = click.option(
    "--table",
    "tables",
    callback=numbers,
    metavar="NUMBERS",
    help="The tables that run with these numbers, as 3,7 or 1-40.",
)
AT_ONCE = click.option(
    "--at-once",
    type=click.IntRange(1, MOST_AT_ONCE),
    default=MOST_AT_ONCE,
    show_default=True,
    help="Of several boards so many are worked on at once: fewer on a weak hub or computer.",
)
ALL = click.option("--all", "all_tables", is_flag=True, help="Every table that runs, side by side.")


class Meant(NamedTuple):
    """What the options say: these ``numbers``, or every table; neither: the one at a port."""

    numbers: tuple[int, ...] | None
    every: bool
    at_once: int

    @property
    def several(self) -> bool:
        """Whether tables are named by number, or all are meant."""
        return self.every or self.numbers is not None

    def one_way(self, named: str | None, option: str) -> None:
        """UsageError where tables are named in two ways; ``named`` is what ``option`` says, of one table."""
        if sum((named is not None, self.every, self.numbers is not None)) > 1:
            raise UsageError(
                "tables-which",
                f"name tables one way: {option}, --table or --all",
                f"{click.get_current_context().command_path} --help",
            )


def several(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which several tables are named; ``function`` gets them as ``meant``."""

    @functools.wraps(function)
    def named(*, tables: tuple[int, ...] | None, all_tables: bool, at_once: int, **others: Any) -> Any:
        return function(meant=Meant(tables, all_tables, at_once), **others)

    return TABLES(ALL(AT_ONCE(named)))
