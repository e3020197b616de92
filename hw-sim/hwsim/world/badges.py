"""Badges of the staff and the pad they are held to: ISO 14443A cards with 4- and 7-byte UIDs, random UIDs, NTAG21x.

Entry points: :class:`BadgePad` (``show``, ``enter``, ``leave``, ``log``, ``air_fault``); :class:`Badge` (MIFARE
Classic: an identity), :class:`NtagBadge` (with memory), :class:`SmartBadge` (ISO 14443-4), :class:`PhoneBadge` (random
UID); :class:`BadgeUids` (UIDs from a seed).

Limits: no distance and no tuning: a badge has power or has not; CRC and parity are the reader's; NTAG counters,
dynamic lock bits and the limit of password tries are not modelled; a smart card answers 6D 00 to everything.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import NamedTuple

from hwsim.chips.pn532_air import ACK, ISO_DEP, NAK, Card, Reply
from hwsim.core import Scheduler, SimFault
from hwsim.world.truth import WorldError

SHOWN, WITHDRAWN = "shown", "withdrawn"

READ, WRITE, GET_VERSION, READ_SIG, PWD_AUTH = 0x30, 0xA2, 0x60, 0x3C, 0x1B
PAGE_BYTES = 4
RANDOM_UID = 0x08
_NO_UID_STARTS = (0x08, 0x88)  # random, cascade tag


class NtagType(NamedTuple):
    """One size of NTAG: pages, size byte of the capability container, storage byte of the version."""

    pages: int
    container: int
    version: int


NTAG_TYPES = {
    213: NtagType(45, 0x12, 0x0F),
    215: NtagType(135, 0x3E, 0x11),
    216: NtagType(231, 0x6D, 0x13),
}


class Badge:
    """A MIFARE Classic card of which only the UID is used: its memory wants keys and is not modelled.

    Raises:
        WorldError: a UID of neither 4 nor 7 bytes, or one that a badge cannot have.
    """

    sel_res = 0x08
    ats = b""

    def __init__(self, uid: bytes, label: str = "") -> None:
        if len(uid) not in (4, 7) or (len(uid) == 4 and uid[0] in _NO_UID_STARTS):
            raise WorldError(f"no badge has the UID {uid.hex().upper()}")
        self._uid = uid
        self.label = label or uid.hex().upper()
        self.sens_res = bytes([0x00, 0x04 if len(uid) == 4 else 0x44])
        self.active = False

    @property
    def uid(self) -> bytes:
        """4 or 7 bytes, first byte first."""
        return self._uid

    def power(self, on: bool) -> None:
        """The field comes or goes: the card starts in the idle state."""
        self.active = False

    def select(self) -> None:
        """The card is active."""
        self.active = True

    def halt(self) -> None:
        """The card waits for the next WUPA."""
        self.active = False

    def exchange(self, frame: bytes) -> Reply:
        """Memory access without authentication is refused; the card goes back to idle."""
        if not self.active:
            return None
        if frame[:1] in (b"\x60", b"\x61"):
            raise SimFault(f"badge {self.label}: authentication of MIFARE Classic is not modelled")
        self.active = False
        return NAK


class NtagBadge(Badge):
    """An NTAG213, 215 or 216; ``user`` is its memory from page 4 on. 7-byte UIDs only."""

    sel_res = 0x00

    def __init__(self, uid: bytes, model: int = 213, user: bytes = b"", label: str = "") -> None:
        super().__init__(uid, label)
        if len(uid) != 7 or model not in NTAG_TYPES:
            raise WorldError(f"no NTAG{model} with the UID {uid.hex().upper()}")
        self.kind = NTAG_TYPES[model]
        if len(user) > PAGE_BYTES * (self.kind.pages - 9):
            raise WorldError(f"{len(user)} bytes are too many for an NTAG{model}")
        self.memory = bytearray(PAGE_BYTES * self.kind.pages)
        """All pages, as they are; a reader sees 00 instead of password and PACK."""
        check = (0x88 ^ uid[0] ^ uid[1] ^ uid[2], uid[3] ^ uid[4] ^ uid[5] ^ uid[6])
        head = [*uid[:3], check[0], *uid[3:], check[1], 0x48, 0, 0, 0xE1, 0x10, self.kind.container, 0]
        self.memory[: len(head)] = bytes(head)
        self.memory[16 : 16 + len(user)] = user
        self._configuration = self.kind.pages - 4
        self.memory[-20:] = bytes.fromhex("000000BD 040000FF 00050000 FFFFFFFF 00000000")
        self._authenticated = False

    def protect(self, password: bytes, pack: bytes, first_page: int, *, reads_too: bool = False) -> None:
        """Password (4 bytes), its acknowledge (2 bytes), and the first page that wants it."""
        at = PAGE_BYTES * self._configuration
        self.memory[at + 3] = first_page
        self.memory[at + 4] = 0x80 if reads_too else 0x00
        self.memory[at + 8 : at + 14] = password + pack

    def power(self, on: bool) -> None:
        """The field comes or goes: authentication is forgotten."""
        super().power(on)
        self._authenticated = False

    def exchange(self, frame: bytes) -> Reply:
        """A Type 2 tag command.

        Raises:
            SimFault: a command that the sheet does not have.
        """
        if not self.active:
            return None
        reply = self._execute(frame)
        if reply == NAK:
            self.active = False
            self._authenticated = False
        return reply

    def _execute(self, frame: bytes) -> Reply:
        command, arguments = frame[0], frame[1:]
        if command == READ and len(arguments) == 1:
            return self._read(arguments[0])
        if command == WRITE and len(arguments) == 5:
            return self._write(arguments[0], arguments[1:])
        if command == GET_VERSION and not arguments:
            return bytes([0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self.kind.version, 0x03])
        if command == READ_SIG and arguments == b"\x00":
            return hashlib.sha256(self.uid).digest()  # a signature by nobody; the right length
        if command == PWD_AUTH and len(arguments) == 4:
            at = PAGE_BYTES * (self._configuration + 2)
            self._authenticated = arguments == self.memory[at : at + 4]
            return bytes(self.memory[at + 4 : at + 6]) if self._authenticated else NAK
        raise SimFault(f"badge {self.label}: tag command {frame.hex(' ').upper()} is not in the sheet")

    def _protected_from(self, *, reading: bool) -> int:
        """The first page that is out of reach; the number of pages when none is."""
        at = PAGE_BYTES * self._configuration
        wants_password = not reading or self.memory[at + 4] & 0x80
        if self._authenticated or not wants_password:
            return self.kind.pages
        return min(self.memory[at + 3], self.kind.pages)

    def _read(self, page: int) -> Reply:
        end = self._protected_from(reading=True)
        if page >= end:
            return NAK
        shown = bytearray(self.memory)
        secret = PAGE_BYTES * (self._configuration + 2)
        shown[secret : secret + 8] = bytes(8)
        pages = [(page + i) % end for i in range(4)]  # past the end it goes on with page 0
        return b"".join(bytes(shown[PAGE_BYTES * p : PAGE_BYTES * p + PAGE_BYTES]) for p in pages)

    def _write(self, page: int, data: bytes) -> Reply:
        at = PAGE_BYTES * page
        if page < 2 or page >= self._protected_from(reading=False) or self._locked(page):
            return NAK
        if page == 2:  # lock bits: bits once set stay
            self.memory[at + 2] |= data[2]
            self.memory[at + 3] |= data[3]
        elif page == 3:  # one-time programmable
            for i, byte in enumerate(data):
                self.memory[at + i] |= byte
        else:
            self.memory[at : at + 4] = data
        return ACK

    def _locked(self, page: int) -> bool:
        return 3 <= page <= 15 and bool((self.memory[10] | self.memory[11] << 8) >> page & 1)


class SmartBadge(Badge):
    """An ISO 14443-4 card with a fixed 7-byte UID (DESFire)."""

    sel_res = ISO_DEP
    ats = bytes.fromhex("067577810280")

    def __init__(self, uid: bytes, label: str = "") -> None:
        super().__init__(uid, label)
        self.sens_res = bytes([0x03, 0x44]) if len(uid) == 7 else bytes([0x00, 0x04])

    def exchange(self, frame: bytes) -> Reply:
        """Every command is answered by "instruction not supported"."""
        return b"\x6d\x00" if self.active else None


class PhoneBadge(SmartBadge):
    """A telephone or bank card: 4 bytes that start with 08 and are others at each field. Never an identity."""

    def __init__(self, seed: int = 0, label: str = "phone") -> None:
        super().__init__(bytes(4), label)
        self._random = random.Random(f"phone/{seed}")
        self._draw()

    def power(self, on: bool) -> None:
        """The field comes or goes: with it comes another UID."""
        super().power(on)
        if on:
            self._draw()

    def _draw(self) -> None:
        self._uid = bytes([RANDOM_UID]) + self._random.randbytes(3)


class BadgeUids:
    """UIDs that never repeat; the same seed gives the same ones in the same order."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"badges/{seed}")
        self._given: set[bytes] = set()

    def four(self) -> bytes:
        """A 4-byte UID that is not a random one."""
        return self._fresh(lambda: self._random.randbytes(4))

    def seven(self) -> bytes:
        """A 7-byte UID of the usual maker (04)."""
        return self._fresh(lambda: b"\x04" + self._random.randbytes(6))

    def _fresh(self, draw: Callable[[], bytes]) -> bytes:
        while True:
            uid = draw()
            if uid not in self._given and uid[0] not in _NO_UID_STARTS:
                self._given.add(uid)
                return uid


class Shown(NamedTuple):
    """A badge came to the pad or went: instant (ns), act, label, UID at that instant."""

    when: int
    act: str
    label: str
    uid: bytes


AirFault = Callable[[Card, bytes, Reply], Reply]
"""Card, frame sent (empty: selection), what it answered -> what is heard; None = nothing."""


class BadgePad:
    """The antenna of the badge reader and what is held to it: a :class:`~hwsim.chips.pn532_air.CardField`."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.log: list[Shown] = []
        self.air_fault: AirFault | None = None
        self.field = False
        self._scheduler = scheduler
        self._badges: list[Badge] = []

    # World side

    @property
    def badges(self) -> tuple[Badge, ...]:
        """What is held to the pad now."""
        return tuple(self._badges)

    def show(self, badge: Badge, hold_ns: int, at: int | None = None) -> None:
        """Hold ``badge`` to the pad from ``at`` (default now) for ``hold_ns``."""
        begin = self._scheduler.now if at is None else at
        self._scheduler.at(begin, lambda: self.enter(badge))
        self._scheduler.at(begin + hold_ns, lambda: self.leave(badge))

    def enter(self, badge: Badge) -> None:
        """The badge comes to the pad, now.

        Raises:
            WorldError: it is there already.
        """
        if badge in self._badges:
            raise WorldError(f"badge {badge.label} is on the pad already")
        self._badges.append(badge)
        badge.power(self.field)
        self.log.append(Shown(self._scheduler.now, SHOWN, badge.label, badge.uid))

    def leave(self, badge: Badge) -> None:
        """The badge goes, now.

        Raises:
            WorldError: it is not there.
        """
        if badge not in self._badges:
            raise WorldError(f"badge {badge.label} is not on the pad")
        self._badges.remove(badge)
        self.log.append(Shown(self._scheduler.now, WITHDRAWN, badge.label, badge.uid))
        badge.power(False)

    # The reader's side

    def set_field(self, on: bool) -> None:
        """The carrier of the reader."""
        if on != self.field:
            self.field = on
            for badge in self._badges:
                badge.power(on)

    def cards(self) -> tuple[Badge, ...]:
        """Badges that have power."""
        return tuple(self._badges) if self.field else ()

    def on_air(self, card: Card, frame: bytes, reply: Reply) -> Reply:
        """What is heard of an answer."""
        return reply if self.air_fault is None else self.air_fault(card, frame, reply)
