"""What `sabot seal` and `sabot unseal` share: which tables, and how each came out. Entry point: :func:`on_tables`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.progress import shown
from sabot_host.cli.role import KEYS
from sabot_host.cli.several import AT_ONCE, TABLES, side_by_side, tell
from sabot_host.errors import DeviceError, Exit, UsageError
from sabot_host.flash.bus import Bus, SharedBus
from sabot_host.flash.devices import Device, choose, numbered, present
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.lock import board_lock
from sabot_host.lang import said

Act = Callable[[Bus, Device], Device]


def options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of both commands."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--yes", is_flag=True, help="Do not ask."),
        AT_ONCE,
        KEYS,
        click.option("--all", "all_tables", is_flag=True, help="Every table that runs, side by side."),
        TABLES,
        click.option("--device", help="Port, USB place or serial number; needed when several boards are attached."),
    ):
        function = option(function)
    return function


def on_tables(
    act: Act,
    verb: str,
    *,
    device: str | None,
    tables: tuple[int, ...] | None,
    all_tables: bool,
    at_once: int,
    yes: bool,
    as_json: bool,
) -> int:
    """Do ``act`` to the tables meant; ``verb`` is what the question says."""
    if sum((device is not None, all_tables, tables is not None)) > 1:
        raise UsageError("seal-which", "name tables one way: --device, --table or --all", f"sabot {verb} --help")
    if all_tables or tables is not None:
        return _several(act, verb, tables, at_once, yes, as_json)
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place):
        agree(f"{verb} table {chosen.table} ({chosen.name})?", yes)
        done = act(bus, chosen)
    click.echo(json.dumps({"device": done.as_dict()}) if as_json else _worded(done))
    return Exit.OK


def _several(act: Act, verb: str, tables: tuple[int, ...] | None, at_once: int, yes: bool, as_json: bool) -> int:
    bus = SharedBus()
    devices = present(bus)

    def one(found: Callable[[], Device], reporter: Reporter) -> Device:
        device = found()
        with board_lock(device.place):
            return act(bus, device)

    if tables is None:
        work = {
            f"table {each.table}": partial(one, partial(choose, devices, each.place))
            for each in devices
            if each.is_table
        }
    else:
        work = {f"table {number}": partial(one, partial(numbered, devices, number)) for number in tables}
    if not work:
        raise DeviceError("table-none", "no table is attached and running", "plug it in, look with: sabot devices")
    agree(f"{verb} {', '.join(work)}?", yes)
    with shown() as reporter:
        outcomes = side_by_side(work, at_once, reporter)
    return tell(outcomes, _worded, as_json, Device.as_dict)


def _worded(done: Device) -> str:
    return said(f"table {done.table}: {done.state}, {done.port}, serial number {done.serial or '-'}")
