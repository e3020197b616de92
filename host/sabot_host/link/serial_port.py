"""The cable to a controller: a serial port (USB CDC or a pseudo-terminal).

Entry points: :class:`SerialTransport`, :func:`find_port` (the one controller that is attached).
"""

from __future__ import annotations

import errno
import time

import serial
from serial.tools import list_ports

from sabot_host.errors import DeviceError, UsageError

USB_VENDOR = 0x2E8A  # Raspberry Pi
USB_PRODUCT = 0x0005  # MicroPython on RP2
_WRITE_SECONDS = 2.0


def find_port() -> str:
    """Name of the port of the one controller attached; DeviceError when there is none, UsageError when several."""
    names = sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) == (USB_VENDOR, USB_PRODUCT))
    if not names:
        raise DeviceError("port-none", "no controller is attached", "plug it in, or name its port with --port")
    if len(names) > 1:
        raise UsageError(
            "port-several", "several controllers are attached: " + ", ".join(names), "choose one with --port"
        )
    return names[0]


class SerialTransport:
    """``name`` is the port (``/dev/ttyACM0``, ``COM5``); it is opened for this process alone."""

    def __init__(self, name: str) -> None:
        self._name = name
        try:
            self._port = serial.Serial(name, baudrate=115200, timeout=0, write_timeout=_WRITE_SECONDS, exclusive=True)
        except serial.SerialException as error:
            raise _open_error(name, error) from error
        except (OSError, ValueError) as error:
            raise DeviceError("port-bad", f"{name} is no serial port: {error}", "name another with --port") from error

    def now_ms(self) -> int:
        """Milliseconds since some moment."""
        return time.monotonic_ns() // 1_000_000

    def write(self, data: bytes) -> None:
        """Send bytes; DeviceError when the port is gone or takes nothing for two seconds."""
        try:
            self._port.write(data)
        except serial.SerialTimeoutException as error:
            raise DeviceError(
                "port-full", f"{self._name} takes no bytes", "the controller hangs: unplug it, plug it in, try again"
            ) from error
        except (OSError, serial.SerialException) as error:
            raise self._gone() from error

    def read(self, timeout_ms: int) -> bytes:
        """Bytes that have come, waiting up to ``timeout_ms`` for the first; DeviceError when the port is gone."""
        try:
            self._port.timeout = timeout_ms / 1000
            first = self._port.read(1)
            if not first:
                return b""
            return bytes(first) + bytes(self._port.read(self._port.in_waiting))
        except (OSError, serial.SerialException) as error:
            raise self._gone() from error

    def close(self) -> None:
        """Close the port."""
        self._port.close()

    def _gone(self) -> DeviceError:
        return DeviceError(
            "port-gone", f"{self._name} is gone", "plug the cable in again; a pull goes on where it stopped"
        )


def _open_error(name: str, error: serial.SerialException) -> DeviceError:
    number = error.errno
    if number == errno.ENOENT:
        return DeviceError(
            "port-missing", f"there is no port {name}", "plug the controller in; list ports with --port ?"
        )
    if number == errno.EACCES:
        return DeviceError("port-denied", f"you may not open {name}", "join the group of the port (often dialout)")
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK) or "exclusively lock" in str(error):
        return DeviceError("port-busy", f"another program uses {name}", "close it, then try again")
    return DeviceError("port-bad", f"{name} cannot be opened: {error}", "check the cable and the name of the port")
