"""An emulated bus with boards on it, by hand: ``python -m hwsim.usb --board rp2350 --board rp2040 /tmp/bus``.

Entry point: :func:`main`. A new board is blank; ``--stock`` boards run MicroPython. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import hashlib
import signal
import sys
from pathlib import Path

from hwsim.usb import firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import chip
from hwsim.usb.client import VARIABLE
from hwsim.usb.flash import FlashMemory
from hwsim.usb.server import Server


def main(arguments: list[str]) -> int:
    """Serve until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hwsim.usb", description="Serve an emulated USB with boards on it.")
    parser.add_argument("socket", type=Path, help="path of the socket to make")
    parser.add_argument("--board", action="append", default=[], metavar="CHIP", help="a blank rp2040 or rp2350")
    parser.add_argument("--stock", action="append", default=[], metavar="CHIP", help="one that runs MicroPython")
    asked = parser.parse_args(arguments)
    bus = Bus(real=True)
    try:
        wanted = [(chip(name), stock) for names, stock in ((asked.board, False), (asked.stock, True)) for name in names]
    except ValueError as wrong:
        parser.error(str(wrong))
    with Server(bus, asked.socket):
        for number, (kind, stock) in enumerate(wanted, 1):
            uid = hashlib.sha256(f"board {number}".encode()).digest()[:8]
            flash = FlashMemory(content=firmware.synthetic(kind) if stock else b"")
            bus.add(Board(kind, uid, f"1-1.{number}", flash=flash))
            sys.stdout.write(f"{kind.name} {uid.hex()} at port 1-1.{number}\n")
        sys.stdout.write(f"\nexport SABOT_USB=hwsim.usb.client {VARIABLE}={asked.socket}\n")
        sys.stdout.flush()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            signal.pause()
        except KeyboardInterrupt:
            bus.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
