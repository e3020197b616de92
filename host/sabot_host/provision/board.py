"""A table's settings onto its board, over the prompt that a board without settings shows.

Entry points: :func:`files_of` (what is written), :func:`write` (onto the board, judged by its own firmware),
:class:`Commissioned`; :func:`check`, :func:`judge` and :func:`heard`, three of its steps. All is written beside its
place and judged there; then each file takes its place, the configuration last: a board that is interrupted before that
is as blank as it was.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sabot.rules import games
from sabot.rules.game import fingerprint as game_fingerprint
from sabot.rules.variants import configure
from sabot_host.errors import DeviceError, FileError, RefusedError, SabotError
from sabot_host.flash.bus import Bus
from sabot_host.flash.devices import Device, State
from sabot_host.flash.file_copy import BoardFiles, restart
from sabot_host.flash.flasher import Reporter
from sabot_host.flash.raw_repl import CodeFailed, RawRepl, printed
from sabot_host.flash.returning import Identity, await_running, await_silence
from sabot_host.link.client import Client
from sabot_host.provision.deck import TaggedCard, masked
from sabot_host.provision.house import TablePlan
from sabot_host.provision.keys import DEVICE, JOURNAL, ROLES

CONFIG, KEYS, DECK, FIRST_KEY = "config.json", "keys.json", "deck.json", "provision.json"
ASIDE = "new"
_ACCEPT = b"sabot accept"

# The firmware's own checks at its start, over the new files. Nothing of a key is printed: its errors hide them.
_JUDGE = f"""\
import binascii
from sabot import config, start
r = config.read_json
config.read_json = lambda p: r('{ASIDE}/' + p)
try:
    s = start.settings()
    wrong = start.released(s)[1]
    if wrong:
        raise wrong
    start.accepted(s)
    start.deck(s)
    print(('', '', binascii.hexlify(s.hash).decode(), binascii.hexlify(s.game_hash).decode()))
except start.Refused as e:
    print((e.code, str(e), '', ''))
finally:
    config.read_json = r
"""


class Commissioned(NamedTuple):
    """A table as it came back: what it says of itself, and the hashes that its journal will carry."""

    device: Device
    config_hash: str
    game_hash: str
    status: Mapping[str, Any]


def files_of(
    plan: TablePlan, casino_key: bytes, keys: Mapping[str, bytes], decks: Sequence[Sequence[TaggedCard]], release: str
) -> dict[str, bytes]:
    """The files of a table, by their names on the board; the key ``release`` (its fingerprint) signs its program.

    FileError when an acceptance is asked of an unknown role.
    """
    config = dict(plan.config)
    if plan.accept_paytable:
        config["accepted"] = _acceptances(plan, keys)
    secret = {
        "device": keys[DEVICE].hex(),
        "casino": casino_key.hex(),
        "release": release,
        "roles": {role: keys[role].hex() for role in ROLES},
    }
    values = {
        CONFIG: config,
        KEYS: secret,
        DECK: masked(decks, keys[DEVICE]),
        FIRST_KEY: {"journal": keys[JOURNAL].hex()},
    }
    return {name: json.dumps(value, sort_keys=True).encode() for name, value in values.items()}


def _acceptances(plan: TablePlan, keys: Mapping[str, bytes]) -> dict[str, str]:
    """The paytable's acceptance by each role named, under its key, over the game in force and the number of packs."""
    unknown = [role for role in plan.accept_paytable if role not in ROLES]
    if unknown:
        raise FileError("house-field", f"accept_paytable: there is no role {unknown[0]}", "one of " + " ".join(ROLES))
    try:
        game = configure(games.load(plan.config["game"]), **plan.config.get("options", {}))
        message = _ACCEPT + game_fingerprint(game) + bytes((plan.config.get("decks", 1),))
    except (KeyError, TypeError, ValueError) as error:
        raise FileError("house-field", f"accept_paytable: {error}", "mend game, options and decks first") from error
    return {role: hmac.new(keys[role], message, hashlib.sha256).hexdigest() for role in plan.accept_paytable}


def write(bus: Bus, device: Device, plan: TablePlan, files: Mapping[str, bytes], reporter: Reporter) -> Commissioned:
    """Write the files, start the table, and hear from itself that it is this one and ready.

    Raises:
        RefusedError: its firmware refuses the settings (nothing is changed), or the table refuses to play.
        DeviceError: no firmware, a table already, or what happens on the way.
    """
    check(device, plan)
    transport = bus.open_port(device.port)
    try:
        repl = RawRepl(transport)
        repl.enter()
        board_files = BoardFiles(repl)
        for name, data in files.items():
            board_files.put(f"{ASIDE}/{name}", data)
        try:
            config_hash, game_hash = judge(repl)
        except RefusedError:
            for name in files:
                board_files.remove(f"{ASIDE}/{name}")
            board_files.remove_folder(ASIDE)
            raise
        for name in (KEYS, DECK, FIRST_KEY, CONFIG):
            board_files.move(f"{ASIDE}/{name}", name)
        board_files.remove_folder(ASIDE)
        board_files.sync()
        restart(repl)
        await_silence(transport)
    finally:
        transport.close()
    reporter.say("waiting for the table to start")
    back = await_running(bus, Identity.of(device))
    return Commissioned(back, config_hash, game_hash, heard(bus, back, plan.number))


def check(device: Device, plan: TablePlan) -> None:
    """DeviceError when the board is not the one, is a table already, or has no firmware; RefusedError: it is sealed."""
    if device.problem is not None:
        raise device.problem
    if plan.serial and device.serial.casefold() != plan.serial.casefold():
        raise DeviceError(
            "provision-other-board",
            f"table {plan.number} is for the board {plan.serial}, this one is {device.serial or 'without a number'}",
            "choose the right one with --device, or mend serial in the file",
        )
    if device.state is State.SEALED:
        raise RefusedError(
            "provision-sealed",
            f"{device.name} is table {device.table} and sealed",
            "unseal it with the supervisor's key first: sabot unseal",
        )
    if device.is_table:
        raise DeviceError(
            "provision-there",
            f"{device.name} is commissioned already, as table {device.table}",
            "to begin anew: hold BOOTSEL while plugging in, sabot flash --erase-settings, then provision",
        )
    if device.state is not State.FRESH:
        raise DeviceError(
            "provision-no-firmware",
            f"{device.name} ({device.state}) has no firmware of Sabot",
            "install it first: sabot flash --bundle FILE",
        )


def judge(repl: RawRepl) -> tuple[str, str]:
    """Have the firmware judge the files aside: the hashes of configuration and game. RefusedError in its words."""
    try:
        code, text, config_hash, game_hash = printed(repl.run(_JUDGE))
    except (CodeFailed, ValueError, TypeError) as error:
        code, text, config_hash, game_hash = "firmware", f"the firmware cannot judge it: {error}", "", ""
    if code:
        hint = _HINTS.get(code, _HINTS["firmware"])
        raise RefusedError("provision-refused", f"the controller refuses the settings: {text} [{code}]", hint)
    return config_hash, game_hash


_HINTS = {
    "configuration": "mend the field in the file; docs/configuration.md says what is allowed",
    "deck": "mend the file that deck names: one line for each card of the packs in play",
    "paytable": 'two authorities accept it: accept_paytable = ["supervisor", "auditor"]; or options choose another one',
    "integrity": "flash the house's release; whose it is, says keys/release.pub: docs/integrity.md",
    "firmware": "flash the release again: sabot flash --bundle FILE",
}


def heard(bus: Bus, device: Device, number: int) -> dict[str, Any]:
    """What the table says of itself over the link; nothing else is success."""
    if not device.is_table:
        raise DeviceError(
            "provision-not-started",
            f"the settings are written, but the table does not start ({device.state})",
            "look with: sabot devices; else flash the release again",
        )
    client = Client(bus.open_port(device.port))
    try:
        hello = client.open()
        status = client.status()
    finally:
        client.close()
    if hello.table != number:
        raise DeviceError(
            "provision-other-table", f"the board came back as table {hello.table}", "run the command again; report it"
        )
    refused = status.get("refused")
    if isinstance(refused, dict):
        raise _will_not_play(refused)
    return {"version": hello.version, "unique_id": hello.unique_id.hex(), "sealed": hello.sealed, **status}


def _will_not_play(refused: Mapping[str, Any]) -> SabotError:
    return RefusedError(
        "provision-not-ready",
        f"the settings are written, but the table refuses to play: {refused.get('text')} [{refused.get('code')}]",
        "mend what it names, then look with: sabot status",
    )
