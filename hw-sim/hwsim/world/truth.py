"""The log of what really happened at the table: the ground truth that a journal is judged by.

Entry points: :class:`Truth` (``record``, and the questions ``of``, ``at``, ``present``, ``between``, ``lines``),
:class:`Fact` (one entry), :class:`Piece` (what has a tag and moves).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from hwsim.core import Scheduler
from hwsim.rf.antenna import Tag

# The tag maker's arguments: UID (8 bytes, LSB first), AFI, memory from block 0.
TagMaker = Callable[[bytes, int, bytes], Tag]

PLACED = "placed"
REMOVED = "removed"
EXPOSED = "exposed"


class WorldError(ValueError):
    """A scenario asks for what cannot happen: a chip in two places, a card that is not there."""


class Piece(Protocol):
    """A chip or a card: a body with a tag in it."""

    @property
    def uid(self) -> bytes:
        """Its UID, 8 bytes, LSB first."""

    @property
    def label(self) -> str:
        """Short name for people: ``25.00 #3`` or ``As``."""

    @property
    def tag(self) -> Tag:
        """What an antenna meets."""


class Fact(NamedTuple):
    """One thing that happened: instant (ns), act, which piece (label, UID; empty for none), where."""

    when: int
    act: str
    label: str
    uid: bytes
    place: str

    def __str__(self) -> str:
        """One line: seconds with nanoseconds, act, place, label, UID in the order people read (MSB first)."""
        seconds, ns = divmod(self.when, 1_000_000_000)
        return f"{seconds}.{ns:09d} {self.act} {self.place} {self.label} {self.uid[::-1].hex().upper()}".rstrip()


class Truth:
    """Facts in the order in which they happened."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.facts: list[Fact] = []
        self._scheduler = scheduler

    def record(self, act: str, piece: Piece | None, place: str) -> None:
        """Something happens at this very instant."""
        label, uid = (piece.label, piece.uid) if piece is not None else ("", b"")
        self.facts.append(Fact(self._scheduler.now, act, label, uid, place))

    def of(self, uid: bytes) -> list[Fact]:
        """The life of one piece."""
        return [fact for fact in self.facts if fact.uid == uid]

    def at(self, place: str) -> list[Fact]:
        """What happened at one place."""
        return [fact for fact in self.facts if fact.place == place]

    def between(self, first: int, last: int) -> list[Fact]:
        """What happened from ``first`` to ``last`` (ns), both included."""
        return [fact for fact in self.facts if first <= fact.when <= last]

    def present(self, place: str, when: int) -> set[bytes]:
        """UIDs of the pieces that lay at ``place`` at ``when`` (ns); an act at that instant has happened."""
        lying: set[bytes] = set()
        for fact in self.facts:
            if fact.when > when:
                break
            if fact.place == place and fact.act == PLACED:
                lying.add(fact.uid)
            elif fact.place == place and fact.act == REMOVED:
                lying.discard(fact.uid)
        return lying

    def lines(self) -> str:
        """All facts, one a line, for a file beside a journal."""
        return "".join(f"{fact}\n" for fact in self.facts)
