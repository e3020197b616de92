"""The controller's port, for every command that speaks to one.

Entry points: :data:`PORT` (the option that names it), :func:`greeted` (the session's beginning), :func:`has_table`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sabot_host.errors import DeviceError

if TYPE_CHECKING:
    from sabot_host.link.client import Client
    from sabot_host.link.core import Hello

PORT = click.option("--port", help="Serial port of the controller; without it, the one that is attached.")
_NO_CONTROLLER = ("link-silent", "link-garbage")


def greeted(client: Client, name: str) -> Hello:
    """Start the session over the port ``name``.

    Raises what :meth:`Client.open` does, or, where a board with no table on it is there, what `sabot devices` knows of
    it.
    """
    try:
        return client.open()
    except DeviceError as error:
        if error.code not in _NO_CONTROLLER:
            raise
        client.close()
        raise _known(name) or error from None


def has_table(client: Client, name: str) -> None:
    """DeviceError where a board with no table on it is at the port ``name``; whatever else is silent may come yet."""
    try:
        greeted(client, name)
    except DeviceError as error:
        if error.code not in _NO_CONTROLLER:
            raise
    finally:
        client.close()


def _known(name: str) -> DeviceError | None:
    """What the board at ``name`` is, when it has no table on it yet; it is asked as `sabot devices` asks."""
    from sabot_host.flash.bus import Bus
    from sabot_host.flash.devices import State, look

    bus = Bus()
    for port in bus.ports():
        state = look(bus, port).state if port.name == name else None
        if state is State.MICROPYTHON:
            return DeviceError(
                "board-no-firmware",
                f"the board on {name} runs MicroPython without Sabot",
                "install the firmware: sabot flash --bundle FILE (docs/technician.md, step 3)",
            )
        if state is State.FRESH:
            return DeviceError(
                "board-no-settings",
                f"the board on {name} has Sabot's firmware and no settings yet",
                "commission it: sabot provision FILE (docs/technician.md, step 5)",
            )
    return None
