"""The rule that lets people use boards without being root (Linux).

Entry points: :func:`rules` (the file's text), :data:`PATH` (where it goes), :func:`install`, :func:`reload`. The file's
number is below 73, where ``uaccess`` is acted upon.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sabot_host.errors import FileError, UsageError
from sabot_host.files import SETTINGS_BYTES, read_bytes, write_whole
from sabot_host.link.serial_port import USB_PRODUCT

PATH = Path("/etc/udev/rules.d/60-sabot.rules")
_PRODUCTS = (
    (0x0003, "RP2040 in its boot loader"),
    (0x000F, "RP2350 in its boot loader"),
    (USB_PRODUCT, "MicroPython, and Sabot on it"),
)


def rules() -> str:
    """The text of the rule file."""
    lines = [
        "# Written by `sabot udev --install`: boards of Sabot tables, for the person at the screen and for plugdev.\n"
    ]
    for product, what in _PRODUCTS:
        lines.append(f"# {what}\n")
        match = f'ATTRS{{idVendor}}=="2e8a", ATTRS{{idProduct}}=="{product:04x}"'
        for subsystem in ("usb",) if product != USB_PRODUCT else ("usb", "tty"):
            lines.append(f'SUBSYSTEM=="{subsystem}", {match}, MODE="660", GROUP="plugdev", TAG+="uaccess"\n')
    # ModemManager sends bytes to every new port to find out whether it is a modem.
    lines.append(
        f'ATTRS{{idVendor}}=="2e8a", ATTRS{{idProduct}}=="{USB_PRODUCT:04x}", ENV{{ID_MM_DEVICE_IGNORE}}="1"\n'
    )
    return "".join(lines)


def install(path: Path = PATH) -> bool:
    """Write the rule file; whether anything was changed.

    UsageError where there is no udev; FileError when the file may not be written.
    """
    if sys.platform != "linux":
        raise UsageError("udev-not-here", "udev rules are for Linux", "nothing is to be installed on this system")
    text = rules()
    if path.exists() and read_bytes(path, SETTINGS_BYTES) == text.encode():
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except PermissionError as error:
        raise FileError("udev-denied", f"you may not write {path}", "sudo sabot udev --install") from error
    return True


def reload() -> None:
    """Have udev read its rules. FileError when it cannot be asked."""
    for words in (["udevadm", "control", "--reload"], ["udevadm", "trigger", "--subsystem-match=usb"]):
        try:
            subprocess.run(words, check=True, capture_output=True, timeout=30)
        except (OSError, subprocess.SubprocessError) as error:
            raise FileError(
                "udev-reload", f"the rule is written, but udev was not told ({words[0]} failed)", "restart the computer"
            ) from error
