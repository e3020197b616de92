"""A running table to its interpreter's prompt, and back. Entry points: :func:`to_prompt`, :func:`to_table`.

The table goes between rounds only, with the technician's key, and not while it is sealed; its journal says so. The
board starts again without its table; the next start brings it back.
"""

from __future__ import annotations

from sabot_host.errors import DeviceError, RefusedError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State
from sabot_host.flash.file_copy import restart
from sabot_host.flash.flasher import RoleKey
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.flash.returning import Identity, await_running, await_silence
from sabot_host.link.client import Client
from sabot_host.link.refusals import told_as

AT_PROMPT = (State.PROMPT, State.FRESH, State.MICROPYTHON)


def to_prompt(bus: Bus, device: Device, key_of: RoleKey | None) -> Device:
    """The device at its prompt; one that shows it already is asked nothing.

    DeviceError when it cannot be had; RefusedError when the controller refuses: sealed, wrong key, or in play.
    """
    if device.problem is not None:
        raise device.problem
    if device.state in AT_PROMPT:
        return device
    if not device.is_table:
        raise DeviceError("prompt-none", f"{device.name} ({device.state}) has no prompt", "look with: sabot devices")
    if key_of is None:
        raise DeviceError(
            "prompt-key",
            f"{device.name} is table {device.table}: it shows its prompt to the technician's key only",
            "add --keys with the folder of the keys",
        )
    key = key_of(device.table)
    transport = bus.open_port(device.port)
    try:
        _ask_table(Client(transport), key)
        await_silence(transport)
    finally:
        transport.close()
    back = await_running(bus, Identity.of(device))
    if back.state not in AT_PROMPT:
        raise DeviceError(
            "prompt-none",
            f"{back.name} ({back.state}) came back without its prompt",
            "run the command again; report it",
        )
    return back


def _ask_table(client: Client, key: bytes) -> None:
    client.open()
    client.authenticate("technician", key)
    in_play = RefusedError(
        "prompt-in-play",
        "the table is in play: a bet lies there, a round is open, or its journal is full or missing",
        "let the round end and clear the bets; see `sabot status`; pull a full journal with --ack",
    )
    sealed = RefusedError(
        "prompt-sealed",
        "the table is sealed: it shows no prompt",
        "unseal it with the supervisor's key: sabot unseal",
    )
    with told_as(in_play, sealed):
        client.prompt()


def to_table(bus: Bus, device: Device) -> Device:
    """Have a board at its prompt start again; the device as it came back."""
    transport = bus.open_port(device.port)
    try:
        repl = RawRepl(transport)
        repl.enter()
        restart(repl)
        await_silence(transport)
    finally:
        transport.close()
    return await_running(bus, Identity.of(device))
