"""Boot loaders on the USB bus, through pyusb.

Entry points: :func:`boot_loaders` (what is attached), :class:`BootLoader`, :class:`UsbPipe` (one of them, claimed).
pyusb finds libusb by itself; what it reports is worded here.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import Any

import usb.core
import usb.util

from sabot_host.errors import DeviceError, MissingPartError
from sabot_host.flash.boards import RP2040, RP2350
from sabot_host.flash.picoboot import COMMAND_MS, Gone, Stalled, TimedOut

VENDOR = 0x2E8A
CHIPS = {0x0003: RP2040, 0x000F: RP2350}
_VENDOR_CLASS = 0xFF
_READ_UNIT = 64  # a bulk IN transfer is asked for in whole packets, or the last one would overflow


@dataclass(frozen=True)
class BootLoader:
    """A board that waits in its boot loader. ``location`` is bus and ports, as ``1-2.3``."""

    chip: str
    location: str
    serial: str
    denied: bool
    handle: Any

    @property
    def unique(self) -> bool:
        """Whether the serial number is the chip's own: the RP2040's boot loader gives the same to all."""
        return self.chip == RP2350 and bool(self.serial)


def boot_loaders(backend: Any) -> list[BootLoader]:
    """All boot loaders attached, by location, through a backend of pyusb (None: its own); MissingPartError without."""
    try:
        handles = list(usb.core.find(find_all=True, backend=backend, idVendor=VENDOR))
    except usb.core.NoBackendError as error:
        raise MissingPartError(
            "usb-no-libusb",
            "libusb is not installed: no boot loader can be seen",
            "apt install libusb-1.0-0   (macOS: brew install libusb; Windows: nothing, it comes with WinUSB)",
        ) from error
    except usb.core.USBError as error:
        raise DeviceError(
            "usb-failed", f"the USB bus cannot be read: {error}", "unplug and plug in, try again"
        ) from error
    found = []
    for handle in handles:
        chip = CHIPS.get(handle.idProduct)
        if chip is not None:
            serial, denied = _serial(handle)
            found.append(BootLoader(chip, location_of(handle), serial, denied, handle))
    return sorted(found, key=lambda loader: loader.location)


def location_of(handle: Any) -> str:
    """Bus and ports of a device, worded as serial ports word it: ``1-2.3``."""
    ports = ".".join(str(port) for port in handle.port_numbers or ())
    return f"{handle.bus}-{ports}" if ports else f"{handle.bus}:{handle.address}"


def _serial(handle: Any) -> tuple[str, bool]:
    """Serial number, and whether reading it was denied."""
    try:
        languages = usb.util.get_langids(handle)
        number = handle.iSerialNumber
        return str(usb.util.get_string(handle, number, languages[0]) if languages and number else ""), False
    except usb.core.USBError as error:
        return "", error.errno in (errno.EACCES, errno.EPERM)
    finally:
        usb.util.dispose_resources(handle)  # a device that is only looked at is not held open


class UsbPipe:
    """The PICOBOOT interface of one boot loader, for this process alone (``sabot_host.flash.picoboot.Pipe``).

    Raises:
        DeviceError: no permission, in use by another program, gone, or without such an interface.
    """

    def __init__(self, loader: BootLoader) -> None:
        self._handle = loader.handle
        try:
            self._interface, self._out, self._in = self._claim()
        except usb.core.USBError as error:
            raise worded(error, loader) from error

    def _claim(self) -> tuple[int, int, int]:
        try:
            configuration = self._handle.get_active_configuration()
        except usb.core.USBError as error:
            if error.errno in (errno.EACCES, errno.EPERM, errno.EBUSY, errno.ENODEV):
                raise
            self._handle.set_configuration()
            configuration = self._handle.get_active_configuration()
        # With the drive switched off, PICOBOOT is the only interface.
        number = 0 if configuration.bNumInterfaces == 1 else 1
        interface = configuration[(number, 0)]
        endpoints = [endpoint.bEndpointAddress for endpoint in interface]
        directions = [usb.util.endpoint_direction(address) for address in endpoints]
        if interface.bInterfaceClass != _VENDOR_CLASS or directions != [usb.util.ENDPOINT_OUT, usb.util.ENDPOINT_IN]:
            raise DeviceError(
                "usb-no-picoboot",
                "this boot loader has no PICOBOOT interface",
                "it was switched off in the chip: use another board, or its drive",
            )
        usb.util.claim_interface(self._handle, number)
        return number, endpoints[0], endpoints[1]

    def write(self, data: bytes, timeout_ms: int) -> None:
        """Send one transfer; no bytes is an empty packet."""
        try:
            sent = self._handle.write(self._out, data, timeout_ms)
        except usb.core.USBError as error:
            raise _cause(error) from error
        if sent != len(data):
            raise TimedOut

    def read(self, size: int, timeout_ms: int) -> bytes:
        """One transfer, ``size`` bytes or fewer."""
        whole = -(-size // _READ_UNIT) * _READ_UNIT
        try:
            return bytes(self._handle.read(self._in, whole, timeout_ms))
        except usb.core.USBError as error:
            raise _cause(error) from error

    def control_read(self, request: tuple[int, int], size: int) -> bytes:
        """A request to the interface whose answer has ``size`` bytes."""
        try:
            return bytes(self._handle.ctrl_transfer(*request, 0, self._interface, size, COMMAND_MS))
        except usb.core.USBError as error:
            raise _cause(error) from error

    def control_write(self, request: tuple[int, int]) -> None:
        """A request to the interface without data."""
        try:
            self._handle.ctrl_transfer(*request, 0, self._interface, None, COMMAND_MS)
        except usb.core.USBError as error:
            raise _cause(error) from error

    def clear_halts(self) -> None:
        """End the halt of both endpoints."""
        try:
            for endpoint in (self._out, self._in):
                self._handle.clear_halt(endpoint)
        except usb.core.USBError as error:
            raise _cause(error) from error

    def close(self) -> None:
        """Let the device go; one that has left the bus is let go too."""
        try:
            usb.util.release_interface(self._handle, self._interface)
        except usb.core.USBError:
            pass  # it has left the bus
        finally:
            usb.util.dispose_resources(self._handle)


def _cause(error: usb.core.USBError) -> Exception:
    if isinstance(error, usb.core.USBTimeoutError) or error.errno == errno.ETIMEDOUT:
        return TimedOut()
    if error.errno == errno.EPIPE:
        return Stalled()
    return Gone(str(error))


def worded(error: usb.core.USBError, loader: BootLoader) -> DeviceError:
    """What hinders the opening of a boot loader, in words."""
    where = f"the {loader.chip} boot loader at USB {loader.location}"
    if error.errno in (errno.EACCES, errno.EPERM):
        return DeviceError("usb-denied", f"you may not use {where}", "sudo sabot udev --install, then plug it in again")
    if error.errno == errno.EBUSY:
        return DeviceError(
            "usb-busy", f"another program uses {where}", "close it (picotool? another sabot?), try again"
        )
    if error.errno in (errno.ENODEV, errno.ENOENT, errno.EIO):
        return DeviceError("usb-gone", f"{where} has left the bus", "plug it in again and hold its BOOTSEL button")
    return DeviceError("usb-failed", f"{where} cannot be opened: {error}", "unplug it, plug it in, try again")
