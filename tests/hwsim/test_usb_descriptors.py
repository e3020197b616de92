"""What the emulated devices say of themselves, byte for byte, and the standard requests on endpoint 0."""

import errno

import pytest
import usb.core
import usb.util

from hwsim.usb.chips import RP2040, RP2350, Chip
from hwsim.usb.descriptors import bootsel, micropython
from tests.hwsim.conftest import Plug
from tests.hwsim.picoboot_client import REBOOT2, Client, device_of

DEVICE_2350 = "120110020000004 08a2e0f000001 01020301".replace(" ", "")
CONFIGURATION_2350 = (
    "090237000201008019090400000208065000070581024000000705020240000009040100 02ff000000 07050302400000 07058402400000"
).replace(" ", "")


def test_rp2350_bytes() -> None:
    described = bootsel(RP2350, "0123456789ABCDEF")
    assert described.device.hex() == DEVICE_2350
    assert described.configuration.hex() == CONFIGURATION_2350


def test_rp2040_differs_in_version_id_and_power() -> None:
    expected = bytearray.fromhex(DEVICE_2350)
    expected[2:4] = b"\x10\x01"
    expected[10] = 3
    described = bootsel(RP2040, "E0C9125B0D9B")
    assert described.device == expected
    power = bytearray.fromhex(CONFIGURATION_2350)
    power[8] = 0xFA
    assert described.configuration == power
    assert described.descriptor(15, 0) is None


@pytest.mark.parametrize(("drive", "size"), [(True, 0xA6), (False, 0x9E)])
def test_windows_is_told_of_winusb(drive: bool, size: int) -> None:
    described = bootsel(RP2350, "0", drive=drive)
    assert len(described.ms_os_20) == size
    assert b"WINUSB\0\0" in described.ms_os_20
    assert "{bc7398c1-73cd-4cb7-98b8-913a8fca7bf6}".encode("utf-16-le") in described.ms_os_20
    assert described.bos[29:31] == bytes((size, 0))


def test_windows_descriptors_come_over_the_wire(plug: Plug) -> None:
    bus, board = plug(RP2350)
    device = device_of(bus, board)
    bos = bytes(device.ctrl_transfer(0x80, 6, 15 << 8, 0, 255))
    assert bos[2:5] == bytes((len(bos), 0, 1))
    answer = bytes(device.ctrl_transfer(0xC0, bos[31], 0, 7, 4096))
    assert len(answer) == 0xA6


@pytest.mark.parametrize(
    ("chip", "product", "text", "serial"),
    [(RP2350, 0x000F, "RP2350 Boot", "7FBFA46B1DBAFED5"), (RP2040, 0x0003, "RP2 Boot", "E0C9125B0D9B")],
)
def test_strings_through_pyusb(plug: Plug, chip: Chip, product: int, text: str, serial: str) -> None:
    bus, board = plug(chip)
    device = device_of(bus, board)
    assert (device.idVendor, device.idProduct, device.bus, device.port_numbers) == (0x2E8A, product, 1, (1, 1))
    assert (device.manufacturer, device.product, device.serial_number) == ("Raspberry Pi", text, serial)
    assert device.speed == usb.util.SPEED_FULL


def test_micropython() -> None:
    described = micropython("7fbfa46b1dbafed5")
    assert described.device.hex() == "120100 02ef0201408a2e0500000101020301".replace(" ", "")
    assert len(described.configuration) == int.from_bytes(described.configuration[2:4], "little") == 75
    assert described.configuration[8] * 2 == 250
    assert described.endpoints == {0x81: 0, 0x02: 1, 0x82: 1}
    assert described.strings[:2] == ("MicroPython", "Board in FS mode")


@pytest.mark.parametrize(("flags", "classes"), [(0, [8, 255]), (1, [255]), (2, [8]), (3, [8, 255])])
def test_interfaces_can_be_left_out(plug: Plug, flags: int, classes: list[int]) -> None:
    bus, board = plug(RP2350)
    Client(bus, board).run(REBOOT2, b"".join(word.to_bytes(4, "little") for word in (2, 10, 0, flags)))
    bus.run_for(1)
    device = device_of(bus, board)
    interfaces = list(device.get_active_configuration())
    assert [one.bInterfaceClass for one in interfaces] == classes
    assert [one.bInterfaceNumber for one in interfaces] == list(range(len(classes)))
    if 255 in classes:
        assert Client(bus, board).status() == (0, 0, 0, 0)


def test_endpoint_halt_feature(plug: Plug) -> None:
    bus, board = plug(RP2350)
    client = Client(bus, board)
    device = client.device
    assert bytes(device.ctrl_transfer(0x82, 0, 0, client.out, 2)) == b"\0\0"
    device.ctrl_transfer(0x02, 3, 0, client.out, None)
    assert bytes(device.ctrl_transfer(0x82, 0, 0, client.out, 2)) == b"\1\0"
    with pytest.raises(usb.core.USBError) as stalled:
        client.exclusive()
    assert stalled.value.errno == errno.EPIPE
    device.clear_halt(client.out)
    assert bytes(device.ctrl_transfer(0x82, 0, 0, client.out, 2)) == b"\0\0"


@pytest.mark.parametrize(
    "request_",
    [
        (0x80, 6, 0x0400, 0),
        (0x80, 6, 0x0309, 0),
        (0x82, 0, 0, 0x05),
        (0xC1, 0x43, 0, 1),
        (0x80, 10, 0, 7),
        (0x00, 9, 2, 0),
    ],
)
def test_what_it_does_not_know_it_stalls(plug: Plug, request_: tuple[int, int, int, int]) -> None:
    bus, board = plug(RP2350)
    with pytest.raises(usb.core.USBError) as stalled:
        device_of(bus, board).ctrl_transfer(*request_, 16 if request_[0] & 0x80 else None)
    assert stalled.value.errno == errno.EPIPE
