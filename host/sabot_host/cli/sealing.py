"""What `sabot seal` and `sabot unseal` share: which tables, and how each came out. Entry point: :func:`on_tables`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.role import KEYS
from sabot_host.cli.surroundings import echo
from sabot_host.cli.tables import on_each
from sabot_host.errors import Exit
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, choose, present
from sabot_host.flash.lock import board_lock
from sabot_host.lang import said

Act = Callable[[Bus, Device], Device]


def options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of both commands."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--yes", is_flag=True, help="Do not ask."),
        KEYS,
        several,
        click.option("--device", help="Port, USB place or serial number; needed when several boards are attached."),
    ):
        function = option(function)
    return function


def on_tables(act: Act, verb: str, *, device: str | None, meant: Meant, yes: bool, as_json: bool) -> int:
    """Do ``act`` to the tables meant; ``verb`` is what the question says."""
    meant.one_way(device, "--device")
    if meant.several:
        status, _ = on_each(
            lambda bus, device, reporter: act(bus, device),
            meant,
            _worded,
            as_json,
            Device.as_dict,
            lambda names: agree(f"{verb} {names}?", yes),
        )
        return status
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place):
        agree(f"{verb} table {chosen.table} ({chosen.name})?", yes)
        done = act(bus, chosen)
    if as_json:
        click.echo(json.dumps({"device": done.as_dict()}))
    else:
        echo(_worded(done))
    return Exit.OK


def _worded(done: Device) -> str:
    return said(f"table {done.table}: {said(done.state)}, {done.port}, serial number {done.serial or '-'}")
