"""What a board's flash holds of a table's settings, read through the boot loader. Entry point: :func:`configuration`.

The firmware gives its settings to nobody over the link; a technician with the key reads them here, and the table starts
again as it was. Nothing is written.
"""

from __future__ import annotations

from typing import Any

from sabot_host.errors import DeviceError
from sabot_host.files import json_of
from sabot_host.flash.boards import board_of
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device
from sabot_host.flash.flasher import Reporter, RoleKey, enter_boot_loader, start
from sabot_host.flash.picoboot import Picoboot
from sabot_host.flash.returning import Identity, await_leaving, await_running
from sabot_host.flash.settings import in_force, kept_settings
from sabot_host.flash.writer import flash_errors

CONFIG = "config.json"


def configuration(bus: Bus, device: Device, reporter: Reporter, key_of: RoleKey | None) -> dict[str, Any]:
    """The table's ``config.json``; the board has started again when this returns.

    DeviceError when it has none, or what happens on the way; RefusedError from a table in play, or for a wrong key.
    """
    identity = Identity.of(device)
    loader = enter_boot_loader(bus, device, key_of)
    pipe = bus.claim(loader)
    try:
        boot = Picoboot(pipe, loader.chip)
        with flash_errors():
            boot.reset()
            found = in_force(kept_settings(boot, board_of(loader.chip), reporter.progress), CONFIG)
        if found is None and device.in_boot_loader:
            raise _none(device)  # it was waiting there: there may be nothing to start
        start(boot)
    finally:
        pipe.close()
    await_leaving(bus, identity)
    reporter.say("waiting for the board to start")
    await_running(bus, identity)
    try:
        config = json_of(found or b"")
    except ValueError:
        config = None
    if not isinstance(config, dict):
        raise _none(device)
    return config


def _none(device: Device) -> DeviceError:
    return DeviceError("config-none", f"{device.name} holds no settings of a table", "commission it: sabot provision")
