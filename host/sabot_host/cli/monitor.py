"""`sabot monitor`: a table as it is, live. Entry point: `command`. The work is in `sabot_host.monitor`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from rich.live import Live

from sabot.rules import games
from sabot.wire import messages as m
from sabot_host.cli.port import PORT, greeted, has_table
from sabot_host.cli.screen import screen
from sabot_host.cli.values import IN_FILE, FiniteRange
from sabot_host.errors import DeviceError
from sabot_host.journal.keyfile import read_key
from sabot_host.lang import CODED, said, spoken
from sabot_host.link.client import Client
from sabot_host.link.core import Hello
from sabot_host.link.serial_port import SerialTransport, find_port
from sabot_host.monitor.picture import Picture, Unreadable, read
from sabot_host.monitor.screen import Title, render
from sabot_host.monitor.watcher import GONE, OPENING, SILENT, SLICE_MS, UP, Watcher

_REDRAW_MS = 250
EPILOG = """\b
Examples:
  sabot monitor
  sabot monitor --port /dev/ttyACM0 --key-file auditor.key
  sabot monitor --once --json

Where the output is no terminal, what happens is printed line by line. A cable that is pulled, or a controller that
starts again, is waited for. Ctrl-C ends it.
"""


@click.command("monitor", epilog=EPILOG)
@PORT
@click.option("--once", is_flag=True, help="Show it once and end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, or one for each change.")
@click.option(
    "--key-file",
    type=IN_FILE,
    help="The auditor's key: shows the records as they come, and irregularities that players do not see.",
)
@click.option("--every", type=FiniteRange(0.1, 60), default=0.5, show_default=True, help="Seconds between looks.")
def command(port: str | None, once: bool, as_json: bool, key_file: Path | None, every: float) -> None:
    """Show a table live: seats, spots, chips, lamps, the dealer's display, irregularities, faults. Needs no key."""
    key = read_key(key_file) if key_file is not None else None
    name = port or find_port()
    if once:
        _once(name, key, as_json)
        return
    watcher = None
    try:
        has_table(Client(SerialTransport(name)), name)
        tongue = CODED if as_json else spoken()
        watcher = Watcher(SerialTransport(name), key, round(every * 1000), tongue=tongue)
        if as_json:
            _follow(watcher, _print_json)
        elif sys.stdout.isatty():
            _live(watcher)
        else:
            _follow(watcher, _print_notes)
    except KeyboardInterrupt:
        return  # that is how it ends
    finally:
        if watcher is not None:
            watcher.close()


def _once(name: str, key: bytes | None, as_json: bool) -> None:
    client = Client(SerialTransport(name))
    try:
        hello = greeted(client, name)
        if key is not None:
            client.authenticate("auditor", key)
        body = client.call(m.C_VIEW)
    finally:
        client.close()
    bets = tuple(bet.name for bet in games.load(hello.game).bets) if hello.game in games.GAMES else ()
    try:
        picture = read(body, bets)
    except Unreadable as error:
        raise DeviceError(
            "link-nonsense", f"the controller's view cannot be read: {error}", "update the controller"
        ) from error
    if as_json:
        told = {"table": hello.table, "game": hello.game, "view": picture.as_dict()}
        click.echo(json.dumps(told, ensure_ascii=False))
        return
    title = Title(_called(hello), said(f"version {hello.version}"), "")
    screen().print(render(picture, title, [], tongue=spoken()))


def _called(hello: Hello) -> str:
    return said(f"Table {hello.table}: {hello.game or 'no game'}")


# --- following --------------------------------------------------------------------------------------------------------


def _follow(watcher: Watcher, tell: Callable[[Watcher, int], None]) -> None:
    """Until Ctrl-C: ``tell`` what is new, with the number of notes told before."""
    told = 0
    while True:
        if watcher.turn(SLICE_MS):
            tell(watcher, told)
            told = watcher.noted


def _new(watcher: Watcher, told: int) -> list[str]:
    """The texts of the notes that have not been told."""
    count = min(watcher.noted - told, len(watcher.notes))
    return [note.text for note in list(watcher.notes)[len(watcher.notes) - count :]]


def _print_notes(watcher: Watcher, told: int) -> None:
    for text in _new(watcher, told):
        click.echo(f"{_clock()}  {text}")


def _print_json(watcher: Watcher, told: int) -> None:
    hello = watcher.hello
    line = {
        "at": time.time(),
        "link": watcher.link,
        "table": hello.table if hello else None,
        "game": hello.game if hello else None,
        "notes": _new(watcher, told),
        "view": watcher.picture.as_dict() if watcher.picture is not None else None,
    }
    click.echo(json.dumps(line, ensure_ascii=False))


def _clock() -> str:
    return time.strftime("%H:%M:%S")


def _live(watcher: Watcher) -> None:
    """Draw when something is new, and now and then for the age of what is shown."""
    events: list[str] = []
    told = 0
    drawn = 0.0
    console = screen()
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        while True:
            new = watcher.turn(SLICE_MS)
            events = (events + [f"{_clock()}  {text}" for text in _new(watcher, told)])[-100:]
            told = watcher.noted
            if new or (time.monotonic() - drawn) * 1000 >= _REDRAW_MS:
                drawn = time.monotonic()
                live.update(
                    render(watcher.picture, _title(watcher), events, console.height, tongue=spoken()), refresh=True
                )


_LINKS = {
    OPENING: "no answer yet, trying",
    UP: "connected",
    SILENT: "the session broke: connecting again",
    GONE: "the cable is gone: looking for it",
}
_STYLES = {OPENING: "yellow", UP: "green", SILENT: "yellow", GONE: "bold red"}


def _title(watcher: Watcher) -> Title:
    hello = watcher.hello
    words, style = said(_LINKS[watcher.link]), _STYLES[watcher.link]
    age = watcher.age_ms() / 1000
    picture: Picture | None = watcher.picture
    if picture is not None:
        words += said(f"; seen {age:.1f} s ago")
    elif watcher.link != UP:
        words += said(f" for {age:.0f} s")
    table = f"{_called(hello)}, {said(f'version {hello.version}')}" if hello else said("Table")
    return Title(table, words, style)
