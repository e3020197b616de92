"""`sabot provision`: a table's settings, keys and deck onto a board that has the firmware. Entry point: `command`."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.progress import shown
from sabot_host.errors import FileError, UsageError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import attached, choose
from sabot_host.flash.lock import board_lock
from sabot_host.provision import board, deck, dialogue, house, sheet
from sabot_host.provision.keys import KeyFolder
from sabot_host.provision.template import template

EPILOG = """\b
Examples:
  sabot provision --template 40 > tables.toml
  sabot provision --dialogue tables.toml
  sabot provision tables.toml --table 12
  sabot provision tables.toml --table 12 --device 1-2.3 --yes
"""


@click.command("provision", epilog=EPILOG)
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--table", type=int, help="The table's number; needed when the file has several.")
@click.option("--device", help="Port, USB place or serial number, as `sabot devices` shows them; needed when several.")
@click.option("--template", "tables", type=click.IntRange(1, 200), help="Print a file for so many tables, and end.")
@click.option("--dialogue", "asked", is_flag=True, help="Ask for one table's settings and write them into FILE first.")
@click.option("--sheet", "sheet_file", type=click.Path(path_type=Path, dir_okay=False), help="The commissioning sheet.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path | None,
    table: int | None,
    device: str | None,
    tables: int | None,
    asked: bool,
    sheet_file: Path | None,
    yes: bool,
    as_json: bool,
) -> None:
    """Commission a table: write its settings, keys and deck onto a board, and hear from it that it is ready.

    FILE names the tables of the house. Missing keys are made beside it, for their owner's eyes only. The firmware on
    the board judges the settings before anything is changed. A sheet to be signed is written beside FILE.
    """
    if tables is not None:
        click.echo(template(tables), nl=False)
        return
    if file is None:
        raise UsageError("provision-what", "name the file of the tables", "sabot provision --template 1 > tables.toml")
    if asked:
        _write_asked(file)
    of_house = house.read(file)
    plan = of_house.table(table)
    decks = [deck.read(path) for path in plan.decks]
    bus = Bus()
    devices, problems = attached(bus)
    if problems and not devices:
        raise problems[0]
    chosen = choose(devices, device or plan.serial or None)
    with board_lock(chosen.location or chosen.port):
        agree(f"make {chosen.name} (serial number {chosen.serial or '-'}) table {plan.number}?", yes)
        folder = KeyFolder(of_house.keys)
        casino_key, keys = folder.casino(), folder.table(plan.number)
        with shown() as reporter:
            for made in folder.made:
                reporter.say(f"new key: {made}")
            files = board.files_of(plan, casino_key, keys, decks)
            found = board.write(bus, chosen, plan, files, reporter)
    target = sheet_file or file.parent / f"table-{plan.number}.html"
    page = sheet.sheet(of_house, plan, found, keys, casino_key, datetime.now().astimezone())
    target.write_text(page, encoding="utf-8")
    if as_json:
        told = {"table": plan.number, "device": found.device.as_dict(), "config_hash": found.config_hash}
        click.echo(json.dumps({**told, "game_hash": found.game_hash, "sheet": str(target)}))
        return
    click.echo(f"table {plan.number} is commissioned: {found.device.port}, serial number {found.status['unique_id']}")
    click.echo(f"to be printed and signed: {target}")


def _write_asked(file: Path) -> None:
    if file.exists():
        raise FileError("house-there", f"{file} is there already", "name another file, or leave --dialogue out")
    text = dialogue.ask(_asker)
    file.write_text(text, encoding="utf-8")
    click.echo(f"written: {file}", err=True)


def _asker(question: str, default: str, check: Callable[[str], Any]) -> Any:
    def judged(answer: str) -> Any:
        try:
            return check(answer)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return click.prompt(question, default=default, value_proc=judged, err=True)
