"""The emulated bus as another process sees it: a pyusb backend and a list of serial ports, over the bus's socket.

Entry points: :func:`backend` and :func:`comports`, without parameters: the socket is named by the environment variable
``HWSIM_USB``. For the ``sabot`` command this module is named by ``SABOT_USB`` (docs/usb-emulation.md).
"""

from __future__ import annotations

import errno
import os
import socket
import threading
from typing import Any

from serial.tools.list_ports_common import ListPortInfo

from hwsim.usb import wire
from hwsim.usb.backend import EmulatedBackend
from hwsim.usb.device import Setup
from hwsim.usb.host import DeviceInfo, PortInfo, failure

VARIABLE = "HWSIM_USB"
ANSWER_S = 60


class RemoteHost:
    """A :class:`hwsim.usb.host.Host` at the other end of the socket ``path``; OSError ENODEV when nobody serves it."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ANSWER_S)
        try:
            self._socket.connect(path)
        except OSError as wrong:
            self._socket.close()
            raise OSError(errno.ENODEV, f"no emulated bus at {path}: {wrong.strerror}") from None

    def __del__(self) -> None:
        self._socket.close()

    def _ask(self, operation: str, *arguments: Any, tail: bytes = b"") -> tuple[Any, bytes]:
        with self._lock:
            try:
                wire.send(self._socket, {"do": operation, "with": arguments}, tail)
                head, answer = wire.receive(self._socket)
            except (wire.Closed, OSError):
                raise failure(errno.ENODEV) from None
        if "errno" in head:
            raise failure(head["errno"])
        return head.get("result"), answer

    def devices(self) -> list[DeviceInfo]:
        """What is on the bus."""
        found, _ = self._ask("devices")
        return [
            DeviceInfo(
                entry["key"],
                entry["bus"],
                entry["address"],
                tuple(entry["ports"]),
                bytes.fromhex(entry["device"]),
                bytes.fromhex(entry["configuration"]),
            )
            for entry in found
        ]

    def ports(self) -> list[PortInfo]:
        """The serial ports there are."""
        found, _ = self._ask("ports")
        return [PortInfo(**entry) for entry in found]

    def open(self, key: int) -> int:
        """Open a device."""
        return int(self._ask("open", key)[0])

    def close(self, handle: int) -> None:
        """Close it."""
        self._ask("close", handle)

    def claim(self, handle: int, interface: int) -> None:
        """Claim an interface."""
        self._ask("claim", handle, interface)

    def release(self, handle: int, interface: int) -> None:
        """Give it back."""
        self._ask("release", handle, interface)

    def configure(self, handle: int, value: int) -> None:
        """Set the configuration."""
        self._ask("configure", handle, value)

    def write(self, handle: int, endpoint: int, data: bytes, timeout: int) -> int:
        """A bulk transfer to the device."""
        return int(self._ask("write", handle, endpoint, timeout, tail=data)[0])

    def read(self, handle: int, endpoint: int, size: int, timeout: int) -> bytes:
        """A bulk transfer from the device."""
        return self._ask("read", handle, endpoint, size, timeout)[1]

    def control(self, handle: int, setup: Setup, data: bytes, timeout: int) -> bytes:
        """A control transfer."""
        return self._ask("control", handle, tuple(setup), timeout, tail=data)[1]

    def clear_halt(self, handle: int, endpoint: int) -> None:
        """Clear an endpoint's halt."""
        self._ask("clear_halt", handle, endpoint)

    def reset(self, handle: int) -> None:
        """Reset the device's port."""
        self._ask("reset", handle)

    def driver_active(self, handle: int, interface: int) -> bool:
        """Whether the operating system's driver has the interface."""
        return bool(self._ask("driver_active", handle, interface)[0])

    def driver(self, handle: int, interface: int, attach: bool) -> None:
        """Send that driver away, or back."""
        self._ask("driver", handle, interface, attach)


def _host() -> RemoteHost:
    path = os.environ.get(VARIABLE, "")
    if not path:
        raise OSError(errno.ENODEV, f"{VARIABLE} names no socket of an emulated bus")
    return RemoteHost(path)


def backend() -> EmulatedBackend:
    """A pyusb backend over the bus that ``HWSIM_USB`` names; OSError ENODEV when there is none."""
    return EmulatedBackend(_host())


def comports() -> list[ListPortInfo]:
    """What ``serial.tools.list_ports.comports`` gives, of the emulated bus."""
    found = []
    for port in _host().ports():
        info = ListPortInfo(port.device)
        info.vid, info.pid, info.serial_number = port.vendor, port.product, port.serial
        info.location, info.manufacturer, info.product = port.location, port.maker, port.text
        info.description = port.text
        info.hwid = info.usb_info()
        found.append(info)
    return found
