"""A reader, its antennas and tags in their fields, with the drivers on top.

Entry points: `Rig` (one PN5180 on one antenna, or behind a switch), `Heard` (listener of inventories and visits),
`uid`, `bound_us` (air time of ISO 15693's own tree for the tags there).
"""

from __future__ import annotations

from typing import Any

import iso15693
import pn5180
from antenna_switch import AntennaSwitch as Switch
from iso15693.reader import SETTLE_US

from hwsim.chips.icode_slix2 import IcodeSlix2
from hwsim.chips.pn5180 import Pn5180
from hwsim.core import NS_PER_US, Line
from hwsim.rf.antenna import Antenna
from hwsim.rf.switch import AntennaSwitch, FixedPort
from tests.drivers.adapter import Board, Input, Output, Spi, run


def uid(serial: int) -> bytes:
    """UID of an ICODE SLIX2 with a 40-bit serial, least significant byte first."""
    return (0xE004010000000000 | 0x08 << 32 | serial).to_bytes(8, "little")


class Rig:
    """One reader with ``antennas`` antennas; ``make`` is the reader class; ``beside``: it is on that one's bus."""

    def __init__(
        self,
        antennas: int = 1,
        *,
        make: type[pn5180.PN5180] = pn5180.PN5180,
        cost_us: int = 8,
        beside: Rig | None = None,
        **options: Any,
    ) -> None:
        self.board: Board = Board(cost_us) if beside is None else beside.board
        scheduler = self.board.scheduler
        self.busy = Line("BUSY", 0)
        self.reset = Line("RESET_N", 0)
        self.antennas = [Antenna(scheduler, f"spot {n}") for n in range(antennas)]
        self.antenna = self.antennas[0]
        self.selects = [Line(f"S{n}", 0) for n in range(3)]
        port = AntennaSwitch(scheduler, self.selects, self.antennas) if antennas > 1 else FixedPort(self.antenna)
        self.chip = Pn5180(scheduler, self.busy, self.reset, port, name="U2", **options)
        self.spi: Spi = self.board.spi(7_000_000) if beside is None else beside.spi
        self.reader = make(
            self.spi,
            self.spi.select(self.chip),
            Input(self.board, self.busy),
            Output(self.board, self.reset),
            "bets",
        )
        pins = tuple(Output(self.board, line) for line in self.selects)
        self.switch = Switch(pins)
        self.heard = Heard(self)
        self.inventory = iso15693.Inventory(self.reader, self.heard)
        self.known = iso15693.UidTable(256)
        self.visit = iso15693.Visit(self.reader, self.inventory, iso15693.UidTable(256), listener=self.heard)

    def put(self, *serials: int, antenna: int = 0, **options: Any) -> list[IcodeSlix2]:
        """Lay chips with these serial numbers on the antenna."""
        tags = [IcodeSlix2(uid(serial), **options) for serial in serials]
        for tag in tags:
            self.antennas[antenna].enter(tag)
        return tags

    def field_on(self) -> None:
        """Switch the field on, and let tags wake."""
        field = iso15693.Field(self.reader)
        field.start_on()
        run(self.board, field)
        self.board.scheduler.run_until(self.board.scheduler.now + SETTLE_US * NS_PER_US)

    def take_inventory(self, afi: int = 0, single: bool = True, inventory: iso15693.Inventory | None = None) -> int:
        """Switch the field on when it is off, and find every tag; returns the microseconds of the inventory."""
        inventory = inventory or self.inventory
        inventory.listener = self.heard
        inventory.start(afi, single)
        began = self.board.scheduler.now
        run(self.board, inventory)
        return (self.board.scheduler.now - began) // NS_PER_US

    def make_visit(self, confirm: bool = False) -> int:
        """Visit the antenna that is selected; returns its microseconds."""
        self.heard.clear()
        self.visit.start(self.known, confirm)
        began = self.board.scheduler.now
        run(self.board, self.visit)
        return (self.board.scheduler.now - began) // NS_PER_US


class Heard:
    """What was reported, with the instants in nanoseconds of the scheduler."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.clear()

    def clear(self) -> None:
        self.tags: list[bytes] = []
        self.spans: list[tuple[bytes, int, int]] = []
        self.begun_at = -1
        self.answers: list[tuple[int, int, int]] = []
        self.strangers: list[tuple[bytes, int, int]] = []
        self.absent: dict[int, tuple[int, int]] = {}
        self.unknowns: list[int] = []
        self.clean: bool | None = None

    def tag(self, buf: bytearray, lo: int, hi: int) -> None:
        self.tags.append(bytes(buf))
        self.spans.append((bytes(buf), lo, hi))

    def begun(self, t: int) -> None:
        self.begun_at = t

    def answered(self, index: int, lo: int, hi: int) -> None:
        self.answers.append((index, lo, hi))

    def stranger(self, buf: bytearray, lo: int, hi: int) -> None:
        self.strangers.append((bytes(buf), lo, hi))

    def silent(self, index: int, first: int, count: int) -> None:
        assert index not in self.absent
        self.absent[index] = (first, count)

    def unknown(self, index: int) -> None:
        self.unknowns.append(index)

    def finished(self, clean: bool, t: int) -> None:
        assert self.clean is None, "finished twice"
        self.clean = clean


# Air times in us of the parts of a 16-slot tree (requests of 5 bytes and of one more for each two levels).
_EMPTY = 474.3
_FULL = 320.9 + 3927 + 309.1
_EOF = 37.76


def bound_us(serials: list[int]) -> float:
    """Air time of ISO 15693's 16-slot anticollision tree for these tags, without an idle gap."""
    numbers = [int.from_bytes(uid(serial), "little") for serial in serials]

    def round_us(length: int, there: list[int]) -> float:
        total = 113.27 + 302.06 * (5 + (length + 7) // 8) + 15 * _EOF
        for slot in range(16):
            here = [number for number in there if number >> length & 15 == slot]
            total += _FULL if here else _EMPTY
            if len(here) > 1:
                total += round_us(length + 4, here)
        return total

    return round_us(0, numbers)
