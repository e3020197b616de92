"""One field of a commissioned table's settings changed, judged by its own firmware before it is in force.

Entry points: :func:`change`, :func:`aside` (one of its steps). The table goes to its boot loader between rounds, with
the technician's key. There the settings are laid aside, in one step that a pulled cable cannot tear; without settings
the firmware shows its prompt, and judges what is to be new. What it refuses is not kept: the old settings are put back.
A board left half way is put back by the same command.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from littlefs import LittleFS

from sabot_host.errors import DeviceError, RefusedError, UsageError
from sabot_host.files import json_of
from sabot_host.flash import edit
from sabot_host.flash.boards import board_of
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State
from sabot_host.flash.file_copy import BoardFiles, restart
from sabot_host.flash.flasher import Reporter, RoleKey, enter_boot_loader, start
from sabot_host.flash.picoboot import Picoboot
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.flash.returning import Identity, await_leaving, await_running, await_silence
from sabot_host.flash.settings import file_system, in_force
from sabot_host.flash.writer import flash_errors
from sabot_host.provision.board import ASIDE, CONFIG, DECK, KEYS, heard, judge
from sabot_host.release import image

FIXED = ("version", "table", "casino", "accepted")
"""Fields that keys, chips and acceptances depend on: a table for which they change is commissioned anew."""
OLD = "before.json"  # the settings that were in force, in the same folder: renamed in one write
_JUDGED = (CONFIG, KEYS, DECK)


def change(
    bus: Bus, device: Device, field: str, value: Any, reporter: Reporter, key_of: RoleKey | None
) -> Mapping[str, Any]:
    """Set ``field``, or with None take it out; what the table, which has started again, says of itself.

    Raises:
        UsageError: a field that is not changed so.
        RefusedError: the firmware refuses the settings, in its own words; the old ones are in force.
        DeviceError: no settings, or what happens on the way.
    """
    if field in FIXED:
        raise UsageError(
            "config-fixed", f"{field} cannot be changed at a table that is commissioned", "commission it anew"
        )
    if device.state is State.FRESH:
        reporter.say("the board was left half way: its settings are put back first")
        device = _put_back(bus, device, reporter)
    identity = Identity.of(device)
    number = _layaside(bus, device, field, value, reporter, key_of)
    await_leaving(bus, identity)
    reporter.say("waiting for the board to start")
    back = await_running(bus, identity)
    refused = _put_in_force(bus, back)
    reporter.say("waiting for the table to start")
    status = heard(bus, await_running(bus, identity), number)
    if refused is not None:
        raise refused
    return status


def _layaside(bus: Bus, device: Device, field: str, value: Any, reporter: Reporter, key_of: RoleKey | None) -> int:
    """Through the boot loader: new and old settings aside, none in force. The table's number."""
    loader = enter_boot_loader(bus, device, key_of)
    board = board_of(loader.chip)
    pipe = bus.claim(loader)
    try:
        boot = Picoboot(pipe, loader.chip)
        with flash_errors():
            boot.reset()
            data = file_system(boot, board, reporter.progress)
            files = (image.read(data, board) if data else None) or {}
            config = _config(in_force(files, CONFIG), device)
            config = {name: held for name, held in config.items() if name != field}
            if value is not None:
                config[field] = value
            new = json.dumps(config, sort_keys=True).encode()
            writes, after = edit.changed(data, board, partial(aside, files, new))
            edit.write(boot, board, writes, after, reporter.progress)
        start(boot)
    finally:
        pipe.close()
    number = config.get("table")
    return number if isinstance(number, int) else 0


def _config(found: bytes | None, device: Device) -> dict[str, Any]:
    try:
        config = json_of(found or b"")
    except ValueError:
        config = None
    if not isinstance(config, dict):
        raise DeviceError(
            "config-none", f"{device.name} holds no settings of a table", "commission it: sabot provision"
        )
    return config


def aside(files: Mapping[str, bytes], new: bytes, system: LittleFS) -> None:
    """Lay the settings aside in a file system that holds ``files``: the old ones, and what is to be judged."""
    system.makedirs(ASIDE, exist_ok=True)
    judged = {name: files[name] for name in _JUDGED if name in files}
    for name, data in {**judged, CONFIG: new}.items():
        with system.open(f"{ASIDE}/{name}", "wb") as file:
            file.write(data)
    system.rename(CONFIG, OLD)  # from here on the firmware shows its prompt


def _put_in_force(bus: Bus, device: Device) -> RefusedError | None:
    """Over the prompt: the new settings where the firmware accepts them, else the old ones, and why."""
    transport = bus.open_port(device.port)
    refused = None
    try:
        repl = RawRepl(transport)
        repl.enter()
        files = BoardFiles(repl)
        try:
            judge(repl)
        except RefusedError as error:
            refused = RefusedError(
                "config-refused", error.message, "the settings are as they were; see docs/configuration.md"
            )
        _settle(files, OLD if refused is not None else f"{ASIDE}/{CONFIG}")
        restart(repl)
        await_silence(transport)
    finally:
        transport.close()
    return refused


def _put_back(bus: Bus, device: Device, reporter: Reporter) -> Device:
    """The old settings of a board that was left at the prompt. DeviceError when it has none."""
    transport = bus.open_port(device.port)
    try:
        repl = RawRepl(transport)
        repl.enter()
        files = BoardFiles(repl)
        if OLD not in files.paths():
            raise DeviceError(
                "config-none", f"{device.name} holds no settings of a table", "commission it: sabot provision"
            )
        _settle(files, OLD)
        restart(repl)
        await_silence(transport)
    finally:
        transport.close()
    reporter.say("waiting for the table to start")
    return await_running(bus, Identity.of(device))


def _settle(files: BoardFiles, in_force: str) -> None:
    """Settings from aside into their place, in one step; then nothing is left aside."""
    files.move(in_force, CONFIG)
    files.remove(OLD)
    for name in _JUDGED:
        files.remove(f"{ASIDE}/{name}")
    files.remove_folder(ASIDE)
    files.sync()
