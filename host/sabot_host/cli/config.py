"""`sabot config`: the settings that a table holds. Entry point: `command`, with `get` and `diff`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from sabot_host.cli.progress import shown
from sabot_host.cli.role import KEYS
from sabot_host.cli.surroundings import mention
from sabot_host.cli.values import IN_FILE
from sabot_host.errors import Exit
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import choose, present
from sabot_host.flash.lock import board_lock
from sabot_host.flash.read_back import configuration
from sabot_host.provision import house
from sabot_host.provision.keys import KeyFolder

ACCEPTED = "accepted"  # made when it is commissioned, from the roles' keys; no file names it
EPILOG = """\b
Examples:
  sabot config get --keys keys
  sabot config diff tables.toml --keys keys
"""


@click.group("config", epilog=EPILOG)
def command() -> None:
    """Read a table's settings, and compare them with the house's file.

    The table goes to its boot loader for that, between rounds, with the technician's key, and starts again.
    """


def _device(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option("--device", help="Port, USB place or serial number; needed when several boards are attached.")(
        KEYS(function)
    )


def _read(device: str | None, keys: Path) -> dict[str, Any]:
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place), shown() as reporter:
        return configuration(bus, chosen, reporter, partial(KeyFolder(keys).held, role="technician"))


@command.command("get")
@click.argument("field", required=False)
@_device
def get(field: str | None, device: str | None, keys: Path) -> int:
    """Print the settings as JSON, or one FIELD of them. They hold no key."""
    config = _read(device, keys)
    if field is not None and field not in config:
        mention(f"{field} is not set: its default holds (docs/configuration.md)")
        return Exit.FINDING
    click.echo(json.dumps(config if field is None else config[field], ensure_ascii=False, indent=1, sort_keys=True))
    return Exit.OK


@command.command("diff")
@click.argument("file", type=IN_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_device
def diff(file: Path, as_json: bool, device: str | None, keys: Path) -> int:
    """Compare the settings with those that FILE has for the table of that number. Status 1: they differ."""
    of_house = house.read(file)
    config = _read(device, keys)
    number = config.get("table")
    plan = of_house.table(number if isinstance(number, int) else None)
    found = list(_differences(config, plan.config))
    if as_json:
        click.echo(json.dumps({"table": number, "differences": [list(each) for each in found]}, ensure_ascii=False))
    for name, there, wanted in found if not as_json else ():
        click.echo(f"{name}: the table has {_word(there)}, the file {_word(wanted)}")
    if not found and not as_json:
        click.echo(f"table {number} holds what {file} says")
    return Exit.FINDING if found else Exit.OK


def _differences(config: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted({*config, *wanted} - {ACCEPTED}):
        if config.get(name) != wanted.get(name):
            yield name, config.get(name), wanted.get(name)


def _word(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
