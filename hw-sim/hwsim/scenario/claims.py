"""What an expectation says of a record: read from words, and judged against a record.

Entry points: :func:`read` (words to a :class:`~hwsim.scenario.script.Claim`), :func:`holds` (does a record satisfy it),
:class:`Entry` (a record as names and values), :class:`Money` and :class:`Instant` (values that are more than numbers).

A claim is a record's name and groups of terms, set apart by commas. A term is a field's name and its value (``seat 1``,
``paid 25.00``), or a value alone (``ante``, ``win``, ``25.00``), which any field of the same entry may hold. Every
group must hold for one entry of the record: a row of its lists, with the record's own fields beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hwsim.core import NS_PER_S, NS_PER_US
from hwsim.scenario.script import Claim, Group, Lexicon
from hwsim.scenario.values import dollars, is_money, money
from hwsim.world.cards import CODES

COVERS = "covers"
ONLY = "only"
ANYWHERE = "anywhere"


class Money(int):
    """An amount in cents; its text is dollars."""

    def __str__(self) -> str:
        """``25.00``."""
        return dollars(self)


class Instant(int):
    """Nanoseconds of the simulated world; its text is seconds since the world began, to the microsecond."""

    def __str__(self) -> str:
        """``2.429888``."""
        return f"{self // NS_PER_S}.{self % NS_PER_S // NS_PER_US:06d}"


Value = str | int
Row = Mapping[str, Value]


@dataclass(frozen=True)
class Entry:
    """One record: number, name (an irregularity's kind for those), instant of being durable (ns), its content."""

    sequence: int
    name: str
    family: str
    when: int
    fields: Row
    rows: tuple[Row, ...]
    """Rows of all lists of the record, in their order."""

    def __str__(self) -> str:
        """One line for people."""
        rows = ["(" + " ".join(_shown(name, row[name]) for name in row) + ")" for row in self.rows]
        own = [_shown(name, self.fields[name]) for name in self.fields if name != "kind"]
        return " ".join([self.name, *own, *rows])


class Unreadable(ValueError):
    """Words that say nothing about a record; ``position`` of the first wrong one; the text says what could stand.

    ``names``: words that could, to be compared with the wrong one.
    """

    def __init__(self, position: int, expected: str, names: Iterable[str] = ()) -> None:
        super().__init__(expected)
        self.position = position
        self.names = tuple(names)


def _shown(name: str, value: Value) -> str:
    return str(value) if name in ("bet", "kind") or isinstance(value, Money) else f"{name} {value}"


def read(words: Sequence[str], lexicon: Lexicon, bets: Sequence[str]) -> Claim:
    """A claim from the words after ``expect``; Unreadable."""
    record = words[0] if words else ""
    fields = lexicon.records.get(record)
    if fields is None:
        raise Unreadable(0, "a record or a condition", lexicon.records)
    groups: list[Group] = []
    terms: list[tuple[str, str]] = []
    position = 1
    while words[position : position + 1] in ([ONLY], [ANYWHERE]):
        position += 1
    how = words[1:position]
    while len(words) > position and words[-1] in (ONLY, ANYWHERE):
        how = [*how, words[-1]]
        words = words[:-1]
    while position < len(words):
        word = words[position]
        ends = word.endswith(",")
        word = word.removesuffix(",")
        if word in fields or word == COVERS:
            if ends or position + 1 == len(words):
                raise Unreadable(position + 1, f"the value of '{word}'")
            position += 1
            value = words[position]
            ends = value.endswith(",")
            terms.append((word, value.removesuffix(",")))
        elif word in lexicon.words or word in bets or word in CODES or is_money(word):
            terms.append(("", word))
        elif word:
            raise Unreadable(
                position,
                f"a field of '{record}' ({' '.join(sorted(fields))}), a bet, an amount or a word",
                (*fields, *bets, *lexicon.words),
            )
        position += 1
        if ends or position == len(words):
            if not terms:
                raise Unreadable(position - 1, "something before the comma")
            groups.append(Group(tuple(terms)))
            terms = []
    return Claim(record, tuple(groups), only=ONLY in how, anywhere=ANYWHERE in how)


def holds(claim: Claim, entry: Entry, marks: Mapping[str, int]) -> bool:
    """Whether ``entry`` is the record that ``claim`` speaks of; ``marks`` are instants (ns) by name."""
    if claim.record not in (entry.name, entry.family):
        return False
    used: set[int] = set()
    for group in claim.groups:
        row = _row_of(group, entry, marks)
        if row is None:
            return False
        used.add(row)
    return not claim.only or used >= {index for index, row in enumerate(entry.rows) if row.get("amount") != 0}


def _row_of(group: Group, entry: Entry, marks: Mapping[str, int]) -> int | None:
    """Index of the row that satisfies a group, -1 for the record's own fields, None for neither."""
    if _satisfies(group, entry.fields, {}, marks):
        return -1
    for index, row in enumerate(entry.rows):
        if _satisfies(group, row, entry.fields, marks):
            return index
    return None


def _satisfies(group: Group, row: Row, own: Row, marks: Mapping[str, int]) -> bool:
    for name, word in group.terms:
        if name == COVERS:
            fields = {**own, **row}
            if not fields["earliest"] <= marks[word] <= fields["latest"]:  # type: ignore[operator]
                return False
        elif name:
            value = row.get(name, own.get(name))
            if value is None or not _equal(value, word):
                return False
        elif not any(_bare(value, word) for value in row.values()):
            return False
    return True


def _equal(value: Value, word: str) -> bool:
    if isinstance(value, Money):
        return is_money(word) and int(value) == money(word)
    return str(value) == word or _bare(value, word)  # one card of several


def _bare(value: Value, word: str) -> bool:
    """A value alone names an amount or a word; a plain number needs its field."""
    if isinstance(value, Money):
        return is_money(word) and int(value) == money(word)
    return isinstance(value, str) and word in value.split()
