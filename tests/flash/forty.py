"""How long a morning's tables take: blank emulated boards, flashed and commissioned side by side.

Entry points: :func:`measure`, and by hand `python -m tests.flash.forty 40`. A table that has its sheet is unplugged, as
a technician puts it aside: forty simulated tables that play on are no part of the measure.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from hwsim.usb.board import Board
from hwsim.usb.bus import Bus, rig
from hwsim.usb.chips import RP2350
from hwsim.usb.server import Server
from hwsim.usb.table import TableBoard
from sabot_host.cli.main import main
from sabot_host.flash.boards import board_named
from sabot_host.release import bundle
from sabot_host.release.make import find_root, make
from sabot_host.release.signing import development
from tests.flash import synthetic
from tests.flash.house import HOUSE, prepare

LOOK_S = 0.1
AT_ONCE = 2
"""Tables that start at once: their simulation takes a core each."""


class Measured(NamedTuple):
    """Seconds and exit statuses."""

    flash_s: float
    provision_s: float
    statuses: tuple[int, int]
    sheets: int


def house_of(boards: list[Board]) -> str:
    """The house's file: a table for each board, known by its serial number."""
    head = HOUSE[: HOUSE.index("[[table]]")]
    tables = [f'[[table]]\ntable = {n}\ndeck = "deck.csv"\nserial = "{b.serial}"\n' for n, b in enumerate(boards, 1)]
    return head + "\n".join(tables)


def put_aside(bus: Bus, over: threading.Event) -> None:
    """Unplug each table that has its sheet, until ``over``."""
    left = dict(enumerate(bus.boards, 1))
    while not over.wait(LOOK_S):
        for number in [number for number in left if Path(f"table-{number}.html").exists()]:
            left.pop(number).unplug()


def measure(count: int, release: bytes) -> Measured:
    """Flash and commission ``count`` blank boards in the working folder, which is empty."""
    folder = Path.cwd()
    bus = rig([RP2350] * count, real=True)
    bus.application = lambda board: TableBoard()(board)
    bus.settle()
    prepare(folder, release)
    (folder / "house.toml").write_text(house_of(bus.boards))
    over = threading.Event()
    aside = threading.Thread(target=put_aside, args=(bus, over))
    try:
        with Server(bus, folder / "bus"):
            began = time.monotonic()
            flashed = main(["flash", "--bundle", "sabot.sabot", "--all", "--yes"])
            between = time.monotonic()
            aside.start()
            words = ["provision", "house.toml", "--all", "--at-once", str(AT_ONCE), "--yes"]
            provisioned = main(words)
            ended = time.monotonic()
    finally:
        over.set()
        if aside.ident is not None:
            aside.join()
        bus.close()
    sheets = len(list(folder.glob("table-*.html")))
    return Measured(between - began, ended - between, (flashed, provisioned), sheets)


def by_hand(count: int) -> None:
    """Measure in a folder of its own; prints JSON."""
    stock = synthetic.micropython(board_named("pico2"))
    release = bundle.write(make(find_root(None), board_named("pico2"), stock, "stock.uf2", development()))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(SABOT_USB="hwsim.usb.client", HWSIM_USB=f"{folder}/bus", XDG_RUNTIME_DIR=folder)
        print(json.dumps(measure(count, release)._asdict()))
        os.chdir("/")


if __name__ == "__main__":
    by_hand(int(sys.argv[1]))
