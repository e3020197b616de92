"""What a controller says of its table at one instant, taken apart. Entry points: :func:`read`, :class:`Picture`.

The layout is that of `sabot.wire.view` (docs/protocol.md, "The view").
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sabot.wire import codes, states
from sabot.wire import view as layout

LAMPS = ("off", "open", "locked", "attention", "settled", "fault")
"""Names of `codes.LAMP_*`, in their order."""


class Unreadable(ValueError):
    """The body is no view; the text says what is wrong with it."""


@dataclass(frozen=True)
class Spot:
    """A bet spot: what lies there, in chips and cents, and what is locked."""

    seat: int
    bet: str
    state: str
    lamp: str
    chips: int
    seen: int
    locked: int


@dataclass(frozen=True)
class Seat:
    """A seat; ``held``: it waits for a ruling."""

    number: int
    state: str
    held: bool


@dataclass(frozen=True)
class Issue:
    """An open irregularity; ``seat`` 0 and no ``bet`` when it is at no spot."""

    number: int
    kind: str
    severity: int
    seat: int
    bet: str


@dataclass(frozen=True)
class Picture:
    """One view. What belongs to the table is empty when the controller has none."""

    ready: bool
    full: bool
    """the journal takes no other round"""
    last: int
    """sequence of the journal's newest record"""
    refused: str
    """code for which the controller refuses to play"""
    faults: tuple[str, ...]
    lines: tuple[str, ...]
    """of the dealer's display"""
    state: str = ""
    gate: bool = False
    confirmed: bool = False
    round: int = 0
    bar: str = ""
    paying: tuple[int, int, int] = (0, 0, 0)
    """seat, page, pages; zeros when nobody is being paid"""
    seats: tuple[Seat, ...] = ()
    spots: tuple[Spot, ...] = ()
    issues: tuple[Issue, ...] = field(default=())

    def of_seat(self, number: int) -> list[Spot]:
        """The spots of a seat, in the game's order."""
        return [spot for spot in self.spots if spot.seat == number]

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the fields by their names."""
        values = dict(vars(self))
        for name in ("seats", "spots", "issues"):
            values[name] = [vars(one) for one in values[name]]
        return values


class _Reader:
    """Takes a body from the front."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._at = 0

    def take(self, layout: str) -> tuple[int, ...]:
        """The next fields; Unreadable when the body ends before."""
        size = struct.calcsize(layout)
        if self._at + size > len(self._body):
            raise Unreadable("it ends too soon")
        self._at += size
        return struct.unpack_from(layout, self._body, self._at - size)

    def text(self) -> str:
        """The next text; its control characters are shown as such."""
        (length,) = self.take("<B")
        data = bytes(self.take(f"<{length}B"))
        text = data.decode(errors="replace")
        return "".join(letter if letter.isprintable() else "?" for letter in text)

    def end(self) -> None:
        """Unreadable unless everything has been taken."""
        if self._at != len(self._body):
            raise Unreadable("it is too long")


def _named(names: Sequence[str], number: int) -> str:
    if number >= len(names):
        raise Unreadable(f"a number {number} where {len(names)} are known")
    return names[number]


def read(body: bytes, bets: Sequence[str]) -> Picture:
    """The view in a reply's body; ``bets`` are those of the controller's game, in its order. Unreadable."""
    reader = _Reader(body)
    flags, last, refusals, faults, lines = reader.take(layout.HEAD)
    texts = [reader.text() for _ in range(refusals + faults + lines)]
    head: dict[str, Any] = {
        "ready": bool(flags & layout.READY),
        "full": bool(flags & layout.FULL),
        "last": last,
        "refused": "".join(texts[:refusals]),
        "faults": tuple(texts[refusals : refusals + faults]),
        "lines": tuple(texts[refusals + faults :]),
    }
    table = _table(reader, bets) if flags & layout.HAS_TABLE else {}
    reader.end()
    return Picture(**head, **table)


def _table(reader: _Reader, bets: Sequence[str]) -> dict[str, Any]:
    state, flags, number, bar, seat, page, pages, *counts = reader.take(layout.TABLE)
    seats = [reader.take(layout.SEAT) for _ in range(counts[0])]
    spots = [reader.take(layout.SPOT) for _ in range(counts[1])]
    issues = [reader.take(layout.ISSUE) for _ in range(counts[2])]
    return {
        "state": _named(states.TABLE_STATES, state),
        "gate": bool(flags & layout.GATE),
        "confirmed": bool(flags & layout.CONFIRMED),
        "round": number,
        "bar": _named(LAMPS, bar),
        "paying": (seat, page, pages),
        "seats": tuple(
            Seat(number, _named(states.SEAT_STATES, state & ~layout.HELD), bool(state & layout.HELD))
            for number, state in seats
        ),
        "spots": tuple(
            Spot(
                codes.place_seat(place),
                _named(bets, codes.place_spot(place)),
                _named(states.SPOT_STATES, state),
                _named(LAMPS, lamp),
                *rest,
            )
            for place, state, lamp, *rest in spots
        ),
        "issues": tuple(
            Issue(
                number,
                codes.kind_name(kind),
                severity,
                codes.place_seat(place),
                _named(bets, codes.place_spot(place)) if place else "",
            )
            for number, kind, severity, place in issues
        ),
    }
