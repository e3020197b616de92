"""The cable to a controller: a serial port (USB CDC or a pseudo-terminal).

Entry points: :class:`SerialTransport`, :func:`find_port` (the one controller that is attached).
"""

from __future__ import annotations

import errno
import time

import serial

from sabot_host.errors import DeviceError, UsageError
from sabot_host.link import usb_source

USB_VENDOR = 0x2E8A  # Raspberry Pi
USB_PRODUCT = 0x0005  # MicroPython on RP2
_WRITE_SECONDS = 2.0
_LOOK_AGAIN_SECONDS = 0.1


def find_port() -> str:
    """Name of the port of the one controller attached; DeviceError when there is none, UsageError when several."""
    names = sorted(
        str(port.device) for port in usb_source.comports() if (port.vid, port.pid) == (USB_VENDOR, USB_PRODUCT)
    )
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
        self._serial_number = _serial_number(name)
        self._port = _open(name)

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

    def reopen(self, timeout_ms: int) -> None:
        """Wait until the same controller is back, known by its USB serial number, else by the port's name; open it.

        DeviceError when it is not back in time.
        """
        self._port.close()
        end = self.now_ms() + timeout_ms
        while True:
            name = self._where()
            if name:
                try:
                    self._port = _open(name)
                except DeviceError:
                    if self.now_ms() >= end:
                        raise
                else:
                    self._name = name
                    return
            elif self.now_ms() >= end:
                raise self._gone()
            time.sleep(_LOOK_AGAIN_SECONDS)

    def close(self) -> None:
        """Close the port."""
        self._port.close()

    def _where(self) -> str:
        """The name under which the controller is there now, or ``""``."""
        if not self._serial_number:
            return self._name
        for port in usb_source.comports():
            if port.serial_number == self._serial_number:
                return str(port.device)
        return ""

    def _gone(self) -> DeviceError:
        return DeviceError(
            "port-gone",
            f"{self._name} is gone",
            "plug the cable in again, run the command again; a pull goes on where it stopped",
        )


def _serial_number(name: str) -> str:
    for port in usb_source.comports():
        if port.device == name:
            return port.serial_number or ""
    return ""


def _open(name: str) -> serial.Serial:
    try:
        port = serial.Serial(name, baudrate=115200, timeout=0, write_timeout=_WRITE_SECONDS, exclusive=True)
    except serial.SerialException as error:
        raise _open_error(name, error) from error
    except (OSError, ValueError) as error:
        raise DeviceError("port-bad", f"{name} is no serial port: {error}", "name another with --port") from error
    return port


def _open_error(name: str, error: serial.SerialException) -> DeviceError:
    number, text = error.errno, str(error)
    if number in (errno.ENOENT, errno.ENXIO) or "FileNotFoundError" in text:
        return DeviceError(
            "port-missing",
            f"there is no port {name}",
            "plug the controller in, or leave --port out; for a simulated table, start sabot sim serve",
        )
    if number == errno.EACCES:
        return DeviceError("port-denied", f"you may not open {name}", "join the group of the port (often dialout)")
    busy = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
    if number in busy or "exclusively lock" in text or "PermissionError" in text:
        return DeviceError("port-busy", f"another program uses {name}", "close it, then try again")
    if number == errno.ENOTTY or "configure port" in text:
        return DeviceError("port-bad", f"{name} is no serial port", "name another with --port")
    return DeviceError("port-bad", f"{name} cannot be opened: {text}", "check the cable and the name of the port")
