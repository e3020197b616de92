"""A sealed table: no prompt, no boot loader, no other settings; power cuts and flashing leave the seal on."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hwsim.provisioning import DEVELOPMENT_KEYS
from hwsim.usb import filesystem
from sabot.wire.signed import split
from sabot_host.errors import Exit, RefusedError
from sabot_host.flash.devices import Device, State
from sabot_host.provision.board import check
from sabot_host.provision.house import TablePlan
from tests.flash.conftest import Desk

UNSEAL = ("unseal", "--keys", "keys", "--supervisor-keys", "keys", "--yes")
SEAL = ("seal", "--keys", "keys", "--yes")


def state(desk: Desk, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert desk.run("devices", "--json") == Exit.OK
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    return str(device["state"])


def records(desk: Desk, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert desk.run("journal", "pull", "--key-file", "keys/table-12/auditor.key", "j.sabot") == Exit.OK
    capsys.readouterr()
    assert desk.run("journal", "verify", "j.sabot", "--key-file", "keys/table-12/journal.key") == Exit.OK
    assert desk.run("journal", "show", "j.sabot") == Exit.OK
    return capsys.readouterr().out.splitlines()


def test_sealed_it_is_left_alone_until_two_people_unseal_it(own: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert own.run(*SEAL) == Exit.OK
    assert "table 12: Sabot, sealed" in capsys.readouterr().out
    for words, code in (
        (("flash", "--bundle", "r.sabot", "--keys", "keys", "--yes"), "boot-loader-sealed"),
        (("config", "set", "dwell_ms", "700", "--keys", "keys", "--yes"), "boot-loader-sealed"),
        (("config", "get", "--keys", "keys"), "boot-loader-sealed"),
    ):
        assert own.run(*words) == Exit.REFUSED
        assert f"[{code}]" in capsys.readouterr().err
    assert own.bus.boards[0].state == "running"
    board = own.bus.boards[0]
    board.unplug()
    board.plug()
    own.bus.settle()
    assert state(own, capsys) == "sealed"
    assert own.run("status", "--json") == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["sealed"], told["ready"]) == (True, True)
    Path("others/table-12").mkdir(parents=True, mode=0o700)
    wrong = Path("others/table-12/supervisor.key")
    wrong.touch(0o600)
    wrong.write_text("00" * 32)
    assert own.run(*UNSEAL[:-2], "others", "--yes") == Exit.REFUSED
    assert "[link-wrong-key]" in capsys.readouterr().err
    assert state(own, capsys) == "sealed"
    assert own.run(*UNSEAL) == Exit.OK
    assert "table 12: Sabot, " in capsys.readouterr().out
    assert state(own, capsys) == "running"
    lines = records(own, capsys)
    seals = [line for line in lines if " seal: " in line]
    assert len(seals) == 2
    assert "on yes" in seals[0] and "by technician" in seals[0] and "second none" in seals[0]
    assert "on no" in seals[1] and "second supervisor" in seals[1]


def test_published_keys_are_not_sealed(commissioned: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert commissioned.run(*SEAL) == Exit.REFUSED
    assert "[link-published-keys]" in capsys.readouterr().err
    assert state(commissioned, capsys) == "running"


@contextmanager
def through_bootsel(desk: Desk, name: str) -> Iterator[Path]:
    """The files of the only board, in a folder of that name, to be changed; then it runs with them."""
    board = desk.bus.boards[0]
    board.unplug()
    storage = filesystem.find(board.flash)
    assert storage is not None
    root = storage.unpack(desk.folder / name)
    yield root
    storage.store(root)
    board.plug()
    desk.bus.settle()


@pytest.mark.campaign
def test_what_boots_through_bootsel_with_other_settings_is_sealed_still_and_does_not_play(
    own: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert own.run(*SEAL) == Exit.OK
    board = own.bus.boards[0]
    with through_bootsel(own, "changed") as root:
        _, text = split((root / "config.json").read_bytes()) or (0, b"")
        config = json.loads(text)
        (root / "config.json").write_text(json.dumps({**config, "dwell_ms": 700}))
    assert state(own, capsys) == "sealed"
    assert own.run("status", "--json") == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert (told["ready"], told["refused"]["code"]) == (False, "seal")
    assert own.run("config", "get", "--keys", "keys") == Exit.REFUSED
    assert own.run(*SEAL) == Exit.OK  # it is on already: nothing is done
    assert own.run(*UNSEAL) == Exit.OK
    capsys.readouterr()
    board.unplug()
    board.plug()
    own.bus.settle()
    assert own.run("status", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["ready"]
    assert [line for line in records(own, capsys) if " fault: " in line and "configuration" in line and "seal" in line]


@pytest.mark.campaign
def test_sealed_with_published_keys_it_does_not_play_and_with_its_own_it_does_again(
    own: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert own.run(*SEAL) == Exit.OK
    published = {name: key.hex() for name, key in DEVELOPMENT_KEYS.items()}
    kept = b""
    for refused in ("published_keys", None):
        with through_bootsel(own, f"changed-{refused}") as root:
            file = root / "keys.json"
            if refused:
                _, kept = split(file.read_bytes()) or (0, b"")  # written without its line it is a new file
                file.write_text(json.dumps({**json.loads(kept), "casino": published["casino"]}))
            else:
                file.write_bytes(kept)
        capsys.readouterr()
        assert own.run("status", "--json") == Exit.OK
        told = json.loads(capsys.readouterr().out)
        assert told["sealed"]
        assert told["ready"] is (refused is None)
        assert told.get("refused", {}).get("code") == refused


def test_a_sealed_table_is_not_commissioned_over() -> None:
    sealed = Device(State.SEALED, "1-1", "e660", True, port="/dev/ttyACM0", table=12)
    with pytest.raises(RefusedError) as refused:
        check(sealed, TablePlan(12, {}, (), "", ()))
    assert refused.value.code == "provision-sealed"


def test_a_board_that_is_no_table_is_not_sealed(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    Path("keys").mkdir()
    assert desk.run(*SEAL) == Exit.DEVICE
    assert "[seal-no-table]" in capsys.readouterr().err
    assert desk.run(*SEAL, "--all") == Exit.DEVICE
    assert "[table-none]" in capsys.readouterr().err
    assert desk.run(*SEAL, "--all", "--table", "3") == Exit.USAGE
    assert "[tables-which]" in capsys.readouterr().err
