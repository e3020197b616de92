"""A pyusb backend over the emulated bus, in place of libusb.

Entry point: :class:`EmulatedBackend`, passed as ``backend=`` to ``usb.core.find``. Failures come as pyusb's libusb 1
backend gives them: ``USBError`` with errno and libusb's code, ``USBTimeoutError``.

Limits: bulk and control transfers only, as the emulated devices have no others that answer.
"""

from __future__ import annotations

import errno
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TypeVar

import usb.backend
import usb.core

from hwsim.usb.descriptors import ENDPOINT, INTERFACE
from hwsim.usb.device import IN, Setup
from hwsim.usb.host import DeviceInfo, Host

T = TypeVar("T")

LIBUSB_CODES = {
    errno.EIO: -1,
    errno.EINVAL: -2,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.ETIMEDOUT: -7,
    errno.EOVERFLOW: -8,
    errno.EPIPE: -9,
}
LIBUSB_OTHER = -99
FULL_SPEED = 2
DEVICE_FIELDS = (
    "bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0 idVendor idProduct "
    "bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"
)
CONFIGURATION_FIELDS = (
    "bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration bmAttributes bMaxPower"
)
INTERFACE_FIELDS = (
    "bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass bInterfaceSubClass "
    "bInterfaceProtocol iInterface"
)
ENDPOINT_FIELDS = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval"


class EmulatedBackend(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """The devices of ``host`` for pyusb. Its device identification is :class:`~hwsim.usb.host.DeviceInfo`."""

    def __init__(self, host: Host) -> None:
        self.host = host

    # --- enumeration ---------------------------------------------------------------------------------------------

    def enumerate_devices(self) -> Iterator[DeviceInfo]:
        """What is on the bus."""
        return iter(_tried(self.host.devices))

    def get_parent(self, dev: DeviceInfo) -> None:
        """Hubs are not modelled."""

    def get_device_descriptor(self, dev: DeviceInfo) -> SimpleNamespace:
        """The device descriptor, and where the device is."""
        found = _fields(dev.device, DEVICE_FIELDS)
        found.bus, found.address = dev.bus, dev.address
        found.port_number, found.port_numbers, found.speed = dev.ports[-1], dev.ports, FULL_SPEED
        return found

    def get_configuration_descriptor(self, dev: DeviceInfo, config: int) -> SimpleNamespace:
        """The only configuration."""
        if config:
            raise IndexError("Invalid configuration index " + str(config))
        found = _fields(dev.configuration, CONFIGURATION_FIELDS)
        found.extra_descriptors = []
        return found

    def get_interface_descriptor(self, dev: DeviceInfo, intf: int, alt: int, config: int) -> SimpleNamespace:
        """An interface by its place in the configuration."""
        interfaces = _interfaces(dev.configuration)
        if intf >= len(interfaces) or alt or config:
            raise IndexError("Invalid interface index " + str(intf))
        return interfaces[intf].descriptor

    def get_endpoint_descriptor(self, dev: DeviceInfo, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        """An endpoint by its place in the interface."""
        endpoints = _interfaces(dev.configuration)[intf].endpoints
        if ep >= len(endpoints) or alt or config:
            raise IndexError("Invalid endpoint index " + str(ep))
        return endpoints[ep]

    # --- handles -------------------------------------------------------------------------------------------------

    def open_device(self, dev: DeviceInfo) -> int:
        """Open it."""
        return _tried(lambda: self.host.open(dev.key))

    def close_device(self, dev_handle: int) -> None:
        """Close it."""
        _tried(lambda: self.host.close(dev_handle))

    def get_configuration(self, dev_handle: int) -> int:
        """The value of the configuration that is set."""
        answer = _tried(lambda: self.host.control(dev_handle, Setup(IN, 8, 0, 0, 1), b"", 1000))
        return answer[0]

    def set_configuration(self, dev_handle: int, config_value: int) -> None:
        """Set it."""
        _tried(lambda: self.host.configure(dev_handle, config_value))

    def set_interface_altsetting(self, dev_handle: int, intf: int, altsetting: int) -> None:
        """SET_INTERFACE."""
        _tried(lambda: self.host.control(dev_handle, Setup(1, 11, altsetting, intf, 0), b"", 1000))

    def claim_interface(self, dev_handle: int, intf: int) -> None:
        """Claim an interface."""
        _tried(lambda: self.host.claim(dev_handle, intf))

    def release_interface(self, dev_handle: int, intf: int) -> None:
        """Give it back."""
        _tried(lambda: self.host.release(dev_handle, intf))

    def is_kernel_driver_active(self, dev_handle: int, intf: int) -> bool:
        """Whether the operating system's driver has it."""
        return _tried(lambda: self.host.driver_active(dev_handle, intf))

    def detach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        """Send that driver away."""
        _tried(lambda: self.host.driver(dev_handle, intf, False))

    def attach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        """Call it back."""
        _tried(lambda: self.host.driver(dev_handle, intf, True))

    def reset_device(self, dev_handle: int) -> None:
        """Reset its port."""
        _tried(lambda: self.host.reset(dev_handle))

    def clear_halt(self, dev_handle: int, ep: int) -> None:
        """Clear an endpoint's halt."""
        _tried(lambda: self.host.clear_halt(dev_handle, ep))

    # --- transfers -----------------------------------------------------------------------------------------------

    def bulk_write(self, dev_handle: int, ep: int, intf: int, data: array[int], timeout: int) -> int:
        """Send."""
        return _tried(lambda: self.host.write(dev_handle, ep, data.tobytes(), timeout))

    def bulk_read(self, dev_handle: int, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        """Receive into ``buff``; returns the number of bytes."""
        got = _tried(lambda: self.host.read(dev_handle, ep, len(buff) * buff.itemsize, timeout))
        memoryview(buff).cast("B")[: len(got)] = got
        return len(got)

    def ctrl_transfer(
        self,
        dev_handle: int,
        bmRequestType: int,  # noqa: N803 - pyusb passes these by name
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        wIndex: int,  # noqa: N803
        data: array[int],
        timeout: int,
    ) -> int:
        """A control transfer; returns the number of bytes moved."""
        size = len(data) * data.itemsize
        setup = Setup(bmRequestType, bRequest, wValue, wIndex, size)
        outward = b"" if bmRequestType & IN else data.tobytes()
        answer = _tried(lambda: self.host.control(dev_handle, setup, outward, timeout))
        if not bmRequestType & IN:
            return size
        memoryview(data).cast("B")[: len(answer)] = answer
        return len(answer)


@dataclass
class _Interface:
    descriptor: SimpleNamespace
    endpoints: list[SimpleNamespace]


def _tried(call: Callable[[], T]) -> T:
    try:
        return call()
    except OSError as wrong:
        code = LIBUSB_CODES.get(wrong.errno or 0, LIBUSB_OTHER)
        kind = usb.core.USBTimeoutError if wrong.errno == errno.ETIMEDOUT else usb.core.USBError
        raise kind(wrong.strerror, code, wrong.errno) from None


def _fields(descriptor: bytes, names: str) -> SimpleNamespace:
    """A descriptor's fields by their names in the standard, whose first letters tell their width."""
    found = SimpleNamespace()
    at = 0
    for name in names.split():
        width = 2 if name.startswith(("bcd", "id", "w")) else 1
        setattr(found, name, int.from_bytes(descriptor[at : at + width], "little"))
        at += width
    return found


def _interfaces(configuration: bytes) -> list[_Interface]:
    found: list[_Interface] = []
    at = 0
    while at < len(configuration):
        descriptor = configuration[at : at + configuration[at]]
        at += len(descriptor)
        if descriptor[1] == INTERFACE:
            found.append(_Interface(_fields(descriptor, INTERFACE_FIELDS), []))
            found[-1].descriptor.extra_descriptors = []
        elif descriptor[1] == ENDPOINT:
            endpoint = _fields(descriptor, ENDPOINT_FIELDS)
            endpoint.bRefresh = endpoint.bSynchAddress = 0
            endpoint.extra_descriptors = []
            found[-1].endpoints.append(endpoint)
    return found
