"""No key leaves a controller or the tools: not raw, not in hexadecimal or base64, in nothing that a session leaves.

One session with everything in it that has to do with keys: commissioning, right and wrong proofs, a round, a power cut,
a controller that refuses its configuration and says why, the journal pulled, verified, shown and exported.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.table import VirtualCable
from sabot.wire.signed import split
from sabot_host.cli.main import main
from sabot_host.errors import SabotError
from sabot_host.link.client import Client
from sabot_host.sim.pytest_plugin import TestTable
from tests.e2e.asking import asked

KEY_FILES = ("keys.json", "keys.copy")
WRONG = bytes(range(200, 232))
ROUND = """
power on
plug host
wait until host up
press fin
wait until bar green
seat 1 ante 10.00
wait 2.0
press rnvp
expect lock
wait until gate open
draw 6 every 0.3
seat 1 play 10.00
wait 1.0
press devoiler
expect settlement
press fin
wait 1.0
press rnvp
power off
wait 1.0
power on
wait 2.0
"""


def traces(key: bytes) -> list[bytes]:
    """What a key looks like where somebody has printed it: any nine bytes of it in a row are enough to be found.

    In a base64 text that holds the key, whatever stands before, some such nine bytes are twelve whole letters.
    """
    found = []
    for begin in range(len(key) - 8):
        part = key[begin : begin + 9]
        found += [part, part[::-1], part.hex().encode(), part.hex().upper().encode(), part.hex(" ").encode()]
        found += [repr(part)[2:-1].encode(), base64.b64encode(part), ", ".join(map(str, part)).encode()]
    return found


def told(outputs: dict[str, bytes], keys: dict[str, bytes]) -> list[tuple[str, str]]:
    """Which key stands in which output."""
    return [
        (name, where)
        for name, key in keys.items()
        for where, output in outputs.items()
        if any(trace in output for trace in traces(key))
    ]


def prove(table: TestTable, role: str, key: bytes) -> str:
    """A host proves a role; what it prints when that fails."""
    client = Client(VirtualCable(table.table))
    try:
        client.open()
        client.authenticate(role, key)
    except SabotError as error:
        return f"{error.code} {error} {error.hint} {error!r} {error.args}"
    finally:
        client.close()
    return ""


def listen(table: TestTable, into: bytearray) -> None:
    """Everything that goes over the cable from now on, both ways."""
    cdc = table.table.fabric.cdc
    accept, write = cdc.accept, cdc.host_write

    def said(data: bytes) -> int:
        into.extend(data)
        return accept(data)

    def asked(data: bytes) -> int:
        into.extend(data)
        return write(data)

    cdc.accept, cdc.host_write = said, asked  # type: ignore[method-assign]


def tools(table: TestTable, folder: Path, capfd: pytest.CaptureFixture[str]) -> bytes:
    """What the host's tools print about a pulled journal, with the right key and with another one."""
    file = folder / "pulled.sabotlog"
    table.pull()
    file.write_bytes((table.folder / "journal.sabotlog").read_bytes())
    keys = {"good": DEVELOPMENT_KEYS["journal"].hex(), "bad": WRONG.hex(), "none": "no key", "long": WRONG.hex() + "00"}
    for name, text in keys.items():
        (folder / name).write_text(text, encoding="ascii")
        main(["--debug", "journal", "verify", str(file), "--key-file", str(folder / name)])
    main(["--debug", "journal", "show", str(file)])
    main(["--debug", "journal", "export", str(file), "--format", "jsonl"])
    main(["--debug", "journal", "replay", str(file)])
    printed = capfd.readouterr()
    assert "link" in printed.out and "what to do" in printed.err
    return (printed.out + printed.err).encode()


@pytest.mark.timeout(300)
def test_no_key_in_anything_that_a_session_leaves_behind(
    make_table: Callable[..., TestTable], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    table = make_table(seats=2, seed=3)
    cable = bytearray()
    listen(table, cable)
    table.play(ROUND)
    table.host.unplug()
    errors = [prove(table, role, WRONG) for role in ("auditor", "technician", "supervisor")]
    errors.append(prove(table, "auditor", DEVELOPMENT_KEYS["auditor"]))
    assert all(errors)
    table.table.run_for(3000)
    assert prove(table, "supervisor", DEVELOPMENT_KEYS["supervisor"]) == ""
    board = table.folder / "board"
    outputs = {
        "errors": "\n".join(errors).encode(),
        "tools": tools(table, tmp_path, capfd),
        "memory": bytes(table.table.hardware.fram.image),
        "files": b"".join(path.read_bytes() for path in sorted(board.rglob("*")) if path.name not in KEY_FILES),
        "display": "\n".join(table.display).encode(),
        "status": json.dumps(asked(table.table)).encode(),
    }
    assert not (board / "provision.json").exists(), "the journal's first key is gone from the board"
    # A controller that refuses its keys says so without them.
    table.play("power off")
    version, text = split((board / "keys.json").read_bytes()) or (0, b"")
    assert version, "whole, in the controller's own form"
    damaged = json.loads(text)
    damaged["roles"]["auditor"] = damaged["roles"]["auditor"][:-2] + "zz"
    (board / "keys.json").write_text(json.dumps(damaged), encoding="utf-8")
    table.play("power on\nwait 2.0")
    refused = asked(table.table)
    assert refused["refused"]["code"] == "configuration"
    outputs["refusal"] = (json.dumps(refused) + "\n".join(table.display)).encode()
    outputs["cable"] = bytes(cable)
    assert len(cable) > 5_000 and all(outputs.values())
    assert told(outputs, {**DEVELOPMENT_KEYS, "wrong": WRONG}) == []
    table.play("power off")
    (board / "keys.json").write_text(json.dumps({**damaged, "roles": roles()}), encoding="utf-8")


def roles() -> dict[str, str]:
    """The role keys as the key file holds them."""
    return {role: DEVELOPMENT_KEYS[role].hex() for role in ("dealer", "supervisor", "technician", "auditor")}


@pytest.mark.parametrize("form", ["raw", "hex", "spaced", "upper", "base64", "list", "python"])
def test_a_key_that_is_told_is_found(form: str) -> None:
    key = DEVELOPMENT_KEYS["supervisor"]
    forms = {
        "raw": key,
        "hex": key.hex().encode(),
        "spaced": key.hex(" ").encode(),
        "upper": key.hex().upper().encode(),
        "base64": base64.b64encode(b"x" + key),
        "list": str(list(key)).encode(),
        "python": repr(key).encode(),
    }
    assert told({"log": b"key: " + forms[form] + b"!", "clean": b"key: none"}, {"supervisor": key}) == [
        ("supervisor", "log")
    ]
