"""A board with a small program as its firmware, for the tests of the overlay.

Entry points: `Rig` (writes the program, starts it, collects what it prints), `Chip` (an SPI device with BUSY like a
PN5180's host side), `START_NS` (when the program's first line runs).
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from types import TracebackType
from typing import Any

from hwsim import costs
from hwsim.controller import Controller
from hwsim.core import NS_PER_MS, NS_PER_S, Line, Scheduler
from hwsim.fabric import Fabric

# The port is there 200 ms after boot.py began and passes the first byte on 16 ms later: a program starts after that.
WAIT_MS = 250
START_NS = costs.BOOT_NS + costs.CALL_NS + WAIT_MS * NS_PER_MS
PRELUDE = f"import time\ntime.sleep_ms({WAIT_MS})\n"
POSTLUDE = '\nprint("end")\nwhile True:\n    time.sleep(1)\n'
LIMIT_NS = 60 * NS_PER_S


class Chip:
    """Echoes what it is sent, inverted; BUSY rises with a frame and falls when it is deselected."""

    def __init__(self, scheduler: Scheduler, busy: Line | None = None) -> None:
        self.scheduler = scheduler
        self.busy = busy
        self.log: list[tuple[int, str]] = []
        self.frames: list[bytes] = []

    def select(self) -> None:
        self.log.append((self.scheduler.now, "select"))

    def deselect(self) -> None:
        self.log.append((self.scheduler.now, "deselect"))
        if self.busy is not None:
            self.busy.drive(0)

    def transfer(self, mosi: bytes, byte_ns: int) -> bytes:
        self.log.append((self.scheduler.now, f"transfer {len(mosi)} {byte_ns}"))
        self.frames.append(mosi)
        if self.busy is not None:
            self.busy.drive(1)
        return bytes(byte ^ 0xFF for byte in mosi)


class Rig:
    """A board: SPI0 with a chip (NSS on GPIO 5, BUSY on GPIO 6), a key on GPIO 10 (idle high), a lamp on GPIO 11.

    ``program`` begins when the host's port is open; after its last line the board prints "end" and sleeps for ever.
    """

    def __init__(self, root: Path, program: str, **options: Any) -> None:
        root.mkdir(parents=True, exist_ok=True)
        (root / "main.py").write_text(PRELUDE + textwrap.dedent(program) + POSTLUDE)
        self.scheduler = Scheduler()
        self.fabric = Fabric(self.scheduler)
        self.nss = Line("NSS", 1)
        self.busy = Line("BUSY", 0)
        self.key = Line("KEY", 1)
        self.lamp = Line("LAMP", 0)
        self.chip = Chip(self.scheduler, self.busy)
        self.lamp_log: list[tuple[int, int]] = []
        self.lamp.listen(lambda line, level: self.lamp_log.append((self.scheduler.now, level)))
        self.fabric.pin(5, self.nss, "out")
        self.fabric.pin(6, self.busy, "in")
        self.fabric.pin(10, self.key, "in")
        self.fabric.pin(11, self.lamp, "out")
        self.fabric.spi(0, self.nss, self.chip)
        self.controller = Controller(self.fabric, root=root, **options)
        self._printed = b""
        self.fabric.cdc.on_data = self._collect
        self.fabric.cdc.host_open()

    def __enter__(self) -> Rig:
        self.controller.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.controller.kill()

    def _collect(self, data: bytes) -> None:
        self._printed += data

    @property
    def printed(self) -> list[str]:
        """Lines the program has printed."""
        return self._printed.decode().splitlines()

    def press(self, when: int, hold: int = 100 * NS_PER_MS) -> None:
        """Press the key at ``when`` ns, without bounce."""
        self.scheduler.at(when, lambda: self.key.drive(0))
        self.scheduler.at(when + hold, lambda: self.key.drive(1))

    def finish(self, mark: str = "end") -> list[str]:
        """Run until the board prints ``mark``; returns the lines before it."""
        done = self.controller.run_while(lambda: mark not in self.printed, LIMIT_NS)
        assert done, f"no {mark!r} within a minute: {self.printed} {self.controller.stderr}"
        return self.printed[: self.printed.index(mark)]


def play(root: Path, program: str, **options: Any) -> list[str]:
    """Run a program to its end; returns what it printed."""
    with Rig(root, program, **options) as rig:
        return rig.finish()
