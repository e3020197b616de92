"""The bus itself: ports, addresses, claims, drivers of the operating system, and the socket for other processes."""

import errno
import json
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import usb.core
import usb.util

from hwsim.usb import client, firmware
from hwsim.usb.backend import EmulatedBackend
from hwsim.usb.board import Board
from hwsim.usb.bus import MOST_BOARDS, Bus, ports_of, rig
from hwsim.usb.chips import RP2040, RP2350
from hwsim.usb.server import Server
from hwsim.usb.terminal import MutePort
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import FLASH, SECTOR, Client, device_of

OTHER_PROGRAM = """
import usb.core, usb.util
from hwsim.usb.client import backend, comports
for device in usb.core.find(True, backend()):
    print(device.port_numbers, device.serial_number)
for port in comports():
    print(port.device, port.vid, port.pid, port.serial_number, port.location)
device = usb.core.find(backend=backend(), idProduct=0x000F)
usb.util.claim_interface(device, 1)
print(bytes(device.ctrl_transfer(0xC1, 0x42, 0, 1, 16)).hex())
try:
    device.write(0x03, bytes(31))
    device.write(0x03, bytes(31))
except usb.core.USBError as wrong:
    print(wrong.errno, wrong.backend_error_code)
try:
    device.read(0x84, 64, 10)
except usb.core.USBError as wrong:
    print(wrong.errno)
"""


def test_boards_are_told_apart_by_their_ports(plug: Plug) -> None:
    bus = plug.bus([RP2040, RP2040, RP2350])
    found = {device.port_numbers: device.serial_number for device in usb.core.find(True, bus.backend())}
    assert found == {(1, 1): "E0C9125B0D9B", (1, 2): "E0C9125B0D9B", (1, 3): bus.boards[2].uid.hex().upper()}
    second = Client(bus, bus.boards[1])
    second.exclusive()
    second.write(FLASH, b"\0" * 256)
    assert [board.flash.blank for board in bus.boards] == [True, False, True]


def test_a_board_that_comes_back_has_another_address(plug: Plug) -> None:
    bus, board = plug(RP2350)
    before = device_of(bus, board)
    board.unplug()
    assert list(usb.core.find(True, bus.backend())) == []
    board.plug()
    bus.settle()
    after = device_of(bus, board)
    assert (before.address, after.address) == (1, 2)
    assert before.port_numbers == after.port_numbers
    with pytest.raises(usb.core.USBError) as gone:
        before.get_active_configuration()
    assert gone.value.errno == errno.ENODEV


def test_addresses_are_used_again(plug: Plug) -> None:
    bus = plug.bus([RP2350, RP2350])
    for _ in range(130):
        bus.boards[0].unplug()
        bus.boards[0].plug()
        bus.settle()
    addresses = {device.address for device in usb.core.find(True, bus.backend())}
    assert len(addresses) == 2
    assert max(addresses) <= 127


def test_two_programs_want_one_interface(plug: Plug) -> None:
    bus, board = plug(RP2350)
    first = Client(bus, board)
    with pytest.raises(usb.core.USBError) as busy:
        Client(bus, board)
    assert (busy.value.errno, busy.value.backend_error_code) == (errno.EBUSY, -6)
    usb.util.dispose_resources(first.device)
    Client(bus, board)


def test_the_drive_belongs_to_the_operating_system(plug: Plug) -> None:
    bus, board = plug(RP2350)
    device = device_of(bus, board)
    assert device.is_kernel_driver_active(0)
    assert not device.is_kernel_driver_active(1)
    for call in (lambda: usb.util.claim_interface(device, 0), device.set_configuration):
        with pytest.raises(usb.core.USBError) as busy:
            call()
        assert busy.value.errno == errno.EBUSY
    device.detach_kernel_driver(0)
    usb.util.claim_interface(device, 0)
    with pytest.raises(usb.core.USBTimeoutError):
        device.read(0x81, 64, 100)  # no SCSI here
    usb.util.release_interface(device, 0)
    device.attach_kernel_driver(0)
    assert device.is_kernel_driver_active(0)


def test_configuration_and_port_reset_start_picoboot_anew(plug: Plug) -> None:
    bus, board = plug(RP2350)
    client_ = Client(bus, board)
    with pytest.raises(usb.core.USBError):
        client_.erase(FLASH + 1)
    client_.device.reset()
    assert client_.status() == (0, 0, 0, 0)
    client_.erase(FLASH)
    usb.util.release_interface(client_.device, 1)
    client_.device.detach_kernel_driver(0)
    client_.device.set_configuration()
    assert client_.status() == (0, 0, 0, 0)


def test_what_is_not_there(plug: Plug) -> None:
    bus, _ = plug(RP2350)
    session = bus.session()
    with pytest.raises(OSError) as unknown:
        session.open(99)
    assert unknown.value.errno == errno.ENODEV
    handle = session.open(1)
    for call in (
        lambda: session.claim(handle, 2),
        lambda: session.release(handle, 1),
        lambda: session.write(handle, 0x05, b"", 10),
        lambda: session.write(handle, 0x84, b"", 10),
        lambda: session.driver(handle, 1, False),
    ):
        with pytest.raises(OSError) as missing:
            call()
        assert missing.value.errno == errno.ENOENT
    session.close(handle)
    with pytest.raises(OSError) as shut:
        session.claim(handle, 1)
    assert shut.value.errno == errno.EBADF


def test_time_outs_pass_in_no_time_at_all(plug: Plug) -> None:
    bus, board = plug(RP2350)
    client_ = Client(bus, board)
    before = bus.clock.monotonic()
    with pytest.raises(usb.core.USBTimeoutError) as late:
        client_.device.read(client_.into, 64, 10_000)
    assert late.value.errno == errno.ETIMEDOUT
    assert bus.clock.monotonic() - before == pytest.approx(10)


def test_throughput_is_that_of_full_speed_and_of_the_flash(plug: Plug) -> None:
    bus, board = plug(RP2350)
    client_ = Client(bus, board)
    client_.exclusive()
    before = bus.clock.monotonic()
    client_.read(FLASH, 1_000_000)
    assert 1.0 <= bus.clock.monotonic() - before < 1.01  # 1 MB/s
    client_.erase(FLASH)
    before = bus.clock.monotonic()
    client_.write(FLASH, bytes(SECTOR))
    assert 16 * 0.4e-3 + 64 * 64e-6 <= bus.clock.monotonic() - before < 0.011


@pytest.mark.parametrize("port", ["", "1", "1-", "1-0", "1-x", "1-1.200", "1-1.2.3.4.5.6.7.8"])
def test_port_paths(port: str) -> None:
    with pytest.raises(ValueError, match="no port path"):
        ports_of(port)


def test_a_bus_has_room_for_127_boards_at_ports_of_their_own() -> None:
    bus = rig([RP2350], plugged=False)
    with pytest.raises(ValueError, match="taken"):
        bus.add(Board(RP2350, bytes(8), "1-1.1", flash=bus.boards[0].flash), plugged=False)
    for number in range(2, MOST_BOARDS + 1):
        bus.add(Board(RP2350, bytes(8), f"1-1.{number}", flash=bus.boards[0].flash), plugged=False)
    with pytest.raises(ValueError, match="127"):
        bus.add(Board(RP2350, bytes(8), "1-2.1", flash=bus.boards[0].flash), plugged=False)


@pytest.fixture
def served(plug: Plug, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bus]:
    """A blank and a running board behind a socket, named by HWSIM_USB."""
    bus = plug.bus([RP2350, RP2040], real=True)
    board = bus.boards[1]
    bus.application = lambda board: MutePort()
    board.unplug()
    board.flash.data[:SECTOR] = firmware.synthetic(RP2040, SECTOR)
    board.plug()
    bus.settle()
    path = tmp_path / "bus"
    monkeypatch.setenv(client.VARIABLE, str(path))
    with Server(bus, path):
        yield bus


def test_from_another_process(served: Bus) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", OTHER_PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    blank, running = served.boards
    assert running.application is not None
    assert ran.stdout.splitlines() == [
        f"(1, 1) {blank.uid.hex().upper()}",
        f"(1, 2) {running.uid.hex()}",
        f"{running.application.port} {0x2E8A} 5 {running.uid.hex()} 1-1.2:1.0",
        "00" * 16,
        f"{errno.EPIPE} -9",
        str(errno.EPIPE),
    ]
    assert served.claims == {}  # it has ended


def test_flashed_through_the_socket(served: Bus) -> None:
    class Remote(Bus):
        def backend(self) -> EmulatedBackend:
            return client.backend()

    blank = served.boards[0]
    program = firmware.synthetic(RP2350, 4 * SECTOR)
    tool = Client(Remote(), blank)
    tool.flash(FLASH, program)
    assert blank.flash.read(0, len(program)) == program
    tool.reboot(10)
    with served.lock:
        served.settle()
    assert blank.state in ("bootsel", "starting", "running")
    served.run_for(2)
    assert blank.state == "running"


def test_nonsense_on_the_socket_ends_that_connection_only(served: Bus) -> None:
    path = os.environ[client.VARIABLE]
    for sent in (
        struct.pack("<II", 1 << 30, 0),
        struct.pack("<II", 3, 0) + b"???",
        struct.pack("<II", 2, 0) + b"[]",
        struct.pack("<II", 5, 0) + b"{",
    ):
        with socket.socket(socket.AF_UNIX) as wild:
            wild.connect(path)
            wild.sendall(sent)
            wild.shutdown(socket.SHUT_WR)
            assert wild.recv(100) == b""
    with socket.socket(socket.AF_UNIX) as wild:
        wild.connect(path)
        for asked in ({}, {"do": "format"}, {"do": "open", "with": "x"}, {"do": "read", "with": [1]}):
            text = json.dumps(asked).encode()
            wild.sendall(struct.pack("<II", len(text), 0) + text)
            size, _ = struct.unpack("<II", wild.recv(8))
            assert json.loads(wild.recv(size))["errno"] in (errno.EINVAL, errno.ENODEV)
    assert len(client.comports()) == 1


def test_served_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bus"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "hwsim.usb", "--board", "rp2350", "--stock", "rp2040", str(path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout is not None
        while f"{client.VARIABLE}={path}" not in (line := served.stdout.readline()):
            assert line
        monkeypatch.setenv(client.VARIABLE, str(path))
        while len(client.backend().host.devices()) < 2:
            assert served.poll() is None
        assert [port.location for port in client.comports()] == ["1-1.2:1.0"]
        served.terminate()
        assert served.wait(20) == 0
    refused = subprocess.run(
        [*command, "--board", "z80"], env=environment, capture_output=True, text=True, timeout=20, check=False
    )
    assert refused.returncode == 2
    assert "no chip z80" in refused.stderr


@pytest.mark.parametrize("value", ["", "/nonexistent/bus"])
def test_no_bus(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(client.VARIABLE, value)
    with pytest.raises(OSError, match="bus") as missing:
        client.backend()
    assert missing.value.errno == errno.ENODEV
