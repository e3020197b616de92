"""The seal of a table, put on or taken off over the link. Entry points: :func:`seal`, :func:`unseal`.

The technician's key puts it on, the supervisor's and the technician's together take it off: two people, as the case of
a table that was opened is cleared by two (operations). The table's journal says who, and keeps the seal: no flashing
and no power cut takes it off.
"""

from __future__ import annotations

from sabot_host.errors import DeviceError, RefusedError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, note_hello
from sabot_host.flash.flasher import RoleKey
from sabot_host.link.client import Client
from sabot_host.link.refusals import told_as


def seal(bus: Bus, device: Device, technician: RoleKey) -> Device:
    """Seal a table; the device as it says of itself afterwards. RefusedError: published keys, or a table in play."""
    return _set(bus, device, True, [("technician", technician)])


def unseal(bus: Bus, device: Device, technician: RoleKey, supervisor: RoleKey) -> Device:
    """Take the seal off; the device as it says of itself afterwards. RefusedError: a wrong key, or a table in play."""
    return _set(bus, device, False, [("supervisor", supervisor), ("technician", technician)])


def _set(bus: Bus, device: Device, on: bool, roles: list[tuple[str, RoleKey]]) -> Device:
    if device.problem is not None:
        raise device.problem
    if not device.is_table:
        raise DeviceError(
            "seal-no-table",
            f"{device.name} ({device.state}) is no table that runs",
            "look with: sabot devices; commission it with: sabot provision",
        )
    keys = [(role, key_of(device.table)) for role, key_of in roles]
    client = Client(bus.open_port(device.port))
    try:
        client.open()
        for role, key in keys:
            client.authenticate(role, key)
        in_play = RefusedError(
            "seal-in-play",
            "the table is in play, refuses to play, or its journal is full",
            "let the round end and clear the bets; see `sabot status`; pull a full journal with --ack",
        )
        with told_as(in_play):
            client.seal(on)
        hello = client.open()
    finally:
        client.close()
    note_hello(device, hello)
    if hello.sealed != on:
        raise DeviceError(
            "seal-not-done",
            f"table {hello.table} says that it is {'sealed' if hello.sealed else 'not sealed'}",
            "run the command again; report it",
        )
    return device
