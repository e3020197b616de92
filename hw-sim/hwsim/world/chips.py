"""Chips of a casino, and hands that put them on antennas and take them away.

Entry points: :class:`Mint` (makes chips and writes their tags), :func:`chip_memory` (format version 1),
:class:`Felt` (``place``, ``remove``, ``move``, ``nudge``: each act is entered in the truth at its instant).

A forged chip is one from a mint with the house's number and another key; a foreign one has another number; a clone is
:meth:`Mint.clone`; a dead chip has a broken tag (:class:`DeadTag`). Limits: a chip lies on one antenna or on none;
fields of neighbours do not overlap here; no height of stacks.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import struct
from dataclasses import dataclass

from hwsim.core import NS_PER_MS, Scheduler
from hwsim.rf.air import AirFrame
from hwsim.rf.antenna import Antenna, Reply, Tag
from hwsim.world.truth import PLACED, REMOVED, Piece, TagMaker, Truth, WorldError
from hwsim.world.uids import UidSource

CHIP_AFI = 0x71  # gaming family, chips
FORMAT_VERSION = 1
CURRENCY_CAD = 0
MAC_BYTES = 8
_LAYOUT = struct.Struct("<BHBIH6x")  # version, casino, currency, cents, series, zeros: 16 bytes
HAND_NS = 400 * NS_PER_MS  # a chip in the hand, from one spot to the next
NUDGE_NS = 300 * NS_PER_MS
_EDGE_NS = (20 * NS_PER_MS, 80 * NS_PER_MS)  # a chip that slides along the edge of a field is in or out of it so long


def chip_memory(
    uid: bytes, key: bytes, casino: int, cents: int, series: int = 1, currency: int = CURRENCY_CAD
) -> bytes:
    """The 24 bytes from block 0 of a chip's tag, format version 1.

    16 bytes of data, then the first 8 bytes of HMAC-SHA-256 under ``key`` over UID (LSB first) and data.
    """
    data = _LAYOUT.pack(FORMAT_VERSION, casino, currency, cents, series)
    return data + hmac.new(key, uid + data, hashlib.sha256).digest()[:MAC_BYTES]


@dataclass(frozen=True, eq=False)
class Chip:
    """One chip: value in cents, UID (LSB first), its tag and what is written in it."""

    cents: int
    uid: bytes
    memory: bytes
    tag: Tag
    label: str


class DeadTag:
    """A broken tag: it hears nothing and says nothing."""

    def __init__(self) -> None:
        self.antenna: Antenna | None = None
        self.deaf_until = 0

    def power_up(self, now: int) -> None:
        """A field does nothing to it."""

    def power_down(self, now: int) -> None:
        """Nor does its end."""

    def hear(self, request: AirFrame) -> Reply | None:
        """No answer."""
        return None

    def hear_eof(self, start: int, end: int, early: bool) -> Reply | None:
        """No answer."""
        return None

    def hear_garbage(self, start: int) -> None:
        """Nothing."""


class Mint:
    """Makes the chips of one casino: ``casino`` is its number, ``key`` its secret."""

    def __init__(
        self, make_tag: TagMaker, uids: UidSource, *, casino: int, key: bytes, series: int = 1, name: str = ""
    ) -> None:
        self._make_tag = make_tag
        self._uids = uids
        self._casino = casino
        self._key = key
        self._series = series
        self._name = name
        self._made = 0

    def chip(self, cents: int, uid: bytes | None = None) -> Chip:
        """A new chip of ``cents``, with a UID of its own unless one is given."""
        uid = self._uids.next() if uid is None else uid
        return self._make(cents, uid, chip_memory(uid, self._key, self._casino, cents, self._series), "")

    def chips(self, *cents: int) -> list[Chip]:
        """One new chip for each value."""
        return [self.chip(value) for value in cents]

    def clone(self, chip: Chip) -> Chip:
        """Another body with the same UID and the same memory: a copy on a tag with a writable UID."""
        return self._make(chip.cents, chip.uid, chip.memory, " clone")

    def dead(self, cents: int) -> Chip:
        """A chip of the house whose tag is broken: people see what it is worth, no antenna hears it."""
        uid = self._uids.next()
        memory = chip_memory(uid, self._key, self._casino, cents, self._series)
        return self._make(cents, uid, memory, " dead", DeadTag())

    def _make(self, cents: int, uid: bytes, memory: bytes, remark: str, tag: Tag | None = None) -> Chip:
        self._made += 1
        label = f"{self._name}{cents // 100}.{cents % 100:02d}#{self._made}{remark}"
        return Chip(cents, uid, memory, tag or self._make_tag(uid, CHIP_AFI, memory), label)


class Felt:
    """Hands at work. Instants are ns of the scheduler; what is impossible at its instant raises WorldError there."""

    def __init__(self, scheduler: Scheduler, truth: Truth) -> None:
        self._scheduler = scheduler
        self._truth = truth
        self._where: dict[Piece, Antenna] = {}

    def where(self, piece: Piece) -> Antenna | None:
        """The antenna the piece lies on now, or None."""
        return self._where.get(piece)

    def lying_on(self, antenna: Antenna) -> list[Piece]:
        """The pieces on ``antenna`` now, in the order in which they came."""
        return [piece for piece, place in self._where.items() if place is antenna]

    def place(self, piece: Piece, antenna: Antenna, at: int) -> None:
        """Put a chip (or a card) on ``antenna`` at ``at``."""
        self._scheduler.at(at, lambda: self._place(piece, antenna))

    def remove(self, piece: Piece, at: int) -> None:
        """Take a piece away from where it lies at ``at``."""
        self._scheduler.at(at, lambda: self._remove(piece))

    def take(self, piece: Piece) -> None:
        """Take a piece away from where it lies, at this very instant."""
        self._remove(piece)

    def move(self, piece: Piece, antenna: Antenna, at: int, hand_ns: int = HAND_NS) -> None:
        """Take a piece at ``at`` and put it on ``antenna`` ``hand_ns`` later."""
        self.remove(piece, at)
        self.place(piece, antenna, at + hand_ns)

    def nudge(self, piece: Piece, at: int, duration: int = NUDGE_NS, seed: str = "") -> None:
        """Slide a piece along the edge of the field in which it lies: out and in again, and in when it is over.

        It starts at ``at`` and takes ``duration`` ns; how it flickers depends on ``seed`` and the piece.
        """
        source = random.Random(f"nudge/{seed}/{piece.uid.hex()}/{at}")

        def begin() -> None:
            antenna = self._where.get(piece)
            if antenna is None:
                raise WorldError(f"{piece.label} lies nowhere and cannot be nudged")
            moment, here = at, True
            while moment < at + duration:
                self.remove(piece, moment) if here else self.place(piece, antenna, moment)
                here = not here
                moment += source.randrange(*_EDGE_NS)
            if not here:
                self.place(piece, antenna, at + duration)

        self._scheduler.at(at, begin)

    def _place(self, piece: Piece, antenna: Antenna) -> None:
        lies_on = self._where.get(piece)
        if lies_on is not None:
            raise WorldError(f"{piece.label} lies on {lies_on.name}, not to be placed on {antenna.name}")
        self._where[piece] = antenna
        self._truth.record(PLACED, piece, antenna.name)
        antenna.enter(piece.tag)

    def _remove(self, piece: Piece) -> None:
        antenna = self._where.pop(piece, None)
        if antenna is None:
            raise WorldError(f"{piece.label} lies nowhere and cannot be removed")
        self._truth.record(REMOVED, piece, antenna.name)
        antenna.leave(piece.tag)
