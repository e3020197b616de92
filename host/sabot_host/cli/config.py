"""`sabot config`: the settings that a table holds. Entry point: `command`, with `get`, `diff` and `set`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.helping import Group
from sabot_host.cli.progress import shown
from sabot_host.cli.role import KEYS
from sabot_host.cli.surroundings import echo, mention, result
from sabot_host.cli.values import IN_FILE
from sabot_host.errors import Exit, UsageError
from sabot_host.files import json_of
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import choose, present
from sabot_host.flash.lock import board_lock
from sabot_host.flash.read_back import configuration
from sabot_host.provision import house
from sabot_host.provision.change import change
from sabot_host.provision.keys import KeyFolder

ACCEPTED = "accepted"  # made when it is commissioned, from the roles' keys; no file names it
EPILOG = """\b
Examples:
  sabot config get --keys keys
  sabot config diff tables.toml --keys keys
  sabot config set dwell_ms 700 --keys keys
  sabot config set language en --keys keys
"""


@click.group("config", cls=Group, epilog=EPILOG)
def command() -> None:
    """Read a table's settings, compare them with the house's file, change one.

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
        echo(f"{name}: the table has {_word(there)}, the file {_word(wanted)}")
    if not found and not as_json:
        echo(f"table {number} holds what {file} says")
    return Exit.FINDING if found else Exit.OK


@command.command("set")
@click.argument("field")
@click.argument("value", required=False)
@click.option("--default", "unset", is_flag=True, help="Take FIELD out: its default holds.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_device
def set_field(
    field: str, value: str | None, unset: bool, yes: bool, as_json: bool, device: str | None, keys: Path
) -> None:
    """Set FIELD to VALUE, JSON or a word; the table's own firmware judges it before it is in force.

    What it refuses is told in its words, and the settings are as they were. Number, casino and acceptances of a table
    are changed by commissioning it anew.
    """
    if (value is None) != unset:
        raise UsageError("config-what", "give a value, or --default", "sabot config set --help")
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place):
        agree(f"change {field} of {chosen.name}?", yes)
        with shown() as reporter:
            key_of = partial(KeyFolder(keys).held, role="technician")
            wanted = None if value is None else _value(value)
            status = change(bus, chosen, field, wanted, reporter, key_of)
    values = {"field": field, "value": wanted, "unique_id": status["unique_id"]}
    result(
        f"{field} is {'at its default' if value is None else value}: the table, {status['unique_id']}, is ready",
        values,
        as_json,
    )


def _value(text: str) -> Any:
    try:
        return json_of(text)
    except ValueError:
        return text


def _differences(config: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name in sorted({*config, *wanted} - {ACCEPTED}):
        if config.get(name) != wanted.get(name):
            yield name, config.get(name), wanted.get(name)


def _word(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
