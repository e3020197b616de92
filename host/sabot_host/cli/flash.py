"""`sabot flash`: a release, or any UF2, onto a board. Entry point: `command`."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.progress import shown
from sabot_host.errors import UsageError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import attached, choose
from sabot_host.flash.install import install_bundle, install_uf2
from sabot_host.flash.lock import board_lock
from sabot_host.provision.keys import KeyFolder
from sabot_host.release import bundle as bundles

EPILOG = """\b
Examples:
  sabot flash --bundle sabot-0.1.0-pico2.sabot
  sabot flash --bundle sabot-0.1.0-pico2.sabot --device 1-2.3 --yes
  sabot flash --bundle sabot-0.1.0-pico2.sabot --keys keys
  sabot flash --uf2 RPI_PICO2-v1.29.0.uf2
"""
FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("flash", epilog=EPILOG)
@click.option("--device", help="Port, USB place or serial number, as `sabot devices` shows them; needed when several.")
@click.option("--bundle", type=click.Path(path_type=Path, dir_okay=False), help="A release, as `sabot build` makes it.")
@click.option("--uf2", type=click.Path(path_type=Path, dir_okay=False), help="A UF2 file, MicroPython's for instance.")
@click.option("--keys", type=FOLDER, help="The folder of the house's keys: a table asks for its technician's.")
@click.option("--erase-settings", is_flag=True, help="Do not keep the table's settings and keys that the board holds.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    device: str | None,
    bundle: Path | None,
    uf2: Path | None,
    keys: Path | None,
    erase_settings: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Write a release or a UF2 onto a board, verify it, start it, and read its version back.

    A board in its boot loader is written through it. A board that runs MicroPython gets a release's files over its
    prompt. A table goes to its boot loader between rounds only, with the technician's key. Nothing is erased before
    file and board are known to fit.
    """
    source = bundle or uf2
    if source is None or (bundle and uf2):
        raise UsageError("flash-what", "name one file: --bundle or --uf2", "sabot flash --help")
    release = bundles.read(source) if bundle else None
    key_of = None if keys is None else partial(KeyFolder(keys).held, role="technician")
    data = b"" if bundle else source.read_bytes()
    bus = Bus()
    devices, problems = attached(bus)
    if problems and not devices:
        raise problems[0]
    chosen = choose(devices, device)
    with board_lock(chosen.location or chosen.port):
        agree(f"write {source.name} onto {chosen.name} (serial number {chosen.serial or '-'})?", yes)
        with shown() as reporter:
            if release is not None:
                keep = not erase_settings
                back = install_bundle(bus, chosen, release, source.name, reporter, keep=keep, key_of=key_of)
            else:
                back = install_uf2(bus, chosen, data, source.name, reporter, key_of)
    if as_json:
        click.echo(json.dumps({"flashed": source.name, "device": back.as_dict()}))
    else:
        versions = ", ".join(f"{name} {version}" for name, version in sorted(back.versions.items()))
        click.echo(f"{back.port}: {back.state}, {versions}, serial number {back.serial or '-'}")
