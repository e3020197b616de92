"""`sabot repl`: the MicroPython prompt of a board, a table's with its technician's key. Entry point: `command`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.surroundings import can_ask, mention
from sabot_host.cli.values import FOLDER
from sabot_host.errors import Exit, FileError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, choose, present
from sabot_host.flash.lock import board_lock
from sabot_host.flash.prompt import to_prompt, to_table
from sabot_host.flash.raw_repl import END, INTERRUPT, CodeFailed, RawRepl
from sabot_host.lang import said
from sabot_host.link.client import Transport
from sabot_host.provision.keys import KeyFolder
from sabot_host.terminal import letters

LEAVE = (b"\x1d", END)  # Ctrl-], Ctrl-D
MOST_CODE = 64 * 1024
CODE_MS = 60_000
LOOK_MS = 20
EPILOG = """\b
Examples:
  sabot repl --keys keys
  echo 'import os; print(os.listdir())' | sabot repl --keys keys --yes

Ctrl-] or Ctrl-D leaves the prompt: the board starts again, a table with it.
"""


@click.command("repl", epilog=EPILOG)
@click.option("--device", help="Port, USB place or serial number; needed when several boards are attached.")
@click.option("--keys", type=FOLDER, help="The folder of the house's keys: a table asks for its technician's.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(device: str | None, keys: Path | None, yes: bool) -> int:
    """Speak with a board's MicroPython; where standard input is no terminal, run what comes from there.

    A table goes there between rounds only, with the technician's key, and not while it is sealed. It does not play
    meanwhile, its pins are let go, and its journal says so. Whatever is done at the prompt, leaving it starts the board
    again.
    """
    person = can_ask()
    code = "" if person else _code()
    bus = Bus()
    chosen = choose(present(bus), device)
    with board_lock(chosen.place):
        if chosen.is_table and person:
            agree(f"stop table {chosen.table} ({chosen.name}) for its prompt?", yes)
        key_of = None if keys is None else partial(KeyFolder(keys).held, role="technician")
        there = to_prompt(bus, chosen, key_of)
        transport = bus.open_port(there.port)
        try:
            status = _converse(transport) if person else _run(transport, code)
        finally:
            transport.close()
            mention(_back(to_table(bus, there)))
    return status


def _code() -> str:
    data = sys.stdin.buffer.read(MOST_CODE + 1) if sys.stdin is not None else b""
    if not data.strip():
        raise FileError("repl-no-code", "standard input is no terminal and brings no code", "sabot repl --help")
    if len(data) > MOST_CODE or INTERRUPT in data or END in data:
        raise FileError(
            "repl-code", f"this is no code of at most {MOST_CODE} bytes", "copy longer programs as files: mpremote cp"
        )
    return data.decode(errors="replace")


def _run(transport: Transport, code: str) -> int:
    """Run the code; what it prints is the result."""
    repl = RawRepl(transport)
    repl.enter()
    try:
        printed = repl.run(code, CODE_MS)
    except CodeFailed as failed:
        mention(failed.traceback.rstrip())
        return Exit.FINDING
    click.echo(printed, nl=False)
    return Exit.OK


def _converse(transport: Transport) -> int:
    """Letters to the board and back, until the person leaves or the board is gone."""
    mention("Ctrl-] leaves the prompt and starts the board again")
    transport.write(b"\r")
    with letters() as typed:
        while True:
            heard = transport.read(LOOK_MS)
            if heard:
                click.echo(heard, nl=False)
            data = typed()
            if any(letter in data for letter in LEAVE):
                return Exit.OK
            if data:
                transport.write(data.replace(b"\n", b"\r"))


def _back(device: Device) -> str:
    if device.is_table:
        return said(f"table {device.table} runs again: {device.port}")
    if device.problem is not None:
        raise device.problem
    return f"{device.port}: {said(device.state)}"
