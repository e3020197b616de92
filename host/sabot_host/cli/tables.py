"""The tables that a command means, where it may be several: by number, or every one that runs.

Entry points: :func:`several` (the options of such a command, handed to it as one :class:`Meant`), :func:`on_each` (the
work at each table, side by side, and a line for each), :func:`found_wrong` (an exit status).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import click

from sabot_host.cli.progress import shown
from sabot_host.cli.several import AT_ONCE, TABLES, Outcome, side_by_side, tell
from sabot_host.errors import DeviceError, Exit, UsageError
from sabot_host.flash.bus import Bus, SharedBus
from sabot_host.flash.devices import Device, choose, numbered, present
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.lock import board_lock

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


def on_each(
    act: Callable[[Bus, Device, Reporter], Any],
    meant: Meant,
    worded: Callable[[Any], str],
    as_json: bool,
    valued: Callable[[Any], Any],
    agreed: Callable[[str], None] = lambda names: None,
) -> tuple[int, list[Outcome]]:
    """Do ``act`` at each table, whose board is this process's meanwhile; the exit status, and how each ended.

    ``agreed`` is asked with the tables' names before anything is done; for ``worded`` and ``valued`` see
    :func:`sabot_host.cli.several.tell`. DeviceError where no table runs.
    """
    bus = SharedBus()
    devices = present(bus)

    def one(found: Callable[[], Device], reporter: Reporter) -> Any:
        device = found()
        with board_lock(device.place):
            return act(bus, device, reporter)

    if meant.numbers is None:
        work = {
            f"table {each.table}" if _alone(devices, each) else f"table {each.table}, {each.place}": partial(
                one, partial(choose, devices, each.place)
            )
            for each in sorted(devices, key=lambda each: each.table)
            if each.is_table
        }
    else:
        work = {f"table {number}": partial(one, partial(numbered, devices, number)) for number in meant.numbers}
    if not work:
        raise DeviceError("table-none", "no table is attached and running", "plug it in, look with: sabot devices")
    agreed(", ".join(work))
    with shown() as reporter:
        outcomes = side_by_side(work, meant.at_once, reporter)
    return tell(outcomes, worded, as_json, valued), outcomes


def found_wrong(outcomes: list[Outcome], wrong: Callable[[Any], bool]) -> Exit:
    """The exit status of work that came to its end at every table: FINDING where a result is ``wrong``."""
    found = any(wrong(outcome.result) for outcome in outcomes if outcome.error is None)
    return Exit.FINDING if found else Exit.OK


def _alone(devices: list[Device], device: Device) -> bool:
    """Whether no other board says that it is the same table: two of one number are two lines, not one."""
    return sum(each.is_table and each.table == device.table for each in devices) == 1
