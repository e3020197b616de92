"""`sabot config`: the settings that a table holds. Entry point: `command`, with `get`, `diff` and `set`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.helping import Group
from sabot_host.cli.meant import Meant, several
from sabot_host.cli.progress import shown
from sabot_host.cli.role import KEYS
from sabot_host.cli.surroundings import mention, result
from sabot_host.cli.tables import found_wrong, on_each
from sabot_host.cli.values import IN_FILE
from sabot_host.errors import Exit, UsageError
from sabot_host.files import json_of
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, choose, present
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.lock import board_lock
from sabot_host.flash.read_back import configuration
from sabot_host.lang import said
from sabot_host.provision import house
from sabot_host.provision.change import change
from sabot_host.provision.keys import KeyFolder

ACCEPTED = "accepted"  # made when it is commissioned, from the roles' keys; no file names it
EPILOG = """\b
Examples:
  sabot config get --keys keys
  sabot config diff tables.toml --keys keys
  sabot config diff tables.toml --keys keys --all
  sabot config set dwell_ms 700 --keys keys --table 3,7
  sabot config set language en --keys keys
"""


@click.group("config", cls=Group, epilog=EPILOG)
def command() -> None:
    """Read a table's settings, compare them with the house's file, change one.

    The table goes to its boot loader for that, between rounds, with the technician's key, and starts again.
    """


def _which(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options by which every command here knows its table, or tables."""
    one = click.option("--device", help="Port, USB place or serial number; needed when several boards are attached.")
    return several(one(KEYS(function)))


def _read(bus: Bus, device: Device, reporter: Reporter, keys: Path) -> dict[str, Any]:
    return configuration(bus, device, reporter, partial(KeyFolder(keys).held, role="technician"))


def _of_one(device: str | None, act: Callable[[Bus, Device, Reporter], Any]) -> Any:
    """The same at one table."""
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place), shown() as reporter:
        return act(bus, chosen, reporter)


@command.command("get")
@click.argument("field", required=False)
@_which
def get(field: str | None, device: str | None, meant: Meant, keys: Path) -> int:
    """Print the settings as JSON, or one FIELD of them. They hold no key."""
    meant.one_way(device, "--device")
    if meant.several:
        status, _ = on_each(partial(_read, keys=keys), meant, str, True, partial(_of, field))
        return status
    config = _of_one(device, partial(_read, keys=keys))
    if field is not None and field not in config:
        mention(f"{field} is not set: its default holds (docs/configuration.md)")
        return Exit.FINDING
    click.echo(json.dumps(_of(field, config), ensure_ascii=False, indent=1, sort_keys=True))
    return Exit.OK


def _of(field: str | None, config: dict[str, Any]) -> Any:
    return config if field is None else config.get(field)


@command.command("diff")
@click.argument("file", type=IN_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_which
def diff(file: Path, as_json: bool, device: str | None, meant: Meant, keys: Path) -> int:
    """Compare the settings with those that FILE has for the table of that number. Status 1: they differ."""
    meant.one_way(device, "--device")
    of_house = house.read(file)

    def compared(bus: Bus, at: Device, reporter: Reporter) -> _Compared:
        config = _read(bus, at, reporter, keys)
        number = config.get("table")
        plan = of_house.table(number if isinstance(number, int) else None)
        return _Compared(number, list(_differences(config, plan.config)))

    def lines(found: _Compared) -> str:
        if not found.differences:
            return said(f"table {found.table} holds what {file} says")
        return "\n".join(
            said(f"{name}: the table has {_word(there)}, the file {_word(wanted)}")
            for name, there, wanted in found.differences
        )

    if meant.several:
        status, outcomes = on_each(compared, meant, lines, as_json, _Compared.as_dict)
        return status or found_wrong(outcomes, lambda found: bool(found.differences))
    found = _of_one(device, compared)
    click.echo(json.dumps(found.as_dict(), ensure_ascii=False) if as_json else lines(found))
    return Exit.FINDING if found.differences else Exit.OK


class _Compared(NamedTuple):
    """A table's number, and each field that differs: its name, what the table has, what the file has."""

    table: Any
    differences: list[tuple[str, Any, Any]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"table": self.table, "differences": [list(each) for each in self.differences]}


@command.command("set")
@click.argument("field")
@click.argument("value", required=False)
@click.option("--default", "unset", is_flag=True, help="Take FIELD out: its default holds.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_which
def set_field(
    field: str,
    value: str | None,
    unset: bool,
    yes: bool,
    as_json: bool,
    device: str | None,
    meant: Meant,
    keys: Path,
) -> int:
    """Set FIELD to VALUE, JSON or a word; the table's own firmware judges it before it is in force.

    What it refuses is told in its words, and the settings are as they were. Number, casino and acceptances of a table
    are changed by commissioning it anew.
    """
    meant.one_way(device, "--device")
    if (value is None) != unset:
        raise UsageError("config-what", "give a value, or --default", "sabot config set --help")
    wanted = None if value is None else _value(value)
    key_of = partial(KeyFolder(keys).held, role="technician")

    def changed(bus: Bus, at: Device, reporter: Reporter) -> dict[str, Any]:
        status = change(bus, at, field, wanted, reporter, key_of)
        return {"field": field, "value": wanted, "unique_id": status["unique_id"]}

    def worded(values: dict[str, Any]) -> str:
        now = "at its default" if value is None else value
        return said(f"{field} is {now}: the table, {values['unique_id']}, is ready")

    if meant.several:
        status, _ = on_each(
            changed, meant, worded, as_json, dict, lambda names: agree(f"change {field} of {names}?", yes)
        )
        return status
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place):
        agree(f"change {field} of {chosen.name}?", yes)
        with shown() as reporter:
            values = changed(bus, chosen, reporter)
    result(worded(values), values, as_json)
    return Exit.OK


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
