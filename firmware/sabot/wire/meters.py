"""Meters: what was staked, paid and returned on every bet spot, and how often each thing happened.

Entry points: :func:`new` (a block of zeros), :func:`apply` (add one record to a block), :func:`metered` (whether
records of a code change it), :func:`digest` (what the head of a journal says of it), :func:`as_dict`,
:func:`installed` and :func:`sealed` (to read it), :func:`together`.

A block is :data:`SIZE` bytes, the same on the controller and on the host: the meters are the sum of all records, and
whoever has the records can add them up again. Bets count when they are settled, so a voided bet is never staked.
Amounts are cents in 64 bits; 1,000,000 $ a minute would take 350,000 years to fill one.
"""

import hashlib
import struct

from .codes import kind_name, place

try:
    from micropython import const
except ImportError:

    def const(x: int) -> int:
        """The value itself, where there is no MicroPython."""
        return x


try:
    from typing import TYPE_CHECKING
except ImportError:
    TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
SEATS = 7
SPOTS = 8
BETS = ("staked", "paid", "returned")

# Each in 64 bits; a name is added at the end, there is room for 14.
COUNTERS = (
    "rounds", "voids", "void_returned", "boots", "power_lost", "irregularities", "card_faults", "settlements", "tokes",
    "pages", "pages_verified", "rounded",
)  # fmt: skip

_COUNTER_SLOTS = const(16)  # the last two are no counters: what is installed, and what is sealed, zeros when nothing is
_KIND_SLOTS = const(64)  # the last one counts the kinds that this version has no slot for
_ROW = 8 * len(BETS)
_COUNTERS_AT = _ROW * (SEATS * SPOTS + 1)  # the first row is for places that no table has
_SEALED_AT = _COUNTERS_AT + 8 * (_COUNTER_SLOTS - 1)
_INSTALLED_AT = _SEALED_AT - 8
_KINDS_AT = _COUNTERS_AT + 8 * _COUNTER_SLOTS
SIZE = _KINDS_AT + 4 * _KIND_SLOTS

_POWER_ON = const(0x01)
_POWER_LOST = const(0x02)
_CONFIGURED = const(0x03)
_SEAL = const(0x0A)
_SETTLEMENT = const(0x18)
_VOID = const(0x19)
_ROUND_END = const(0x1A)
_IRREGULARITY = const(0x20)
_VERIFIED = const(1)  # of `codes.PAYMENTS`
_PAID = const(0x1E)
_CARD_FAULT = const(0x23)
_ROUNDED = const(0x29)
_TOKE = "toke"
_METERED = (
    _POWER_ON, _POWER_LOST, _CONFIGURED, _SETTLEMENT, _VOID, _ROUND_END, _IRREGULARITY, _CARD_FAULT, _PAID, _ROUNDED,
    _SEAL,
)  # fmt: skip


def new() -> bytearray:
    """A block in which nothing has happened yet."""
    return bytearray(SIZE)


def metered(code: int) -> bool:
    """Whether records of this code change the meters."""
    return code in _METERED


def _row(value: int) -> int:
    """Offset of a place's three amounts."""
    seat, spot = value >> 4, value & 15
    if 1 <= seat <= SEATS and spot < SPOTS:
        return _ROW * (1 + (seat - 1) * SPOTS + spot)
    return 0


def _add(block: bytearray, offset: int, amount: int) -> None:
    struct.pack_into("<Q", block, offset, struct.unpack_from("<Q", block, offset)[0] + amount)


def _count(block: bytearray, counter: str, amount: int = 1) -> None:
    _add(block, _COUNTERS_AT + 8 * COUNTERS.index(counter), amount)


def _tip(block: bytearray, cents: int) -> None:
    """More cents are the dealers' tip, or fewer: a declaration may be taken back."""
    offset = _COUNTERS_AT + 8 * COUNTERS.index("tokes")
    struct.pack_into("<Q", block, offset, max(struct.unpack_from("<Q", block, offset)[0] + cents, 0))


def _count_kind(block: bytearray, kind: int) -> None:
    offset = _KINDS_AT + 4 * min(kind, _KIND_SLOTS - 1)
    struct.pack_into("<I", block, offset, struct.unpack_from("<I", block, offset)[0] + 1)


def apply(block: bytearray, code: int, fields: "dict[str, Any]") -> bool:
    """Add one record to a block; whether it changed. Every well-formed record can be added."""
    if code == _SETTLEMENT:
        _count(block, "settlements")
        for where, _result, stake, paid, returned in fields["bets"]:
            row = _row(where)
            _add(block, row, stake)
            _add(block, row + 8, paid)
            _add(block, row + 16, returned)
    elif code == _VOID:
        _count(block, "voids")
        for _where, amount in fields["spots"]:
            _count(block, "void_returned", amount)
    elif code == _ROUND_END:
        _count(block, "rounds")
    elif code == _IRREGULARITY:
        _count(block, "irregularities")
        if kind_name(fields["kind"]) == _TOKE:
            _tip(block, fields["before"] - fields["after"])
        _count_kind(block, fields["kind"])
    elif code == _CARD_FAULT:
        _count(block, "card_faults")
        _count_kind(block, fields["kind"])
    elif code == _PAID:
        for _seat, outcome in fields["seats"]:
            _count(block, "pages")
            _count(block, "pages_verified", int(outcome == _VERIFIED))
    elif code == _ROUNDED:
        _count(block, "rounded", fields["amount"])
    elif code == _POWER_ON:
        _count(block, "boots")
    elif code == _POWER_LOST:
        _count(block, "power_lost")
    elif code == _CONFIGURED:
        block[_INSTALLED_AT:_SEALED_AT] = together(fields["settings"], fields["program"], fields["deck"])
    elif code == _SEAL:
        block[_SEALED_AT:_KINDS_AT] = fields["settings"] if fields["on"] else bytes(_KINDS_AT - _SEALED_AT)
    else:
        return False
    return True


def digest(block: "bytes | bytearray | memoryview") -> bytes:
    """16 bytes that stand for a block in the head of a journal."""
    return hashlib.sha256(block).digest()[:16]


def together(settings: bytes, program: bytes, deck: bytes) -> bytes:
    """8 bytes that stand for what is installed: fields of the record ``configured``."""
    return hashlib.sha256(settings + program + deck).digest()[:8]


def installed(block: "bytes | bytearray | memoryview") -> bytes:
    """What the last ``configured`` record says that is installed (`together`); zeros before the first."""
    return bytes(block[_INSTALLED_AT:_SEALED_AT])


def sealed(block: "bytes | bytearray | memoryview") -> bytes:
    """What the seal that is on stands for (``settings`` of its record); empty when there is none."""
    found = bytes(block[_SEALED_AT:_KINDS_AT])
    return found if any(found) else b""


def as_dict(block: "bytes | bytearray | memoryview") -> "dict[str, Any]":
    """A block as ``{counter: n, "places": [...], "kinds": {name: n}}``; places and kinds at zero are left out."""
    values: dict[str, Any] = {}
    for index in range(len(COUNTERS)):
        values[COUNTERS[index]] = struct.unpack_from("<Q", block, _COUNTERS_AT + 8 * index)[0]
    places = []
    for seat in range(1, SEATS + 1):
        for spot in range(SPOTS):
            amounts = struct.unpack_from("<QQQ", block, _row(place(seat, spot)))
            if any(amounts):
                places.append(
                    {"seat": seat, "spot": spot, "staked": amounts[0], "paid": amounts[1], "returned": amounts[2]}
                )
    kinds = {}
    for kind in range(_KIND_SLOTS):
        number = struct.unpack_from("<I", block, _KINDS_AT + 4 * kind)[0]
        if number:
            kinds[kind_name(kind)] = number
    values["places"] = places
    values["kinds"] = kinds
    return values
