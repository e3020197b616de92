"""Words of a scenario to values and back: money, seconds, instants.

Entry points: :func:`split` (a line to words), :func:`money`, :func:`dollars`, :func:`seconds`, :func:`clock`,
:class:`Misread` (a word that is none).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from hwsim.core import NS_PER_S

_WORD = re.compile(r'"[^"]*"\S*|[^\s"#][^\s#]*')
_MONEY = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)\.(\d\d)")
_SECONDS = re.compile(r"(\d+)(?:\.(\d{1,9}))?")
LONGEST_NS = 100 * 3600 * NS_PER_S


class Misread(ValueError):
    """A word that is not what stands here; the text says what would be.

    ``offset``: how many words behind the first one of its slot it stands; ``names``: what it could have been.
    """

    def __init__(self, expected: str, *, offset: int = 0, names: Iterable[str] = ()) -> None:
        super().__init__(expected)
        self.offset = offset
        self.names = tuple(names)


def split(line: str) -> list[str]:
    """The words of a line up to its comment; a text in quotation marks is one word, its marks included.

    Raises:
        Misread: a quotation mark that is not closed.
    """
    words = []
    rest = line.lstrip()
    while rest and not rest.startswith("#"):
        found = _WORD.match(rest)
        if found is None:
            raise Misread("a second quotation mark in this line")
        words.append(found[0])
        rest = rest[found.end() :].lstrip()
    return words


def is_money(word: str) -> bool:
    """Whether a word is an amount: dollars, a point, two digits."""
    return _MONEY.fullmatch(word) is not None


def money(word: str) -> int:
    """Cents of ``25.00`` or ``1,000.00``; Misread."""
    match = _MONEY.fullmatch(word)
    if match is None:
        raise Misread("an amount such as 25.00 (dollars, a point, two digits)")
    return int(match[1].replace(",", "")) * 100 + int(match[2])


def dollars(cents: int) -> str:
    """``25.00`` of 2500."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def seconds(word: str) -> int:
    """Nanoseconds of ``0.5`` (seconds, up to nine decimals); Misread."""
    match = _SECONDS.fullmatch(word)
    if match is None:
        raise Misread("seconds such as 0.5")
    value = int(match[1]) * NS_PER_S + int((match[2] or "").ljust(9, "0"))
    if value > LONGEST_NS:
        raise Misread("seconds, not more than 100 hours of them")
    return value


def clock(ns: int) -> str:
    """An instant for people: seconds with milliseconds."""
    return f"{ns // NS_PER_S}.{ns % NS_PER_S // 1_000_000:03d}"
