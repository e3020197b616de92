"""A scenario after parsing: its heading and its steps.

Entry points: :class:`Script`, :class:`Step`, :class:`When` (instant of a step), :class:`Sentence` (an act, in words and
values), :class:`Spot`, :class:`Pieces`, :class:`Claim` (what a record must say), :class:`Lexicon` (names that records
have, from whoever can read them), :class:`Setting` (what was there before the first line).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

COLOURS = ("dark", "green", "red", "amber", "white", "violet")


@dataclass(frozen=True)
class When:
    """``kind``: ``next`` (as soon as the line above is done), ``after`` it, ``absolute``, or after a ``mark``."""

    kind: str = "next"
    ns: int = 0
    mark: str = ""


@dataclass(frozen=True)
class Spot:
    """A bet spot by its names; without a bet it is any spot of the seat."""

    seat: int
    bet: str

    def __str__(self) -> str:
        """As people write it."""
        return f"seat {self.seat} {self.bet}".rstrip()

    def holds(self, seat: object, bet: object) -> bool:
        """Whether a seat and a bet are this spot, or one of this seat's."""
        return seat == self.seat and self.bet in ("", bet)


@dataclass(frozen=True)
class Pieces:
    """Chips: an amount, a name given before, or everything that lies there."""

    cents: int = 0
    name: str = ""
    everything: bool = False


@dataclass(frozen=True)
class Group:
    """Terms that must hold for one and the same entry of a record: ``(field, word)``; no field: of any field."""

    terms: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Claim:
    """What a record must be: its name, groups of terms, and how it is looked for."""

    record: str
    groups: tuple[Group, ...] = ()
    absent: bool = False
    following: bool = False
    """It must be the very next record after the one found last."""
    anywhere: bool = False
    """Looked for from the first record on, not from the one found last."""
    only: bool = False
    """The record's entries are the groups, and no others."""


@dataclass(frozen=True)
class Sentence:
    """One act or expectation: ``act`` names the handler, ``values`` are its slots by name."""

    act: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One line: number and text in the file, when, what."""

    line: int
    text: str
    when: When
    sentence: Sentence


@dataclass(frozen=True)
class Lexicon:
    """What may be said of records and tables.

    Args:
        records: names of records, and of the irregularities that stand for them, each with its fields.
        words: every word that a field may hold.
        games: the games, each with the bets of a seat.
        states: of the table.
        prompts: what the dealer may be asked for.
        rulings: what a supervisor may decide.
        declarations: what people may say of a spot that no antenna sees.
        meters: counters of the journal.
        roles: of people with badges.
    """

    records: Mapping[str, frozenset[str]]
    words: frozenset[str]
    games: Mapping[str, tuple[str, ...]]
    states: tuple[str, ...]
    prompts: tuple[str, ...]
    rulings: tuple[str, ...]
    declarations: tuple[str, ...]
    meters: tuple[str, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """What is there before a scenario's first line: the table, and names given to instants and chips."""

    game: str = "three_card"
    seats: int = 2
    marks: Collection[str] = ()
    chips: Collection[str] = ()


@dataclass
class Script:
    """A whole scenario."""

    file: str
    title: str = ""
    game: str = "three_card"
    seats: int = 2
    seed: int = 0
    config: dict[str, Any] = field(default_factory=dict)
    limits: dict[str, list[int]] = field(default_factory=dict)
    headed: bool = False
    """Whether it says anything of the table."""
    steps: list[Step] = field(default_factory=list)
