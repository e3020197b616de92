"""`sabot provision`: a table's settings, keys and deck onto a board that has the firmware. Entry point: `command`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.meant import AT_ONCE, numbers
from sabot_host.cli.progress import shown
from sabot_host.cli.several import side_by_side, tell
from sabot_host.cli.surroundings import echo, mention
from sabot_host.cli.values import IN_FILE, OUT_FILE
from sabot_host.errors import Exit, FileError, UsageError
from sabot_host.files import check_writable, write_new, write_whole
from sabot_host.flash.bus import Bus, SharedBus
from sabot_host.flash.devices import Device, choose, present
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.lock import board_lock
from sabot_host.lang import said
from sabot_host.provision import board, deck, dialogue, house, sheet
from sabot_host.provision.keys import KeyFolder
from sabot_host.provision.template import template
from sabot_host.release.signing import house_signer

EPILOG = """\b
Examples:
  sabot provision --template 40 > tables.toml
  sabot provision --dialogue tables.toml
  sabot provision tables.toml --table 12
  sabot provision tables.toml --table 12 --device 1-2.3 --yes
  sabot provision tables.toml --table 3,7
  sabot provision tables.toml --all --yes
"""
_MAKING_KEYS = Lock()  # all tables share the casino's


@click.command("provision", epilog=EPILOG)
@click.argument("file", required=False, type=IN_FILE)
@click.option(
    "--table",
    "wanted",
    callback=numbers,
    metavar="NUMBERS",
    help="The table's number; of several tables theirs, as 3,7 or 1-40.",
)
@click.option("--all", "all_tables", is_flag=True, help="Every table of the file, side by side.")
@click.option("--device", help="Port, USB place or serial number, as `sabot devices` shows them; needed when several.")
@click.option("--template", "tables", type=click.IntRange(1, 200), help="Print a file for so many tables, and end.")
@click.option("--dialogue", "asked", is_flag=True, help="Ask for one table's settings and write them into FILE first.")
@click.option("--sheet", "sheet_file", type=OUT_FILE, help="The commissioning sheet.")
@AT_ONCE
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path | None,
    wanted: tuple[int, ...] | None,
    all_tables: bool,
    device: str | None,
    tables: int | None,
    asked: bool,
    sheet_file: Path | None,
    at_once: int,
    yes: bool,
    as_json: bool,
) -> int:
    """Commission a table: write its settings, keys and deck onto a board, and hear from it that it is ready.

    FILE names the tables of the house. Missing keys are made beside it, for their owner's eyes only. The firmware on
    the board judges the settings before anything is changed. A sheet to be signed is written beside FILE.

    Of several tables each has `serial`, its board's number, in FILE, and a line in the table of results; the exit
    status is that of the first failure.
    """
    if tables is not None:
        click.echo(template(tables), nl=False)
        return Exit.OK
    if file is None:
        raise UsageError("provision-what", "name the file of the tables", "sabot provision --template 1 > tables.toml")
    if asked:
        _write_asked(file)
    of_house = house.read(file)
    if all_tables or (wanted is not None and len(wanted) > 1):
        if (all_tables and wanted) or device or sheet_file:
            what = "of several tables each has its own board and sheet: give --table or --all alone"
            raise UsageError("provision-which", what, "sabot provision --help")
        plans = list(of_house.tables) if all_tables else [of_house.table(number) for number in wanted or ()]
        return _several(of_house, file, plans, at_once, yes, as_json)
    plan = of_house.table(wanted[0] if wanted else None)
    target = sheet_file or _sheet_of(file, plan)
    check_writable(target)
    bus = Bus()
    devices = present(bus)
    chosen = choose(devices, device or plan.serial or None)
    with board_lock(chosen.place):
        # What can be known before is told before anybody is asked.
        board.check(chosen, plan)
        decks = [deck.read(path) for path in plan.decks]
        agree(f"make {chosen.name} (serial number {chosen.serial or '-'}) table {plan.number}?", yes)
        with shown() as reporter:
            done = _commission(bus, chosen, of_house, plan, decks, target, reporter)
    if as_json:
        click.echo(json.dumps(_valued(done)))
        return Exit.OK
    echo(_worded(done))
    echo(f"to be printed and signed: {done.sheet}")
    return Exit.OK


class _Done(NamedTuple):
    """A table commissioned, and where its sheet lies."""

    number: int
    found: board.Commissioned
    sheet: Path


def _several(
    of_house: house.House, file: Path, plans: list[house.TablePlan], at_once: int, yes: bool, as_json: bool
) -> int:
    """Each table on the board whose number its `serial` is."""
    anyhow = [str(plan.number) for plan in plans if not plan.serial]
    if anyhow:
        raise UsageError(
            "provision-serial",
            f"the file does not say which board is for which table: {', '.join(anyhow)}",
            "give each [[table]] its serial, as `sabot devices` shows it; or commission them one by one",
        )
    bus = SharedBus()
    devices = present(bus)
    agree(f"commission tables {', '.join(str(plan.number) for plan in plans)}?", yes)

    def commission(plan: house.TablePlan, reporter: Reporter) -> _Done:
        chosen = choose(devices, plan.serial)
        with board_lock(chosen.place):
            decks = [deck.read(path) for path in plan.decks]
            target = _sheet_of(file, plan)
            check_writable(target)
            return _commission(bus, chosen, of_house, plan, decks, target, reporter)

    with shown() as reporter:
        work = {f"table {plan.number}": partial(commission, plan) for plan in plans}
        outcomes = side_by_side(work, at_once, reporter)
    return tell(outcomes, _worded, as_json, _valued)


def _commission(
    bus: Bus,
    device: Device,
    of_house: house.House,
    plan: house.TablePlan,
    decks: Sequence[Sequence[deck.TaggedCard]],
    target: Path,
    reporter: Reporter,
) -> _Done:
    """Make one board this table, and write its sheet to ``target``. Keys are made where they are missing."""
    folder = KeyFolder(of_house.keys)
    with _MAKING_KEYS:
        casino_key, keys = folder.casino(), folder.table(plan.number)
    for made in folder.made:
        reporter.say(f"new key: {made}")
    files = board.files_of(plan, casino_key, keys, decks, house_signer(of_house.keys))
    found = board.write(bus, device, plan, files, reporter)
    page = sheet.sheet(of_house, plan, found, keys, casino_key, datetime.now().astimezone())
    write_whole(target, page)
    return _Done(plan.number, found, target)


def _sheet_of(file: Path, plan: house.TablePlan) -> Path:
    return file.parent / f"table-{plan.number}.html"


def _worded(done: _Done) -> str:
    status = done.found.status
    return said(f"table {done.number} is commissioned: {done.found.device.port}, serial number {status['unique_id']}")


def _valued(done: _Done) -> dict[str, Any]:
    found = done.found
    told = {"table": done.number, "device": found.device.as_dict(), "config_hash": found.config_hash}
    return {**told, "game_hash": found.game_hash, "sheet": str(done.sheet)}


def _write_asked(file: Path) -> None:
    if file.exists():
        raise FileError("house-there", f"{file} is there already", "name another file, or leave --dialogue out")
    text = dialogue.ask(_asker)
    write_new(file, text)
    mention(f"written: {file}")


def _asker(question: str, default: str, check: Callable[[str], Any]) -> Any:
    def judged(answer: str) -> Any:
        try:
            return check(answer)
        except ValueError as error:
            raise click.BadParameter(said(str(error))) from error

    return click.prompt(said(question), default=default, value_proc=judged, err=True)
