"""`sabot flash`: a release, or any UF2, onto a board. Entry point: `command`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from sabot_host.cli.confirm import agree
from sabot_host.cli.meant import AT_ONCE, TABLES
from sabot_host.cli.progress import shown
from sabot_host.cli.several import side_by_side, tell
from sabot_host.cli.surroundings import echo
from sabot_host.cli.values import FOLDER, IN_FILE
from sabot_host.errors import DeviceError, Exit, FileError, UsageError
from sabot_host.files import UF2_BYTES, read_bytes
from sabot_host.flash import uf2 as uf2_file
from sabot_host.flash.bus import Bus, SharedBus
from sabot_host.flash.devices import Device, choose, numbered, present
from sabot_host.flash.flasher import Reporter, RoleKey
from sabot_host.flash.install import install_bundle, install_uf2
from sabot_host.flash.lock import board_lock
from sabot_host.lang import said
from sabot_host.provision.keys import KeyFolder
from sabot_host.release import bundle as bundles
from sabot_host.release.bundle import Bundle
from sabot_host.release.signing import named, read_signer

EPILOG = """\b
Examples:
  sabot flash --bundle sabot-0.1.0-pico2.sabot
  sabot flash --bundle sabot-0.1.0-pico2.sabot --device 1-2.3 --yes
  sabot flash --bundle sabot-0.1.0-pico2.sabot --keys keys
  sabot flash --bundle sabot-0.1.0-pico2.sabot --table 3,7 --keys keys
  sabot flash --bundle sabot-0.1.0-pico2.sabot --all
  sabot flash --uf2 RPI_PICO2-v1.29.0.uf2
"""


@click.command("flash", epilog=EPILOG)
@click.option("--device", help="Port, USB place or serial number, as `sabot devices` shows them; needed when several.")
@click.option("--all", "all_boards", is_flag=True, help="Every board attached, side by side.")
@TABLES
@click.option("--bundle", type=IN_FILE, help="A release, as `sabot build` makes it.")
@click.option("--uf2", type=IN_FILE, help="A UF2 file, MicroPython's for instance.")
@click.option("--signer", type=IN_FILE, help="The public key that must have signed the release: sabot build --new-key.")
@click.option("--keys", type=FOLDER, help="The folder of the house's keys: a table asks for its technician's.")
@click.option("--erase-settings", is_flag=True, help="Do not keep the table's settings and keys that the board holds.")
@AT_ONCE
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    device: str | None,
    all_boards: bool,
    tables: tuple[int, ...] | None,
    bundle: Path | None,
    uf2: Path | None,
    signer: Path | None,
    keys: Path | None,
    erase_settings: bool,
    at_once: int,
    yes: bool,
    as_json: bool,
) -> int:
    """Write a release or a UF2 onto a board, verify it, start it, and read its version back.

    A board in its boot loader is written through it. A board that runs MicroPython gets a release's files over its
    prompt. A table goes to its boot loader between rounds only, with the technician's key. Nothing is erased before
    file and board are known to fit. Of several boards each has a line in the table of results, and the exit status is
    that of the first failure.
    """
    wanted = None if signer is None else read_signer(signer)
    source = bundle or uf2
    if source is None or (bundle and uf2):
        raise UsageError("flash-what", "name one file: --bundle or --uf2", "sabot flash --help")
    if sum((device is not None, all_boards, tables is not None)) > 1:
        raise UsageError("flash-which", "name boards one way: --device, --table or --all", "sabot flash --help")
    what = _Work(
        source.name,
        _release(bundle, wanted),
        b"" if bundle else _uf2(source),
        None if keys is None else partial(KeyFolder(keys).held, role="technician"),
        not erase_settings,
    )
    if all_boards or tables is not None:
        return _several(what, None if all_boards else tables, at_once, yes, as_json)
    bus = Bus()
    devices = present(bus)
    chosen = choose(devices, device)
    with board_lock(chosen.place):
        agree(f"write {what.title} onto {chosen.name} (serial number {chosen.serial or '-'})?", yes)
        with shown() as reporter:
            back = what.onto(bus, chosen, reporter)
    if as_json:
        click.echo(json.dumps({"flashed": what.name, "device": back.as_dict()}))
    else:
        echo(_worded(back))
    return Exit.OK


def _release(path: Path | None, wanted: str | None) -> Bundle | None:
    """A release and who signed it, judged before any board is looked for."""
    if path is None:
        if wanted is not None:
            raise UsageError("flash-signer", "a UF2 is not signed: --signer goes with --bundle", "sabot flash --help")
        return None
    release = bundles.read(path)
    if wanted is not None and release.signer != wanted:
        raise FileError(
            "bundle-signer",
            f"{path.name} is signed by {named(release.signer)}, not by {named(wanted)}",
            "do not install it; ask whoever made the release",
        )
    return release


def _uf2(path: Path) -> bytes:
    """A UF2's bytes, judged before any board is looked for."""
    data = read_bytes(path, UF2_BYTES)
    uf2_file.read(data, path.name)
    return data


class _Work(NamedTuple):
    """What is written, and how."""

    name: str
    release: Bundle | None
    data: bytes
    key_of: RoleKey | None
    keep: bool

    @property
    def title(self) -> str:
        """The file, and who signed the release."""
        return self.name if self.release is None else f"{self.name} (signed by {named(self.release.signer)})"

    def onto(self, bus: Bus, device: Device, reporter: Reporter) -> Device:
        """Write it onto one board, which is back when this returns."""
        if self.release is None:
            return install_uf2(bus, device, self.data, self.name, reporter, self.key_of)
        return install_bundle(bus, device, self.release, self.name, reporter, keep=self.keep, key_of=self.key_of)


def _several(what: _Work, tables: tuple[int, ...] | None, at_once: int, yes: bool, as_json: bool) -> int:
    """Onto every board, or onto the tables with these numbers."""
    bus = SharedBus()
    devices = present(bus)
    if not devices:
        raise DeviceError("board-none", "no board is attached", "plug it in, look with: sabot devices")

    def onto(found: Callable[[], Device], reporter: Reporter) -> Device:
        device = found()
        with board_lock(device.place):
            return what.onto(bus, device, reporter)

    if tables is None:
        work = {each.place: partial(onto, partial(choose, devices, each.place)) for each in devices}
    else:
        work = {f"table {number}": partial(onto, partial(numbered, devices, number)) for number in tables}
    agree(f"write {what.title} onto {len(work)} boards: {', '.join(work)}?", yes)
    with shown() as reporter:
        outcomes = side_by_side(work, at_once, reporter)
    return tell(outcomes, _worded, as_json, Device.as_dict)


def _worded(back: Device) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in sorted(back.versions.items()))
    return said(f"{back.port}: {said(back.state)}, {versions}, serial number {back.serial or '-'}")
