"""Where USB devices and serial ports are looked for: the operating system, or the module that ``SABOT_USB`` names.

Entry points: :func:`comports`, :func:`backend`. An emulated bus (docs/usb-emulation.md) is such a module, with
functions of the same names.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from sabot_host.errors import MissingPartError

VARIABLE = "SABOT_USB"


def comports() -> Iterable[Any]:
    """The serial ports there are, as pyserial lists them. MissingPartError when the module named is not there."""
    module = _named()
    if module is not None:
        found: Iterable[Any] = module.comports()
        return found
    from serial.tools import list_ports

    return list_ports.comports()


def backend() -> Any:
    """The backend for pyusb, or None for its own choice. MissingPartError when the module named is not there."""
    module = _named()
    return None if module is None else module.backend()


def _named() -> ModuleType | None:
    name = os.environ.get(VARIABLE)
    if not name:
        return None
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingPartError(
            "usb-source",
            f"{VARIABLE} names {name}, which cannot be imported",
            f"unset {VARIABLE}, or install that module",
        ) from error
