"""What is attached: each state of a board, and each thing that keeps one from looking, by the commands themselves."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import usb.core

from hwsim.usb.filesystem import ensure
from sabot_host.errors import DeviceError, Exit, MissingPartError
from sabot_host.flash import udev, usb_bus
from sabot_host.flash.lock import board_lock
from sabot_host.link.serial_port import SerialTransport
from tests.flash import synthetic
from tests.flash.conftest import Desk
from tests.flash.test_flashing import PICO2

BOTH = pytest.mark.parametrize("desk", [("RP2350", "RP2040")], indirect=True)


def listed(desk: Desk, capsys: pytest.CaptureFixture[str], status: int = Exit.OK) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert desk.run("devices", "--json") == status
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    devices: list[dict[str, Any]] = told["devices"]
    return devices


@BOTH
def test_blank_boards(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    pico2, pico = listed(desk, capsys)
    assert (pico2["state"], pico2["location"], pico2["serial_unique"]) == ("boot_rp2350", "1-1.1", True)
    assert pico2["serial"].lower() == desk.bus.boards[0].serial
    assert (pico["state"], pico["location"], pico["serial_unique"]) == ("boot_rp2040", "1-1.2", False)
    assert desk.run("devices") == Exit.OK
    out = capsys.readouterr().out
    assert "boot loader RP2350" in out
    assert "(not unique)" in out


def test_a_board_with_micropython(desk: Desk, stock: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("stock.uf2").write_bytes(stock)
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.OK
    (device,) = listed(desk, capsys)
    assert (device["state"], device["versions"]) == ("micropython", {"micropython": "1.29.0"})
    assert device["board"] == "Raspberry Pi Pico 2 with RP2350"


@pytest.mark.campaign
def test_what_speaks_to_a_controller_says_what_a_board_without_one_is(
    desk: Desk, stock: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("stock.uf2").write_bytes(stock)
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.OK
    for words in (["status"], ["diag", "--unattended"], ["monitor"], ["monitor", "--once"], ["console"]):
        capsys.readouterr()
        assert desk.run(*words) == Exit.DEVICE
        err = capsys.readouterr().err
        assert "runs MicroPython without Sabot [board-no-firmware]" in err
        assert "sabot flash --bundle FILE (docs/technician.md, step 3)" in err
    (device,) = listed(desk, capsys)  # and it was let go
    assert device["state"] == "micropython"


def heard(port: str, text: bytes) -> None:
    """Wait until a board has said something."""
    transport = SerialTransport(port)
    said = b""
    while text not in said:
        more = transport.read(10_000)
        assert more, said
        said += more
    transport.close()


def test_a_program_of_somebody_else_is_started_again(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    board = desk.bus.boards[0]
    for address, page in synthetic.image(PICO2).pages.items():
        board.flash.data[address - 0x10000000 : address - 0x10000000 + 256] = page
    board.unplug()
    storage = ensure(board.chip, board.flash)
    folder = desk.folder / "files"
    folder.mkdir()
    (folder / "main.py").write_text("import time\nprint('at work')\nwhile True: time.sleep(60)\n")
    storage.store(folder)
    board.plug()
    desk.bus.settle()
    assert board.application is not None
    port = board.application.port
    heard(port, b"at work")
    (device,) = listed(desk, capsys)
    assert (device["state"], device["port"]) == ("unknown", port)
    heard(port, b"at work")


def test_a_busy_port_is_told(desk: Desk, stock: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("stock.uf2").write_bytes(stock)
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.OK
    (device,) = listed(desk, capsys)
    other = SerialTransport(device["port"])
    (busy,) = listed(desk, capsys, Exit.DEVICE)
    assert (busy["state"], busy["problem"]["code"]) == ("unknown", "port-busy")
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.DEVICE
    assert "[port-busy]" in capsys.readouterr().err
    other.close()


@pytest.mark.parametrize(
    ("number", "code"), [(errno.EACCES, "usb-denied"), (errno.EBUSY, "usb-busy"), (errno.ENODEV, "flash-pulled")]
)
def test_a_boot_loader_that_cannot_be_opened(
    desk: Desk,
    stock: bytes,
    capsys: pytest.CaptureFixture[str],
    number: int,
    code: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sabot_host.flash.flasher.REPLUG_MS", 300)
    Path("stock.uf2").write_bytes(stock)
    desk.bus.boards[0].faults.open_error = number
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.DEVICE
    err = capsys.readouterr().err
    assert f"[{code}]" in err
    if code == "usb-denied":
        assert "what to do: sudo sabot udev --install" in err
        (denied,) = listed(desk, capsys, Exit.DEVICE)
        assert denied["problem"]["code"] == "usb-denied"


def test_without_libusb_ports_are_listed_and_the_gap_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sabot_host.cli.main import main

    def no_backend(**_: object) -> None:
        raise usb.core.NoBackendError("No backend available")

    monkeypatch.setattr(usb.core, "find", no_backend)
    with pytest.raises(MissingPartError):
        usb_bus.boot_loaders(None)
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    assert main(["devices"]) == Exit.MISSING
    out, err = capsys.readouterr()
    assert out == "no board is seen\n"
    assert err.startswith(
        "error: libusb is not installed: no boot loader can be seen [usb-no-libusb]\nwhat to do: apt "
    )


def test_no_board(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.bus.boards[0].unplug()
    assert desk.run("devices") == Exit.OK
    assert capsys.readouterr().out == "no board is attached\n"
    (desk.folder / "house.toml").write_text("casino = 1\n[[table]]\ntable = 1\nreaders = []\n")
    assert desk.run("provision", "house.toml", "--yes") == Exit.DEVICE
    assert "[board-none]" in capsys.readouterr().err


@BOTH
def test_a_board_is_chosen_by_its_place_or_number(desk: Desk, stock: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("stock.uf2").write_bytes(stock)
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes") == Exit.USAGE
    assert "several boards are meant: 1-1.1, 1-1.2 [board-several]" in capsys.readouterr().err
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes", "--device", "1-1.2") == Exit.FILE
    assert "[uf2-family]" in capsys.readouterr().err
    assert desk.run("flash", "--uf2", "stock.uf2", "--yes", "--device", "1-1.1", "--json") == Exit.OK
    assert json.loads(capsys.readouterr().out)["device"]["location"] == "1-1.1"
    assert [board.state for board in desk.bus.boards] == ["running", "bootsel"]


def test_two_tools_at_one_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    program = (
        "import sys\nfrom sabot_host.flash.lock import board_lock\n"
        "with board_lock('1-1.2'):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    with pytest.raises(DeviceError, match=f"process {other.pid}") as locked, board_lock("1-1.2"):
        pass
    assert locked.value.code == "board-locked"
    with board_lock("1-1.3"):
        pass
    other.communicate()
    with board_lock("1-1.2"):
        pass


def test_nobody_is_asked_where_nobody_is(desk: Desk, stock: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    Path("stock.uf2").write_bytes(stock)
    assert desk.run("flash", "--uf2", "stock.uf2") == Exit.USAGE
    assert "[nobody-to-ask]" in capsys.readouterr().err
    assert desk.bus.boards[0].faults.passed["command"] == 0


def test_the_udev_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from sabot_host.cli.main import main

    assert main(["udev", "--json"]) == Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told == {"path": "/etc/udev/rules.d/60-sabot.rules", "rules": udev.rules(), "written": None}
    assert main(["udev", "--print"]) == Exit.OK
    out = capsys.readouterr().out
    assert out.startswith("# /etc/udev/rules.d/60-sabot.rules\n")
    for product in ("0003", "000f", "0005"):
        rule = f'SUBSYSTEM=="usb", ATTRS{{idVendor}}=="2e8a", ATTRS{{idProduct}}=="{product}", '
        assert rule + 'MODE="660", GROUP="plugdev", TAG+="uaccess"\n' in out
    path = tmp_path / "rules.d" / "60-sabot.rules"
    assert udev.install(path)
    assert path.read_text() == udev.rules()
    assert not udev.install(path)
