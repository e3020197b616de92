"""Flashing one board through its boot loader, from whatever it is doing to its version read back.

Entry points: :func:`flash`, :func:`enter_boot_loader`, :func:`start` and :func:`start_again` (out of it),
:class:`Plan` (what is to be written), :class:`Reporter` (who is told), :data:`RoleKey` (what a table asks for). A cable
that is pulled is waited for: the board comes back in its boot loader (running, when only the last check was missing),
and all is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from sabot_host.errors import DeviceError, RefusedError
from sabot_host.flash import picoboot
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State
from sabot_host.flash.file_copy import to_boot_loader
from sabot_host.flash.picoboot import Gone, Picoboot, PicobootRefused, Stalled, TimedOut
from sabot_host.flash.raw_repl import RawRepl
from sabot_host.flash.returning import (
    Identity,
    await_back,
    await_boot_loader,
    await_leaving,
    await_running,
    await_silence,
)
from sabot_host.flash.usb_bus import BootLoader
from sabot_host.flash.writer import CablePulled, flash_errors, write_image
from sabot_host.link.client import Client
from sabot_host.link.refusals import told_as

TRIES = 3
REPLUG_MS = 60_000
START_DELAY_MS = 500  # time for the boot loader to answer before it restarts


class Reporter(Protocol):
    """Who is told how it goes."""

    def say(self, text: str) -> None:
        """One line for the person at the board."""

    def progress(self, phase: str, done: int, total: int) -> None:
        """Bytes of a phase."""


class Plan(Protocol):
    """What is to be written."""

    def sectors(self, boot: Picoboot, reporter: Reporter) -> Mapping[int, bytes]:
        """Whole sectors by address. It may read from the board first; asked again after a pulled cable."""


RoleKey = Callable[[int], bytes]
"""The technician's key of the table with a number, from wherever keys are kept."""


def enter_boot_loader(bus: Bus, device: Device, key_of: RoleKey | None = None) -> BootLoader:
    """The boot loader of a device, started when the board runs something else; of a table, with the technician's key.

    DeviceError when it cannot be had; RefusedError when the controller refuses: wrong key, or a table in play.
    """
    if device.problem is not None:
        raise device.problem
    if device.loader is not None:
        return device.loader
    if device.is_table:
        if key_of is None:
            raise DeviceError(
                "boot-loader-key",
                f"{device.name} is table {device.table}: it goes to its boot loader with the technician's key only",
                "add --keys with the folder of the keys; else unplug it, hold BOOTSEL while plugging in, run it again",
            )
        key = key_of(device.table)
    elif device.state not in (State.MICROPYTHON, State.FRESH, State.PROMPT):
        raise DeviceError(
            "boot-loader-by-hand",
            f"{device.name} ({device.state}) cannot be sent to its boot loader from here",
            "unplug it, hold BOOTSEL while plugging in, run the command again",
        )
    transport = bus.open_port(device.port)
    try:
        if device.is_table:
            _ask_table(Client(transport), key)
        else:
            repl = RawRepl(transport)
            repl.enter()
            to_boot_loader(repl)
        await_silence(transport)
    finally:
        transport.close()
    return await_boot_loader(bus, Identity.of(device))


def _ask_table(client: Client, key: bytes) -> None:
    client.open()
    client.authenticate("technician", key)
    in_play = RefusedError(
        "boot-loader-in-play",
        "the table is in play: a bet lies there, a round is open, or the journal is full",
        "let the round end and clear the bets; see `sabot status`; pull a full journal with --ack",
    )
    sealed = RefusedError(
        "boot-loader-sealed",
        "the table is sealed: its firmware and its settings are not touched",
        "unseal it with the supervisor's key (sabot unseal), do this again, seal it again (sabot seal)",
    )
    with told_as(in_play, sealed):
        client.boot_loader()


def start_again(bus: Bus, loader: BootLoader) -> None:
    """Leave a boot loader in which nothing was written: what the flash holds starts."""
    pipe = bus.claim(loader)
    try:
        boot = Picoboot(pipe, loader.chip)
        with flash_errors():
            boot.reset()
        start(boot)
    finally:
        pipe.close()


def flash(bus: Bus, device: Device, plan: Plan, reporter: Reporter, key_of: RoleKey | None = None) -> Device:
    """Write the plan, start it, and wait for the board to tell its version.

    DeviceError for everything that can go wrong; what it returns has come back and told its versions.
    """
    identity = Identity.of(device)
    loader = enter_boot_loader(bus, device, key_of)
    for attempt in range(1, TRIES + 1):
        try:
            _write_and_start(bus, loader, plan, reporter)
            break
        except CablePulled as pulled:
            if attempt == TRIES:
                raise _pulled() from pulled
            reporter.say("the board was unplugged: plug it in again, and all is written anew")
            try:
                loader = enter_boot_loader(bus, await_back(bus, identity, REPLUG_MS), key_of)
            except DeviceError as missing:
                raise _pulled() from missing
    await_leaving(bus, identity)
    reporter.say("waiting for the board to start")
    return await_running(bus, identity)


def _pulled() -> DeviceError:
    return DeviceError(
        "flash-pulled",
        "the board was unplugged before all was written; it is not broken",
        "plug it in (it waits in its boot loader; else hold BOOTSEL) and run the command again",
    )


def _write_and_start(bus: Bus, loader: BootLoader, plan: Plan, reporter: Reporter) -> None:
    try:
        pipe = bus.claim(loader)
    except DeviceError as error:
        if error.code == "usb-gone":
            raise CablePulled from error
        raise
    try:
        boot = Picoboot(pipe, loader.chip)
        with flash_errors():
            boot.reset()
            sectors = plan.sectors(boot, reporter)
            write_image(boot, sectors, reporter.progress)
        start(boot)
    finally:
        pipe.close()


def start(boot: Picoboot) -> None:
    """Have the chip start what was written. Its answer may be lost with the bus: only its return counts."""
    try:
        boot.run(picoboot.exclusive(picoboot.SHARED))
        boot.run(picoboot.reboot(boot.chip, START_DELAY_MS))
    except PicobootRefused as error:
        raise DeviceError(
            "flash-not-started",
            f"all is written, but {error}",
            "unplug the board and plug it in, then look with: sabot devices",
        ) from error
    except (Gone, TimedOut, Stalled):
        return  # whether it has started shows on the bus
