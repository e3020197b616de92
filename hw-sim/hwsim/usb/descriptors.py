"""USB descriptors of the emulated devices, byte for byte, and the standard requests that hand them out.

Entry points: :class:`Description` (all a device says of itself), :func:`bootsel`, :func:`micropython`.

Limits: the vendor code by which Windows asks for the Microsoft OS 2.0 descriptors is taken to be 1.
"""

from __future__ import annotations

import struct
import uuid
from dataclasses import dataclass, field

from hwsim.usb.chips import PRODUCT_MICROPYTHON, VENDOR, Chip

DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT, ASSOCIATION, BOS, CAPABILITY = 1, 2, 3, 4, 5, 11, 15, 16
MASS_STORAGE = (0x08, 0x06, 0x50)
VENDOR_SPECIFIC = (0xFF, 0x00, 0x00)
CONFIGURATION_VALUE = 1
PACKET = 64
BULK, INTERRUPT = 2, 3

DRIVE_IN, DRIVE_OUT = 0x81, 0x02
PICOBOOT_OUT, PICOBOOT_IN = 0x03, 0x84
CDC_NOTIFY, CDC_OUT, CDC_IN = 0x81, 0x02, 0x82

MS_VENDOR_CODE = 1
MS_SET_INDEX = 7
_PLATFORM_MS_OS_20 = uuid.UUID("d8dd60df-4589-4cc7-9cd2-659d9e648a9f")
_WINDOWS_8_1 = 0x0603_0000
_PICOBOOT_GUID = "{bc7398c1-73cd-4cb7-98b8-913a8fca7bf6}"
_ENGLISH = 0x0409


@dataclass
class Description:
    """What a device says of itself: its descriptors, and the endpoints of each interface."""

    device: bytes
    configuration: bytes
    strings: tuple[str, ...]
    bos: bytes = b""
    ms_os_20: bytes = b""
    kernel_drivers: frozenset[int] = frozenset()
    """Interfaces that the host's operating system takes for itself when the device appears."""
    endpoints: dict[int, int] = field(default_factory=dict)
    """Endpoint address to the number of its interface."""

    def __post_init__(self) -> None:
        at, interface = 0, 0
        while at < len(self.configuration):
            length, kind = self.configuration[at], self.configuration[at + 1]
            if kind == INTERFACE:
                interface = self.configuration[at + 2]
            elif kind == ENDPOINT:
                self.endpoints[self.configuration[at + 2]] = interface
            at += length

    @property
    def vendor(self) -> int:
        """Vendor id."""
        return int.from_bytes(self.device[8:10], "little")

    @property
    def product(self) -> int:
        """Product id."""
        return int.from_bytes(self.device[10:12], "little")

    @property
    def interfaces(self) -> frozenset[int]:
        """Numbers of the interfaces."""
        return frozenset(range(self.configuration[4]))

    def descriptor(self, kind: int, index: int) -> bytes | None:
        """What GET_DESCRIPTOR answers, None for a descriptor that there is not."""
        if kind == DEVICE:
            return self.device
        if kind == CONFIGURATION and index == 0:
            return self.configuration
        if kind == BOS and self.bos:
            return self.bos
        if kind == STRING and index == 0:
            return struct.pack("<BBH", 4, STRING, _ENGLISH)
        if kind == STRING and index <= len(self.strings):
            text = self.strings[index - 1].encode("utf-16-le")
            return struct.pack("<BB", 2 + len(text), STRING) + text
        return None


def _device(bcd_usb: int, kind: tuple[int, int, int], product: int) -> bytes:
    return struct.pack("<BBHBBBBHHHBBBB", 18, DEVICE, bcd_usb, *kind, PACKET, VENDOR, product, 0x0100, 1, 2, 3, 1)


def _interface(number: int, kind: tuple[int, int, int], *endpoints: bytes) -> bytes:
    return struct.pack("<9B", 9, INTERFACE, number, 0, len(endpoints), *kind, 0) + b"".join(endpoints)


def _endpoint(address: int, kind: int = BULK, size: int = PACKET, interval: int = 0) -> bytes:
    return struct.pack("<BBBBHB", 7, ENDPOINT, address, kind, size, interval)


def _configuration(power: int, interfaces: int, content: bytes) -> bytes:
    head = struct.pack("<BBHBBBBB", 9, CONFIGURATION, 9 + len(content), interfaces, CONFIGURATION_VALUE, 0, 0x80, power)
    return head + content


def _ms_os_20(interface: int | None) -> bytes:
    """The Microsoft OS 2.0 set that binds WinUSB; with an interface, as a function of a composite device."""
    name = "DeviceInterfaceGUID\0".encode("utf-16-le")
    value = (_PICOBOOT_GUID + "\0").encode("utf-16-le")
    features = struct.pack("<HH16s", 20, 3, b"WINUSB")
    features += struct.pack("<HHHH", 10 + len(name) + len(value), 4, 1, len(name)) + name
    features += struct.pack("<H", len(value)) + value
    if interface is not None:
        features = struct.pack("<HHBBH", 8, 2, interface, 0, 8 + len(features)) + features
    return struct.pack("<HHIH", 10, 0, _WINDOWS_8_1, 10 + len(features)) + features


def _bos(ms_set: bytes) -> bytes:
    capability = struct.pack("<BBBB", 28, CAPABILITY, 5, 0) + _PLATFORM_MS_OS_20.bytes_le
    capability += struct.pack("<IHBB", _WINDOWS_8_1, len(ms_set), MS_VENDOR_CODE, 0)
    return struct.pack("<BBHB", 5, BOS, 5 + len(capability), 1) + capability


def bootsel(chip: Chip, serial: str, *, drive: bool = True, picoboot: bool = True) -> Description:
    """A chip in BOOTSEL; one of the two interfaces may be off, never both."""
    if not drive and not picoboot:
        drive = picoboot = True
    content = b""
    count = 0
    if drive:
        content += _interface(0, MASS_STORAGE, _endpoint(DRIVE_IN), _endpoint(DRIVE_OUT))
        count += 1
    if picoboot:
        content += _interface(count, VENDOR_SPECIFIC, _endpoint(PICOBOOT_OUT), _endpoint(PICOBOOT_IN))
        count += 1
    has_bos = chip.bcd_usb > 0x0200
    ms_set = _ms_os_20(1 if drive else None) if has_bos and picoboot else b""
    return Description(
        device=_device(chip.bcd_usb, (0, 0, 0), chip.boot_product),
        configuration=_configuration(chip.max_power, count, content),
        strings=("Raspberry Pi", chip.product_text, serial),
        bos=_bos(ms_set) if ms_set else b"",
        ms_os_20=ms_set,
        kernel_drivers=frozenset({0} if drive else ()),
    )


def micropython(serial: str) -> Description:
    """A board that runs MicroPython: one CDC function, which the operating system makes a serial port of."""
    content = struct.pack("<8B", 8, ASSOCIATION, 0, 2, 0x02, 0x02, 0x00, 0)
    functional = bytes.fromhex("0524002001 0524010001 04240206 0524060001")
    notify = _endpoint(CDC_NOTIFY, INTERRUPT, 8, 16)
    content += _interface(0, (0x02, 0x02, 0x00), notify)[:9] + functional + notify
    content += _interface(1, (0x0A, 0x00, 0x00), _endpoint(CDC_OUT), _endpoint(CDC_IN))
    return Description(
        device=_device(0x0200, (0xEF, 0x02, 0x01), PRODUCT_MICROPYTHON),
        configuration=_configuration(125, 2, content),
        strings=("MicroPython", "Board in FS mode", serial),
        kernel_drivers=frozenset({0, 1}),
    )
