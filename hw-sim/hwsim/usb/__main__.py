"""An emulated bus with boards on it, by hand: ``python -m hwsim.usb --board rp2350 --board rp2040 /tmp/bus``.

Entry point: :func:`main`. A new board is blank; ``--stock`` boards run MicroPython; ``--table`` boards are blank and
have a whole table around them, at which typed lines are done (:mod:`hwsim.usb.by_hand`). Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import hashlib
import signal
import sys
from pathlib import Path

from hwsim.usb import by_hand, firmware
from hwsim.usb.board import Board
from hwsim.usb.bus import Bus
from hwsim.usb.chips import chip
from hwsim.usb.client import VARIABLE
from hwsim.usb.flash import FlashMemory
from hwsim.usb.server import Server
from hwsim.usb.table import TableBoard


def main(arguments: list[str]) -> int:
    """Serve until Ctrl-C; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hwsim.usb", description="Serve an emulated USB with boards on it.")
    parser.add_argument("socket", type=Path, help="path of the socket to make")
    parser.add_argument("--board", action="append", default=[], metavar="CHIP", help="a blank rp2040 or rp2350")
    parser.add_argument("--stock", action="append", default=[], metavar="CHIP", help="one that runs MicroPython")
    parser.add_argument(
        "--table", metavar="CHIP", help="a blank one with a table around it; lines typed are done there"
    )
    parser.add_argument("--bring", type=Path, metavar="FOLDER", help="write what goes with the table, and its UF2")
    asked = parser.parse_args(arguments)
    bus = Bus(real=True)
    try:
        wanted = [(chip(name), stock) for names, stock in ((asked.board, False), (asked.stock, True)) for name in names]
        around = chip(asked.table) if asked.table else None
        if asked.bring and around is not None:
            by_hand.bring(asked.bring, around)
        elif asked.bring:
            raise ValueError("--bring goes with --table")
    except (ValueError, OSError) as wrong:
        parser.error(str(wrong))
    hands = None
    server = Server(bus, asked.socket)
    try:
        server.open()
    except OSError as wrong:  # a folder that is not there, a name that is taken or too long
        parser.error(f"no socket can be made at {asked.socket}: {wrong.strerror or wrong}; name a free path")
    with server:
        for number, (kind, stock) in enumerate(wanted, 1):
            flash = FlashMemory(content=firmware.synthetic(kind) if stock else b"")
            _tell(bus.add(Board(kind, _uid(number), f"1-1.{number}", flash=flash)))
        if around is not None:
            number = len(wanted) + 1
            table_board = TableBoard()
            board = bus.add(Board(around, _uid(number), f"1-1.{number}", application=table_board))
            hands = by_hand.Hands(board, table_board)
            _tell(board)
        sys.stdout.write(f"\nexport SABOT_USB=hwsim.usb.client {VARIABLE}={asked.socket}\n")
        sys.stdout.flush()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            if hands is not None:
                _listen(hands)
            signal.pause()
        except KeyboardInterrupt:
            bus.close()
    return 0


def _uid(number: int) -> bytes:
    return hashlib.sha256(f"board {number}".encode()).digest()[:8]


def _tell(board: Board) -> None:
    sys.stdout.write(f"{board.chip.name} {board.serial} at port {board.port}\n")


def _listen(hands: by_hand.Hands) -> None:
    """Do what is typed, until nobody types any more."""
    for line in sys.stdin:
        sys.stdout.write(hands.do(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
